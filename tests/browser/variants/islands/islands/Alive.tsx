import { useEffect, useId, useState } from "react";

interface AliveProps {
  name: string;
  text?: string;
}

export default function Alive({ name, text }: AliveProps) {
  const id = useId();
  const [alive, setAlive] = useState(false);
  useEffect(() => setAlive(true), []);
  return (
    <p id={id} className="alive" data-name={name}>
      {alive ? "alive" : "asleep"} {text}
    </p>
  );
}
