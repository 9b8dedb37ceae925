import { useState } from "react";

export default function Gallery() {
  const [photo] = useState(() => localStorage.getItem("photo") ?? "oven");
  return <p>{photo}</p>;
}
