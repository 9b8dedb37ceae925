import { cv, expect, hydrated, pages, test } from "./site.ts";

for (const path of pages) {
  test(`${path} never scrolls sideways between 320 and 2560 px`, async ({ page }) => {
    await page.goto(path);
    for (const width of [320, 360, 390, 480, 600, 640, 720, 768, 800, 900, 1024, 1100, 1280, 1440, 1920, 2560]) {
      await page.setViewportSize({ width, height: 800 });
      const over = await page.evaluate(() => {
        const available = document.documentElement.clientWidth;
        if (document.documentElement.scrollWidth <= available) return [];
        return [...document.body.querySelectorAll("*")]
          .filter((each) => each.getBoundingClientRect().right > available + 0.5)
          .map((each) => each.outerHTML.slice(0, 80));
      });
      expect(over, `${width} px`).toEqual([]);
    }
  });

  test(`${path}: every target is at least 24 px wide and high`, async ({ page }) => {
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(path);
      const small = await page.locator("a[href], button, input, textarea, summary").evaluateAll((all) =>
        all
          .filter((each) => each.checkVisibility())
          // A link in running text is as high as its line: the criterion leaves it out.
          .filter(
            (each) =>
              !(each.matches("a") && getComputedStyle(each).display === "inline" && each.closest("p, .prose li, dd")),
          )
          .map((each) => ({ html: each.outerHTML.slice(0, 100), box: each.getBoundingClientRect() }))
          .filter(({ box }) => box.width < 24 || box.height < 24)
          .map(({ html, box }) => `${html} ${box.width}x${box.height}`),
      );
      expect(small).toEqual([]);
    }
  });

  test(`${path} keeps its text when it is twice as large`, async ({ page }) => {
    await page.setViewportSize({ width: 640, height: 800 });
    await page.goto(path);
    await page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"));
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(640);
  });

  test(`${path} does not move where reduced motion is set`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.goto(path);
    expect(
      await page.evaluate(() => ({
        running: document.getAnimations().filter((each) => Number(each.effect!.getComputedTiming().duration) > 1)
          .length,
        scrolling: getComputedStyle(document.documentElement).scrollBehavior,
      })),
    ).toEqual({ running: 0, scrolling: "auto" });
  });

  test(`${path} shows its controls in forced colours`, async ({ page }) => {
    await page.emulateMedia({ forcedColors: "active" });
    await page.goto(path);
    const unmarked = await page.locator("main button, input:not([type=file]), textarea, .picker").evaluateAll((all) =>
      all
        .filter((each) => each.checkVisibility())
        .filter(
          (each) =>
            ["none", "hidden"].includes(getComputedStyle(each).borderTopStyle) ||
            getComputedStyle(each).borderTopWidth === "0px",
        )
        .map((each) => each.outerHTML.slice(0, 100)),
    );
    expect(unmarked).toEqual([]);
  });
}

test("the remove button of a file is a target of at least 24 px", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 800 });
  await page.goto("/careers");
  await hydrated(page, "ApplicationForm");
  await page.locator("[name=cv]").setInputFiles(cv);
  const { width, height } = (await page.getByRole("button", { name: /^Remove/ }).boundingBox())!;
  expect(Math.min(width, height)).toBeGreaterThanOrEqual(24);
});

test("nothing moves when an island hydrates", async ({ page }) => {
  for (const [path, island] of [
    ["/", "ContactForm"],
    ["/careers", "ApplicationForm"],
  ] as const) {
    await page.goto(path);
    const boxes = () =>
      page
        .locator("form *:not(noscript, noscript *)")
        .evaluateAll((all) =>
          all.map((each) => JSON.stringify({ ...each.getBoundingClientRect().toJSON(), y: 0, top: 0, bottom: 0 })),
        );
    const before = await boxes();
    await hydrated(page, island);
    expect(await boxes()).toEqual(before);
  }
});

for (const path of ["/privacy-policy", "/terms-of-service"])
  test(`${path} prints as dark text on white, without navigation`, async ({ page }) => {
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    await page.goto(path);
    await expect(page.locator("h1")).toBeVisible();
    await expect(page.getByRole("banner").getByRole("navigation")).toBeHidden();
    const colors = await page.evaluate(() => {
      const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true })!;
      const brightness = (color: string) => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = color;
        canvas.fillRect(0, 0, 1, 1);
        const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
        return alpha === 0 ? 255 : (red! + green! + blue!) / 3;
      };
      const text = document.querySelector("main p")!;
      return {
        text: brightness(getComputedStyle(text).color),
        page: brightness(getComputedStyle(document.body).backgroundColor),
      };
    });
    expect(colors.text).toBeLessThan(100);
    expect(colors.page).toBe(255);
  });

for (const path of pages)
  test(`${path} prints no form, no picture and no empty band`, async ({ page }) => {
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    await page.setViewportSize({ width: 700, height: 1000 });
    await page.goto(path);
    await expect(page.locator("form, svg.art, [type=button]").filter({ visible: true })).toHaveCount(0);
    await expect(page.getByRole("heading", { name: "Apply for this position" })).toBeHidden();
    const headings = await page.locator("h2:visible, h3:visible, h4:visible").evaluateAll((all) =>
      (all as HTMLElement[])
        .filter((each) => !each.closest<HTMLElement>("section, article, main")!.innerText.replace(each.innerText, "").trim())
        .map((each) => each.innerText),
    );
    expect(headings, "headings with nothing below them").toEqual([]);
    const { footer, last } = await page.evaluate(() => ({
      footer: document.querySelector("footer")!.getBoundingClientRect().height,
      last: document.querySelector(".site-footer__copyright")!.getBoundingClientRect().height,
    }));
    expect(footer - last).toBeLessThan(8);
  });

