// Delivers a form that a template has written. See docs/content/pages/guides/forms.md.
export { mount } from "./runtime/deliver";
