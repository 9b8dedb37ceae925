import { toast, Toaster } from "sonner";

export default function SonnerToast() {
  return (
    <>
      <Toaster />
      <button type="button" data-act onClick={() => toast(<span data-done>Ordered</span>)}>
        Order
      </button>
    </>
  );
}
