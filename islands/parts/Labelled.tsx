import type { ReactNode } from "react";

export interface FieldText {
  label: string;
  hint?: string;
}

interface LabelledProps {
  /** The id of the control; its hint has the same with `hint` at its end. */
  id: string;
  text: FieldText;
  /** Whether the label ends in the mark of a required field. */
  marked?: boolean | string;
  children: ReactNode;
}

/** A label above a control, and a hint between them if there is one. */
export function Labelled({ id, text: { label, hint }, marked, children }: LabelledProps) {
  return (
    <div className="field">
      <label className="field__label" htmlFor={id}>
        {marked ? `${label} *` : label}
      </label>
      {hint && (
        <p className="field__hint" id={`${id}hint`}>
          {hint}
        </p>
      )}
      {children}
    </div>
  );
}
