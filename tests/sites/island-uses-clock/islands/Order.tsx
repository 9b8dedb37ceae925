export default function Order() {
  const today = new Date();
  return <p>Baked in {today.getFullYear()}.</p>;
}
