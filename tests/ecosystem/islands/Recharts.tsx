import { useState } from "react";
import { Bar, BarChart, XAxis } from "recharts";

export default function Recharts() {
  const [data, setData] = useState([{ name: "Rye", sold: 4 }]);
  return (
    <>
      <BarChart width={200} height={100} data={data}>
        <XAxis dataKey="name" />
        <Bar dataKey="sold" isAnimationActive={false} />
      </BarChart>
      <button type="button" data-act onClick={() => setData([...data, { name: "Spelt", sold: 5 }])}>
        Add
      </button>
      {data.length === 2 && <p data-done>added</p>}
    </>
  );
}
