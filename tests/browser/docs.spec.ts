// The documentation in docs/: what readers meet on a phone and at a desk.
import { readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { brotli } from "../support/server.ts";
import { violations } from "./axe.ts";
import { testEveryPage } from "./every-page.ts";
import { builtSite, htmlFiles } from "./setup.ts";
import { expect, test } from "./site.ts";

test.use({ variant: "docs" });

const layouts = ["/", "/gallery", "/tutorial", "/guides/code", "/guides/hosts", "/reference/commands", "/reference/settings", "/reference/messages", "/404.html"];
testEveryPage(layouts);

test("no other page has a mistake that its text can make", async ({ page }) => {
  test.setTimeout(180_000);
  const paths = htmlFiles("docs").map((file) => `/${file}`.replace(/(index)?\.html$/, "") || "/");
  const others = paths.filter((path) => ![...layouts, "/404"].includes(path));
  expect(others.length).toBeGreaterThan(15);
  // The template, and with it all other rules, is that of the pages above. All rules would take a second for each page.
  const rules = ["empty-heading", "empty-table-header", "heading-order", "image-alt", "landmark-unique", "link-name", "list", "listitem", "page-has-heading-one", "scope-attr-valid", "summary-name", "table-duplicate-name", "td-headers-attr", "th-has-data-cells"];
  for (const path of others) {
    await page.goto(path);
    expect(await violations(page, { rules }), path).toEqual([]);
  }
});

for (const { path: opened, most } of [{ path: "/", most: 68_000 }, { path: "/guides/styles", most: 28_000 }])
  test(`${opened} takes ${most / 1000} KB at most, with all that it loads`, async ({ page, host }, information) => {
  await page.goto(opened, { waitUntil: "networkidle" });
  const file = (path: string) => join(builtSite("docs"), path === "/" ? "index.html" : extname(path) ? path : `${path}.html`);
  const isText = (path: string) => !/\.(png|jpg|webp|woff2|bin)$/.test(path);
  const size = (path: string) => (isText(path) ? brotli(readFileSync(file(path))) : readFileSync(file(path))).length;
  const loaded = host.log.map(({ path }) => path);
  const all = loaded.reduce((sum, path) => sum + size(path), 0);
  information.annotations.push({ type: "bytes", description: `${all}: ${loaded.join(" ")}` });
  expect(loaded).toContain(opened);
  expect(all).toBeLessThanOrEqual(most);
});

test("of a row of tabs one is open, and all are printed", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/guides/documentation");
  const tabs = page.locator(".tabs");
  const [debian, fedora] = [tabs.getByText("apt install example"), tabs.getByText("dnf install example")];
  const titles = tabs.locator("summary");
  await expect(debian).toBeVisible();
  await expect(fedora).toBeHidden();
  await titles.nth(1).focus();
  await page.keyboard.press("Enter");
  await expect(fedora).toBeVisible();
  await expect(debian).toBeHidden();
  const boxes = await titles.evaluateAll((all) => all.map((each) => each.getBoundingClientRect()));
  expect(boxes[1]!.top).toBe(boxes[0]!.top);
  expect((await fedora.boundingBox())!.y).toBeGreaterThan(boxes[0]!.bottom);
  await page.emulateMedia({ media: "print" });
  await expect(debian).toBeVisible();
  await expect(fedora).toBeVisible();
});

test("code is coloured in both colour schemes, and its numbers and signs are no text", async ({ page }) => {
  const colour = () => page.locator("main .hl-function").first().evaluate((each) => getComputedStyle(each).color);
  await page.goto("/guides/code");
  const light = await colour();
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await colour()).not.toBe(light);
  const lines = page.locator("main .hl-line[data-line]");
  expect(await lines.count()).toBe(2);
  expect(await lines.first().evaluate((line) => getComputedStyle(line, "::before").content)).toContain("20");
  expect(await lines.first().textContent()).toBe("const degrees = 230;");
});

