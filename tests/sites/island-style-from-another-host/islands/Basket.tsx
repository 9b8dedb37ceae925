export default function Basket() {
  return <p style={{ backgroundImage: "url(https://cdn.test/loaf.png)" }}>Basket</p>;
}
