const { body } = globalThis.document;

export default function Map() {
  return <p>The map is {body.clientWidth} pixels wide.</p>;
}
