import { useState } from "react";
import { Virtuoso as List } from "react-virtuoso";

export default function Virtuoso() {
  const [count, setCount] = useState(10);
  return (
    <>
      <button type="button" data-act onClick={() => setCount(20)}>
        More
      </button>
      <List style={{ height: 100 }} totalCount={count} initialItemCount={3} itemContent={(index) => <p>Row {index}</p>} />
      {count === 20 && <p data-done>more</p>}
    </>
  );
}
