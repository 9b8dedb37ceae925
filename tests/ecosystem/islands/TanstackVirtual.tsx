import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef } from "react";

export default function TanstackVirtual() {
  const parent = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({ count: 1000, getScrollElement: () => parent.current, estimateSize: () => 20 });
  const items = virtualizer.getVirtualItems();
  return (
    <>
      <button type="button" data-act onClick={() => virtualizer.scrollToIndex(900)}>
        Down
      </button>
      <div ref={parent} style={{ height: 100, overflow: "auto" }}>
        <div style={{ height: virtualizer.getTotalSize(), position: "relative" }}>
          {items.map((item) => (
            <div key={item.key} style={{ position: "absolute", top: 0, transform: `translateY(${item.start}px)` }}>
              Row {item.index}
            </div>
          ))}
        </div>
      </div>
      {items.some((item) => item.index > 800) && <p data-done>down</p>}
    </>
  );
}
