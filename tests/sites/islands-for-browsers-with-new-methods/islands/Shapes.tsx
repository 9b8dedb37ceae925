/(r)ye/.test("rye");
const first = RegExp.$1.toUpperCase();

export default function Shapes() {
  return <p>{first}</p>;
}
