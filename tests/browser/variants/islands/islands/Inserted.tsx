import { useEffect, useState } from "react";

// As libraries for toasts do it: a style for the whole page, as soon as they are imported.
if (typeof document !== "undefined") {
  const style = document.createElement("style");
  style.type = "text/css";
  document.head.appendChild(style);
  style.appendChild(document.createTextNode("#inserted { color: rgb(7, 8, 9) }"));
}

export default function Inserted() {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    // As libraries for styles in scripts do it: rules in the sheet of an empty element.
    const style = document.createElement("style");
    document.head.append(style);
    style.sheet!.insertRule("#inserted { background: rgb(10, 11, 12) }");
    return () => style.remove();
  }, []);
  return (
    <p id="inserted">
      <button type="button" onClick={() => setShown(true)}>
        {isShown ? "shown" : "show"}
      </button>
      {isShown && <style>{"#inserted { border: 3px solid }"}</style>}
    </p>
  );
}
