// A form that opens the visitor's mail program with what they wrote. It needs no server, and nothing is sent from the page.
// To deliver to a server instead, see the guide to forms in sitegen's documentation.
import type { SubmitEvent } from "react";

interface Props {
  /** The address that the message goes to. */
  email: string;
}

export default function ContactForm({ email }: Props) {
  function write(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const text = (name: string) => encodeURIComponent(String(fields.get(name) ?? ""));
    location.href = `mailto:${email}?subject=${text("subject")}&body=${text("message")}`;
  }
  return (
    <form method="dialog" onSubmit={write}>
      <label>
        Subject
        <input name="subject" required />
      </label>
      <label>
        Message
        <textarea name="message" rows={6} required />
      </label>
      <button>Open in my mail program</button>
    </form>
  );
}
