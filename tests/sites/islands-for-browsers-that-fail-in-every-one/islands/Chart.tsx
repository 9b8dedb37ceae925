import { bars } from "./parts/bars";

export default function Chart() {
  return <ul>{bars.map((bar) => <li key={bar}>{bar}</li>)}</ul>;
}
