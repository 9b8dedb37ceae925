import { useId } from "react";

interface Props {
  loaf: string;
}

export default function Order({ loaf }: Props) {
  const id = useId();
  return (
    <p>
      <label htmlFor={id}>Loaf</label> <input id={id} name="loaf" defaultValue={loaf} />
    </p>
  );
}
