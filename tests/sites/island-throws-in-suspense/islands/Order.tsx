import { Suspense } from "react";

// As React's documentation has it for what browsers alone can render.
function Width() {
  if (typeof window === "undefined") throw new Error("only in a browser");
  return <p>{window.innerWidth}</p>;
}

export default function Order() {
  return (
    <Suspense fallback={<p>Measuring</p>}>
      <Width />
    </Suspense>
  );
}
