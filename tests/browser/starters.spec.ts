// The starters of `sitegen new`: each looks finished before anybody has changed it.
import { testEveryPage } from "./every-page.ts";
import { htmlFiles, starters } from "./setup.ts";
import { expect, test } from "./site.ts";

/** The pages of each starter, of which each shows another template or another kind of text. */
const pages: Record<string, string[]> = {
  minimal: ["/", "/404.html"],
  company: ["/", "/about", "/news", "/news/opening", "/contact", "/404.html"],
  blog: ["/", "/posts", "/posts/everything", "/posts/window", "/posts/code", "/tags", "/tags/writing", "/about", "/404.html"],
  portfolio: ["/", "/photographs", "/photographs/first-light", "/photographs/after-dark", "/about", "/404.html"],
  docs: ["/", "/guides/install", "/guides/use", "/404.html"],
};

for (const starter of starters)
  test.describe(starter, () => {
    test.use({ variant: `${starter}-starter` });
    testEveryPage(pages[starter]!);
  });

test.describe("portfolio", () => {
  test.use({ variant: "portfolio-starter" });

  test("a phone loads small copies of photographs, and each photograph says what it shows", async ({ page, host }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto("/photographs/after-dark");
    for (const image of await page.locator("main img").all()) {
      await image.scrollIntoViewIfNeeded();
      await expect.poll(() => image.evaluate((each: HTMLImageElement) => each.complete && each.naturalWidth)).toBeTruthy();
      expect(await image.getAttribute("alt")).toMatch(/\w{4}/);
    }
    const photographs = host.log.map(({ path }) => path).filter((path) => path.includes("/assets/photos/"));
    expect(photographs.length).toBeGreaterThanOrEqual(3);
    for (const path of photographs) expect(path).toMatch(/-480x\d+/);
  });

  test("a photograph of the overview leads to its place in its series", async ({ page }) => {
    await page.goto("/photographs");
    await page.getByRole("link", { name: /^Green northern lights/ }).click();
    await expect(page).toHaveURL("/photographs/after-dark#fifteen-seconds-of-northern-lights");
    await expect(page.getByText("Fifteen seconds of northern lights")).toBeInViewport();
  });
});

test.describe("blog", () => {
  test.use({ variant: "blog-starter" });

  test("every page has a preview of 1,200 by 630, and feed readers find the feed", async ({ page, request }) => {
    for (const file of htmlFiles("blog-starter").filter((file) => !/index\.html$/.test(file) || file === "index.html")) {
      await page.goto(`/${file}`);
      const preview = await page.locator('meta[property="og:image"]').getAttribute("content");
      const image = await request.get(new URL(preview!).pathname);
      expect(image.headers()["content-type"], file).toBe("image/png");
      const bytes = await image.body();
      // The width and the height of a PNG (its specification, 11.2.2).
      expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], file).toEqual([1200, 630]);
      const feed = await request.get(new URL((await page.locator('link[rel="alternate"]').getAttribute("href"))!, page.url()).href);
      expect(feed.status(), file).toBe(200);
    }
  });

  test("the newest post is the first, and its tags lead to posts with the same tags", async ({ page }) => {
    await page.goto("/");
    await page.locator(".posts a").first().click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Follow without an account");
    await page.getByRole("list", { name: "Tags" }).getByRole("link", { name: "Notes" }).click();
    await expect(page.locator(".posts h2")).toHaveCount(3);
  });
});
