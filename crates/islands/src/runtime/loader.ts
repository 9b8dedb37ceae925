// Inlined into every page that has islands. It must stay tiny, and it can import nothing: React is fetched only when an
// island's own strategy asks for it.

/** Calls `hydrate` when it is time for `element`. */
type Strategy = (hydrate: () => void, element: HTMLElement) => void;

const strategies: Record<string, Strategy> = {
  load: (hydrate) => hydrate(),

  // Safari has no requestIdleCallback. Elsewhere a page that is never idle would leave the island without life for good.
  idle: (hydrate) =>
    "requestIdleCallback" in window ? requestIdleCallback(hydrate, { timeout: 2_000 }) : setTimeout(hydrate),

  // The margin gives the modules a head start before the first field scrolls into view.
  visible: (hydrate, element) =>
    new IntersectionObserver(
      (entries, observer) => {
        if (entries.some((entry) => entry.isIntersecting)) {
          observer.disconnect();
          hydrate();
        }
      },
      { rootMargin: "200px" },
    ).observe(element),
};

// An input method (Japanese, Chinese, most phone keyboards) keeps unfinished text in the field it composes in. Hydration
// waits until that is handed over.
let composed: Promise<unknown> | undefined;
addEventListener("compositionstart", () => {
  composed = new Promise((done) => addEventListener("compositionend", done, { once: true }));
});

for (const element of document.querySelectorAll<HTMLElement>("[data-island]")) {
  const { dataset } = element;
  strategies[dataset.hydrate!]!(async () => {
    try {
      const [entry] = await Promise.all(dataset.modules!.split(" ").map((module) => import(module)));
      await composed;
      entry.default(element);
    } catch {
      // As in Boundary.tsx, for an island whose modules did not load or did not run.
      element.innerHTML = "<p class=island-failure role=alert>";
      (element.firstChild as Element).append(dataset.failure!);
    }
  }, element);
}
