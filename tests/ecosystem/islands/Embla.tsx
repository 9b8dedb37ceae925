import useEmblaCarousel from "embla-carousel-react";
import { useState } from "react";

export default function Embla() {
  const [ref, api] = useEmblaCarousel();
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <div ref={ref} style={{ overflow: "hidden" }}>
        <div style={{ display: "flex" }}>
          <div style={{ flex: "0 0 100%" }}>Rye</div>
          <div style={{ flex: "0 0 100%" }}>Spelt</div>
        </div>
      </div>
      <button
        type="button"
        data-act
        onClick={() => {
          api?.scrollNext();
          setAsked(!!api);
        }}
      >
        Next
      </button>
      {isAsked && <p data-done>next</p>}
    </>
  );
}
