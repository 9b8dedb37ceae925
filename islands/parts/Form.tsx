import { useRef, useState, type FormEvent, type ReactNode } from "react";
import { Banner } from "./Banner";
import type { FieldText } from "./Labelled";
import { usePending } from "./usePending";

/** What an editor writes for any form: a file of `content/forms/`. */
export interface FormText {
  /** Says which fields are required. */
  note: string;
  /** What assistive technology says after an incomplete submit; the labels of the empty fields follow it. */
  missing: string;
  /** Stands beside the form where scripts do not run; the e-mail address follows it. */
  withoutScript: string;
  submit: string;
  banner: string;
  bannerSeconds: number;
  fields: Record<string, FieldText>;
}

interface FormProps {
  text: FormText;
  email: string;
  /** The names of the fields without which a submit does nothing. */
  required: string[];
  children: ReactNode;
}

/** A form that sends nothing: a valid submit shows the banner for some seconds, then the form is empty again. */
export function Form({ text, email, required, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [pending, raise] = usePending(text.bannerSeconds, empty);
  const [incomplete, setIncomplete] = useState({ submits: 0, labels: "" });

  function empty() {
    form.current!.reset();
    // A reset fires no change event, and a file picker shows what the last one told it.
    for (const control of form.current!.elements) control.dispatchEvent(new Event("change", { bubbles: true }));
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    // The value of a file input is the name of its file.
    const isEmpty = (name: string) => (form.current!.elements.namedItem(name) as HTMLInputElement).value === "";
    const blank = required.filter(isEmpty);
    if (blank.length === 0) raise();
    setIncomplete(({ submits }) => ({
      submits: submits + 1,
      labels: blank.map((name) => text.fields[name]!.label).join(", "),
    }));
  }

  return (
    <>
      {/* Outside of a dialog, `method="dialog"` does nothing: that is what a submit before hydration must do. */}
      <form ref={form} className="form" method="dialog" onSubmit={submit}>
        <noscript>
          <p className="form__note">
            {text.withoutScript} <a href={`mailto:${email}`}>{email}</a>
          </p>
        </noscript>
        <p className="form__note">{text.note}</p>
        {children}
        <div className="form__end">
          <button className="button" type="submit">
            {text.submit}
          </button>
          <Banner shown={pending} text={text.banner} />
        </div>
      </form>
      {/* An incomplete submit changes nothing that can be seen. The key makes a message new that says the same again. */}
      <p className="visually-hidden" role="status">
        {incomplete.labels && <span key={incomplete.submits}>{`${text.missing} ${incomplete.labels}`}</span>}
      </p>
    </>
  );
}
