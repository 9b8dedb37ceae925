export default function Order() {
  return <p style={{ backgroundImage: "url(https://cdn.test/loaf.png)" }}>Order</p>;
}
