import { useState } from "react";
import { DayPicker as Picker } from "react-day-picker";
import "react-day-picker/style.css";

export default function DayPicker() {
  const [day, setDay] = useState<Date>();
  return (
    <>
      <Picker
        mode="single"
        today={new Date(2026, 11, 1)}
        defaultMonth={new Date(2026, 11)}
        selected={day}
        onSelect={setDay}
      />
      <button type="button" data-act onClick={() => setDay(new Date(2026, 11, 24))}>
        Christmas
      </button>
      {day && <p data-done>chosen</p>}
    </>
  );
}
