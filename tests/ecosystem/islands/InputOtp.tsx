import { OTPInput } from "input-otp";
import { useState } from "react";

export default function InputOtp() {
  const [value, setValue] = useState("");
  return (
    <>
      <OTPInput
        aria-label="Code"
        maxLength={4}
        value={value}
        onChange={setValue}
        data-type="1234"
        render={({ slots }) => slots.map((slot, index) => <span key={index}>{slot.char ?? "·"}</span>)}
      />
      {value === "1234" && <p data-done>{value}</p>}
    </>
  );
}
