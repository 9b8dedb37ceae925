export default function Order() {
  return <p>You are at {window.location.href}.</p>;
}
