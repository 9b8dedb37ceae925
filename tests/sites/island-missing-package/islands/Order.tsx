import { format } from "price-format";

export default function Order() {
  return <p>{format(4)} euros, please.</p>;
}
