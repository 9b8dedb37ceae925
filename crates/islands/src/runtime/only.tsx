import type { ComponentType } from "react";
import { createRoot } from "react-dom/client";
import { Boundary } from "./Boundary";

/** Renders an island that was not prerendered, in the place of its fallback. */
export function render(Island: ComponentType<any>, element: HTMLElement): void {
  const { dataset } = element;
  createRoot(element, { identifierPrefix: dataset.prefix }).render(
    <Boundary {...dataset}>
      <Island {...JSON.parse(dataset.props!)} />
    </Boundary>,
  );
}
