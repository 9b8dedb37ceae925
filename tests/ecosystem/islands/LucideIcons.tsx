import { Croissant, Wheat } from "lucide-react";
import { useState } from "react";

export default function LucideIcons() {
  const [isOn, setOn] = useState(false);
  return (
    <>
      <button type="button" data-act aria-label="Change" onClick={() => setOn(true)}>
        {isOn ? <Wheat /> : <Croissant />}
      </button>
      {isOn && <p data-done>on</p>}
    </>
  );
}
