import { useClick, useFloating, useInteractions } from "@floating-ui/react";
import { useState } from "react";

export default function FloatingUi() {
  const [open, onOpenChange] = useState(false);
  const { refs, floatingStyles, context } = useFloating({ open, onOpenChange });
  const { getReferenceProps, getFloatingProps } = useInteractions([useClick(context)]);
  return (
    <>
      <button type="button" data-act ref={refs.setReference} {...getReferenceProps()}>
        More
      </button>
      {open && (
        <div ref={refs.setFloating} style={floatingStyles} {...getFloatingProps()} data-done>
          Baked on Fridays.
        </div>
      )}
    </>
  );
}
