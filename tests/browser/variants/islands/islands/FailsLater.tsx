import { useEffect, useState } from "react";

export default function FailsLater() {
  const [failing, setFailing] = useState("");
  if (failing === "render") throw new Error("a later render");
  useEffect(() => {
    if (failing === "effect") throw new Error("a later effect");
  }, [failing]);
  return ["render", "effect"].map((place) => (
    <button key={place} type="button" onClick={() => setFailing(place)}>
      Fail in {place}
    </button>
  ));
}
