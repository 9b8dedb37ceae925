export default function Order() {
  return <p>{(4.8).toLocaleString()} euros, please.</p>;
}
