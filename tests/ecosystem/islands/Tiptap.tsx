import { EditorContent, useEditor } from "@tiptap/react";
import StarterKit from "@tiptap/starter-kit";
import { useState } from "react";

export default function Tiptap() {
  const [isChanged, setChanged] = useState(false);
  const editor = useEditor({
    extensions: [StarterKit],
    content: "<p>Bread</p>",
    immediatelyRender: false,
    injectCSS: false,
    onUpdate: () => setChanged(true),
  });
  return (
    <>
      <EditorContent editor={editor} />
      <button type="button" data-act onClick={() => editor?.commands.insertContent("Rye")}>
        Rye
      </button>
      {isChanged && <p data-done>changed</p>}
    </>
  );
}
