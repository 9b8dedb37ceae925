import { useRef, type FormEvent, type ReactNode } from "react";
import type { FieldText } from "./Labelled";
import { usePending } from "./usePending";

/** What an editor writes for any form: a file of `content/forms/`. */
export interface FormText {
  /** Says which fields are required. */
  note: string;
  /** What assistive technology says after an incomplete submit; the labels of the empty fields follow it. */
  missing: string;
  /** Shown with the form where scripts do not run; the e-mail address follows it. */
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

// Below the button of a form that ends at the edge of the window nobody would see the banner.
const reveal = (banner: HTMLElement | null) => banner?.scrollIntoView({ block: "nearest" });

/** A form that sends nothing: a valid submit shows the banner for some seconds, then the form is empty again. */
export function Form({ text, email, required, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [pending, raise] = usePending(text.bannerSeconds, empty);

  function empty() {
    form.current!.reset();
    // A reset fires no change event, and a file picker shows what the last one reported.
    for (const control of form.current!.elements) control.dispatchEvent(new Event("change", { bubbles: true }));
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    // The value of a file input is the name of its file.
    const blank = required.filter((name) => !(form.current!.elements.namedItem(name) as HTMLInputElement).value);
    const labels = blank.map((name) => text.fields[name]!.label).join(", ");
    // Not through React, which would leave the text alone that says the same again.
    form.current!.nextElementSibling!.textContent = labels && `${text.missing} ${labels}`;
    if (!labels) raise();
  }

  return (
    <>
      {/* Outside of a dialog, `method="dialog"` does nothing: that is what a submit before hydration must do. */}
      <form ref={form} method="dialog" className="form" onSubmit={submit}>
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
          {/* Always there: not every screen reader speaks a live region that appears together with its text. The stylesheet
              reserves its space, so that nothing moves when the text appears. */}
          <div className="form__alert" role="alert" data-text={text.banner}>
            {pending && (
              <p className="banner" ref={reveal}>
                {text.banner}
              </p>
            )}
          </div>
        </div>
      </form>
      {/* Says what is missing to those who use a screen reader: an incomplete submit changes nothing that can be seen. */}
      <p className="visually-hidden" role="status" />
    </>
  );
}
