import type { Page } from "@playwright/test";
import { cv, expect, holdModules, hydrated, test } from "./site.ts";

const failure = "Unexpected Application Error!";
const developmentTools = /^console info: %cDownload the React DevTools/;
const isOfReact = ({ path }: { path: string }) => path.endsWith(".js");

for (const [path, island] of [
  ["/", "ContactForm"],
  ["/careers", "ApplicationForm"],
] as const) {
  test.describe(`${island} in the development build of React`, () => {
    test.use({ variant: "development", expected: [developmentTools] });

    test("hydrates without a single recoverable error or warning", async ({ page }) => {
      await page.goto(path);
      const before = await page.locator("form").innerHTML();
      await hydrated(page, island);
      expect(await page.locator("form").innerHTML()).toBe(before);
    });
  });

  test(`nothing of ${island} is fetched before a visitor comes near it`, async ({ page, host }) => {
    await page.goto(path, { waitUntil: "networkidle" });
    expect(host.log.filter(isOfReact)).toEqual([]);
    await hydrated(page, island);
    expect(host.log.filter(isOfReact).length).toBeGreaterThan(1);
    expect(new Set(host.log.filter(isOfReact).map((each) => each.path)).size, "none is fetched twice").toBe(
      host.log.filter(isOfReact).length,
    );
  });

  for (const [what, fail] of [
    [
      "throws",
      (page: Page) =>
        page.route(`**/${island}*.js`, (route) =>
          route.fulfill({ contentType: "text/javascript", body: 'throw new Error("broken")' }),
        ),
    ],
    ["is missing", (page: Page) => page.route(`**/${island}*.js`, (route) => route.fulfill({ status: 404, body: "" }))],
    [
      "cannot be rendered",
      (page: Page) =>
        page.route(`**/${island}*.js`, (route) =>
          route.fulfill({ contentType: "text/javascript", body: "export default () => { throw new Error('broken') }" }),
        ),
    ],
  ] as const)
    test.describe(`an island whose module ${what}`, () => {
      test.use({ expected: what === "is missing" ? [/Failed to load resource/] : [] });

      test(`${island} says so in its own place only`, async ({ page }) => {
        await fail(page);
        await page.goto(path);
        const rest = () =>
          page.evaluate(() => {
            const copy = document.body.cloneNode(true) as HTMLElement;
            copy.querySelector("[data-island]")!.remove();
            return copy.innerHTML;
          });
        const before = await rest();
        const element = page.locator(`[data-island="${island}"]`);
        await element.scrollIntoViewIfNeeded();
        await expect(element).toHaveText(failure);
        await expect(element.getByRole("alert")).toHaveText(failure);
        await expect(page.getByText(failure)).toHaveCount(1);
        expect(await rest()).toBe(before);
      });
    });
}

