import { useState } from "react";
import { ErrorBoundary as Boundary } from "react-error-boundary";

function Breaks({ isBroken }: { isBroken: boolean }) {
  if (isBroken) throw new Error("burnt");
  return <p>Bread</p>;
}

export default function ErrorBoundary() {
  const [isBroken, setBroken] = useState(false);
  return (
    <>
      <Boundary fallback={<p data-done>burnt</p>}>
        <Breaks isBroken={isBroken} />
      </Boundary>
      <button type="button" data-act onClick={() => setBroken(true)}>
        Burn
      </button>
    </>
  );
}
