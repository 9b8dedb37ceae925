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

test("only careers describes a job to search engines", async ({ page }) => {
  const types = async (path: string) => {
    await page.goto(path);
    const texts = await page.locator('script[type="application/ld+json"]').allTextContents();
    return texts.map((each) => JSON.stringify(JSON.parse(each))).join();
  };
  expect(await types("/careers")).toContain('"JobPosting"');
  const home = await types("/");
  expect(home).toContain('"Organization"');
  expect(home).toContain('"WebSite"');
  expect(home).not.toContain("JobPosting");
});
