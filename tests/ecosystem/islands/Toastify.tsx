import { toast, ToastContainer } from "react-toastify";

export default function Toastify() {
  return (
    <>
      <ToastContainer />
      <button type="button" data-act onClick={() => toast(<span data-done>Ordered</span>)}>
        Order
      </button>
    </>
  );
}
