export default function Order() {
  return <p>You are number {Math.random()}.</p>;
}
