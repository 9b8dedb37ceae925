// The example site in examples/brewery: what visitors meet on the pages made from its content.
import { testEveryPage } from "./every-page.ts";
import { expect, test } from "./site.ts";

test.use({ variant: "brewery" });

testEveryPage(["/", "/news", "/news/2025/slack-water-is-here", "/news/tags/beer", "/beers/heron", "/visit", "/newsletter", "/jobs/brewer"]);

test("a reader goes from the news through its pages, a subject and a post to a beer", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "News" }).click();
  await expect(page).toHaveTitle("News | Tidewheel Brewery");
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Older" }).click();
  await expect(page).toHaveTitle("News, page 2 | Tidewheel Brewery");
  await page.getByRole("navigation", { name: "Subjects" }).getByRole("link", { name: "Beer 7 posts" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("News about Beer");
  // The whole card leads to the post: its link lies over the text.
  await page.getByText("Our sixth beer has no alcohol, and took us two years.").click({ force: true });
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Slack Water is here");
  await page.getByRole("link", { name: /^Older/ }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("New in the laboratory");
  await page.getByRole("link", { name: /^Newer/ }).click();
  await page.getByRole("article").getByRole("link", { name: "Slack Water", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Slack Water");
  await page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link", { name: "Beers" }).click();
  await expect(page.getByRole("main").getByRole("article")).toHaveCount(6);
});

test("every page that a link leads to is there, and each of its own sections", async ({ page, request }) => {
  const seen = new Set(["/"]);
  const wanted: string[] = [];
  for (const path of seen) {
    const response = await request.get(path);
    expect(response.status(), path).toBe(200);
    const { paths, lost } = await page.evaluate((html) => {
      const parsed = new DOMParser().parseFromString(html, "text/html");
      const links = [...parsed.querySelectorAll("a[href]")].map((link) => link.getAttribute("href")!);
      return {
        paths: links.filter((link) => link.startsWith("/")),
        lost: links.filter((link) => link.startsWith("#") && !parsed.getElementById(link.slice(1))),
      };
    }, await response.text());
    wanted.push(...lost.map((link) => path + link));
    for (const link of paths) seen.add(link.replace(/#.*/, ""));
  }
  expect(wanted).toEqual([]);
  // All but the 404 page.
  expect(seen.size).toBe(68);
});

for (const { width, scale, copy } of [
  { width: 390, scale: 2, copy: 800 },
  { width: 1440, scale: 1, copy: 1200 },
])
  test(`at ${width} px and a scale of ${scale} the picture that fits is loaded at once, and nothing moves`, async ({ browser, baseURL }) => {
    const context = await browser.newContext({ baseURL, viewport: { width, height: 900 }, deviceScaleFactor: scale });
    const page = await context.newPage();
    const loaded: string[] = [];
    page.on("response", (response) => void loaded.push(new URL(response.url()).pathname));
    await page.addInitScript(() => {
      const seen = { shift: 0, largest: "" };
      Object.assign(window, { seen });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) seen.shift += (entry as PerformanceEntry & { value: number }).value;
      }).observe({ type: "layout-shift", buffered: true });
      new PerformanceObserver((list) => {
        const entry = list.getEntries().at(-1) as PerformanceEntry & { element?: Element };
        seen.largest = entry.element?.tagName + " " + entry.element?.getAttribute("fetchpriority");
      }).observe({ type: "largest-contentful-paint", buffered: true });
    });
    await page.goto("/visit", { waitUntil: "load" });
    const photo = page.getByRole("img", { name: "The tide mill beside its pond" });
    await expect.poll(() => photo.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth)).toBeTruthy();
    const chosen = await photo.evaluate((image: HTMLImageElement) => new URL(image.currentSrc).pathname);
    expect(chosen).toMatch(new RegExp(`^/assets/photos/pond-${copy}x${copy / 2}-f70x45-[0-9a-f]{8}\\.webp$`));
    await expect.poll(() => loaded.filter((path) => path.includes("photos"))).toEqual([chosen]);
    // Chromium sometimes never reports a picture that it paints together with the first text, mostly in the first page after
    // its start. The picture is on the screen then, and the same page loaded again reports it.
    const seen = (what: "shift" | "largest") =>
      page.evaluate((what) => (window as unknown as { seen: { shift: number; largest: string } }).seen[what], what);
    await page.screenshot();
    expect(await seen("shift")).toBe(0);
    await expect(async () => {
      if ((await seen("largest")) !== "IMG high") await page.reload({ waitUntil: "load" });
      await page.screenshot();
      await expect.poll(() => seen("largest"), { timeout: 2_000 }).toBe("IMG high");
    }).toPass({ timeout: 40_000 });
    // One that is further down comes when a reader comes near.
    expect(await seen("shift")).toBe(0);
    await page.goto("/news/2024/frost-on-the-pond");
    const frost = page.getByRole("img", { name: "Needles of frost" });
    await frost.scrollIntoViewIfNeeded();
    await expect.poll(() => frost.evaluate((image: HTMLImageElement) => image.naturalWidth > 0 && image.currentSrc)).toContain("/frost-800x533-");
    expect(await seen("shift")).toBe(0);
    await context.close();
  });
