export { mount } from "./runtime/deliver";
