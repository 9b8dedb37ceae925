// That no console line and no request for another host ever appears is checked in every test: see `quiet` in site.ts.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { builtSite, htmlFiles } from "./setup.ts";
import { cv, expect, hydrated, pages, press, siteSetting, test } from "./site.ts";

test("a visit with both forms submitted stores nothing and leaves nothing behind", async ({ page, context, host }) => {
  const sent: string[] = [];
  context.on("request", (request) => request.method() !== "GET" && sent.push(`${request.method()} ${request.url()}`));
  for (const path of pages) {
    await page.goto(path);
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  }
  for (const [path, island] of [
    ["/", "ContactForm"],
    ["/careers", "ApplicationForm"],
  ] as const) {
    await page.goto(path);
    await hydrated(page, island);
    for (const field of await page.locator("form").locator("input:not([type=file]), textarea").all())
      await field.fill((await field.getAttribute("type")) === "url" ? "https://example.com" : "secret@example.com");
    for (const picker of await page.locator("form input[type=file]").all()) await picker.setInputFiles(cv);
    await press(page, page.locator("form [type=submit]"));
    await expect(page.getByRole("alert").filter({ hasText: "An error occurred" })).toBeVisible();
    expect(
      await page.evaluate(async () => ({
        local: localStorage.length,
        session: sessionStorage.length,
        cookie: document.cookie,
        databases: (await indexedDB.databases()).length,
        caches: (await caches.keys()).length,
        workers: (await navigator.serviceWorker.getRegistrations()).length,
      })),
    ).toEqual({ local: 0, session: 0, cookie: "", databases: 0, caches: 0, workers: 0 });
  }
  expect(await context.cookies()).toEqual([]);
  expect(sent).toEqual([]);
  expect(host.log.filter(({ status }) => status !== 200)).toEqual([]);
  expect(
    host.log.filter(({ path }) => !pages.includes(path) && !/^\/assets\/.*[-.][0-9A-Za-z]{8,}\.\w+$/.test(path)),
  ).toEqual([]);
});

test("no more than the policy allows: it stands first, is strict, and is made from the page", async () => {
  for (const file of htmlFiles("site")) {
    const html = readFileSync(join(builtSite("site"), file), "utf8");
    if (file === "404.html") continue;
    const [meta, content] = /<meta http-equiv="?Content-Security-Policy"? content="([^"]*)"/i.exec(html)!;
    expect(html.slice(0, html.indexOf(meta))).toMatch(
      /^<!doctype html>\s*(<html[^>]*>)?\s*(<head>)?\s*<meta charset="?utf-8"?>\s*$/i,
    );
    const policy = Object.fromEntries(
      content!
        .replaceAll("&#39;", "'")
        .split(";")
        .map((each) => each.trim().split(/\s+/))
        .map(([name, ...sources]) => [name, sources]),
    ) as Record<string, string[]>;
    expect(policy["default-src"]).toEqual(["'none'"]);
    expect(policy["form-action"]).toEqual(["'none'"]);
    expect(policy["base-uri"]).toEqual(["'none'"]);
    // The one file that Lighthouse fetches from within the page.
    const robots = `${siteSetting("url")}/robots.txt`;
    expect(policy["connect-src"] ?? [robots]).toEqual([robots]);
    expect(content!.replace(robots, "")).not.toMatch(/unsafe-|\*|https?:|data:/);

    const hashes = (pattern: RegExp) =>
      [...html.matchAll(pattern)].map((match) => `'sha256-${createHash("sha256").update(match[1]!).digest("base64")}'`);
    const sources = (name: string) => (policy[name] ?? []).filter((source) => source.startsWith("'sha"));
    expect(sources("style-src").sort()).toEqual([...new Set(hashes(/<style[^>]*>([^]*?)<\/style>/g))].sort());
    expect(sources("script-src").sort()).toEqual(
      [...new Set(hashes(/<script(?![^>]*application\/ld\+json)[^>]*>([^]*?)<\/script>/g))].sort(),
    );
    expect(html).not.toMatch(/<[^>]+\s(style|on\w+)=/);
  }
});

for (const path of ["/privacy-policy", "/terms-of-service"])
  test(`${path} carries no script at all, and says what it must`, async ({ page, host }) => {
    await page.goto(path, { waitUntil: "networkidle" });
    await expect(page.locator("script")).toHaveCount(0);
    expect(await page.content()).not.toContain("modulepreload");
    expect(host.log.filter((each) => each.path.endsWith(".js"))).toEqual([]);
    const main = page.locator("main");
    await expect(main).toContainText("January 1, 2025");
    await expect(main.locator(`a[href="mailto:${siteSetting("email")}"]`).first()).toBeVisible();
    const text = (await main.innerText()).replaceAll(/\s+/g, " ");
    expect(text.split(" ").length).toBeGreaterThan(650);
    if (path === "/terms-of-service") {
      expect(text).toMatch(/18/);
      expect(text).toMatch(/European Union/);
      expect(text).toMatch(/at least 30 days/i);
    }
  });

test.describe("a form that something has made to post", () => {
  test.use({ expected: [/form-action/] });

  test("is still stopped by the policy", async ({ page, host }) => {
    await page.goto("/");
    const blocked = page.waitForEvent("console", (message) => message.text().includes("form-action"));
    await page.locator("form").evaluate((form: HTMLFormElement) => {
      form.method = "post";
      form.action = "/";
      // Later, or Playwright waits for a navigation that never comes.
      setTimeout(() => HTMLFormElement.prototype.submit.call(form));
    });
    await blocked;
    expect(host.log.filter((each) => each.path === "/")).toHaveLength(1);
  });
});
