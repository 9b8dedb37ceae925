export function Order() {
  return <p>One loaf, please.</p>;
}
