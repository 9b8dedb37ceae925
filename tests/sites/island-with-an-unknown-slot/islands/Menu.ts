export function mount(element: HTMLElement): void {
  element.hidden = true;
}
