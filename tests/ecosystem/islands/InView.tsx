import { useInView } from "react-intersection-observer";

export default function InView() {
  const { ref, inView } = useInView();
  return (
    <div ref={ref}>
      <button type="button" data-act>
        Bread
      </button>
      {inView && <p data-done>seen</p>}
    </div>
  );
}
