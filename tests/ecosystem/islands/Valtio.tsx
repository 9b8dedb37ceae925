import { proxy, useSnapshot } from "valtio";

const state = proxy({ count: 0 });

export default function Valtio() {
  const { count } = useSnapshot(state);
  return (
    <>
      <button type="button" data-act onClick={() => state.count++}>
        {count}
      </button>
      {count > 0 && <p data-done>{count}</p>}
    </>
  );
}
