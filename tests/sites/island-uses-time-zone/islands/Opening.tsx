export default function Opening() {
  const opening = new Date("2026-12-24T07:00");
  return <p>Open from {opening.toISOString()}.</p>;
}
