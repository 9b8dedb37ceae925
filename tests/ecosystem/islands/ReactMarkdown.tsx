import { useState } from "react";
import Markdown from "react-markdown";

export default function ReactMarkdown() {
  const [text, setText] = useState("*Rye* &amp; **spelt**");
  return (
    <>
      <Markdown>{text}</Markdown>
      <button type="button" data-act onClick={() => setText("# New")}>
        Change
      </button>
      {text === "# New" && <p data-done>changed</p>}
    </>
  );
}
