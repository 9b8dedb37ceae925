import dayjs from "dayjs";
import utc from "dayjs/plugin/utc";
import { useState } from "react";

dayjs.extend(utc);

export default function Dayjs() {
  const [days, setDays] = useState(0);
  return (
    <>
      <button type="button" data-act onClick={() => setDays(1)}>
        {dayjs.utc("2026-12-24").add(days, "day").format("D MMMM YYYY")}
      </button>
      {days > 0 && <p data-done>later</p>}
    </>
  );
}
