import { useState } from "react";
import { List } from "react-window";

const Row = ({ index, style }: { index: number; style: React.CSSProperties }) => <div style={style}>Row {index}</div>;

export default function ReactWindow() {
  const [count, setCount] = useState(10);
  return (
    <>
      <button type="button" data-act onClick={() => setCount(20)}>
        More
      </button>
      <List rowComponent={Row} rowCount={count} rowHeight={20} rowProps={{}} style={{ height: 100 }} />
      {count === 20 && <p data-done>more</p>}
    </>
  );
}
