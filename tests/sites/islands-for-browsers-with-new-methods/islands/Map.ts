const { body } = document;

export function mount(element: HTMLElement): void {
  element.textContent = `${body.clientWidth} pixels`;
}
