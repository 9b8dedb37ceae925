// Content is untrusted. What attackers write goes through every field of every template and island, and a real browser
// watches whether any of it runs, loads, or becomes an element. The browser reports what the policy of a page would block
// and blocks nothing, so that the escaping itself is tested: the policy must not have changed, and have nothing to block.
//
// A site has many attacks at once. When the browser sees one run, sites with half of them each find which one it is.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { expect, test, type Browser, type Page } from "@playwright/test";
import { attacks, build, halvesOf, marksOf, namesOf, sitesOf, Target, type Attack, type Site, type Taken } from "../support/attacks.ts";
import { serve, type Host } from "../support/server.ts";
import { builtSite } from "./setup.ts";
import { waitInFrames } from "./site.ts";

const project = resolve(import.meta.dirname, "../..");

const pages = ["/", "/careers", "/privacy-policy", "/terms-of-service"];

/** The pages of Markdown that hold attacks, and their files. */
const attackPages: Record<string, string> = {
  "/attack": "content/pages/attack.md",
  "/attack-html": "content/pages/attack-html.md",
};

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

/** The marks between the attacks of a page of Markdown, as far as none is a part of something else. */
const marks = (page: Page) =>
  page.evaluate(() => {
    const all = [...document.querySelectorAll("main p")].filter((each) => /^Mark \d+$/.test(each.textContent!));
    return all.filter((each) => each.parentElement === all[0]!.parentElement).length;
  });

interface Seen {
  census: Record<string, number>;
  policy: string[];
  marks: number;
}

/** A browser that opens the pages of a folder, and reports what they are made of and what they did. */
class Watch {
  private constructor(
    private readonly host: Host,
    private readonly page: Page,
    private readonly alarms: string[],
    private readonly policies: string[][],
  ) {}

  /** Serves a folder, whose files may change. */
  static async of(browser: Browser, folder: string): Promise<Watch> {
    const policies: string[][] = [];
    // The policy goes from the page into the header that has a browser report and not block.
    const host = await serve(folder, (html, headers) => {
      const found = [...html.matchAll(/<meta http-equiv="Content-Security-Policy" content="([^"]*)">/g)];
      policies.push(found.map((each) => each[1]!));
      // Without an address for reports, the browser doubts that the header has a purpose.
      if (found[0]) headers["content-security-policy-report-only"] = `${decoded(found[0][1]!)}; report-uri /reports`;
      return found[0] ? html.replace(found[0][0], "") : html;
    });
    const context = await browser.newContext({
      baseURL: host.origin,
      viewport: { width: 600, height: 400 },
      // Compressing what is read once would take longer than all the rest.
      extraHTTPHeaders: { "accept-encoding": "identity" },
      // Nothing answers there: no request leaves this machine.
      proxy: { server: "http://127.0.0.1:9", bypass: "127.0.0.1,localhost" },
    });
    const alarms: string[] = [];
    await context.addInitScript(() => {
      (globalThis as any).pwned = () => console.error("PWNED");
      // Every island counts as visible and hydrates by itself; painting a window as tall as the pages would take longer.
      globalThis.IntersectionObserver = class extends IntersectionObserver {
        constructor(private readonly report: IntersectionObserverCallback) {
          super(report);
        }
        override observe(target: Element) {
          const entry = { isIntersecting: true, target } as unknown as IntersectionObserverEntry;
          queueMicrotask(() => this.report([entry], this));
        }
      };
      document.addEventListener("securitypolicyviolation", (event) =>
        console.error(`BLOCKED ${event.violatedDirective} ${event.blockedURI} ${event.sample}`),
      );
    });
    context.on("dialog", (dialog) => (alarms.push(`dialog: ${dialog.message()}`), dialog.dismiss()));
    context.on("page", (page) => page.on("download", (each) => alarms.push(`download: ${each.url()}`)));
    context.on("console", (message) => {
      if (/PWNED|BLOCKED|Content.Security.Policy|violates/i.test(message.text())) alarms.push(`console: ${message.text()}`);
    });
    context.on("request", (request) => {
      const { origin, protocol } = new URL(request.url());
      if (origin === host.origin || protocol === "blob:") return;
      // A picture from another host is what content may ask for, and what the policy names.
      if (request.resourceType() !== "image") alarms.push(`request: ${request.url()}`);
    });
    return new Watch(host, await context.newPage(), alarms, policies);
  }

