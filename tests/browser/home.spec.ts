import { expect, siteSetting, test } from "./site.ts";

for (const javaScriptEnabled of [true, false])
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled });

    test("the two buttons of the hero do nothing", async ({ page, host }) => {
      await page.goto("/");
      const before = await page.content();
      const requests = host.log.length;
      for (const name of ["View Portfolio", "Learn More"]) {
        const button = page.getByRole("button", { name, exact: true });
        await expect(button).toHaveAttribute("type", "button");
        await button.click();
        await button.press("Enter");
        await button.press("Space");
      }
      expect(await page.content()).toBe(before);
      expect(new URL(page.url()).pathname + new URL(page.url()).hash).toBe("/");
      expect(host.log.length).toBe(requests);
    });

    test("statistics, metrics and values say what is specified", async ({ page }) => {
      await page.goto("/");
      const text = (await page.locator("main").innerText()).replaceAll(/\s+/g, " ");
      for (const figure of [
        "100K+",
        "99.9%",
        "5+",
        "Total Users",
        "100,000+",
        "Platform Uptime",
        "Active Platforms",
        "Years Operating",
      ])
        expect(text).toContain(figure);
      const company = page.locator("#company");
      for (const value of ["User-Focused", "Quality First", "Global Scale"])
        await expect(company.getByRole("heading", { name: value })).toBeVisible();
      await expect(
        page
          .locator("#contact")
          .getByRole("link", { name: siteSetting("email") })
          .first(),
      ).toHaveAttribute("href", `mailto:${siteSetting("email")}`);
    });

    test("each platform is an article with heading, badge, description and three features", async ({ page }) => {
      await page.goto("/");
      const cards = page.locator("#solutions").getByRole("article");
      await expect(cards).toHaveCount(3);
      for (const [index, badge] of ["Live Platform", "Live Platform", "In Development"].entries()) {
        const card = cards.nth(index);
        await expect(card.getByRole("heading")).toHaveCount(1);
        await expect(card.getByText(badge, { exact: true })).toBeVisible();
        await expect(
          card
            .locator("p")
            .filter({ hasText: /\w+ \w+ \w+/ })
            .first(),
        ).toBeVisible();
        await expect(card.getByRole("listitem")).toHaveCount(3);
        const visit = card.getByRole("link", { name: /^Visit Platform/ });
        await expect(visit).toHaveCount(badge === "Live Platform" ? 1 : 0);
      }
      await expect(cards.nth(2).getByRole("heading")).toHaveText("Urban");
      await expect(cards.nth(2)).toContainText("2025");
    });

    test("external links open a new tab, announce it, and send no referrer", async ({ page }) => {
      await page.goto("/");
      const links = page.locator('main a[href^="http"]');
      await expect(links).toHaveCount(2);
      for (const link of await links.all()) {
        await expect(link).toHaveAttribute("href", /^https:\/\/[^/]+\.example\b/);
        await expect(link).toHaveAttribute("target", "_blank");
        await expect(link).toHaveAttribute("rel", "noopener noreferrer");
        await expect(link).toHaveAccessibleName(/opens in a new tab/);
      }
    });
  });

test.describe("an external link", () => {
  test.use({ expected: [/^request: https:/] });

  test("opens in a new tab with no opener and no referrer", async ({ page, context }) => {
    let referrer: string | undefined;
    await context.route(/^https:/, (route) => {
      referrer = route.request().headers().referer;
      return route.fulfill({ contentType: "text/html", body: "<title>elsewhere</title>" });
    });
    await page.goto("/");
    const opened = context.waitForEvent("page");
    await page
      .getByRole("link", { name: /^Visit Platform/ })
      .first()
      .click();
    const tab = await opened;
    await tab.waitForLoadState();
    expect(await tab.evaluate(() => window.opener)).toBeNull();
    expect(referrer).toBeUndefined();
    await expect(page).toHaveURL(/\/$/);
  });
});

