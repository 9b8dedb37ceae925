export default function Order() {
  return <Order />;
}
