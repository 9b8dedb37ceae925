import { addDays, formatISO, parseISO } from "date-fns";
import { useState } from "react";

export default function DateFns() {
  const [days, setDays] = useState(0);
  const date = addDays(parseISO("2026-12-24"), days);
  return (
    <>
      <button type="button" data-act onClick={() => setDays(1)}>
        {formatISO(date, { representation: "date" })}
      </button>
      {days > 0 && <p data-done>later</p>}
    </>
  );
}
