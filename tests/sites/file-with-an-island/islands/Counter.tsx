export default function Counter() {
  return <p>1</p>;
}
