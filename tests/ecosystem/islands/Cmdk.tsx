import { Command } from "cmdk";
import { useState } from "react";

export default function Cmdk() {
  const [chosen, setChosen] = useState("");
  return (
    <>
      <Command label="Breads">
        <Command.Input aria-label="Search" />
        <Command.List>
          <Command.Item onSelect={() => setChosen("rye")}>
            <span data-act>Rye</span>
          </Command.Item>
        </Command.List>
      </Command>
      {chosen && <p data-done>{chosen}</p>}
    </>
  );
}
