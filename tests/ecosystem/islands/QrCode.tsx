import { QRCodeSVG } from "qrcode.react";
import { useState } from "react";

export default function QrCode() {
  const [value, setValue] = useState("rye");
  return (
    <>
      <QRCodeSVG value={value} />
      <button type="button" data-act onClick={() => setValue("spelt")}>
        Spelt
      </button>
      {value === "spelt" && <p data-done>{value}</p>}
    </>
  );
}
