interface Props {
  hour: number;
}

export const render = ({ hour }: Props) => `<p>It is ${hour}.</p><!--slot:default-->`;

export const mount = (element: HTMLElement, { hour }: Props) => {
  element.querySelector("p")!.textContent = `It is ${hour + 1}.`;
};
