const width = window.innerWidth;

export default function Only() {
  return <p id="only">{width > 0 ? "rendered" : "no window"}</p>;
}
