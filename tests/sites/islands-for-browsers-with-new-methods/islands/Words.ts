const words = new Intl.Segmenter("en", { granularity: "word" });
const names = Map.groupBy([..."rye and salt"], (letter) => letter);

export function mount(element: HTMLElement): void {
  element.textContent = [...words.segment([...names.keys()].join(""))].map((word) => word.segment).join(", ");
}
