// Inlined into pages with islands that are not React, or that wait for a media query or an interaction. Like the loader,
// it must stay tiny and can import nothing.

type Start = () => Promise<void>;

const strategies: Record<string, (start: Start, element: HTMLElement) => void> = {
  load: (start) => void start(),

  // Safari has no requestIdleCallback.
  idle: (start) => void ("requestIdleCallback" in window ? requestIdleCallback(start, { timeout: 2_000 }) : setTimeout(start)),

  visible: (start, element) =>
    new IntersectionObserver(
      (entries, observer) => {
        if (entries.some((entry) => entry.isIntersecting)) {
          observer.disconnect();
          void start();
        }
      },
      { rootMargin: "200px" },
    ).observe(element),

  media: (start, element) => {
    const query = matchMedia(element.dataset.media!);
    if (query.matches) void start();
    else query.addEventListener("change", () => void start(), { once: true });
  },

  // A finger gives no notice before its click: that click is kept until the island can take it.
  interaction: (start, element) => {
    let clicked: HTMLElement | null = null;
    let started = false;
    const events = ["pointerover", "touchstart", "focusin", "click"];
    const begin = async (event: Event) => {
      const button = (event.target as Element).closest<HTMLElement>("button[type=button],[role=button]");
      if (event.type === "click" && button) {
        clicked = button;
        event.preventDefault();
        event.stopPropagation();
      }
      if (started) return;
      started = true;
      await start();
      for (const name of events) element.removeEventListener(name, begin, true);
      if (clicked?.isConnected) clicked.click();
    };
    for (const name of events) element.addEventListener(name, begin, true);
  },
};

// An input method keeps unfinished text in the field it composes in.
let composed: Promise<unknown> | undefined;
addEventListener("compositionstart", () => {
  composed = new Promise((done) => addEventListener("compositionend", done, { once: true }));
});

for (const element of document.querySelectorAll<HTMLElement>("[data-enhance]")) {
  const { hydrate, modules } = element.dataset;
  strategies[hydrate!]!(async () => {
    try {
      const [entry] = await Promise.all(modules!.split(" ").map((module) => import(module)));
      await composed;
      entry.default(element);
    } catch {
      // Whatever is there works without the script as well as it did before.
    }
  }, element);
}

// A module of its own for TypeScript.
export {};
