import toast, { Toaster } from "react-hot-toast";

export default function HotToast() {
  return (
    <>
      <Toaster />
      <button type="button" data-act onClick={() => toast(<span data-done>Ordered</span>)}>
        Order
      </button>
    </>
  );
}
