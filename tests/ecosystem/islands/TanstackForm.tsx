import { useForm } from "@tanstack/react-form";

export default function TanstackForm() {
  const form = useForm({ defaultValues: { loaves: 1 } });
  return (
    <form.Field name="loaves">
      {(field) => (
        <>
          <button type="button" data-act onClick={() => field.handleChange(2)}>
            {field.state.value}
          </button>
          {field.state.value === 2 && <p data-done>two</p>}
        </>
      )}
    </form.Field>
  );
}
