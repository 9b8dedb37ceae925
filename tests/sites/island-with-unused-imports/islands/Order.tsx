import React, { ReactNode, useEffect } from "react";
import { Loaf } from "./parts/loaf";

export default function Order() {
  const loaf: Loaf = { name: "Rye" };
  const shown: ReactNode = loaf.name;
  return <p>{shown}</p>;
}
