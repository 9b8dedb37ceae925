import { useState, type CSSProperties } from "react";
import styles from "./parts/styled.module.css";

export default function Styled({ text }: { text: string }) {
  const [width, setWidth] = useState(40);
  return (
    <p id="styled" className={styles.box} style={{ width, color: "rgb(1, 2, 3)", "--text": text } as CSSProperties}>
      <button type="button" onClick={() => setWidth(80)}>
        wider
      </button>
    </p>
  );
}
