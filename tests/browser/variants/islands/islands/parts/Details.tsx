export default function Details() {
  return <p id="details">Baked on Fridays.</p>;
}
