import { contactMessage, expect, fill, hydrated, press, test } from "./site.ts";

for (const javaScriptEnabled of [true, false])
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled });

    test("its four fields are required for assistive technology only", async ({ page }) => {
      await page.goto("/");
      if (javaScriptEnabled) await hydrated(page, "ContactForm");
      const controls = page.locator("#contact form").locator("input, textarea");
      expect(
        await controls.evaluateAll((all) =>
          all.map((each) => [each.getAttribute("name"), (each as HTMLInputElement).type]),
        ),
      ).toEqual([
        ["name", "text"],
        ["email", "email"],
        ["company", "text"],
        ["message", "textarea"],
      ]);
      for (const control of await controls.all()) {
        await expect(control).not.toHaveAttribute("required");
        await expect(control).toHaveAttribute("aria-required", "true");
        await expect(control).toHaveAccessibleName(/\S/);
      }
      await expect(page.locator("[name=name]")).toHaveAttribute("autocomplete", "name");
      await expect(page.locator("[name=email]")).toHaveAttribute("autocomplete", "email");
      await expect(page.locator("[name=company]")).toHaveAttribute("autocomplete", "organization");
      await expect(page.locator("form")).toHaveAttribute("method", "dialog");
    });
  });

test("only the empty string is empty", async ({ page }) => {
  await page.goto("/");
  await hydrated(page, "ContactForm");
  await fill(page, { ...contactMessage, name: " ", company: " ", message: "\n" });
  await press(page, page.locator("form [type=submit]"));
  await expect(page.getByRole("alert").filter({ hasText: "An error occurred" })).toBeVisible();
});

test("Enter in the message is a new line", async ({ page }) => {
  await page.goto("/");
  await hydrated(page, "ContactForm");
  await fill(page, contactMessage);
  await page.locator("[name=message]").press("Enter");
  await expect(page.locator("[name=message]")).toHaveValue(/\n.*\n/);
  await expect(page.getByRole("alert").filter({ hasText: "An error occurred" })).toHaveCount(0);
});
