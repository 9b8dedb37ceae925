// Delivers a form that a template has written. See docs/forms.md.
export { mount } from "./runtime/deliver";
