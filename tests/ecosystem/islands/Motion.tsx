import { motion } from "motion/react";
import { useState } from "react";

export default function Motion() {
  const [isOn, setOn] = useState(false);
  return (
    <>
      <motion.button type="button" data-act initial={{ opacity: 0.5 }} animate={{ opacity: 1 }} onClick={() => setOn(true)}>
        Bread
      </motion.button>
      {isOn && <p data-done>on</p>}
    </>
  );
}
