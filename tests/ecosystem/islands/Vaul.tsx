import { Drawer } from "vaul";

export default function Vaul() {
  return (
    <Drawer.Root>
      <Drawer.Trigger data-act>Open</Drawer.Trigger>
      <Drawer.Portal>
        <Drawer.Overlay />
        <Drawer.Content data-done>
          <Drawer.Title>Basket</Drawer.Title>
          <Drawer.Description>Two loaves.</Drawer.Description>
        </Drawer.Content>
      </Drawer.Portal>
    </Drawer.Root>
  );
}
