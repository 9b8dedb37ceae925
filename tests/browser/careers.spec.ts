import type { Page } from "@playwright/test";
import { expect, test } from "./site.ts";

for (const javaScriptEnabled of [true, false])
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled });

    test("the open position says what is specified", async ({ page }) => {
      await page.goto("/careers");
      await expect(page.getByRole("heading", { name: "UI/UX Designer" })).toBeVisible();
      const text = (await page.locator("main").innerText()).replaceAll(/\s+/g, " ");
      for (const words of [
        "Remote / Hybrid",
        "Full-time",
        "up to $75/hour",
        "Open",
        "3+ years",
        "design tools",
        "portfolio",
      ])
        expect(text.toLowerCase()).toContain(words.toLowerCase());
      for (const heading of [/about the role/i, /responsibilities/i, /requirements/i, /offer/i])
        await expect(page.getByRole("heading", { name: heading }).first()).toBeVisible();
    });

    test("the application form is below the position", async ({ page }) => {
      await page.goto("/careers");
      const position = (await page.getByRole("heading", { name: "UI/UX Designer" }).boundingBox())!;
      const form = (await page.locator("form").boundingBox())!;
      expect(form.y).toBeGreaterThan(position.y);
    });
  });

const structuredData = async (page: Page, path: string) => {
  await page.goto(path);
  const texts = await page.locator('script[type="application/ld+json"]').allTextContents();
  return texts.map((each) => JSON.stringify(JSON.parse(each))).join();
};

test("a position without a place of work is not described to search engines, which list no such job", async ({ page }) => {
  for (const path of ["/", "/careers"]) {
    const data = await structuredData(page, path);
    expect(data).toContain('"Organization"');
    expect(data).toContain('"WebSite"');
    expect(data).not.toContain("JobPosting");
  }
});

test.describe("a position with a place of work", () => {
  test.use({ variant: "place" });

  test("is described to search engines, on careers only", async ({ page }) => {
    const careers = await structuredData(page, "/careers");
    expect(careers).toContain('"JobPosting"');
    expect(careers).toContain('"addressLocality":"Graz"');
    expect(careers).toContain('"maxValue":75');
    const home = await structuredData(page, "/");
    expect(home).toContain('"Organization"');
    expect(home).not.toContain("JobPosting");
  });
});

test("what happens next promises no more than the legal pages allow", async ({ page }) => {
  await page.goto("/careers");
  const steps = page.locator("#apply .stops li");
  await expect(steps.first()).toContainText("by e-mail");
  await expect(page.locator("#apply .with-form__text")).not.toContainText(/answer|reply|respond|\b(days?|weeks?|hours)\b.*within|within/i);
});

for (const [width, height] of [
  [390, 844],
  [768, 1024],
  [1440, 900],
] as const)
  test(`at ${width} × ${height} the position's facts stand above the fold`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await page.goto("/careers");
    const opening = page.locator("main").getByRole("link", { name: /^UI\/UX Designer/ });
    await expect(opening).toBeInViewport({ ratio: 1 });
    for (const fact of ["Remote / Hybrid", "Full-time", "up to $75/hour"]) await expect(opening).toContainText(fact);
    await opening.click();
    await expect(page.locator("#ui-ux-designer:target")).toBeInViewport();
  });

test("next to the form are the facts, what happens next and the e-mail address", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/careers");
  const notes = page.locator("#apply .with-form__text");
  for (const text of ["up to $75/hour", "Remote / Hybrid", "Full-time"])
    await expect(notes.getByText(text, { exact: true })).toBeVisible();
  await expect(notes.getByRole("heading", { name: "What happens next" })).toBeVisible();
  await expect(notes.getByRole("link")).toHaveAttribute("href", /^mailto:/);
  await page.locator("form [type=submit]").scrollIntoViewIfNeeded();
  await expect(notes.getByRole("link")).toBeInViewport({ ratio: 1 });
});
