import { Field } from "./parts/Field";
import { FilePicker, type FilePickerText } from "./parts/FilePicker";
import { Form, type FormText } from "./parts/Form";
import type { FieldText } from "./parts/Labelled";

export interface ApplicationFormProps {
  /** `content/forms/application.yaml` */
  form: FormText & {
    fields: Record<"firstName" | "lastName" | "email" | "phone" | "portfolio" | "coverLetter", FieldText> &
      Record<"cv" | "portfolio_file", FilePickerText>;
    removeFile: string;
    requiredFile: string;
  };
  email: string;
}

// The browser asks for the first three; a missing CV must do nothing visible.
const required = ["firstName", "lastName", "email", "cv"];

export default function ApplicationForm({ form, email }: ApplicationFormProps) {
  const { fields, removeFile, requiredFile } = form;
  return (
    <Form text={form} {...{ email, required }}>
      <Field text={fields.firstName} name="firstName" autoComplete="given-name" required />
      <Field text={fields.lastName} name="lastName" autoComplete="family-name" required />
      <Field text={fields.email} name="email" type="email" autoComplete="email" required />
      <Field text={fields.phone} name="phone" type="tel" autoComplete="tel" />
      <Field text={fields.portfolio} name="portfolio" type="url" autoComplete="url" />
      <Field text={fields.coverLetter} name="coverLetter" rows={6} />
      <FilePicker text={fields.cv} name="cv" accept=".pdf,.doc,.docx" remove={removeFile} required={requiredFile} />
      <FilePicker text={fields.portfolio_file} name="portfolio_file" accept=".pdf,.zip,.rar" remove={removeFile} />
    </Form>
  );
}
