export function mount(element: HTMLElement, { text }: { text: { consent: string; send: string } }): void {
  element.querySelector("label")!.textContent = text.consent;
}
