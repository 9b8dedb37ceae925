import { scaleLinear } from "@visx/scale";
import { LinePath } from "@visx/shape";
import { useState } from "react";

const scale = scaleLinear({ domain: [0, 10], range: [100, 0] });

export default function Visx() {
  const [points, setPoints] = useState([1, 5, 3]);
  return (
    <>
      <svg width="100" height="100" aria-hidden="true">
        <LinePath data={points} x={(_, index) => index * 10} y={(value) => scale(value)} stroke="black" />
      </svg>
      <button type="button" data-act onClick={() => setPoints([...points, 8])}>
        Add
      </button>
      {points.length === 4 && <p data-done>added</p>}
    </>
  );
}
