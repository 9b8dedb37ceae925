export default function Order() {
  return <p>One loaf, please.</p>;
}
