// What the documentation says about the examples: how much visitors of their home pages download, and under which policy.
// With BLESS=docs it also takes the pictures of the gallery again, in the fonts of this computer.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { extname, join, resolve } from "node:path";
import { chromium as playwright } from "@playwright/test";
import { brotli } from "../support/server.ts";
import { chromium } from "./chromium.ts";
import { builtSite } from "./setup.ts";
import { expect, test } from "./site.ts";

const docs = resolve(import.meta.dirname, "../../docs/content");
const isBlessed = /^1$|docs/.test(process.env.BLESS ?? "");
const pictures = [
  { variant: "brewery", path: "/" },
  { variant: "museum", path: "/" },
  { variant: "site", path: "/" },
  // It has a few lines: in a small window one can read them.
  { variant: "harbour", path: "/tour", zoom: 2 },
  { variant: "portfolio-starter", path: "/" },
  { variant: "docs-starter", path: "/guides/install" },
  { variant: "splice", path: "/1/join", opened: ".versions summary" },
];
/** Ready-made copies: with those of `picture` the documentation would take twice as long to build from nothing. */
const widths = [480, 1200];
const kinds: Record<string, string> = {
  ".html": "HTML, with all styles",
  ".js": "Scripts",
  ".woff2": "Fonts",
  ".webp": "Pictures",
  ".jpg": "Pictures",
  ".png": "Pictures",
  ".svg": "Drawings",
};

test.describe("the brewery", () => {
  test.use({ variant: "brewery" });

  test("the documentation names the bytes and the policy of the home page", async ({ page, host }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto("/");
    // Down to the end, so that what is loaded later counts too.
    for (const picture of await page.locator("img").all()) await picture.scrollIntoViewIfNeeded();
    await page.waitForLoadState("networkidle");
    const sizes = new Map<string, number>([...new Set(Object.values(kinds))].map((kind) => [kind, 0]));
    for (const path of new Set(host.log.map((each) => each.path))) {
      const file = join(builtSite("brewery"), path === "/" ? "index.html" : path);
      const kind = kinds[extname(file)];
      // Icons are for the window, and not for the page.
      if (!kind || /favicon|icon-/.test(path)) continue;
      const bytes = readFileSync(file);
      sizes.set(kind, sizes.get(kind)! + (/html|js|svg/.test(extname(file)) ? brotli(bytes) : bytes).length);
    }
    const rows = [...sizes].map(([name, size]) => ({ name, size: size === 0 ? "none" : `${(size / 1000).toFixed(1)} KB` }));
    rows.push({ name: "Requests to other hosts", size: "none" });
    const policy = (await page.locator("meta[http-equiv=Content-Security-Policy]").getAttribute("content"))!
      .split(";")
      .map((rule) => rule.trim().replaceAll(/'sha256-[^']*'/g, "'sha256-…'"))
      .filter((rule) => rule !== "");
    const text = JSON.stringify([{ slug: "brewery", rows, policy }], null, 2) + "\n";
    const file = join(docs, "measured.json");
    if (isBlessed) writeFileSync(file, text);
    // Another release of an encoder or of the browser changes some bytes.
    const coarse = (json: string) => json.replaceAll(/"([\d.]+) KB"/g, (_, size: string) => `"${Math.round(Math.log(Number(size)) * 8)}"`);
    expect(coarse(readFileSync(file, "utf8")), "write it anew with BLESS=docs").toBe(coarse(text));
  });
});

for (const { variant, path, zoom = 1, opened } of pictures)
  test(`the gallery has a picture of ${variant}`, async ({ hosts }) => {
    const file = (width: number) => join(docs, `assets/gallery/${variant}-${width}.webp`);
    if (isBlessed) {
      // The tests have the fonts of one package, which few visitors see.
      const { FONTCONFIG_FILE: _, ...env } = process.env;
      const browser = await playwright.launch({ ...chromium, env: env as Record<string, string> });
      const viewport = { width: 1200 / zoom, height: 800 / zoom };
      const page = await browser.newPage({ viewport, deviceScaleFactor: zoom });
      await page.goto((await hosts(variant)).origin + path, { waitUntil: "networkidle" });
      if (opened) await page.locator(opened).click();
      const taken = (await page.screenshot()).toString("base64");
      await page.goto("about:blank");
      for (const width of widths) writeFileSync(file(width), Buffer.from(await page.evaluate(webp, { taken, width }), "base64"));
      await browser.close();
    }
    for (const width of widths) expect(existsSync(file(width)), "take it with BLESS=docs").toBe(true);
  });

/** Runs in a page: a picture as WebP, in another width. */
async function webp({ taken, width }: { taken: string; width: number }): Promise<string> {
  const image = new Image();
  image.src = `data:image/png;base64,${taken}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width, height: Math.round((image.height * width) / image.width) });
  const context = canvas.getContext("2d")!;
  context.imageSmoothingQuality = "high";
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL("image/webp", 0.78).split(",")[1]!;
}
