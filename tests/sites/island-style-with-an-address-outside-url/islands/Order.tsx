export default function Order() {
  return <p style={{ backgroundImage: "image-set('https://cdn.test/crumb.png' 1x)" }}>Order</p>;
}
