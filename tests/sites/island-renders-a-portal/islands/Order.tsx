import { createPortal } from "react-dom";

export default function Order() {
  const page = typeof document === "undefined" ? null : document.body;
  return createPortal(<p>Ordered</p>, page!);
}
