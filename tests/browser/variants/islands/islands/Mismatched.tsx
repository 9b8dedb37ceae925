/** React throws the prerendered elements away, and makes new ones. */
export default function Mismatched() {
  return (
    <>
      <p>{typeof document === "undefined" ? "prerendered" : "rendered in the browser"}</p>
      <input aria-label="mismatched" />
      <input aria-label="mismatched file" type="file" />
      <input aria-label="mismatched box" type="checkbox" />
    </>
  );
}
