import { useId, type InputHTMLAttributes } from "react";
import { Labelled, type FieldText } from "./Labelled";

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  text: FieldText;
  /** The number of lines, for a text of more than one. */
  rows?: number;
}

/** A labelled input or, with `rows`, a textarea. Uncontrolled: what was typed before hydration stays where it is. */
export function Field({ text, ...attributes }: FieldProps) {
  const id = useId();
  const Control = (attributes.rows ? "textarea" : "input") as "input";
  return (
    <Labelled {...{ id, text }} marked={attributes.required}>
      <Control className="field__control" id={id} aria-describedby={text.hint && `${id}hint`} {...attributes} />
    </Labelled>
  );
}
