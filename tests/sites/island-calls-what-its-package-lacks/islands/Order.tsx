import { useStat } from "react";

export default function Order() {
  const [loaves] = useStat(1);
  return <p>{loaves} loaf</p>;
}
