export default function Loaf() {
  return <p>Loaf</p>;
}
