export default function Order() {
  return <p>{(4.8).toLocaleString("de", { style: "currency", currency: "EUR" })}, please.</p>;
}
