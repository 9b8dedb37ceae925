export function mount(element: HTMLElement, { label }: { label: string }): void {
  element.querySelector("nav")!.ariaLabel = label;
}