  /** Opens pages, and gives what each is made of, and everything in them that ran or made a request. */
  async visit(paths: string[]): Promise<{ alarms: string[]; pages: Record<string, Seen> }> {
    const pages: Record<string, Seen> = {};
    for (const path of paths) {
      this.policies.length = 0;
      await this.page.goto(path, { waitUntil: "load" });
      const areHydrated = () =>
        this.page.evaluate(() =>
          [...document.querySelectorAll("[data-island]")].every((each) =>
            Object.keys(each).some((key) => key.startsWith("__reactContainer")),
          ),
        );
      await waitInFrames(this.page, areHydrated, `the islands of ${path} are hydrated`);
      if (new URL(this.page.url()).pathname !== path) this.alarms.push(`${path} went to ${this.page.url()}`);
      pages[path] = { census: await census(this.page), policy: this.policies.flat(), marks: await marks(this.page) };
    }
    return { alarms: this.alarms.splice(0), pages };
  }

  async close(): Promise<void> {
    await this.page.context().close();
    await this.host.close();
  }
}

/** Opens pages of a folder once. */
async function visit(browser: Browser, folder: string, paths: string[]) {
  const watch = await Watch.of(browser, folder);
  try {
    return await watch.visit(paths);
  } finally {
    await watch.close();
  }
}

/** The characters that an attribute of a policy has escaped. */
const decoded = (text: string) => text.replaceAll("&#39;", "'").replaceAll("&quot;", '"').replaceAll("&amp;", "&");

const directives = (policy: string) =>
  new Map(policy.split(";").map((each) => [each.trim().split(" ")[0]!, each.trim().split(" ").slice(1)] as const));

/** The policy is the one of the page as it was written, but for the hosts of pictures. With `narrower` it may allow less. */
function expectSamePolicy(now: string[], before: string[], path: string, narrower = false): void {
  expect(now, `${path} has one policy`).toHaveLength(1);
  const [is, was] = [directives(now[0]!), directives(before[0]!)];
  const pictures = (is.get("img-src") ?? []).filter((each) => !/^(https:\/\/[a-z.]+|'self')$/.test(each));
  expect(pictures, `${path} loads pictures from hosts`).toEqual([]);
  for (const policy of [is, was]) policy.delete("img-src");
  if (!narrower) return expect([...is], `${path} has the policy it had`).toEqual([...was]);
  // What is not named falls back to this.
  expect(is.get("default-src"), `${path} allows nothing else`).toEqual(["'none'"]);
  for (const [directive, sources] of is) {
    const known = ["'none'", ...(was.get(directive) ?? [])];
    expect(known, `${path} allows no more by ${directive}`).toEqual(expect.arrayContaining(sources));
  }
}

function expectNothingNew(now: Seen, before: Seen, path: string): void {
  for (const [what, count] of Object.entries(now.census))
    expect(count, `${path} has ${what}`).toBeLessThanOrEqual(before.census[what] ?? 0);
}

