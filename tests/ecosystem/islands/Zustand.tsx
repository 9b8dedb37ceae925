import { create } from "zustand";

const useStore = create<{ count: number; add: () => void }>((set) => ({
  count: 0,
  add: () => set((state) => ({ count: state.count + 1 })),
}));

export default function Zustand() {
  const { count, add } = useStore();
  return (
    <>
      <button type="button" data-act onClick={add}>
        {count}
      </button>
      {count > 0 && <p data-done>{count}</p>}
    </>
  );
}
