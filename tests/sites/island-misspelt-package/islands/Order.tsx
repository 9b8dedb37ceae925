import { useState } from "reakt";

export default function Order() {
  return <p>{useState(1)[0]} loaf</p>;
}
