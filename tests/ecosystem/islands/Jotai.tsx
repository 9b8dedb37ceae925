import { atom, useAtom } from "jotai";

const countAtom = atom(0);

export default function Jotai() {
  const [count, setCount] = useAtom(countAtom);
  return (
    <>
      <button type="button" data-act onClick={() => setCount(count + 1)}>
        {count}
      </button>
      {count > 0 && <p data-done>{count}</p>}
    </>
  );
}
