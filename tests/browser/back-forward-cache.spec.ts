import { wholeChromium } from "./chromium.ts";
import { contactMessage, expect, fill, hydrated, press, test, values } from "./site.ts";

// Playwright starts the browser without this cache, and the one without windows has none.
// Without motion: while pages cross-fade, Chromium drops clicks.
test.use({
  launchOptions: { ...wholeChromium, ignoreDefaultArgs: ["--disable-back-forward-cache"] },
  contextOptions: { reducedMotion: "reduce" },
});

test("the back/forward cache brings a form back as it was left, alive", async ({ page }) => {
  // A browser that is short of time or memory may decline to keep a page.
  await expect(async () => {
    await page.goto("/");
    await hydrated(page, "ContactForm");
    await fill(page, contactMessage);
    await page.evaluate(() => Object.assign(window, { same: true }));
    await page.goto("/privacy-policy");
    // Playwright's own way back waits for a load event, and a page out of the cache has none.
    await page.evaluate(() => history.back());
    await expect(page).toHaveURL(/\/$/);
    expect(await page.evaluate(() => "same" in window), "the page came out of the cache").toBe(true);
  }).toPass();
  expect(await values(page)).toEqual(contactMessage);
  await press(page, page.locator("form [type=submit]"));
  await expect(page.getByRole("alert").filter({ hasText: "An error occurred" })).toBeVisible();
});
