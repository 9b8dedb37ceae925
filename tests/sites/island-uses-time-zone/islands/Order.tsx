export default function Order() {
  const opening = new Date(2026, 11, 24, 18);
  return <p>Open until {opening.toISOString()}.</p>;
}
