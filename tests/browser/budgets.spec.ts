import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { brotli } from "../support/server.ts";
import { builtSite, htmlFiles } from "./setup.ts";
import { expect, hydrated, pages, test } from "./site.ts";

const size = (path: string) => brotli(readFileSync(join(builtSite("site"), path))).length;
const inlineScripts = (html: string) =>
  [...html.matchAll(/<script(?![^>]*application\/ld\+json)[^>]*>([^]*?)<\/script>/g)].map((match) => match[1]!);

for (const file of ["index.html", ...pages.slice(1).map((path) => `${path.slice(1)}.html`)])
  test(`${file} with its styles fits the first congestion window: 14 KB`, async ({}, information) => {
    information.annotations.push({ type: "bytes", description: String(size(file)) });
    expect(size(file)).toBeLessThanOrEqual(14_000);
  });

test("every page comes with its styles: nothing else before the first paint", async () => {
  for (const file of htmlFiles("site")) {
    const html = readFileSync(join(builtSite("site"), file), "utf8");
    expect(html).not.toMatch(/rel="?stylesheet/);
    expect(html).not.toMatch(/<script[^>]*\ssrc=/);
  }
});

for (const [path, file, island] of [
  ["/", "index.html", "ContactForm"],
  ["/careers", "careers.html", "ApplicationForm"],
] as const)
  test(`${path}: under 1 KB of script before a visitor scrolls, 61.5 KB in all`, async ({
    page,
    host,
  }, information) => {
    await page.goto(path, { waitUntil: "networkidle" });
    const loader = brotli(inlineScripts(readFileSync(join(builtSite("site"), file), "utf8")).join("")).length;
    const fetched = () => host.log.map((each) => each.path).filter((each) => each.endsWith(".js"));
    expect(fetched()).toEqual([]);
    expect(loader).toBeLessThan(1_000);
    await hydrated(page, island);
    const all = fetched().reduce((sum, each) => sum + size(each), loader);
    information.annotations.push({ type: "bytes", description: `${loader} and ${all}` });
    expect(all).toBeLessThanOrEqual(61_500);
  });

test("nothing that is published is large", () => {
  const images = new Set<string>();
  for (const file of htmlFiles("site"))
    for (const [, path] of readFileSync(join(builtSite("site"), file), "utf8").matchAll(
      /(?:src|href)="(\/assets\/[^"]+)"/g,
    ))
      images.add(path!);
  for (const path of images) expect(statSync(join(builtSite("site"), path)).size, path).toBeLessThan(100_000);
});

test("the display font is small, preloaded, from this host and never swapped in", async ({ page, host }) => {
  const html = readFileSync(join(builtSite("site"), "index.html"), "utf8");
  const [, preloaded] = /<link rel="?preload"? href="?([^" ]+\.woff2)/.exec(html)!;
  expect(html.replace(/\s/g, "")).toMatch(new RegExp(`src:url\\("?${preloaded}"?\\).*font-display:optional`));
  expect(html).toContain("font-src 'self'");
  expect(statSync(join(builtSite("site"), preloaded!)).size).toBeLessThanOrEqual(16_000);
  await page.goto("/", { waitUntil: "networkidle" });
  expect(host.log.filter((each) => each.path.endsWith(".woff2")).map((each) => each.path)).toEqual([preloaded]);
  expect(await page.evaluate(() => document.fonts.check("700 16px Display"))).toBe(true);
});

test("nothing moves while a page loads and is read", async ({ page }) => {
  for (const path of pages) {
    await page.goto(path);
    await page.evaluate(() => {
      Object.assign(window, { shift: 0 });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) (window as any).shift += (entry as any).value;
      }).observe({ type: "layout-shift", buffered: true });
    });
    for (let step = 0; step < 12; step++) {
      await page.mouse.wheel(0, 600);
      await page.waitForTimeout(40);
    }
    expect(await page.evaluate(() => (window as any).shift), path).toBeLessThan(0.001);
  }
});