test("the position prints as it is", async ({ page }) => {
  await page.emulateMedia({ media: "print" });
  await page.goto("/careers");
  for (const text of ["UI/UX Designer", "Remote / Hybrid", "Full-time", "up to $75/hour", "Requirements"])
    await expect(page.locator("#ui-ux-designer").getByText(text, { exact: true })).toBeVisible();
  // Once: the line at the head of the page leads to what stands below it on the same sheet.
  await expect(page.getByText("up to $75/hour").filter({ visible: true })).toHaveCount(1);
});

test("no heading is printed at the end of a sheet without what it stands for", async ({ page }) => {
  await page.emulateMedia({ media: "print" });
  for (const path of ["/", "/careers"]) {
    await page.goto(path);
    for (const heading of await page.locator(".section-heading").filter({ visible: true }).all())
      await expect(heading).toHaveCSS("break-after", "avoid");
    for (const part of await page.locator(".position-card > section").all())
      await expect(part).toHaveCSS("break-inside", "avoid");
  }
});

test("the last label of the navigation ends with the grid", async ({ page }) => {
  for (const width of [768, 1440, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto("/");
    const [label, grid] = await page.evaluate(() => {
      const range = document.createRange();
      range.selectNodeContents([...document.querySelectorAll(".site-header__links a")].at(-1)!);
      const container = document.querySelector(".site-header__bar")!;
      const { right } = container.getBoundingClientRect();
      return [range.getBoundingClientRect().right, right - parseFloat(getComputedStyle(container).paddingRight)];
    });
    expect(label, `${width} px`).toBeCloseTo(grid!, 0);
  }
});

test("a legal page's contents look like links, stand in two columns on a phone, and mark the chapter", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/terms-of-service");
  const links = page.getByRole("navigation", { name: "On this page" }).getByRole("link");
  const looks = await links.evaluateAll((all) =>
    all.map((each) => [getComputedStyle(each).textDecorationLine, Math.round(each.getBoundingClientRect().left)]),
  );
  expect(new Set(looks.map(([line]) => line))).toEqual(new Set(["underline"]));
  expect(new Set(looks.map(([, left]) => left)).size).toBe(2);
  test.skip(!(await page.evaluate(() => CSS.supports("scroll-target-group: auto"))), "This Chromium is too old.");
  for (const name of ["5. Open positions", "8. Accuracy and availability"]) {
    await page.getByRole("heading", { name }).evaluate((each) => each.scrollIntoView());
    await expect.poll(() => links.evaluateAll((all) => all.filter((a) => a.matches(":target-current")).map((a) => a.textContent))).toEqual([name]);
  }
});

test("buttons respond to a press, pages fade over, and the line of a list grows, all without a script", async ({ page }) => {
  await page.goto("/");
  const button = page.getByRole("button", { name: "Learn More" });
  const before = await button.boundingBox();
  await button.hover();
  await page.mouse.down();
  expect(await button.boundingBox()).not.toEqual(before);
  await page.mouse.up();
  expect(await button.boundingBox()).toEqual(before);
  await expect(page.locator(".site-header")).toHaveCSS("view-transition-name", "site-header");
  const shown = await page.evaluate(() => {
    const last = [...document.querySelectorAll(".stops > li")].at(-2)!;
    return getComputedStyle(last, "::after").scale;
  });
  expect(shown).not.toBe("none");
  await page.emulateMedia({ reducedMotion: "reduce" });
  await expect(page.locator(".site-header")).toHaveCSS("view-transition-name", "none");
});

test("on the way to another page the header stands where it will be, also from the end of a page", async ({ page }) => {
  await page.addInitScript(() => {
    addEventListener("pagereveal", async (event) => {
      const { viewTransition } = event as any;
      if (!viewTransition) return;
      try {
        await viewTransition.ready;
      } catch {
        // On a busy machine Chromium gives it up after four seconds.
        return;
      }
      const group = "::view-transition-group(site-header)";
      const moves = document.getAnimations().filter((each) => (each.effect as KeyframeEffect).pseudoElement === group);
      Object.assign(window, { transition: { moves: moves.length, transform: getComputedStyle(document.documentElement, group).transform } });
    });
  });
  await expect(async () => {
    await page.goto("/");
    await page.locator(".site-footer").getByRole("link", { name: "Careers" }).click();
    await page.waitForURL("**/careers");
    await expect
      .poll(() => page.evaluate(() => (window as any).transition), { timeout: 8_000 })
      .toEqual({ moves: 0, transform: "matrix(1, 0, 0, 1, 0, 0)" });
  }).toPass();
});

for (const arrives of [true, false])
  test.describe(arrives ? "with the display font" : "without the display font", () => {
    test.use({ expected: [/Failed to decode downloaded font/] });

    test("the main heading breaks between words", async ({ page }) => {
      if (!arrives) await page.route("**/*.woff2", (route) => route.fulfill({ status: 204, body: "" }));
      for (const path of pages) {
        await page.goto(path);
        for (const width of [320, 390, 640, 768, 960, 1024, 1280, 1440, 1920]) {
          await page.setViewportSize({ width, height: 800 });
          const broken = await page.locator("h1").evaluate((heading) => {
            const text = heading.firstChild as Text;
            return [...text.data.matchAll(/\S+/g)]
              .filter(({ 0: word, index }) => {
                const range = document.createRange();
                range.setStart(text, index);
                range.setEnd(text, index + word.length);
                return new Set([...range.getClientRects()].map((each) => each.top)).size > 1;
              })
              .map(([word]) => word);
          });
          expect(broken, `${path} at ${width} px`).toEqual([]);
        }
      }
    });
  });
