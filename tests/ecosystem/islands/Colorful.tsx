import { useState } from "react";
import { HexColorPicker } from "react-colorful";

export default function Colorful() {
  const [color, setColor] = useState("#aa5500");
  return (
    <>
      <HexColorPicker color={color} onChange={setColor} />
      <button type="button" data-act onClick={() => setColor("#ffffff")}>
        White
      </button>
      {color === "#ffffff" && <p data-done>{color}</p>}
    </>
  );
}
