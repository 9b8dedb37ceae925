export default function Order() {
  fetch("/prices.json");
  return <p>One loaf, please.</p>;
}
