import { useState } from "react";

const session = Math.random().toString(36);
setTimeout(() => console.log(session), 1000);

export default function Order() {
  const [begun] = useState(() => Date.now());
  const [address] = useState(() => new URL("/loaves?kind=rye", "https://www.hollowoven.test"));
  return <p data-is-new={begun > 0}>One {address.searchParams.get("kind")} loaf, please.</p>;
}
