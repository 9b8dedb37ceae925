import type { ComponentType } from "react";
import { createRoot } from "react-dom/client";
import { Boundary } from "./Boundary";

/** Renders an island that was not prerendered, in the place of its fallback. */
export function render(Island: ComponentType<any>, element: HTMLElement): void {
  const { props, prefix } = element.dataset;
  createRoot(element, { identifierPrefix: prefix }).render(
    <Boundary>
      <Island {...JSON.parse(props!)} />
    </Boundary>,
  );
}
