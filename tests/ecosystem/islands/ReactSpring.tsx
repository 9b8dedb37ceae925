import { animated, useSpring } from "@react-spring/web";
import { useState } from "react";

export default function ReactSpring() {
  const [isOn, setOn] = useState(false);
  const style = useSpring({ opacity: isOn ? 1 : 0.5 });
  return (
    <>
      <animated.div style={style}>Bread</animated.div>
      <button type="button" data-act onClick={() => setOn(true)}>
        On
      </button>
      {isOn && <p data-done>on</p>}
    </>
  );
}
