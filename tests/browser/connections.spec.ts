// What leaves a page: a counter without cookies, and a banner that loads a script only after a yes. Every request is in the
// log of the host that gets it.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "@playwright/test";
import { serve, type Host } from "../support/server.ts";

const project = resolve(import.meta.dirname, "../..");
const sitegen = resolve(project, process.env.SITEGEN ?? "target/release/sitegen");

// Knows its own address, and no visitor.
const counter = `fetch(new URL("/event", document.currentScript?.src ?? globalThis.counterAt), { method: "POST", body: location.pathname, credentials: "omit" });`;
const integrity = `sha384-${createHash("sha384").update(counter).digest("base64")}`;

const page = (body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{{ page.title }}</title></head><body><main><h1>{{ page.title }}</h1>${body}</main></body></html>\n`;

const consent = `
export function mount(element: HTMLElement, { connect }: { connect: { counter: string } }): void {
  const load = () => {
    const script = document.createElement("script");
    script.src = connect.counter + "/count.js";
    script.integrity = ${JSON.stringify(integrity)};
    script.crossOrigin = "anonymous";
    document.head.append(script);
  };
  const answer = localStorage.getItem("consent");
  if (answer === "yes") load();
  if (answer) return void (element.hidden = true);
  for (const button of element.querySelectorAll("button"))
    button.addEventListener("click", () => {
      localStorage.setItem("consent", button.value);
      element.hidden = true;
      if (button.value === "yes") load();
    });
}
`;

const log: string[] = [];
let site: Host;
let folder: string;
let other: ReturnType<typeof createServer>;

test.beforeAll(async () => {
  other = createServer((request, response) => {
    log.push(`${request.method} ${request.url} cookie=${request.headers.cookie ?? ""}`);
    response.writeHead(200, { "access-control-allow-origin": "*", "content-type": "text/javascript", "set-cookie": "a=b" });
    response.end(request.url === "/count.js" ? counter : "");
  });
  await new Promise<void>((done) => other.listen(0, "127.0.0.1", done));
  const origin = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  folder = mkdtempSync(join(tmpdir(), "connections-"));
  const files: Record<string, string> = {
    "content/site.yaml": `url: https://www.mill.test\nlanguage: en\nname: The Mill\nsettings:\n  connections:\n    counter: { origin: "${origin}", for: [script, fetch], why: Counts visits. }\n`,
    "content/pages/index.yaml": "title: Closed\n",
    "content/pages/counted.yaml": "title: Counted\ntemplate: pages/counted.html\n",
    "content/pages/asked.yaml": "title: Asked\ntemplate: pages/asked.html\n",
    "templates/pages/page.html": page("<p>Nothing.</p>"),
    "templates/pages/counted.html": page(
      `<script src="${origin}/count.js" integrity="${integrity}" crossorigin="anonymous" data-connect="counter"></script>`,
    ),
    "templates/pages/asked.html": page(
      `{% set banner %}<p>May we count?</p><button value="yes">Yes</button><button value="no">No</button>{% endset %}{{ island(component="Consent", slot=banner, connect="counter", hydrate="load") }}`,
    ),
    "islands/Consent.ts": consent,
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  symlinkSync(join(project, "node_modules"), join(folder, "node_modules"));
  execFileSync(sitegen, ["build", "--quiet", "--root", folder, "--out", join(folder, "dist")], { stdio: "inherit" });
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
  await page.goto(`${site.origin}/counted`);
  await expect.poll(() => log).toEqual(["GET /count.js cookie=", "POST /event cookie="]);
  await page.goto(`${site.origin}/counted`);
  await expect.poll(() => log.filter((each) => each.startsWith("POST")).length).toBe(2);
  expect(log.every((each) => each.endsWith("cookie="))).toBe(true);
  expect(await context.cookies()).toEqual([]);
  log.length = 0;
  await page.goto(site.origin);
  const address = `http://127.0.0.1:${(other.address() as AddressInfo).port}/event`;
  expect(await page.evaluate((address) => fetch(address).then(() => "sent", () => "blocked"), address)).toBe("blocked");
  expect(log).toEqual([]);
});

test("before a yes nothing leaves, after a no nothing does, and after a yes the script is loaded", async ({ page }) => {
  await page.goto(`${site.origin}/asked`, { waitUntil: "networkidle" });
  await expect(page.getByText("May we count?")).toBeVisible();
  expect(log).toEqual([]);
  await page.getByRole("button", { name: "No" }).click();
  await page.goto(`${site.origin}/asked`, { waitUntil: "networkidle" });
  await expect(page.getByText("May we count?")).toBeHidden();
  expect(log).toEqual([]);
  await page.evaluate(() => localStorage.clear());
  await page.goto(`${site.origin}/asked`, { waitUntil: "networkidle" });
  await page.getByRole("button", { name: "Yes" }).click();
  await expect.poll(() => log).toEqual(["GET /count.js cookie=", "POST /event cookie="]);
  // The answer is kept.
  await page.goto(`${site.origin}/asked`, { waitUntil: "networkidle" });
  await expect(page.getByText("May we count?")).toBeHidden();
  await expect.poll(() => log.filter((each) => each.startsWith("POST")).length).toBe(2);
});
