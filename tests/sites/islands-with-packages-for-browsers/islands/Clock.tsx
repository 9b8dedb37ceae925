import { clock } from "clock";
import { mode } from "fresh";
import { panel } from "panel";

if (import.meta.hot) import.meta.hot.accept();

export default function Clock() {
  return <p>{clock()}, {panel}, {mode}</p>;
}
