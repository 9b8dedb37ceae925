// What the tests share: a browser page on a built site, which must stay quiet and keep to itself in every test.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test as base, type Locator, type Page } from "@playwright/test";
import { serve, type Host } from "../support/server.ts";
import { builtSite } from "./setup.ts";

interface Options {
  /** Which of the built sites to open. */
  variant: string;
  /** What a test expects on the console or to leave for another host. Anything else fails it. */
  expected: RegExp[];
}

export const test = base.extend<Options & { quiet: void; host: Host }, { hosts: (variant: string) => Promise<Host> }>({
  variant: ["site", { option: true }],
  expected: [[], { option: true }],

  hosts: [
    async ({}, use) => {
      const running = new Map<string, Promise<Host>>();
      await use((variant) => {
        if (!running.has(variant)) running.set(variant, serve(builtSite(variant)));
        return running.get(variant)!;
      });
      for (const host of running.values()) await (await host).close();
    },
    { scope: "worker" },
  ],

  host: async ({ hosts, variant }, use) => {
    const host = await hosts(variant);
    host.log.length = 0;
    await use(host);
  },

  baseURL: async ({ host }, use) => use(host.origin),

  // Console output includes what the policy blocked and what the page threw.
  quiet: [
    async ({ context, host, expected }, use) => {
      const seen: string[] = [];
      context.on("console", (message) => seen.push(`console ${message.type()}: ${message.text()}`));
      context.on("weberror", (thrown) => seen.push(`uncaught: ${thrown.error().message}`));
      context.on("request", (request) => {
        const { origin, protocol } = new URL(request.url());
        if (protocol.startsWith("http") && origin !== host.origin) seen.push(`request: ${request.url()}`);
      });
      await use();
      expect(seen.filter((each) => !expected.some((pattern) => pattern.test(each)))).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

export const pages = ["/", "/careers", "/privacy-policy", "/terms-of-service"];

/** What content/site.yaml says for a key at its outermost level. */
export function siteSetting(key: string): string {
  const yaml = readFileSync(resolve(import.meta.dirname, "../../content/site.yaml"), "utf8");
  return new RegExp(`^${key}: *"?([^"\n]+)"?$`, "m").exec(yaml)![1]!;
}

/** Scrolls to an island and waits until React has it. */
export async function hydrated(page: Page, name: string): Promise<Locator> {
  const island = page.locator(`[data-island="${name}"]`);
  await island.scrollIntoViewIfNeeded();
  await waitInFrames(page, () => isHydrated(page, name), `${name} is hydrated`);
  return island;
}

/**
 * Waits for what a page does only in a frame, such as seeing what has come into view. On a busy machine headless Chromium can
 * leave frames out for a minute, until something asks for one, as a screenshot does.
 */
export async function waitInFrames(page: Page, isDone: () => Promise<boolean>, message: string): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      return await expect.poll(isDone, { message, intervals: [20], timeout: 5_000 }).toBe(true);
    } catch (error) {
      if (attempt === 8) throw error;
      await page.screenshot({ clip: { x: 0, y: 0, width: 1, height: 1 } });
    }
}

/** Whether React has an island. It marks the element in the same task in which it hydrates. */
export const isHydrated = (page: Page, name: string): Promise<boolean> =>
  page
    .locator(`[data-island="${name}"]`)
    .evaluate((element) => Object.keys(element).some((key) => key.startsWith("__reactContainer")));

/** Keeps the modules of islands from arriving until the returned function is called. */
export async function holdModules(page: Page): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((done) => (release = done));
  await page.route("**/*.js", async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/** Clicks the button without waiting for a navigation, which Playwright's own click does forever after a blocked submit. */
export async function press(page: Page, button: Locator): Promise<void> {
  await button.scrollIntoViewIfNeeded();
  let last = "";
  // The browser may still be scrolling, on the way back to where the visitor was.
  await expect
    .poll(async () => {
      const previous = last;
      last = JSON.stringify(await button.boundingBox());
      return last === previous;
    })
    .toBe(true);
  const box = JSON.parse(last) as { x: number; y: number; width: number; height: number };
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
}

/** The names and values of the fields of the only form. */
export const values = (page: Page): Promise<Record<string, string>> =>
  page.locator("form").evaluate((form: HTMLFormElement) =>
    Object.fromEntries(
      [...form.elements]
        .filter((each) => each.getAttribute("name"))
        .map((each) => {
          const { name, value } = each as HTMLInputElement;
          return [name, value.replace(/^.*\\/, "")];
        }),
    ),
  );

export const cv = { name: "Curriculum vitae.pdf", mimeType: "application/pdf", buffer: Buffer.alloc(1_440_000, 1) };

export const contactMessage = { name: "Ada", email: "ada@example.com", company: "Engines", message: "Two\nlines" };

export const application = { firstName: "Ada", lastName: "Lovelace", email: "ada@example.com" };

export async function fill(page: Page, texts: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(texts)) await page.locator(`[name="${name}"]`).fill(text);
}