test("a button copies a block of code as it was written", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/guides/code");
  const block = page.locator(".code", { hasText: "flour: rye" }).last();
  await block.getByRole("button", { name: "Copy" }).focus();
  await page.keyboard.press("Enter");
  await expect(block.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("flour: rye\nsalt: 1\nsalt: 2\n");
});

test("a reader goes from page to page, to a section and back", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/");
  await page.getByRole("link", { name: "Start the tutorial" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("A bakery's site in fifteen minutes");
  const onPage = page.getByRole("navigation", { name: "On this page" });
  await onPage.getByRole("link", { name: "News" }).click();
  await expect(page.getByRole("heading", { name: /^News/ })).toBeInViewport();
  await expect(onPage.locator("[aria-current]")).toHaveText("News");
  await page.getByRole("link", { name: /^Previous/ }).click();
  await expect(page).toHaveURL("/");
  await page.goto("/guides/install");
  const hosts = page.getByRole("navigation", { name: "All pages" }).getByRole("link", { name: "Hosts", exact: true });
  await hosts.click();
  await expect(hosts).toHaveAttribute("aria-current", "page");
});

// Messages link to `/reference/messages#code`.
for (const javaScriptEnabled of [true, false])
  test(`the address of a code leads to its explanation, ${javaScriptEnabled ? "with" : "without"} JavaScript`, async ({ browser, baseURL }) => {
    const context = await browser.newContext({ baseURL: baseURL!, javaScriptEnabled });
    const page = await context.newPage();
    await page.goto("/reference/messages#unknown-key");
    if (!javaScriptEnabled) {
      const link = page.getByRole("main").getByRole("link", { name: "unknown-key", exact: true });
      await expect(link).toBeInViewport();
      await link.click();
    }
    await expect(page).toHaveURL("/reference/messages/keys#unknown-key");
    await expect(page.getByRole("heading", { name: /^unknown-key/ })).toBeInViewport();
    await page.goto("/guides/deploying#two-editors");
    if (!javaScriptEnabled) await page.getByRole("main").getByRole("link", { name: "Two editors" }).click();
    await expect(page).toHaveURL("/guides/deploys#two-editors");
    await context.close();
  });

test("the bar stays at the top, and does not cover what a link leads to", async ({ page }) => {
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 700 });
    await page.goto("/guides/hosts#headers");
    const bar = (await page.locator(".top").boundingBox())!;
    expect(bar.y).toBe(0);
    const heading = (await page.locator("#headers").boundingBox())!;
    expect(heading.y).toBeGreaterThanOrEqual(bar.height);
    expect(heading.y).toBeLessThan(350);
    if (width < 1024) {
      const toc = (await page.getByRole("link", { name: "On this page" }).boundingBox())!;
      expect(Math.abs(toc.y - bar.height)).toBeLessThanOrEqual(1);
      expect(heading.y).toBeGreaterThanOrEqual(toc.y + toc.height);
    }
  }
});

for (const javaScriptEnabled of [true, false])
  test(`a phone has a menu and a list of the page's headings, ${javaScriptEnabled ? "with" : "without"} JavaScript`, async ({ browser, baseURL }) => {
    const context = await browser.newContext({ baseURL: baseURL!, javaScriptEnabled, viewport: { width: 360, height: 700 } });
    const page = await context.newPage();
    for (const path of ["/", "/guides/hosts"]) {
      await page.goto(path);
      const all = page.getByRole("navigation", { name: "All pages" });
      await page.getByRole("link", { name: "Menu", exact: true }).click();
      expect(await all.boundingBox()).toEqual({ x: 0, y: 0, width: 360, height: 700 });
      await all.getByRole("link", { name: "Close the menu" }).click();
      if (path === "/") await expect(all).not.toBeInViewport();
      else await expect(all).toBeHidden();
      await page.getByRole("link", { name: "Menu", exact: true }).click();
      await all.getByRole("link", { name: "Forms", exact: true }).click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Forms");
      await expect(all).toBeHidden();
    }
    const headings = page.getByRole("navigation", { name: "On this page" });
    await page.getByRole("link", { name: "On this page" }).click();
    await headings.getByRole("listitem").getByRole("link").last().click();
    await expect(headings).toBeHidden();
    await context.close();
  });

