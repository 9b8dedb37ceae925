import { LexicalComposer } from "@lexical/react/LexicalComposer";
import { ContentEditable } from "@lexical/react/LexicalContentEditable";
import { LexicalErrorBoundary } from "@lexical/react/LexicalErrorBoundary";
import { OnChangePlugin } from "@lexical/react/LexicalOnChangePlugin";
import { PlainTextPlugin } from "@lexical/react/LexicalPlainTextPlugin";
import { useState } from "react";

const config = {
  namespace: "order",
  onError(error: Error) {
    throw error;
  },
};

export default function LexicalEditor() {
  const [isChanged, setChanged] = useState(false);
  return (
    <LexicalComposer initialConfig={config}>
      <PlainTextPlugin
        contentEditable={<ContentEditable aria-label="Order" data-type="Rye" />}
        ErrorBoundary={LexicalErrorBoundary}
      />
      <OnChangePlugin ignoreSelectionChange onChange={() => setChanged(true)} />
      {isChanged && <p data-done>changed</p>}
    </LexicalComposer>
  );
}
