import type { ComponentType } from "react";
import { flushSync } from "react-dom";
import { hydrateRoot, type HydrationOptions } from "react-dom/client";
import { Boundary } from "./Boundary";
import { saveInput } from "./entered";

// A visitor can do nothing about what React would print to the console. A development build prints it.
const quiet: HydrationOptions =
  process.env.NODE_ENV === "production" ? { onRecoverableError() {}, onCaughtError() {}, onUncaughtError() {} } : {};

/** Brings an island's prerendered HTML to life. */
export function mount(Island: ComponentType<any>, element: HTMLElement): void {
  const { dataset } = element;
  const restore = saveInput(element, true);
  flushSync(() =>
    hydrateRoot(
      element,
      <Boundary {...dataset}>
        <Island {...JSON.parse(dataset.props!)} />
      </Boundary>,
      { ...quiet, identifierPrefix: dataset.prefix },
    ),
  );
  restore();
  // A browser restores the fields of a page that the visitor comes back to when it has read the document, in a task of its
  // own and without an event. An island from the cache can be mounted before that. At `pageshow` all of it is there (HTML,
  // "restore persisted state").
  addEventListener("pageshow", () => saveInput(element)(), { once: true });
}
