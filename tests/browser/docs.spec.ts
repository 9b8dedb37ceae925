// The documentation in docs/: what readers meet on a phone and at a desk.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotli } from "../support/server.ts";
import { violations } from "./axe.ts";
import { testEveryPage } from "./every-page.ts";
import { builtSite, htmlFiles } from "./setup.ts";
import { expect, test } from "./site.ts";

test.use({ variant: "docs" });

const layouts = ["/", "/tutorial", "/guides/code", "/guides/hosts", "/reference/commands", "/reference/settings", "/404.html"];
testEveryPage(layouts);

test("no other page has a mistake that its text can make", async ({ page }) => {
  test.setTimeout(120_000);
  const paths = htmlFiles("docs").map((file) => `/${file}`.replace(/(index)?\.html$/, "") || "/");
  // The longest takes as much time as ten, and has nothing that others do not have.
  const others = paths.filter((path) => ![...layouts, "/404", "/reference/messages"].includes(path));
  expect(others.length).toBeGreaterThan(15);
  // The template, and with it all other rules, is that of the pages above. All rules would take a second for each page.
  const rules = ["empty-heading", "empty-table-header", "heading-order", "image-alt", "landmark-unique", "link-name", "list", "listitem", "page-has-heading-one", "scope-attr-valid", "summary-name", "table-duplicate-name", "td-headers-attr", "th-has-data-cells"];
  for (const path of others) {
    await page.goto(path);
    expect(await violations(page, { rules }), path).toEqual([]);
  }
});

test("the first page takes 25 KB at most, with all that it loads", async ({ page, host }, information) => {
  await page.goto("/", { waitUntil: "networkidle" });
  const file = (path: string) => join(builtSite("docs"), path === "/" ? "index.html" : path);
  const isText = (path: string) => !/\.(png|jpg|webp|woff2|bin)$/.test(path);
  const size = (path: string) => (isText(path) ? brotli(readFileSync(file(path))) : readFileSync(file(path))).length;
  const loaded = host.log.map(({ path }) => path);
  const all = loaded.reduce((sum, path) => sum + size(path), 0);
  information.annotations.push({ type: "bytes", description: `${all}: ${loaded.join(" ")}` });
  expect(loaded).toContain("/");
  expect(all).toBeLessThanOrEqual(25_000);
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
  await page.getByRole("link", { name: /^Next/ }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("A bakery's site in fifteen minutes");
  await page.getByRole("navigation", { name: "On this page" }).getByRole("link", { name: "News" }).click();
  await expect(page.getByRole("heading", { name: /^News/ })).toBeInViewport();
  const hosts = page.getByRole("navigation", { name: "All pages" }).getByRole("link", { name: "Hosts", exact: true });
  await hosts.click();
  await expect(hosts).toHaveAttribute("aria-current", "page");
  // A phone has the list of all pages below the text.
  await page.setViewportSize({ width: 360, height: 700 });
  await page.getByRole("link", { name: "All pages" }).click();
  await expect(page.getByRole("navigation", { name: "All pages" })).toBeInViewport();
});

test("on paper there is the text alone", async ({ page }) => {
  await page.goto("/guides/code");
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  for (const name of [".top", ".toc", "#all-pages", ".neighbours", ".copy", ".anchor"])
    await expect(page.locator(name).first(), name).toBeHidden();
});
