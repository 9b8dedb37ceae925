import type { Page } from "@playwright/test";
import { recommended, violations } from "./axe.ts";
import { application, contactMessage, cv, expect, fill, hydrated, pages, press, test } from "./site.ts";

async function check(page: Page) {
  // What is still fading in has a contrast of its own.
  await page.evaluate(() => Promise.all(document.getAnimations().map((each) => each.finished.catch(() => {}))));
  expect(await violations(page, { tags: recommended })).toEqual([]);
}

test("axe finds what is put into a page", async ({ page }) => {
  await page.goto("/privacy-policy");
  await page.locator("main").evaluate((main) => {
    const text = document.createElement("p");
    text.textContent = "Pale";
    // The policy blocks `style` in markup, but not this.
    Object.assign(text.style, { color: "#bbb", background: "#fff" });
    main.append(document.createElement("img"), text);
  });
  const found = async (scope?: Parameters<typeof violations>[1]) => (await violations(page, scope)).map(({ id }) => id);
  for (const all of [await found(), await found({ tags: recommended }), await found({ within: "main" })])
    expect(all).toEqual(expect.arrayContaining(["image-alt", "color-contrast"]));
  expect(await found({ rules: ["image-alt"] })).toEqual(["image-alt"]);
  expect(await found({ within: "footer" })).toEqual([]);
});

for (const colorScheme of ["light", "dark"] as const)
  for (const width of [360, 1280])
    test.describe(`${colorScheme}, ${width} px`, () => {
      test.use({ colorScheme, viewport: { width, height: 900 }, contextOptions: { reducedMotion: "reduce" } });

      for (const path of pages)
        test(`${path} has nothing that axe knows to be wrong`, async ({ page }) => {
          await page.goto(path);
          await check(page);
        });

      test("axe finds nothing wrong in forms with a banner, a chosen file and the focus", async ({ page }) => {
        for (const [path, island, texts] of [
          ["/", "ContactForm", contactMessage],
          ["/careers", "ApplicationForm", application],
        ] as const) {
          // A banner that stays as long as the check takes.
          await page.route(path, async (route) => {
            const response = await route.fetch();
            await route.fulfill({
              response,
              body: (await response.text()).replace(/(bannerSeconds[^:]*:)3\b/, (_, key) => `${key}600`),
            });
          });
          await page.goto(path);
          await hydrated(page, island);
          await fill(page, texts);
          if (island === "ApplicationForm") await page.locator("[name=cv]").setInputFiles(cv);
          await press(page, page.locator("form [type=submit]"));
          await expect(page.getByRole("alert").filter({ hasText: "An error occurred" })).toBeVisible();
          await check(page);
          await expect(page.getByRole("alert").filter({ hasText: "An error occurred" })).toBeVisible();
        }
      });
    });

test("headings descend one level at a time, and there is one h1", async ({ page }) => {
  for (const path of pages) {
    await page.goto(path);
    const levels = await page
      .locator("h1, h2, h3, h4, h5, h6")
      .evaluateAll((all) => all.map((each) => Number(each.tagName[1])));
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    levels.forEach((level, index) =>
      expect(level - (levels[index - 1] ?? 0), `${path}: ${levels}`).toBeLessThanOrEqual(1),
    );
  }
});

for (const path of pages)
  test(`${path}: everything that can be reached with Tab shows its focus and is in view`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.goto(path);
    const count = await page.locator("a[href], button, input, textarea, summary").count();
    const reached = new Set<string>();
    for (let stop = 0; stop < count; stop++) {
      await page.keyboard.press("Tab");
      const focus = () =>
        page.evaluate(() => {
          const element = document.activeElement as HTMLElement;
          const shown = (each: Element | null): boolean => {
            if (!each) return false;
            const { opacity, outlineStyle, outlineWidth } = getComputedStyle(each);
            return opacity !== "0" && outlineStyle !== "none" && outlineWidth !== "0px";
          };
          // Of a large text field the browser brings only the caret's line into view.
          const { left, right, top, bottom } = element.getBoundingClientRect();
          const middle = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
          const over = document.elementFromPoint((left + right) / 2, middle);
          const name = element.getAttribute("href") ?? element.getAttribute("name") ?? element.textContent;
          return {
            name: `${element.tagName} ${name} ${Math.round(left)} ${Math.round(top + scrollY)}`,
            // A file picker shows it on the box that its input lies over.
            shown: shown(element) || shown(element.parentElement),
            uncovered: over !== null && (element.contains(over) || over.contains(element)),
          };
        });
      // The browser scrolls to it a moment later.
      await expect.poll(focus).toMatchObject({ shown: true, uncovered: true });
      const { name } = await focus();
      reached.add(name);
    }
    expect(reached.size).toBe(count);
  });

test("a table is a named region, and a tab stop only where it scrolls", async ({ page }) => {
  await page.goto("/privacy-policy");
  const region = page.getByRole("region", { name: "Network connections" });
  await expect(region.getByRole("table")).toBeVisible();
  for (const [width, size, scrolls] of [
    [1280, "100%", false],
    [320, "200%", true],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.evaluate((fontSize) => (document.documentElement.style.fontSize = fontSize), size);
    await expect.poll(() => region.evaluate((each) => each.scrollWidth > each.clientWidth)).toBe(scrolls);
    const lastLinkBefore = page.locator(".prose a").nth(1);
    await lastLinkBefore.focus();
    await page.keyboard.press("Tab");
    expect(await region.evaluate((each) => each === document.activeElement)).toBe(scrolls);
    if (!scrolls) continue;
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => region.evaluate((each) => each.scrollLeft)).toBeGreaterThan(0);
  }
});

test("a required file says so, which browsers do not", async ({ page }) => {
  await page.goto("/careers");
  await expect(page.locator("[name=cv]")).toHaveAccessibleDescription(/Required\. .*max 10MB/);
  await expect(page.locator("[name=portfolio_file]")).not.toHaveAccessibleDescription(/required/i);
});

test("the link to the page that is open is marked, in the header and in the footer", async ({ page }) => {
  for (const [path, name] of [
    ["/", "Lodeway home page"],
    ["/careers", "Careers"],
    ["/privacy-policy", "Privacy Policy"],
    ["/terms-of-service", "Terms of Service"],
  ] as const) {
    await page.goto(path);
    const current = page.locator('[aria-current="page"]');
    await expect(current).toHaveCount(1);
    await expect(current).toHaveAccessibleName(name);
  }
});

for (const colorScheme of ["light", "dark"] as const)
  test(`the skip link stands out from the logo that it lies on, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await page.goto("/");
    await page.keyboard.press("Tab");
    const [ground, accent] = await page.locator(":focus").evaluate((each) => {
      const luminance = (color: string) => {
        const [red, green, blue] = color.match(/\d+/g)!.map((part) => {
          const value = Number(part) / 255;
          return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
      };
      return [luminance(getComputedStyle(each).backgroundColor), luminance("rgb(255, 199, 44)")];
    });
    expect((accent! + 0.05) / (ground! + 0.05)).toBeGreaterThan(3);
  });
