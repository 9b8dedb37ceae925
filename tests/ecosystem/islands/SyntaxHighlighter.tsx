import { useState } from "react";
import { Light } from "react-syntax-highlighter";
import json from "react-syntax-highlighter/dist/esm/languages/hljs/json";

Light.registerLanguage("json", json);

export default function SyntaxHighlighter() {
  const [code, setCode] = useState('{"loaf": "rye"}');
  return (
    <>
      <Light language="json">{code}</Light>
      <button type="button" data-act onClick={() => setCode("[1]")}>
        Change
      </button>
      {code === "[1]" && <p data-done>changed</p>}
    </>
  );
}
