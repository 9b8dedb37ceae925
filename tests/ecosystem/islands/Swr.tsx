import { useState } from "react";
import useSWR from "swr";

export default function Swr() {
  const [isAsked, setAsked] = useState(false);
  const { data } = useSWR(isAsked ? "breads" : null, async () => ["Rye"]);
  return (
    <>
      <button type="button" data-act onClick={() => setAsked(true)}>
        Load
      </button>
      {data && <p data-done>{data[0]}</p>}
    </>
  );
}