test.describe("the runtime", () => {
  test.use({ variant: "islands" });

  test("an island that fails at hydration shows it in its own place, the others live", async ({ page }) => {
    await page.goto("/islands");
    await expect(page.locator('[data-island="FailsAtHydration"]')).toHaveText(failure);
    await expect(page.locator('.alive[data-name="load"]')).toContainText("alive");
    await expect(page.getByText(failure)).toHaveCount(1);
  });

  for (const place of ["render", "effect"])
    test(`an island that fails later, in ${place}, shows it in its own place`, async ({ page }) => {
      await page.goto("/islands");
      const island = await hydrated(page, "FailsLater");
      await expect(island).not.toContainText(failure);
      await island.getByRole("button", { name: place }).click();
      await expect(island).toHaveText(failure);
      await expect(page.locator('.alive[data-name="load"]')).toContainText("alive");
    });

  test("load and idle hydrate by themselves, visible when it comes near", async ({ page }) => {
    await page.goto("/islands", { waitUntil: "networkidle" });
    for (const name of ["load", "idle"])
      await expect(page.locator(`.alive[data-name="${name}"]`)).toContainText("alive");
    const visible = page.locator('.alive[data-name="visible"]');
    await expect(visible).toContainText("asleep");
    await visible.scrollIntoViewIfNeeded();
    await expect(visible).toContainText("alive");
  });

  test("idle works where requestIdleCallback is missing, as in Safari", async ({ page }) => {
    await page.addInitScript(() => delete (window as any).requestIdleCallback);
    await page.goto("/islands");
    await expect(page.locator('.alive[data-name="idle"]')).toContainText("alive");
  });

  test("idle comes to a page that is never idle, too", async ({ page }) => {
    await page.addInitScript(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        for (const end = performance.now() + 20; performance.now() < end; );
        port2.postMessage("");
      };
      port2.postMessage("");
    });
    await page.goto("/islands");
    await expect(page.locator('.alive[data-name="idle"]')).toContainText("alive");
  });

  test("styles of an island look the same before and after hydration", async ({ page }) => {
    const release = await holdModules(page);
    const answer = await page.goto("/styles", { waitUntil: "commit" });
    expect(await answer!.text()).not.toMatch(/<[^>]* style=/);
    const styled = page.locator("#styled");
    const look = () =>
      styled.evaluate((each) => {
        const { color, width, backgroundColor } = getComputedStyle(each);
        return { color, width, backgroundColor };
      });
    const expected = { color: "rgb(1, 2, 3)", width: "40px", backgroundColor: "rgb(4, 5, 6)" };
    expect(await look()).toEqual(expected);
    await expect(page.locator("body")).toBeVisible();
    release();
    await hydrated(page, "Styled");
    expect(await look()).toEqual(expected);
    await expect(styled).not.toHaveAttribute("data-island-style");
    await styled.getByRole("button").click();
    expect(await look()).toEqual({ ...expected, width: "80px" });
  });

  test("styles that a script inserts reach the page past its policy", async ({ page }) => {
    await page.goto("/styles");
    const inserted = page.locator("#inserted");
    await hydrated(page, "Inserted");
    await expect(inserted).toHaveCSS("color", "rgb(7, 8, 9)");
    await expect(inserted).toHaveCSS("background-color", "rgb(10, 11, 12)");
    await inserted.getByRole("button").click();
    await expect(inserted).toHaveCSS("border-top-width", "3px");
  });

  test("an island that needs a page is rendered in the browser, in a place kept for it", async ({ page }) => {
    const release = await holdModules(page);
    await page.goto("/styles", { waitUntil: "commit" });
    const island = page.locator('[data-island="Only"]');
    await expect(island).toHaveText("Loading");
    const before = await island.evaluate((each) => each.getBoundingClientRect().height);
    expect(before).toBeGreaterThanOrEqual(50);
    release();
    await island.scrollIntoViewIfNeeded();
    await expect(page.locator("#only")).toHaveText("rendered");
    await expect(island).not.toContainText("Loading");
  });

  test("no two islands share an id, and a prop is never markup", async ({ page }) => {
    await page.goto("/islands");
    const ids = await page.locator(".alive").evaluateAll((all) => all.map((each) => each.id));
    expect(new Set(ids).size).toBe(3);
    await expect(page.locator('.alive[data-name="idle"]')).toHaveText(
      `alive </script><script>alert(1)</script> " ' & <b>`,
    );
  });

  test("controlled fields keep what was entered before hydration, and know it", async ({ page }) => {
    const release = await holdModules(page);
    await page.goto("/islands", { waitUntil: "commit" });
    const form = page.locator('[data-island="Controlled"]');
    await form.getByLabel("text").fill("typed");
    await form.getByLabel("long").fill("");
    await form.getByLabel("choice").selectOption("two");
    await form.getByLabel("checked").check();
    await form.getByLabel("b", { exact: true }).check();
    await form.getByLabel("file").setInputFiles(cv);
    const email = form.getByLabel("email");
    await email.fill("ad@example.com");
    await email.press("Home");
    await email.press("ArrowRight");
    release();
    await hydrated(page, "Controlled");
    await expect(form.locator("output")).toHaveText(
      JSON.stringify({
        text: "typed",
        email: "ad@example.com",
        long: "",
        choice: "two",
        checked: true,
        radio: "b",
        files: 1,
      }),
    );
    await expect(form.getByLabel("text")).toHaveValue("typed");
    await expect(form.getByLabel("long")).toHaveValue("");
    await expect(form.getByLabel("choice")).toHaveValue("two");
    await expect(form.getByLabel("checked")).toBeChecked();
    await expect(form.getByLabel("b", { exact: true })).toBeChecked();
    // The caret of an e-mail field cannot be read or set: it must not have been moved at all.
    await page.keyboard.type("XY");
    await expect(email).toHaveValue("aXYd@example.com");
  });

  test("what was entered outlives a hydration that replaces the elements", async ({ page }) => {
    const release = await holdModules(page);
    await page.goto("/islands", { waitUntil: "commit" });
    const island = page.locator('[data-island="Mismatched"]');
    await island.getByLabel("mismatched file").setInputFiles(cv);
    await island.getByLabel("mismatched box").check();
    const field = island.getByLabel("mismatched", { exact: true });
    await field.fill("typed");
    await field.evaluate((each: HTMLInputElement) => each.setSelectionRange(2, 3));
    release();
    await expect(island).toContainText("rendered in the browser");
    await expect(field).toHaveValue("typed");
    await expect(field).toBeFocused();
    expect(await field.evaluate((each: HTMLInputElement) => [each.selectionStart, each.selectionEnd])).toEqual([2, 3]);
    await expect(island.getByLabel("mismatched box")).toBeChecked();
    await expect(island.getByLabel("mismatched file")).toHaveValue(/Curriculum vitae\.pdf$/);
  });
});

for (const variant of ["islands", "islands-development"])
  test.describe(`what components of React may use, in the site ${variant}`, () => {
    test.use({ variant, expected: variant === "islands" ? [] : [/^console .*(React DevTools|burnt)/s] });

    test("is prerendered, hydrates without a message and works", async ({ page, host }) => {
      const html = await (await page.goto("/features"))!.text();
      for (const part of ["Baked on Fridays.", ">0<!-- --> <!-- -->rye<!-- --> for <!-- -->4.8<"])
        expect(html).toContain(part);
      expect(html).not.toContain("Loading");
      await hydrated(page, "Features");
      await expect(page.locator("body > #portal")).toHaveText("rye in a portal");

      const source = await page.locator("#picture").getAttribute("src");
      expect(source).toMatch(/^\/assets\/loaf-\w{8}\.svg$/);
      expect(html).toContain(`src="${source}"`);
      expect(host.log.filter((each) => each.path === source).length).toBe(1);

      await page.getByRole("button", { name: "Order" }).click();
      await expect(page.locator("#ordered")).toHaveText("2 rye for 4.8");
      await page.getByRole("button", { name: "Rename" }).click();
      await expect(page).toHaveTitle("Renamed");
      await page.getByRole("button", { name: "Burn" }).click();
      await expect(page.locator("#caught")).toBeVisible();
      await expect(page.locator("#details")).toBeVisible();
    });
  });

test.describe("the development build", () => {
  test.use({ variant: "islands-development", expected: [/./] });

  // What keeps the test of the real islands honest.
  test("reports a hydration that does not match", async ({ page }) => {
    const reported = page.waitForEvent("pageerror", (error) => /hydrat/i.test(error.message));
    await page.goto("/islands");
    await reported;
  });
});