for (const javaScriptEnabled of [true, false])
  test(`the home page shows the mistake that the reader chooses, ${javaScriptEnabled ? "with" : "without"} JavaScript`, async ({ browser, baseURL }) => {
    const context = await browser.newContext({ baseURL: baseURL!, javaScriptEnabled, viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    await page.goto("/");
    const shown = page.locator(".mistake").filter({ visible: true });
    await expect(shown).toHaveCount(1);
    await expect(shown).toContainText("did you mean `crust`?");
    await page.getByText("A date that does not exist").click();
    await expect(shown).toHaveCount(1);
    await expect(shown).toContainText("February 1987 has 28 days");
    await page.keyboard.press("ArrowDown");
    await expect(page.getByRole("radio", { name: "A typo in CSS" })).toBeChecked();
    await expect(shown).toContainText("did you mean `color`?");
    await context.close();
  });

test("the palette has the contrast of WCAG 2.2 in both colour schemes", async ({ page }) => {
  const grounds = ["ground", "raised"];
  const pairs = [
    ...["text", "quiet", "accent", "alarm"].flatMap((name) => grounds.map((ground) => [name, ground])),
    ["on-accent", "accent"],
    ...["text", "quiet", "alarm", "accent"].map((name) => [`screen-${name}`, "screen"]),
  ] as [string, string][];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto("/");
    const contrasts = await page.evaluate((pairs) => {
      const luminance = (name: string) => {
        document.body.style.color = `var(--${name})`;
        const numbers = getComputedStyle(document.body).color.match(/\d+/g)!;
        document.body.style.color = "";
        const [red, green, blue] = numbers.map((each) => {
          const value = Number(each) / 255;
          return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
      };
      return pairs.map(([name, ground]) => {
        const [low, high] = [luminance(name), luminance(ground)].sort((a, b) => a - b);
        return { name, ground, contrast: (high! + 0.05) / (low! + 0.05) };
      });
    }, pairs);
    expect(contrasts.filter(({ contrast }) => !(contrast >= 4.5)), colorScheme).toEqual([]);
    for (const mistake of await page.locator(".mistakes label").all()) {
      await mistake.click();
      expect(await violations(page, { rules: ["color-contrast"], within: ".mistakes" }), colorScheme).toEqual([]);
    }
  }
});

test("readers choose a colour scheme, which the next page has too", async ({ page }) => {
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto("/guides/hosts");
  const light = await ground();
  await page.getByLabel("Colours").selectOption("dark");
  const dark = await ground();
  expect(dark).not.toBe(light);
  await page.goto("/");
  expect(await ground()).toBe(dark);
  await page.getByLabel("Colours").selectOption("as the system");
  expect(await ground()).toBe(light);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await ground()).toBe(dark);
  await page.getByLabel("Colours").selectOption("light");
  expect(await ground()).toBe(light);
});

test("keys lead to the search", async ({ page }) => {
  await page.goto("/guides/hosts");
  const field = page.getByRole("searchbox");
  for (const key of ["/", "Control+k"]) {
    await page.keyboard.press(key);
    await expect(field).toBeFocused();
    await field.blur();
  }
  await page.keyboard.press("/");
  await field.fill("feeds");
  await expect(page.locator(".search-result").first()).toBeVisible();
});

test("text twice as large leaves nothing out and nothing aside", async ({ page }) => {
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    for (const path of layouts) {
      await page.goto(path);
      await page.evaluate(() => (document.documentElement.style.fontSize = "212.5%"));
      const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      expect(over, `${path} at ${width} px`).toBe(0);
    }
  }
});

test("on paper there is the text alone", async ({ page }) => {
  await page.goto("/guides/code");
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  for (const name of [".top", ".toc", "#all-pages", ".neighbours", ".copy", ".anchor", ".end"])
    await expect(page.locator(name).first(), name).toBeHidden();
});
