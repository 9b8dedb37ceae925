import { hydrateRoot } from "react-dom/client";
import Form from "./islands/ContactForm";

const at = document.querySelector<HTMLElement>("[data-form]")!;
hydrateRoot(at, <Form {...JSON.parse(at.dataset.form!)} />);
