import { Field } from "./parts/Field";
import { Form, type FormText } from "./parts/Form";
import type { FieldText } from "./parts/Labelled";

export interface ContactFormProps {
  /** `content/forms/contact.yaml` */
  form: FormText & { fields: Record<"name" | "email" | "company" | "message", FieldText> };
  email: string;
}

// All four are required. The attribute would make the browser complain; an incomplete submit must do nothing visible.
const required = ["name", "email", "company", "message"];

export default function ContactForm({ form, email }: ContactFormProps) {
  const { fields } = form;
  return (
    <Form text={form} {...{ email, required }}>
      <Field text={fields.name} name="name" autoComplete="name" aria-required />
      <Field text={fields.email} name="email" type="email" autoComplete="email" aria-required />
      <Field text={fields.company} name="company" autoComplete="organization" aria-required />
      <Field text={fields.message} name="message" rows={6} aria-required />
    </Form>
  );
}
