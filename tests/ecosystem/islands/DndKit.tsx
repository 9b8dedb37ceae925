import { DndContext, useDraggable, useDroppable } from "@dnd-kit/core";
import { useState } from "react";

function Loaf() {
  const { attributes, listeners, setNodeRef } = useDraggable({ id: "loaf" });
  return (
    <button type="button" ref={setNodeRef} {...listeners} {...attributes} data-key="Enter">
      Loaf
    </button>
  );
}

function Basket() {
  const { setNodeRef } = useDroppable({ id: "basket" });
  return <div ref={setNodeRef}>Basket</div>;
}

export default function DndKit() {
  const [isHeld, setHeld] = useState(false);
  return (
    <DndContext id="bakery" onDragStart={() => setHeld(true)}>
      <Loaf />
      <Basket />
      {isHeld && <p data-done>held</p>}
    </DndContext>
  );
}
