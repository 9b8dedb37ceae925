import * as Dialog from "@radix-ui/react-dialog";

export default function RadixDialog() {
  return (
    <Dialog.Root>
      <Dialog.Trigger data-act>Order</Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay />
        <Dialog.Content data-done>
          <Dialog.Title>Your order</Dialog.Title>
          <Dialog.Description>Two loaves.</Dialog.Description>
          <Dialog.Close>Close</Dialog.Close>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
