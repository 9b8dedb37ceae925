// What holds on every page of a site: in both colour schemes, on a phone and at a desk.
import { recommended, violations } from "./axe.ts";
import { expect, test } from "./site.ts";

/** Declares the tests for these pages of the site that the file has chosen with `test.use`. */
export function testEveryPage(paths: string[]) {
  for (const colorScheme of ["light", "dark"] as const)
    for (const width of [360, 1440])
      test(`at ${width} px, ${colorScheme}, axe finds nothing and nothing is wider than the window`, async ({ page }) => {
        test.setTimeout(180_000);
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        for (const path of paths) {
          await page.goto(path);
          // In the dark only the colours differ.
          const scope = colorScheme === "light" ? { tags: recommended } : { rules: ["color-contrast"] };
          expect(await violations(page, scope), path).toEqual([]);
          const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
          expect(over, path).toBe(0);
        }
      });
}
