import { Slot } from "./runtime/slot";

export default function Loaf({ name }: { name: string }) {
  return (
    <section>
      <p>{name}</p>
      <Slot />
      <Slot name="more" />
    </section>
  );
}
