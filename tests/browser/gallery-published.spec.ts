// The folder that docs/publish makes: the documentation, and below it each example of its gallery, on a real server.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test, type Page } from "@playwright/test";
import { serve, type Host } from "../support/server.ts";

const project = resolve(import.meta.dirname, "../..");
const sitegen = resolve(project, process.env.SITEGEN ?? "target/release/sitegen");
const env = { ...process.env, SITEGEN: sitegen };
const source = "https://code.test/sitegen/tree/main/";

/** What the gallery shows: the folder of each example, by its address. */
const examples = new Map(
  readdirSync(join(project, "docs/content/examples")).map((file) => {
    const text = readFileSync(join(project, "docs/content/examples", file), "utf8");
    const key = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(text)![1]!;
    return [key("live"), key("folder")];
  }),
);

/** Addresses of the gallery that lead on to a page, and that page. */
const newest = new Map([["/examples/splice/", "/examples/splice/2/"]]);

let folder: string;
let site: Host;

test.describe.configure({ mode: "serial" });

test.beforeAll(async () => {
  // Pictures of three sites are scaled without a cache.
  test.setTimeout(600_000);
  folder = mkdtempSync(join(tmpdir(), "published-"));
  execFileSync(join(project, "docs/publish"), [join(folder, "site"), "--source", source], { env, stdio: ["ignore", "ignore", "inherit"] });
  site = await serve(join(folder, "site"));
});

test.afterAll(async () => {
  await site?.close();
  rmSync(folder, { recursive: true, force: true });
});

const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

for (const width of [360, 1440])
  test(`at ${width} px, the gallery leads to each example and to its source`, async ({ page, context }) => {
    test.setTimeout(180_000);
    const seen: string[] = [];
    context.on("console", (message) => seen.push(`console ${message.type()}: ${message.text()}`));
    context.on("weberror", (thrown) => seen.push(`uncaught: ${thrown.error().message}`));
    context.on("request", (request) => {
      if (new URL(request.url()).origin !== site.origin) seen.push(`request: ${request.url()}`);
    });
    // The host of the harbour's counter, which does not exist: what it would answer.
    await context.route("https://count.wrenharbour.test/**", (route) => {
      const headers = { "access-control-allow-origin": "*", "content-type": "text/javascript" };
      const isScript = new URL(route.request().url()).pathname === "/count.js";
      return route.fulfill(isScript ? { headers, path: join(project, "examples/harbour/hosts/count.js") } : { headers, status: 204 });
    });
    site.log.length = 0;
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${site.origin}/gallery`);
    expect(await overflow(page)).toBe(0);
    const links = page.getByRole("link", { name: /^Open / });
    const addresses = await links.evaluateAll((all) => all.map((each) => each.getAttribute("href")!));
    expect(addresses.toSorted()).toEqual([...examples.keys()].toSorted());
    const sources = await page.locator(`main a[href^="${source}"]`).evaluateAll((all) => all.map((each) => each.getAttribute("href")!));
    expect(sources).toEqual(addresses.map((address) => source + examples.get(address)));
    for (const each of examples.values()) expect(existsSync(join(project, each)), each).toBe(true);

    for (const [number, address] of addresses.entries()) {
      await links.nth(number).click();
      await expect(page).toHaveURL(site.origin + (newest.get(address) ?? address));
      await page.waitForLoadState("networkidle");
      await expect(page.getByRole("heading", { level: 1 }), address).toBeVisible();
      expect(await overflow(page), address).toBe(0);
      expect(await page.locator("meta[name=robots]").getAttribute("content"), address).toBe("noindex");
      // What its first page links to is below its address too, and there.
      const inside = await page.locator("a[href^='/']").evaluateAll((all) => all.map((each) => each.getAttribute("href")!.replace(/#.*/, "")));
      expect(inside.length, address).toBeGreaterThan(1);
      for (const path of new Set(inside)) {
        expect(path.startsWith(address), `${path} on ${address}`).toBe(true);
        expect((await page.request.get(site.origin + path)).status(), path).toBe(200);
      }
      await page.goto(`${site.origin}/gallery`);
    }
    expect(site.log.filter(({ status }) => status !== 200)).toEqual([]);
    const counted = ["count.js", "event"].map((path) => `request: https://count.wrenharbour.test/${path}`);
    expect(seen.toSorted()).toEqual(counted);
  });

test("an error in an example leaves what was published before", async () => {
  test.setTimeout(180_000);
  const copy = join(folder, "project");
  for (const part of ["docs", "examples/brewery"])
    cpSync(join(project, part), join(copy, part), { recursive: true, filter: (path) => !/\/(\.sitegen|dist)$/.test(path) });
  symlinkSync(join(project, "node_modules"), join(copy, "node_modules"));
  // The program esbuild is taken from above a project only within a repository.
  mkdirSync(join(copy, ".git"));
  const menu = join(copy, "examples/brewery/content/site.yaml");
  writeFileSync(menu, readFileSync(menu, "utf8").replace("path: /beers", "path: /bears"));
  const manifest = join(folder, "site/manifest.json");
  const before = readFileSync(manifest, "utf8");
  const { status, stderr } = spawnSync(join(copy, "docs/publish"), [join(folder, "site")], { env, encoding: "utf8" });
  expect(stderr).toContain("the link `/examples/brewery/bears` does not lead to any page");
  expect(status).toBe(1);
  expect(readFileSync(manifest, "utf8")).toBe(before);
});
