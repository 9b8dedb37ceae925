import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import { z } from "zod";

// Its compiler probes for `eval`, which the policy of a page reports.
z.config({ jitless: true });

const schema = z.object({ name: z.string().min(3) });

export default function HookForm() {
  const { register, handleSubmit, formState } = useForm({ resolver: zodResolver(schema), defaultValues: { name: "" } });
  return (
    <form method="dialog" onSubmit={handleSubmit(() => {})}>
      <label>
        Name <input {...register("name")} />
      </label>
      <button data-act>Send</button>
      {formState.errors.name && <p data-done>{formState.errors.name.message}</p>}
    </form>
  );
}
