import { DragDropContext, Draggable, Droppable } from "@hello-pangea/dnd";
import { useState } from "react";

export default function PangeaDnd() {
  const [isHeld, setHeld] = useState(false);
  return (
    <DragDropContext onDragStart={() => setHeld(true)} onDragEnd={() => {}}>
      <Droppable droppableId="basket">
        {(provided) => (
          <div ref={provided.innerRef} {...provided.droppableProps}>
            <Draggable draggableId="loaf" index={0}>
              {(inner) => (
                <div ref={inner.innerRef} {...inner.draggableProps} {...inner.dragHandleProps} data-key="Space">
                  Loaf
                </div>
              )}
            </Draggable>
            {provided.placeholder}
          </div>
        )}
      </Droppable>
      {isHeld && <p data-done>held</p>}
    </DragDropContext>
  );
}
