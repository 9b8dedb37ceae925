export default function Order() {
  return <input name="loaf" />;
}
