// What leaves a page: the counter without cookies of examples/harbour, and its banner, which loads a script only after a yes.
// Every request is in the log of the host that gets it.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "@playwright/test";
import { serve, type Host } from "../support/server.ts";

const project = resolve(import.meta.dirname, "../..");
const example = join(project, "examples/harbour");
const sitegen = resolve(project, process.env.SITEGEN ?? "target/release/sitegen");

const log: string[] = [];
let site: Host;
let folder: string;
let other: ReturnType<typeof createServer>;
let otherOrigin: string;

test.beforeAll(async () => {
  other = createServer((request, response) => {
    log.push(`${request.method} ${request.url} cookie=${request.headers.cookie ?? ""}`);
    response.writeHead(200, { "access-control-allow-origin": "*", "content-type": "text/javascript", "set-cookie": "a=b" });
    const script = /^\/(count|tour)\.js$/.exec(request.url!);
    response.end(script ? readFileSync(join(example, "hosts", script[0])) : "");
  });
  await new Promise<void>((done) => other.listen(0, "127.0.0.1", done));
  otherOrigin = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  folder = mkdtempSync(join(tmpdir(), "connections-"));
  const root = join(folder, "project");
  cpSync(example, root, { recursive: true, filter: (path) => !/\/(\.sitegen|dist)$/.test(path) });
  symlinkSync(join(project, "node_modules"), join(root, "node_modules"));
  // The hosts of the example, on this machine.
  const file = join(root, "content/site.yaml");
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replaceAll(/https:\/\/(count|tours)\.wrenharbour\.test/g, otherOrigin));
  execFileSync(sitegen, ["build", "--quiet", "--root", root, "--out", join(folder, "dist"), "--deny", "warnings"], {
    stdio: "inherit",
  });
  site = await serve(join(folder, "dist"));
});

test.afterAll(async () => {
  await site.close();
  other.closeAllConnections();
  other.close();
  rmSync(folder, { recursive: true, force: true });
});

test.beforeEach(() => void (log.length = 0));
test.describe.configure({ mode: "serial" });

test("a counter counts without a cookie, and a page that does not name it stays closed", async ({ page, context }) => {
  await page.goto(site.origin);
  await expect.poll(() => log).toEqual(["GET /count.js cookie=", "POST /event cookie="]);
  await page.goto(site.origin);
  await expect.poll(() => log.filter((each) => each.startsWith("POST")).length).toBe(2);
  expect(log.every((each) => each.endsWith("cookie="))).toBe(true);
  expect(await context.cookies()).toEqual([]);
  log.length = 0;
  await page.goto(`${site.origin}/privacy`);
  await expect(page.getByText("Counts visits, without cookies.")).toBeVisible();
  const fetched = (address: string) => fetch(address).then(() => "sent", () => "blocked");
  expect(await page.evaluate(fetched, `${otherOrigin}/event`)).toBe("blocked");
  expect(log).toEqual([]);
});

test("before a yes nothing leaves, after a no nothing does, and after a yes the script is loaded", async ({ page }) => {
  const tour = async () => page.goto(`${site.origin}/tour`, { waitUntil: "networkidle" });
  const begun = page.getByText("The tour begins at the lighthouse.");
  await tour();
  await expect(page.getByText("May we load it?")).toBeVisible();
  expect(log).toEqual([]);
  await page.getByRole("button", { name: "No, thank you" }).click();
  await tour();
  await expect(page.getByText("May we load it?")).toBeHidden();
  await expect(begun).toBeHidden();
  expect(log).toEqual([]);
  await page.evaluate(() => localStorage.clear());
  await tour();
  await page.getByRole("button", { name: "Load the tour" }).click();
  await expect(begun).toBeVisible();
  expect(log).toEqual(["GET /tour.js cookie="]);
  // The page of the tour cannot fetch from that host, which is declared for scripts.
  const fetched = (address: string) => fetch(address).then(() => "sent", () => "blocked");
  expect(await page.evaluate(fetched, `${otherOrigin}/event`)).toBe("blocked");
  // The answer is kept.
  await tour();
  await expect(page.getByText("May we load it?")).toBeHidden();
  await expect(begun).toBeVisible();
  expect(log.every((each) => each.startsWith("GET /tour.js"))).toBe(true);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("nothing is asked and nothing leaves", async ({ page }) => {
    await page.goto(`${site.origin}/tour`, { waitUntil: "networkidle" });
    await expect(page.getByText("From the lighthouse to the slipway")).toBeVisible();
    await expect(page.getByText("May we load it?")).toBeHidden();
    expect(log).toEqual([]);
  });
});
