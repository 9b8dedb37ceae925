export default function Order() {
  return <p>{"rye ".repeat(22_500_000)}</p>;
}
