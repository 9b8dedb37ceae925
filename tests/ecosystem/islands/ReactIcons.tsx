import { useState } from "react";
import { FaBreadSlice } from "react-icons/fa6";

export default function ReactIcons() {
  const [isOn, setOn] = useState(false);
  return (
    <>
      <button type="button" data-act aria-label="Change" onClick={() => setOn(true)}>
        <FaBreadSlice />
      </button>
      {isOn && <p data-done>on</p>}
    </>
  );
}
