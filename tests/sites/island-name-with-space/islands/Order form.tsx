export default function OrderForm() {
  return <p>One loaf, please.</p>;
}
