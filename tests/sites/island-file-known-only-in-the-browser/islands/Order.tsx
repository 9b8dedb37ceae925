export default function Order({ loaf = "rye" }: { loaf?: string }) {
  const image = new URL(`./${loaf}.svg`, import.meta.url);
  const worker = new URL("./worker.ts", import.meta.url);
  const oven = new URL("/oven.png", import.meta.url);
  const missing = new URL("./spelt.svg", import.meta.url);
  return <p>{[image, worker, oven, missing].join()}</p>;
}
