import { loaf } from "./parts/loaf";

const list = new URL("parts/prices.pdf", import.meta.url);

export default function Order() {
  return (
    <p>
      <img src={`${loaf}`} alt="A loaf" width="10" height="10" />
      <a href={list.href}>Prices</a> {list instanceof URL ? list.pathname.length > 1 && "(PDF)" : "no address"}
    </p>
  );
}
