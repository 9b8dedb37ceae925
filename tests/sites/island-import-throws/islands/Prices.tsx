import { euros } from "./parts/list";

export default function Prices() {
  return <p>{euros}</p>;
}
