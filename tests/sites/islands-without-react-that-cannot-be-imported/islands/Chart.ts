import { bars } from "./parts/bars";

export function mount(element: HTMLElement): void {
  element.textContent = bars.join(", ");
}
