export default function Count() {
  return <p>Count</p>;
}
