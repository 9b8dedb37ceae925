export default function Order() {
  return <p>One</b>;
}
