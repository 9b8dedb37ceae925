export default function FailsAtHydration() {
  if (typeof document !== "undefined") throw new Error("not in a browser");
  return <p>prerendered</p>;
}
