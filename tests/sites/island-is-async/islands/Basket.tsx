import { use } from "react";

const basket = new Promise<number>(() => undefined);

export default function Basket() {
  return <p>{use(basket)} loaves</p>;
}
