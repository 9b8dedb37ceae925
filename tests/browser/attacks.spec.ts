// Content is untrusted. What attackers write goes through every field of every template and island, and a real browser
// watches whether any of it runs, loads, or becomes an element. Each page is opened twice: with its policy, which must
// not have changed and have nothing to block, and with the policy switched off, so that the escaping itself is held.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, type Browser, type Page } from "@playwright/test";
import { attacks, build, rawYaml, Target, type Outcome } from "../support/attacks.ts";
import { serve } from "../support/server.ts";
import { builtSite } from "./setup.ts";

const pages = ["/", "/careers", "/privacy-policy", "/terms-of-service"];

/** Elements that run, load, style or redirect, counted; nothing of this may be more than on the page as it was written. */
const census = (page: Page) =>
  page.evaluate(() => {
    const count: Record<string, number> = {};
    const add = (what: string) => (count[what] = (count[what] ?? 0) + 1);
    const active = "script style iframe frame object embed base link meta form svg math template noscript audio video";
    for (const element of document.querySelectorAll("*")) {
      const name = element.localName;
      if (active.split(" ").includes(name)) add(name);
      for (const attribute of element.attributes) {
        if (/^on/i.test(attribute.name)) add(`${attribute.name} on ${name}`);
        if (/^(style|srcdoc|formaction|action|ping|http-equiv)$/i.test(attribute.name)) add(attribute.name);
        if (/(^|:)(href|src|data|action|formaction|to|values)$/.test(attribute.name)) {
          const address = attribute.value.replace(/[\u0000-\u0020]/g, "");
          if (/^(javascript|vbscript|data):/i.test(address)) add(`${attribute.name}=${address}`);
        }
      }
    }
    // Foreign elements are of pictures alone.
    for (const each of document.querySelectorAll("svg *")) if (!each.namespaceURI!.endsWith("/svg")) add("html in svg");
    for (const each of document.querySelectorAll('script[type="application/ld+json"]')) JSON.parse(each.textContent!);
    return count;
  });

const policyOf = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('meta[http-equiv="Content-Security-Policy"]')].map((each) => each.getAttribute("content")!),
  );

interface Seen {
  census: Record<string, number>;
  policy: string[];
}

/** Opens every page of a folder and gives what it is made of, and everything in it that ran or asked for something. */
async function visit(browser: Browser, folder: string, paths: string[], bypassCSP: boolean) {
  const host = await serve(folder);
  const context = await browser.newContext({ bypassCSP, baseURL: host.origin, viewport: { width: 900, height: 12_000 } });
  const alarms: string[] = [];
  const pages: Record<string, Seen> = {};
  await context.addInitScript(() => {
    (globalThis as any).pwned = () => console.error("PWNED");
    document.addEventListener("securitypolicyviolation", (event) =>
      console.error(`BLOCKED ${event.violatedDirective} ${event.blockedURI} ${event.sample}`),
    );
  });
  context.on("dialog", (dialog) => (alarms.push(`dialog: ${dialog.message()}`), dialog.dismiss()));
  context.on("page", (page) => page.on("download", (each) => alarms.push(`download: ${each.url()}`)));
  context.on("console", (message) => {
    if (/PWNED|BLOCKED|Content.Security.Policy|violates/i.test(message.text())) alarms.push(`console: ${message.text()}`);
  });
  await context.route("**/*", (route) => {
    const { origin, protocol } = new URL(route.request().url());
    if (origin === host.origin || protocol === "blob:") return route.continue();
    // A picture from another host is what content may ask for, and what the policy names.
    if (route.request().resourceType() !== "image") alarms.push(`request: ${route.request().url()}`);
    return route.abort();
  });
  try {
    const page = await context.newPage();
    for (const path of paths) {
      await page.goto(path, { waitUntil: "load" });
      const islands = await page.locator("[data-island]").count();
      // The window is so tall that every island is visible and hydrates by itself.
      await page.waitForFunction(
        (count) =>
          [...document.querySelectorAll("[data-island]")].filter((each) =>
            Object.keys(each).some((key) => key.startsWith("__reactContainer")),
          ).length === count,
        islands,
        { timeout: 20_000 },
      );
      if (new URL(page.url()).pathname !== path) alarms.push(`${path} went to ${page.url()}`);
      pages[path] = { census: await census(page), policy: await policyOf(page) };
    }
  } finally {
    await context.close();
    await host.close();
  }
  return { alarms, pages };
}

const directives = (policy: string) =>
  new Map(policy.split(";").map((each) => [each.trim().split(" ")[0]!, each.trim().split(" ").slice(1)] as const));

