// Delivers the form of a template: `islands/Deliver.ts` exports it, and docs/content/pages/guides/forms.md describes it. Without it, the form is
// sent by the browser itself and the visitor sees the page that the receiver leads to.
//
// The errors follow GOV.UK's design system ("Error summary", "Error message"): a summary with links to the fields, which
// gets the focus, and a message at each field. Everything typed stays where it is until the receiver has it.
import styles from "./deliver.module.css";

export interface DeliverTexts {
  /** Above the list of what is wrong: "There is a problem". */
  problem: string;
  /** For a field that is empty, with `{label}` for its label: "Enter: {label}". */
  missing: string;
  /** For a value that is not what the field takes, with `{label}`. */
  invalid: string;
  /** For a file above its size, with `{label}` and `{size}`: "5 MB". `{megabytes}` is the number alone. Without it, `invalid`. */
  too_large?: string;
  /** For a file of another type, with `{label}` and `{types}`. Without it, `invalid`. */
  wrong_type?: string;
  /** On the button while the form is on its way. */
  sending: string;
  /** The heading after the form was delivered. */
  sent: string;
  /** The text below it. */
  sent_text?: string;
  /** If the receiver does not take the form, or cannot be reached. */
  failed: string;
  /** If the visitor's device has no network. */
  offline: string;
  /** If the receiver says that it is too much (413). Without it, `failed`. */
  refused_size?: string;
}

