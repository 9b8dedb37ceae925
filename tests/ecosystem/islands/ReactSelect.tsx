import { useState } from "react";
import Select from "react-select";

const options = [
  { value: "rye", label: "Rye" },
  { value: "spelt", label: "Spelt" },
];

export default function ReactSelect() {
  const [value, setValue] = useState<(typeof options)[0] | null>(null);
  return (
    <>
      <Select instanceId="loaf" inputId="loaf" aria-label="Loaf" options={options} value={value} onChange={setValue} />
      <button type="button" data-act onClick={() => setValue(options[1]!)}>
        Spelt
      </button>
      {value && <p data-done>{value.label}</p>}
    </>
  );
}