/** The policy is the one of the page as it was written, but for the hosts of pictures. */
function expectSamePolicy(now: string[], before: string[], path: string): void {
  expect(now, `${path} has one policy`).toHaveLength(1);
  const [is, was] = [directives(now[0]!), directives(before[0]!)];
  const pictures = (is.get("img-src") ?? []).filter((each) => !/^(https:\/\/[a-z.]+|'self')$/.test(each));
  expect(pictures, `${path} loads pictures from hosts`).toEqual([]);
  for (const policy of [is, was]) policy.delete("img-src");
  expect([...is], `${path} has the policy it had`).toEqual([...was]);
}

function expectNothingNew(now: Seen, before: Seen, path: string): void {
  for (const [what, count] of Object.entries(now.census))
    expect(count, `${path} has ${what}`).toBeLessThanOrEqual(before.census[what] ?? 0);
}

let before: Record<string, Seen>;
let folder: string;
test.beforeAll(async ({ browser }) => {
  folder = mkdtempSync(join(tmpdir(), "attacks-"));
  const plain = await visit(browser, builtSite("site"), pages, false);
  expect(plain.alarms).toEqual([]);
  before = plain.pages;
  // A page of Markdown has what the careers page has besides its island, and no pictures but those of its footer.
  const { script: _, ...markdown } = before["/careers"]!.census;
  const policy = before["/terms-of-service"]!.policy;
  for (const path of ["/attack", "/attack-html"]) before[path] = { census: { ...markdown, script: 1 }, policy };
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Builds an attack, opens what was published, and gives how many fields carried it. */
async function isInert(browser: Browser, target: Target, attack: string, isRaw: boolean): Promise<Outcome> {
  const out = join(folder, "out");
  const outcome = await target.attack(attack, out, isRaw);
  const name = JSON.stringify(attack);
  for (const bypassCSP of [false, true]) {
    const seen = await visit(browser, out, [...pages, "/attack", "/attack-html"], bypassCSP);
    expect(seen.alarms, `${name}, ${bypassCSP ? "without" : "with"} the policy`).toEqual([]);
    for (const [path, now] of Object.entries(seen.pages)) {
      expectNothingNew(now, before[path]!, `${path} with ${name}`);
      expectSamePolicy(now.policy, before[path]!.policy, `${path} with ${name}`);
    }
  }
  return outcome;
}

const portions = 8;
for (let portion = 0; portion < portions; portion++)
  test(`no attack runs in a browser, part ${portion + 1} of ${portions}`, async ({ browser }) => {
    test.setTimeout(600_000);
    const target = new Target(join(folder, "project"));
    let [strings, tried, refused] = [0, 0, 0];
    const codes = new Set<string>();
    const all = [...attacks.map((each) => [each, false] as const), ...rawYaml.map((each) => [each, true] as const)];
    for (const [attack, isRaw] of all.filter((_, index) => index % portions === portion)) {
      const outcome = await isInert(browser, target, attack, isRaw);
      [strings, tried, refused] = [strings + 1, tried + outcome.tried, refused + outcome.refused];
      outcome.codes.forEach((code) => codes.add(code));
    }
    console.log(
      `attacks: ${strings} strings, ${tried} times in a field or a text: ${refused} refused with a place, ` +
        `${tried - refused} published and inert (${[...codes].sort().join(", ")})`,
    );
    expect(tried - refused).toBeGreaterThan(1000);
  });

test("fields that choose what is shown take no attack either", async ({ browser }) => {
  test.setTimeout(600_000);
  const target = new Target(join(folder, "choices"), { choices: true });
  for (const attack of ["<svg onload=pwned()>", `" onmouseover="pwned()`, `</script><script>pwned()</script>`])
    await isInert(browser, target, attack, false);
});

test("the shipped schemas let no attack through either", async ({ browser }) => {
  test.setTimeout(600_000);
  const target = new Target(join(folder, "with-schemas"), { withSchemas: true });
  for (const attack of ["<svg onload=pwned()>", `"><script>pwned()</script>`, "javascript:pwned()"])
    await isInert(browser, target, attack, false);
});

test("the watch sees an attack that does run", async ({ browser }) => {
  const target = new Target(join(folder, "open"));
  const template = readFileSync(join(target.root, "templates/pages/page.html"), "utf8");
  target.write("templates/pages/page.html", template.replace("{{ page.content }}", "{{ page.content }}{{ page.open | safe }}"));
  target.write("content/pages/attack.md", `---\ntitle: Attack\nopen: <script>pwned()</script>\n---\nText\n`);
  expect(await build(target.root, join(folder, "open-out"))).toEqual([]);
  const seen = await visit(browser, join(folder, "open-out"), ["/attack"], false);
  expect(seen.alarms.join()).toContain("PWNED");
  expect(() => expectNothingNew(seen.pages["/attack"]!, before["/attack"]!, "")).toThrow();
  expect(() => expectSamePolicy(seen.pages["/attack"]!.policy, before["/attack"]!.policy, "")).toThrow();
});
