export default function Order() {
  return <a href="/pirces">Prices</a>;
}