let before: Record<string, Seen>;
let folder: string;
test.beforeAll(async ({ browser }) => {
  folder = mkdtempSync(join(tmpdir(), "attacks-"));
  const plain = await visit(browser, builtSite("site"), pages);
  expect(plain.alarms).toEqual([]);
  before = plain.pages;
  // A page of Markdown has what the careers page has besides its island, and no pictures but those of its footer.
  const { script: _, ...markdown } = before["/careers"]!.census;
  const policy = before["/terms-of-service"]!.policy;
  for (const path of Object.keys(attackPages)) before[path] = { census: { ...markdown, script: 1 }, policy, marks: 0 };
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Builds sites with attacks, and opens their pages. */
class Attacks {
  private readonly watch: Promise<Watch>;
  private readonly codes = new Set<string>();
  private readonly taken: Taken[] = [];

  /**
   * `plain` is what the pages are made of without attacks. With `narrower`, their policies may allow less than it does:
   * without the form of a position that is not open, there is no script.
   */
  constructor(
    browser: Browser,
    private readonly target: Target,
    private readonly out: string,
    private readonly plain: Record<string, Seen>,
    private readonly options: { narrower?: boolean; expected?: string } = {},
  ) {
    this.watch = Watch.of(browser, out);
  }

  /** Fails if one of these attacks does something, with its name. */
  async areInert(attacks: Attack[]): Promise<void> {
    for (const attack of attacks) this.taken.push(await this.target.take(attack));
    for (const { codes } of this.taken) codes.forEach((code) => this.codes.add(code));
    for (const site of sitesOf(this.taken)) await this.isInert(site);
  }

  private async isInert(site: Site): Promise<void> {
    const halves = halvesOf(site);
    if (!(await this.target.publish(site, this.out))) {
      // The build may refuse together what it takes one at a time.
      if (halves.length === 0) throw new Error(`${namesOf(site)} is taken once, and then refused`);
      for (const half of halves) await this.isInert(half);
      return;
    }
    const withBlocks = Object.keys(this.plain).filter((path) => !attackPages[path] || marksOf(site, attackPages[path]));
    const seen = await (await this.watch).visit(withBlocks);
    const fault = this.faultOf(seen, namesOf(site));
    if (!fault && (halves.length === 0 || !this.hidesSomething(seen.pages, site))) return;
    for (const half of halves) await this.isInert(half);
    // One attack, or several that do something only together.
    if (fault) throw fault;
  }

  private faultOf({ alarms, pages }: { alarms: string[]; pages: Record<string, Seen> }, name: string): unknown {
    try {
      expect(alarms.filter((each) => each !== this.options.expected), name).toEqual([]);
      for (const [path, now] of Object.entries(pages)) {
        expectNothingNew(now, this.plain[path]!, `${path} with ${name}`);
        expectSamePolicy(now.policy, this.plain[path]!.policy, `${path} with ${name}`, this.options.narrower);
      }
      return undefined;
    } catch (error) {
      return error;
    }
  }

  /** Whether one attack may hide the next: an element that was there is missing, or a mark has become part of something. */
  private hidesSomething(pages: Record<string, Seen>, site: Site): boolean {
    return Object.entries(pages).some(([path, now]) => {
      const file = attackPages[path];
      if (file) return now.marks !== marksOf(site, file);
      return Object.entries(this.plain[path]!.census).some(([what, count]) => (now.census[what] ?? 0) < count);
    });
  }

  /** The files of which no field takes any of the attacks. */
  filesWithoutAny(): string[] {
    const taking = new Set(this.taken.flatMap(({ site }) => [...site.fields.keys()].map((each) => each.file)));
    return [...new Set(this.target.fields.map((each) => each.file))].filter((each) => !taking.has(each));
  }

  /** Prints what was tried, and gives how often an attack was published. */
  async end(): Promise<number> {
    this.target.end();
    await (await this.watch).close();
    const sum = (of: (each: Taken) => number) => this.taken.reduce((sum, each) => sum + of(each), 0);
    const [tried, refused] = [sum((each) => each.tried), sum((each) => each.refused)];
    console.log(
      `attacks: ${this.taken.length} strings, ${tried} times in a field or a text: ${refused} refused with a place, ` +
        `${tried - refused} published and inert (${[...this.codes].sort().join(", ")})`,
    );
    return tried - refused;
  }
}

/** Attacks that are quoted where they are written into YAML. */
const quoted = (...texts: string[]): Attack[] => texts.map((text) => ({ text, isRaw: false }));

const portions = 8;
for (let portion = 0; portion < portions; portion++)
  test(`no attack runs in a browser, part ${portion + 1} of ${portions}`, async ({ browser }) => {
    test.setTimeout(600_000);
    const name = join(folder, `part-${portion}`);
    const all = new Attacks(browser, new Target(name), `${name}-out`, before);
    await all.areInert(attacks.filter((_, index) => index % portions === portion));
    // A file whose values together are not read would have all of them refused.
    expect(all.filesWithoutAny()).toEqual([]);
    expect(await all.end()).toBeGreaterThan(1000);
  });

test("fields that choose what is shown take no attack either", async ({ browser }) => {
  test.setTimeout(600_000);
  const name = join(folder, "choices");
  const all = new Attacks(browser, new Target(name, { choices: true }), `${name}-out`, before, { narrower: true });
  await all.areInert(quoted("<svg onload=pwned()>", `" onmouseover="pwned()`, `</script><script>pwned()</script>`));
  await all.end();
});

test("the shipped schemas let no attack through either", async ({ browser }) => {
  test.setTimeout(600_000);
  const name = join(folder, "with-schemas");
  const all = new Attacks(browser, new Target(name, { withSchemas: true }), `${name}-out`, before);
  await all.areInert(quoted("<svg onload=pwned()>", `"><script>pwned()</script>`, "javascript:pwned()"));
  await all.end();
});

/** The fields of that. Names of connections and pages, and addresses, are reported where a template uses them. */
const added =
  /^content\/(site\.yaml:      (origin|why):|forms\/contact\.yaml: +(trap|problem|missing|invalid|too_large|wrong_type|sen\w+|failed|offline|refused_size):|assets\/photos\/pond\.jpg\.yaml:|pages\/photo\.yaml:(title|description|card):)/;

/** Adds what the first site does not use: a form that delivers, connections, a picture with its file, a link preview. */
function withEverything(root: string): void {
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  const edit = (file: string, change: (text: string) => string) => {
    const text = readFileSync(join(root, file), "utf8");
    expect(change(text)).not.toBe(text);
    write(file, change(text));
  };
  const form = "https://forms.example";
  edit("content/site.yaml", (text) =>
    text.replace(
      /\nsettings:\n/,
      `$&  connections:
    forms:
      origin: ${form}
      for: [form, fetch]
      why: Takes your message.
    counter:
      origin: https://count.example
      for: script
      why: Counts visits.
      without_integrity: true
`,
    ),
  );
  edit("content/forms/contact.yaml", (text) => `${text}
deliver:
  connection: forms
  to: ${form}/contact
  success: /photo
  trap: Leave this empty
  texts:
    problem: There is a problem
    missing: "This is missing: {label}"
    invalid: "Please check: {label}"
    too_large: "{label} must be smaller than {size}"
    wrong_type: "{label} must be one of {types}"
    sending: Sending
    sent: Thank you
    sent_text: Until soon
    failed: It did not arrive
    offline: You are offline
    refused_size: Too large
`);
  cpSync(join(project, "examples/brewery/content/assets/photos/pond.jpg"), join(root, "content/assets/photos/pond.jpg"));
  write("content/assets/photos/pond.jpg.yaml", "alt: A pond\nfocus: 50% 30%\ncredit: Ada Crumb\nlicence: CC BY 4.0\n");
  write("content/pages/photo.yaml", "title: A photograph\ndescription: A pond\ntemplate: pages/photo.html\ncard: A pond\n");
  write("templates/social/card.svg", `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 630"><text x="9" y="300" font-size="9">{{ card }}</text></svg>\n`);
  write(
    "templates/pages/photo.html",
    `{% extends "base.html" %}
{% block main %}
<h1>{{ page.title }}</h1>
{% set info = picture_info(path="photos/pond.jpg") %}
{{ picture(path="photos/pond.jpg", widths=[200], sources=[{"media": "(max-width: 40rem)", "ratio": 1, "widths": [100]}]) }}
<p title="{{ info.credit }}">{{ info.alt }} {{ info.credit }} {{ info.licence }}</p>
<p>{{ social_picture(template="social/card.svg", data={"card": page.card}) }}</p>
<ul>{% for each in connections() %}<li title="{{ each.why }}">{{ each.name }} {{ each.origin }} {{ each.why }}</li>{% endfor %}</ul>
<script src="https://count.example/count.js" ></script>
{% endblock %}
`,
  );
}

test("fields of deliveries, connections and pictures take no attack either", async ({ browser }) => {
  test.setTimeout(600_000);
  const target = new Target(join(folder, "everything"), { prepare: withEverything, only: added });
  const out = join(folder, "everything-out");
  expect(target.fields.length).toBeGreaterThan(20);
  expect(await build(target.root, out)).toEqual([]);
  // The counter of the page is what its connection is for, and nothing answers there.
  const expected = "request: https://count.example/count.js";
  const plain = await visit(browser, out, ["/", "/photo"]);
  expect(plain.alarms.filter((each) => each !== expected)).toEqual([]);
  const all = new Attacks(browser, target, out, plain.pages, { narrower: true, expected });
  await all.areInert(
    quoted(
      `<script>pwned()</script>`,
      `" onmouseover="pwned()`,
      `"><svg onload=pwned()>`,
      `</script><script>pwned()</script>`,
      `javascript:pwned()`,
      `//e.example/x`,
      `https://e.example/x.png; script-src * 'unsafe-inline'`,
      `'unsafe-inline'; script-src *`,
      `{{ site.email | safe }}`,
      `</text><image href="//e.example/x.png"/>`,
      `{label}<img src=x onerror=pwned()>{size}`,
    ),
  );
  // Most of the fields are texts, and carry the attack.
  expect(await all.end()).toBeGreaterThan(150);
});

test("an attack that does run is seen", async ({ browser }) => {
  const target = new Target(join(folder, "open"));
  const template = readFileSync(join(target.root, "templates/pages/page.html"), "utf8");
  target.write("templates/pages/page.html", template.replace("{{ page.content }}", "{{ page.content }}{{ page.open | safe }}"));
  target.write("content/pages/attack.md", `---\ntitle: Attack\nopen: <script>pwned()</script>\n---\nText\n`);
  expect(await build(target.root, join(folder, "open-out"))).toEqual([]);
  const seen = await visit(browser, join(folder, "open-out"), ["/attack"]);
  expect(seen.alarms.join()).toContain("PWNED");
  expect(() => expectNothingNew(seen.pages["/attack"]!, before["/attack"]!, "")).toThrow();
  expect(() => expectSamePolicy(seen.pages["/attack"]!.policy, before["/attack"]!.policy, "")).toThrow();
});
