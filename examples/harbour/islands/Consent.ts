// Asks once, and loads a script of another host after a yes. The answer stays in the browser and is sent to nobody.
interface ConsentProps {
  script: string;
  integrity: string;
  connect: { tour: string };
}

export function mount(element: HTMLElement, { script, integrity, connect }: ConsentProps): void {
  const load = () => {
    const tag = document.createElement("script");
    tag.src = connect.tour + script;
    tag.integrity = integrity;
    tag.crossOrigin = "anonymous";
    document.head.append(tag);
  };
  const banner = element.querySelector<HTMLElement>("[hidden]")!;
  const answer = localStorage.getItem("tour");
  if (answer === "yes") load();
  if (answer) return;
  banner.hidden = false;
  for (const button of banner.querySelectorAll("button"))
    button.addEventListener("click", () => {
      localStorage.setItem("tour", button.value);
      banner.hidden = true;
      if (button.value === "yes") load();
    });
}
