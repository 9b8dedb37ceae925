const width = window.innerWidth;

export default function Map() {
  return <p>The map is {width} pixels wide.</p>;
}
