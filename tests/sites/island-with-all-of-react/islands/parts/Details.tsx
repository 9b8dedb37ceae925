export default function Details() {
  return <p>Baked on Fridays.</p>;
}
