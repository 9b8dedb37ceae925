import { Field, Form, Formik } from "formik";
import * as yup from "yup";

const schema = yup.object({ name: yup.string().required("Who are you?") });

export default function FormikForm() {
  return (
    <Formik initialValues={{ name: "" }} validationSchema={schema} onSubmit={() => {}}>
      {({ errors, submitCount }) => (
        <Form method="dialog">
          <label>
            Name <Field name="name" />
          </label>
          <button type="submit" data-act>
            Send
          </button>
          {submitCount > 0 && errors.name && <p data-done>{errors.name}</p>}
        </Form>
      )}
    </Formik>
  );
}
