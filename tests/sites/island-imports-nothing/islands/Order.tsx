import { price } from "./prices";

export default function Order() {
  return <p>{price} euros, please.</p>;
}