for (const width of [320, 390, 640, 768, 900, 959, 960, 1024, 1087, 1440, 1920])
  test(`at ${width} px no platform's picture is cropped, and one line runs through them`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto("/");
    const pictures = await page.locator("#solutions article > svg").evaluateAll((all) =>
      (all as unknown as SVGSVGElement[]).map((svg) => {
        const matrix = svg.getScreenCTM()!;
        const { x, y, width, height } = svg.viewBox.baseVal;
        const corner = (x: number, y: number) => new DOMPoint(x, y).matrixTransform(matrix);
        const [start, end] = [corner(x, y), corner(x + width, y + height)];
        const box = svg.getBoundingClientRect();
        const line = [...svg.querySelectorAll<SVGGraphicsElement>(":scope > .route, :scope > .route-plan")]
          .map((each) => each.getBBox())
          .find((each) => each.width >= width)!;
        return {
          complete: start.x > box.left - 1 && start.y > box.top - 1 && end.x < box.right + 1 && end.y < box.bottom + 1,
          left: Math.max(box.left, corner(line.x, 0).x),
          right: Math.min(box.right, corner(line.x + line.width, 0).x),
          level: corner(0, line.y + line.height).y,
          box: { left: box.left, right: box.right },
        };
      }),
    );
    expect(pictures.map((each) => each.complete)).toEqual([true, true, true]);
    for (const [index, picture] of pictures.entries()) {
      expect(picture.left).toBeCloseTo(picture.box.left, 0);
      expect(picture.right).toBeCloseTo(picture.box.right, 0);
      const next = pictures[index + 1];
      if (!next || width < 960) continue;
      expect(next.box.left - picture.box.right).toBeLessThan(1);
      expect(next.level).toBeCloseTo(picture.level, 0);
    }
  });

test("on a phone the contact form is not too far down", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/");
  expect(await page.locator("#contact").evaluate((each: HTMLElement) => each.offsetTop)).toBeLessThan(5_200);
});

test("the tab says what the company does", async ({ page }) => {
  await page.goto("/");
  await expect(page).toHaveTitle(/^Lodeway: .*food delivery/);
  await expect(page.locator("h1")).toHaveText("Enterprise Digital Solutions");
});

test("no text contradicts the three active platforms", async ({ page }) => {
  await page.goto("/");
  await expect(page.locator("main")).not.toContainText(/\b(one|two|only \w+) (is|are|carry|carries|run|runs|live)\b/i);
});

test("the hero's route runs into the line that the figures hang from", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  for (const width of [320, 390, 768, 1024, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto("/");
    const { art, line, starts, crosses } = await page.evaluate(() => {
      const svg = document.querySelector<SVGSVGElement>(".hero__art")!;
      const bottom = svg.getBoundingClientRect().bottom;
      const paths = [...svg.querySelectorAll<SVGPathElement>(".route, .casing")];
      const at = (path: SVGPathElement, length: number) =>
        path.getPointAtLength(length).matrixTransform(path.getScreenCTM()!).y;
      return {
        art: bottom,
        line: document.querySelector(".statistics")!.getBoundingClientRect().top,
        // The upper edge of the stroke where it begins: what shows of a round end there looks cut off.
        starts: paths.map((path) => at(path, 0) - (parseFloat(getComputedStyle(path).strokeWidth) / 2) * svg.getScreenCTM()!.d),
        crosses: paths.map((path) => at(path, path.getTotalLength() / 2) < bottom),
      };
    });
    expect(Math.abs(art - line), `${width} px`).toBeLessThan(1);
    for (const start of starts) expect(start, `${width} px`).toBeGreaterThan(line - 1);
    for (const start of starts) expect(start, `${width} px`).toBeLessThan(line + 16);
    expect(crosses).toEqual([true, true]);
  }
});

test("the hero's picture begins where the header ends", async ({ page }) => {
  for (const path of ["/", "/careers"])
    for (const width of [1024, 1440, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(path);
      const [header, art, text] = await page.evaluate(() =>
        [".site-header", ":is(.hero__art, .page-head__art)", ":is(.hero__text, .page-head__text)"].map((each) => {
          const { top, bottom } = document.querySelector(each)!.getBoundingClientRect();
          return { top, bottom };
        }),
      );
      expect(Math.abs(art!.top - header!.bottom), `${path} at ${width} px`).toBeLessThan(1);
      expect(art!.bottom, `${path} at ${width} px`).toBeGreaterThan(text!.bottom - 1);
    }
});

