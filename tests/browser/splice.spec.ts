// The documentation of two versions in examples/splice. tests/it/examples.rs follows its links.
import { testEveryPage } from "./every-page.ts";
import { expect, test } from "./site.ts";

test.use({ variant: "splice" });

testEveryPage(["/2/", "/2/join", "/2/commands", "/2/404.html", "/1/", "/1/join", "/1/settings"]);

test("the address of the documentation leads to the newest version", async ({ page }) => {
  await page.goto("/");
  await expect(page).toHaveURL("/2/");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Introduction");
});

for (const javaScriptEnabled of [true, false])
  for (const width of [360, 1440])
    test(`at ${width} px, a reader changes the version, ${javaScriptEnabled ? "with" : "without"} JavaScript`, async ({ browser, baseURL }) => {
      const context = await browser.newContext({ baseURL: baseURL!, javaScriptEnabled, viewport: { width, height: 800 } });
      const page = await context.newPage();
      const versions = page.getByRole("navigation", { name: "Versions" });
      await page.goto("/2/join");
      await expect(page.getByText("The newest version is 2.1.")).toHaveCount(0);
      await expect(versions).toBeHidden();
      await page.getByText("Version 2.1", { exact: true }).focus();
      await page.keyboard.press("Enter");
      expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
      await versions.getByRole("link", { name: "1.4" }).click();
      await expect(page).toHaveURL("/1/join");
      await expect(page.getByText("This is the documentation of Splice 1.x.")).toBeVisible();
      await page.getByRole("link", { name: "Read this page for 2.1" }).click();
      await expect(page).toHaveURL("/2/join");
      // A page that the newest version does not have.
      await page.goto("/1/settings");
      await page.getByRole("link", { name: "see its introduction" }).click();
      await expect(page).toHaveURL("/2/");
      await context.close();
    });

for (const version of ["1", "2"])
  test(`the search of version ${version} finds its own pages alone`, async ({ page }) => {
    await page.goto(`/${version}/install`);
    await page.getByRole("searchbox").fill("partner");
    const found = page.locator(".search-link");
    await expect(found.first()).toContainText("Rows without a partner");
    for (const link of await found.all()) expect(await link.getAttribute("href")).toMatch(new RegExp(`^/${version}/`));
    // The notice about the newest version is no text of the page.
    await page.getByRole("searchbox").fill("documentation");
    await expect(page.locator(".search-status")).toContainText("documentation");
    await expect(found).toHaveCount(0);
  });
