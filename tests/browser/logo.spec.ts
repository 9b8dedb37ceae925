import { readFileSync } from "node:fs";
import { join } from "node:path";
import { builtSite, htmlFiles, imageHost } from "./setup.ts";
import { expect, pages, test } from "./site.ts";

test("the logo of the site is its own file", async ({ page }) => {
  await page.goto("/");
  const logo = page.getByRole("banner").locator('a[href="/"]').first();
  await expect(logo).toBeVisible();
  await expect(logo).toHaveAccessibleName(/\S/);
  expect(
    await page
      .locator("img")
      .evaluateAll((images) => images.every((image) => (image as HTMLImageElement).naturalWidth > 0)),
  ).toBe(true);
});

test.describe("a logo on an image host", () => {
  test.use({ variant: "logo", expected: [new RegExp(`^request: ${imageHost}/some/logo.png$`)] });

  test("is the only thing loaded from elsewhere", async ({ page, context }) => {
    const requests: string[] = [];
    await context.route(/^https:/, (route) => {
      requests.push(route.request().url());
      const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
      return route.fulfill({ contentType: "image/png", body: Buffer.from(pixel, "base64") });
    });
    for (const path of pages) {
      await page.goto(path);
      const image = page.getByRole("banner").getByRole("img").first();
      await expect(image).toHaveAttribute("src", `${imageHost}/some/logo.png`);
      await expect.poll(() => image.evaluate((each: HTMLImageElement) => each.naturalWidth)).toBe(1);
    }
    expect(new Set(requests)).toEqual(new Set([`${imageHost}/some/logo.png`]));
  });

  test("is allowed by the policy as exactly that origin", () => {
    for (const file of htmlFiles("logo")) {
      const html = readFileSync(join(builtSite("logo"), file), "utf8");
      if (!html.includes("<img")) continue;
      const images = /img-src ([^;"]*)/.exec(html)![1]!.trim().split(/\s+/);
      expect(images.filter((source) => source !== "'self'")).toEqual([imageHost]);
      // Nothing else is another host's: the one file that may be fetched is the site's own robots.txt.
      const rest = html.replace(/img-src [^;"]*/, "").replace(/connect-src https:\/\/[^/ ;"]+\/robots\.txt(?=;)/, "");
      expect(rest).not.toMatch(/content="[^"]*default-src[^"]*https?:/);
    }
  });
});
