export default function Order() {
  return <p style={{ backgroundImage: "url(/assets/none.png)" }}>Order</p>;
}
