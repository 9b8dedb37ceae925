import { useState } from "react";
import { Group, Panel, Separator } from "react-resizable-panels";

export default function ResizablePanels() {
  const [isThere, setThere] = useState(false);
  return (
    <>
      <Group style={{ height: 100 }}>
        <Panel defaultSize="50%">Rye</Panel>
        <Separator />
        <Panel defaultSize="50%">Spelt</Panel>
      </Group>
      <button type="button" data-act onClick={() => setThere(true)}>
        More
      </button>
      {isThere && <p data-done>more</p>}
    </>
  );
}
