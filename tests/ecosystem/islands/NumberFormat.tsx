import { useState } from "react";
import { NumericFormat } from "react-number-format";

export default function NumberFormat() {
  const [value, setValue] = useState<number | undefined>(4800);
  return (
    <>
      <NumericFormat
        aria-label="Price"
        thousandSeparator=","
        value={value}
        onValueChange={({ floatValue }) => setValue(floatValue)}
      />
      <button type="button" data-act onClick={() => setValue(12000)}>
        More
      </button>
      {value === 12000 && <p data-done>more</p>}
    </>
  );
}
