import { useState } from "react";
import Picker from "react-datepicker";
import "react-datepicker/dist/react-datepicker.css";

export default function DatePicker() {
  const [day, setDay] = useState<Date | null>(null);
  return (
    <>
      <Picker selected={day} onChange={setDay} ariaLabelledBy="day" />
      <button type="button" id="day" data-act onClick={() => setDay(new Date("2026-12-24T12:00:00Z"))}>
        Day
      </button>
      {day && <p data-done>chosen</p>}
    </>
  );
}
