import { useId, useRef, useState, type DragEvent } from "react";
import { fileSize } from "./fileSize";
import { Labelled, type FieldText } from "./Labelled";

export interface FilePickerText extends Required<FieldText> {
  prompt: string;
}

interface FilePickerProps {
  text: FilePickerText;
  name: string;
  /** Narrows what the browser's dialog offers; as in the browser itself, a dropped file may be of any type. */
  accept: string;
  /** What the remove button is called, before the name of the file. */
  remove: string;
  /** What a screen reader says of a file that is required. No file is without it. */
  required?: string;
}

/** A long name without its middle, so that the box keeps its height. All of it is in the value of the input and in the button. */
const shortened = (name: string) => name.replace(/^(.{11}).{3,}(.{11})$/u, "$1…$2");

/** A native file input, stretched unseen over the box with its prompt or file: keyboard, dialog and drop stay the browser's. */
export function FilePicker({ text: { label, prompt, hint }, name, accept, remove, required }: FilePickerProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File>();

  function drop(event: DragEvent) {
    event.preventDefault();
    const [dropped] = event.dataTransfer.files;
    if (!dropped) return;
    // The input takes one file, however many are dropped.
    const one = new DataTransfer();
    one.items.add(dropped);
    input.current!.files = one.files;
    setFile(dropped);
  }

  function empty() {
    // An input that still has the file reports no change when the same file is chosen again.
    input.current!.value = "";
    setFile(undefined);
    input.current!.focus();
  }

  return (
    <Labelled id={id} marked={required} text={{ label }}>
      <div className="picker" onDragOver={(event) => event.preventDefault()} onDrop={drop}>
        <input
          className="picker__input"
          type="file"
          ref={input}
          {...{ id, name, accept }}
          aria-describedby={`${id}text ${id}hint`}
          aria-required={!!required}
          onChange={(event) => setFile(event.target.files![0])}
        />
        <p className="picker__text" id={`${id}text`} role="status">
          <bdi>{file ? shortened(file.name) : prompt}</bdi> {file && <span className="picker__size">{fileSize(file.size)}</span>}
        </p>
        <p className="picker__hint" id={`${id}hint`}>
          {/* Of a file input browsers expose neither `required` nor `aria-required`. */}
          {required && <span className="visually-hidden">{required} </span>}
          {hint}
        </p>
        {file && (
          <button className="picker__remove" type="button" aria-label={`${remove} ${file.name}`} onClick={empty} />
        )}
      </div>
    </Labelled>
  );
}