export interface DeliverProps {
  /** `json` sends an object; anything else sends the form as the browser would. A form with files is never JSON. */
  as?: string;
  /** How many seconds the receiver has: 30 if nothing is said. */
  seconds?: number | null;
  texts: DeliverTexts;
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

export function mount(element: HTMLElement, { as, seconds, texts }: DeliverProps): void {
  const form = element.querySelector("form")!;
  const button = form.querySelector<HTMLButtonElement>("button[type=submit],button:not([type])")!;
  const title = document.title;
  const began = Date.now();
  // The same for each attempt, so that a receiver whose answer was lost knows the form.
  const delivery = crypto.randomUUID?.() ?? String(Math.random()).slice(2);
  let isPending = false;

  // The browser's own messages vanish at the next click, and screen readers read one at a time.
  form.noValidate = true;
  const summary = block(`${styles.summary} form-errors`, "alert");
  const failure = block(`${styles.failure} form-failure`, "alert");
  const status = block(styles.hidden!, "status");
  form.prepend(summary);
  button.before(failure);
  form.append(status);

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (isPending) return;
    if (!check()) return;
    isPending = true;
    const label = button.textContent;
    // Not `disabled`: the focus would be lost.
    button.setAttribute("aria-disabled", "true");
    button.textContent = status.textContent = texts.sending;
    failure.replaceChildren();
    const wrong = await send();
    isPending = false;
    button.removeAttribute("aria-disabled");
    button.textContent = label;
    status.textContent = "";
    if (wrong) {
      failure.append(paragraph(texts[wrong] || texts.failed));
      failure.focus();
    } else succeed();
  });

  /** Delivers the form. The value names the text for what went wrong. */
  async function send(): Promise<"refused_size" | "failed" | "offline" | undefined> {
    const data = new FormData(form);
    data.set("_delivery", delivery);
    data.set("_seconds", String(Math.round((Date.now() - began) / 1000)));
    const isJson = as === "json" && !form.querySelector("[type=file]");
    // Without a file, browsers send the name of a file field with an empty one.
    for (const [name, value] of [...data]) if (value instanceof File && !value.name && !value.size) data.delete(name);
    try {
      const response = await fetch(form.action, {
        method: "POST",
        body: isJson ? JSON.stringify(object(data)) : form.enctype.startsWith("multipart") ? data : encoded(data),
        headers: { Accept: "application/json", ...(isJson && { "Content-Type": "application/json" }) },
        // Where the receiver leads browsers without scripts is of no interest here.
        redirect: "manual",
        signal: AbortSignal.timeout((seconds ?? 30) * 1000),
      });
      if (response.ok || response.type === "opaqueredirect") return undefined;
      return response.status === 413 ? "refused_size" : "failed";
    } catch {
      return navigator.onLine ? "failed" : "offline";
    }
  }

  function succeed() {
    const panel = block(`${styles.sent} form-sent`, "status");
    const heading = document.createElement(element.dataset.heading ?? "h2");
    heading.textContent = texts.sent;
    panel.append(heading);
    if (texts.sent_text) panel.append(paragraph(texts.sent_text));
    form.reset();
    form.replaceWith(panel);
    document.title = title;
    panel.focus();
  }

  /** Checks all fields, and says what is wrong with them. */
  function check(): boolean {
    const wrong = controls().flatMap((control) => {
      const text = mistake(control);
      mark(control, text);
      return text ? [{ control, text }] : [];
    });
    summary.replaceChildren();
    failure.replaceChildren();
    document.title = wrong.length ? `${texts.problem}: ${title}` : title;
    if (!wrong.length) return true;
    const heading = paragraph(texts.problem);
    heading.className = styles.title!;
    const list = document.createElement("ul");
    for (const { control, text } of wrong) {
      const link = document.createElement("a");
      link.href = `#${control.id}`;
      link.textContent = text;
      link.addEventListener("click", (event) => {
        event.preventDefault();
        control.focus();
        (control.labels?.[0] ?? control).scrollIntoView({ block: "nearest" });
      });
      list.append(document.createElement("li"));
      list.lastElementChild!.append(link);
    }
    summary.append(heading, list);
    summary.focus();
    return false;
  }

  const controls = (): Control[] =>
    [...form.elements].filter((each): each is Control => "validity" in each && !!each.id && !("formAction" in each && each.tagName === "BUTTON"));

  function mistake(control: Control): string | undefined {
    const label = control.dataset.label ?? control.labels?.[0]?.textContent?.replace(/\s*\*?\s*$/, "").trim() ?? control.name;
    const fill = (text = texts.invalid, more: Record<string, string> = {}) =>
      text.replace(/\{(\w+)\}/g, (all, key: string) => ({ label, ...more })[key] ?? all);
    const file = "files" in control ? control.files?.[0] : undefined;
    if (control.validity.valueMissing) return fill(texts.missing);
    // White space alone is nothing.
    if (control.required && !file && control.type !== "checkbox" && !control.value.trim()) return fill(texts.missing);
    if (file) {
      const most = Number(control.dataset.maxBytes ?? Infinity);
      const megabytes = String(Math.floor(most / 1e6));
      if (file.size > most) return fill(texts.too_large, { megabytes, size: `${megabytes} MB` });
      const types = (control as HTMLInputElement).accept.split(",").map((type) => type.trim()).filter(Boolean);
      if (types.length && !types.some((type) => fits(file, type))) return fill(texts.wrong_type, { types: types.join(", ") });
    }
    return control.validity.valid ? undefined : fill(texts.invalid);
  }

  function mark(control: Control, text: string | undefined) {
    const id = `${control.id}-error`;
    document.getElementById(id)?.remove();
    const described = (control.getAttribute("aria-describedby") ?? "").split(" ").filter((each) => each && each !== id);
    control.toggleAttribute("aria-invalid", false);
    if (text) {
      const message = paragraph(text);
      message.id = id;
      message.className = `${styles.error} form-error`;
      control.before(message);
      described.push(id);
      control.setAttribute("aria-invalid", "true");
    }
    if (described.length) control.setAttribute("aria-describedby", described.join(" "));
    else control.removeAttribute("aria-describedby");
  }
}

/** Whether a file is of a type as `accept` names them (HTML Standard 4.10.5.1.17). */
function fits({ name, type }: File, wanted: string): boolean {
  if (wanted.startsWith(".")) return name.toLowerCase().endsWith(wanted.toLowerCase());
  return wanted.endsWith("/*") ? type.startsWith(wanted.slice(0, -1)) : type === wanted;
}

/** The fields by their names; a name that occurs several times has a list. */
function object(data: FormData): Record<string, unknown> {
  return Object.fromEntries([...new Set(data.keys())].map((name) => [name, data.getAll(name).length > 1 ? data.getAll(name) : data.get(name)]));
}

const encoded = (data: FormData) => new URLSearchParams([...data].map(([name, value]) => [name, String(value)]));

/** An element that is announced when it is filled, and can have the focus. */
function block(className: string, role: string): HTMLElement {
  const element = document.createElement("div");
  element.className = className;
  element.setAttribute("role", role);
  element.tabIndex = -1;
  return element;
}

function paragraph(text: string): HTMLParagraphElement {
  const element = document.createElement("p");
  element.textContent = text;
  return element;
}
