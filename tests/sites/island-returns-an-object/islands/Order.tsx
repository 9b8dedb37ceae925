export default function Order() {
  return { loaf: "rye" };
}
