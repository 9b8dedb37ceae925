import { Slot } from "./runtime/slot";

export default function Loaf() {
  return <Slot />;
}
