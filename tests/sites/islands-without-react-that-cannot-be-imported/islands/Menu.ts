const items = lines("a\nb");

export function mount(element: HTMLElement): void {
  element.textContent = items.join(", ");
}
