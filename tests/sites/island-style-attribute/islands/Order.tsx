export default function Order() {
  return <p style={{ color: "brown" }}>Bread</p>;
}
