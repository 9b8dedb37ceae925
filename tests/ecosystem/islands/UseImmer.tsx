import { useImmer } from "use-immer";

export default function UseImmer() {
  const [basket, change] = useImmer({ loaves: [{ name: "rye", count: 1 }] });
  return (
    <>
      <button type="button" data-act onClick={() => change((draft) => void draft.loaves[0]!.count++)}>
        {basket.loaves[0]!.count}
      </button>
      {basket.loaves[0]!.count === 2 && <p data-done>two</p>}
    </>
  );
}
