// What a visitor typed or chose while a form was only HTML, or what the browser itself put back after a reload. React does
// not look at any of it: a controlled field would be emptied at its first render, and no `onChange` is called for it.

type Control = HTMLInputElement & HTMLTextAreaElement & HTMLOptionElement;
type Property = "value" | "checked" | "selected";

const defaults = { value: "defaultValue", checked: "defaultChecked", selected: "defaultSelected" } as const;

/**
 * Saves what differs from the defaults inside `element`, and returns the function that restores it. `fresh` says that React
 * comes in between; otherwise it has the island already, and hears only what it does not know.
 */
export function saveInput(element: HTMLElement, fresh?: boolean): () => void {
  const controls = controlsIn(element);
  const focused = controls.indexOf(document.activeElement as Control);

  const restorers: (() => void)[] = [];

  controls.forEach((control, index) => {
    const property = propertyOf(control);
    const entered = control[property];
    // A radio button that lost its choice follows from the one that got it.
    if (entered === control[defaults[property]] || (control.type === "radio" && !entered)) return;
    const { files, selectionStart, selectionEnd } = control;

    const restore = () => {
      // React makes new elements where its tree does not match the HTML.
      const target = control.isConnected ? control : controlsIn(element)[index];
      if (target?.name !== control.name) return;

      const lost = target[property] !== entered;
      if (lost) {
        Object.assign(target, files ? { files } : { [property]: entered });
        // Elsewhere than in the focused field Safari would move the focus; types without a selection (null) would throw.
        if (index === focused && selectionStart !== null) target.setSelectionRange(selectionStart, selectionEnd);
      }
      // Of a file input React takes every change; and no value can be noted for one.
      if (!files && (lost || fresh)) forget(target, property);
      // React hears a checkbox or radio button by its click. A plain event changes nothing that is checked.
      for (const type of [property === "checked" ? "click" : "input", "change"])
        (target.closest("select") ?? target).dispatchEvent(new Event(type, { bubbles: true }));
    };

    // When React hears of one controlled field it empties those it has not heard of, and the caret in them is lost.
    restorers[index === focused ? "unshift" : "push"](restore);
  });

  return () => {
    for (const restore of restorers) restore();
    controlsIn(element)[focused]?.focus({ preventScroll: true });
  };
}

const controlsIn = (element: HTMLElement) => [...element.querySelectorAll<Control>("input,textarea,option")];

const propertyOf = ({ tagName, type }: Control): Property =>
  tagName === "OPTION" ? "selected" : /^(checkbox|radio)$/.test(type) ? "checked" : "value";

// React drops an event that brings the value which it saw last. It sees values through a setter of its own on the element;
// called for a copy, that setter notes another value and leaves the field, its caret and its undo history alone.
const forget = (target: Control, property: Property) =>
  Object.getOwnPropertyDescriptor(target, property)?.set?.call(target.cloneNode(), target[property] + "…");
