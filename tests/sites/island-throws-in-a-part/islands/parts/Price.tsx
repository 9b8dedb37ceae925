export function Price() {
  if (true) throw new Error("no price for this loaf");
  return <b>4</b>;
}
