// `sitegen serve` and a real browser: what happens to an open page when a file is saved.
import { spawn, type ChildProcess } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { expect, test as base, type BrowserContext, type Page } from "@playwright/test";
import { contactMessage, cv, fill, hydrated, values } from "./site.ts";

const repository = resolve(import.meta.dirname, "../..");
const sitegen = resolve(repository, process.env.SITEGEN ?? "target/release/sitegen");

/** A project that is edited while it is served. */
class Project {
  readonly root = mkdtempSync(join(tmpdir(), "serve-"));
  origin = "";
  private child?: ChildProcess;

  write(path: string, text: string) {
    const file = join(this.root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  read = (path: string) => readFileSync(join(this.root, path), "utf8");

  /**
   * Saves as editors do: to a temporary file, which then replaces the file. The name is one that a build passes over; on a machine
   * that is busy with other tests, another would exist long enough to be reported.
   */
  edit(path: string, pattern: string | RegExp, replacement: string) {
    const before = this.read(path);
    const after = before.replace(pattern, replacement);
    if (after === before) throw new Error(`${path}: ${pattern} was not found`);
    const temporary = join(dirname(path), `.${basename(path)}.tmp`);
    this.write(temporary, after);
    renameSync(join(this.root, temporary), join(this.root, path));
  }

  async serve(port = "0") {
    this.child = spawn(sitegen, ["serve", "--root", this.root, "--port", port, "--now", "2026-12-01"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    let address: RegExpExecArray | null = null;
    for await (const line of createInterface(this.child.stdout!)) {
      address = /^serving at (http:.*)\/$/.exec(line);
      if (address) break;
    }
    if (!address) throw new Error("the server did not start");
    this.origin = address[1]!;
    // Nobody else reads what it says, and it must not wait for a reader. Leaving the loop has paused it.
    this.child.stdout!.resume();
  }

  async stop() {
    const child = this.child;
    this.child = undefined;
    if (!child) return;
    // One that has ended by itself would be waited for in vain.
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`the server has ended by itself: ${child.exitCode ?? child.signalCode}`);
    const ended = new Promise((done) => child.once("exit", done));
    child.kill("SIGKILL");
    await ended;
  }

  async end() {
    await this.stop();
    rmSync(this.root, { recursive: true, force: true });
  }
}

const site = "url: https://www.example.com\nlanguage: en\nname: Example\n";
const template = `<!doctype html>
<html lang="{{ site.language }}">
<head>
<meta charset="utf-8">
<title>{{ page.title }}</title>
</head>
<body>
<main>
<h1>{{ page.title }}</h1>
{{ page.content }}
</main>
</body>
</html>
`;
const markdown = (title: string, text: string) => `---\ntitle: ${title}\nraw_html: true\n---\n\n${text}\n`;

/**
 * Ends a server nobody is looking at any more: its pages would complain that it is gone. They are closed with all that is
 * theirs, since Chromium has been seen to lose the wish to close one page that was being loaded anew.
 */
async function leave(context: BrowserContext, project: Project) {
  await context.close();
  await project.end();
}

const test = base.extend<{ shipped: Project; small: Project; expected: RegExp[]; quiet: void }>({
  /** The repository's own site. */
  shipped: async ({ context }, use) => {
    const project = new Project();
    for (const part of ["content", "templates", "islands", "package.json", "package-lock.json", "tsconfig.json"])
      cpSync(join(repository, part), join(project.root, part), { recursive: true });
    symlinkSync(join(repository, "node_modules"), join(project.root, "node_modules"));
    await project.serve();
    await use(project);
    await leave(context, project);
  },

  /** Two pages without islands, which are built in no time. */
  small: async ({ context }, use) => {
    const project = new Project();
    project.write("content/site.yaml", site);
    project.write("templates/pages/page.html", template);
    // Browsers ask for it.
    project.write("content/public/favicon.ico", "");
    project.write("content/pages/index.md", markdown("Home", "Text."));
    project.write("content/pages/about.md", markdown("About", "Text."));
    await project.serve();
    await use(project);
    await leave(context, project);
  },

  expected: [[], { option: true }],

  // The browser reports what the policy blocks on the console.
  quiet: [
    async ({ context, expected }, use) => {
      const seen: string[] = [];
      context.on("console", (message) => seen.push(`console ${message.type()}: ${message.text()}`));
      context.on("weberror", (thrown) => seen.push(`uncaught: ${thrown.error().message}`));
      await use();
      expect(seen.filter((each) => !expected.some((pattern) => pattern.test(each)))).toEqual([]);
    },
    { auto: true },
  ],
});

/** Marks the document, and returns a function that says whether it is still the same one. */
async function mark(page: Page): Promise<() => Promise<boolean>> {
  await page.evaluate(() => Object.assign(window, { marked: true }));
  return () => page.evaluate(() => "marked" in window);
}

const overlay = (page: Page) => page.locator("sitegen-problems");
const scrolled = (page: Page) => page.evaluate(() => Math.round(scrollY));

test("a change of a stylesheet swaps the style and nothing else", async ({ shipped, page }) => {
  await page.goto(shipped.origin);
  const island = await hydrated(page, "ContactForm");
  await fill(page, contactMessage);
  const before = await scrolled(page);
  expect(before).toBeGreaterThan(100);
  const isSame = await mark(page);
  const nodes = await page.evaluate(() => Object.assign(window, { h1: document.querySelector("h1") }) && true);
  expect(nodes).toBe(true);
  for (const colour of ["rgb(1, 2, 3)", "rgb(4, 5, 6)"]) {
    const css = shipped.read("templates/styles/main.css").replace(/\n@layer pages \{ h1.*/, "");
    shipped.write("templates/styles/main.css", `${css}\n@layer pages { h1 { color: ${colour} !important; } }`);
    await expect(page.locator("h1")).toHaveCSS("color", colour);
  }
  expect(await isSame()).toBe(true);
  expect(await page.evaluate(() => "h1" in window && window.h1 === document.querySelector("h1"))).toBe(true);
  expect(await values(page)).toEqual(contactMessage);
  expect(await scrolled(page)).toBe(before);
  // The page is alive: the form still answers.
  await island.locator("[type=submit]").focus();
  // A page that is opened now has the same style in the ordinary way.
  const other = await page.context().newPage();
  await other.goto(shipped.origin);
  await expect(other.locator("h1")).toHaveCSS("color", "rgb(4, 5, 6)");
  expect(await other.evaluate(() => document.adoptedStyleSheets.length)).toBe(0);
});

test("a change of content keeps the place, the focus, the caret and the form", async ({ shipped, page }) => {
  await page.goto(`${shipped.origin}/careers`);
  await hydrated(page, "ApplicationForm");
  const form = page.locator("form");
  await fill(page, { firstName: "Ada", lastName: "Lovelace" });
  await form.locator('[name="cv"]').setInputFiles(cv);
  await form.locator('[name="lastName"]').evaluate((field: HTMLInputElement) => {
    field.focus();
    field.setSelectionRange(2, 4);
  });
  const isSame = await mark(page);
  const at = await form.evaluate((each) => Math.round(each.getBoundingClientRect().top));
  shipped.edit("content/pages/careers.yaml", "We are a small team", "We are a very small team indeed");
  await expect(page.getByText("We are a very small team indeed")).toBeAttached();
  shipped.edit("content/pages/careers.yaml", "title: Careers", "title: Working here");
  await expect(page).toHaveTitle(/Working here/);
  shipped.edit("templates/pages/careers.html", /<section/, '<p class="added">Added</p>\n<section');
  await expect(page.locator(".added").first()).toBeAttached();
  expect(await isSame()).toBe(true);
  expect(await values(page)).toMatchObject({ firstName: "Ada", lastName: "Lovelace", cv: cv.name });
  const field = form.locator('[name="lastName"]');
  await expect(field).toBeFocused();
  expect(await field.evaluate((each: HTMLInputElement) => [each.selectionStart, each.selectionEnd])).toEqual([2, 4]);
  // Scroll anchoring: what is in view stays in place while something is added above it.
  const top = () => form.evaluate((each) => Math.round(each.getBoundingClientRect().top));
  await expect.poll(async () => Math.abs((await top()) - at)).toBeLessThan(60);
  await page.keyboard.type("X");
  await expect(field).toHaveValue("LoXlace");
});

test("a change of an island reloads the page, which keeps the place and what was typed", async ({ shipped, page }) => {
  await page.goto(shipped.origin);
  await hydrated(page, "ContactForm");
  await fill(page, contactMessage);
  const isSame = await mark(page);
  const before = await scrolled(page);
  shipped.edit("islands/ContactForm.tsx", /return \((\s*<Form[^]*<\/Form>)/, "return (<><p className=\"changed\">Changed</p>$1</>");
  await expect(page.locator(".changed, sitegen-problems")).toBeAttached({ timeout: 30_000 });
  if (await overlay(page).count()) throw new Error(await overlay(page).evaluate((each) => each.shadowRoot!.textContent)) ?? "";
  expect(await isSame()).toBe(false);
  await hydrated(page, "ContactForm");
  expect(await values(page)).toEqual(contactMessage);
  expect(Math.abs((await scrolled(page)) - before)).toBeLessThan(100);
});

test("what was typed into a field that a component controls comes back after a reload", async ({ shipped, page }) => {
  const component = (label: string) => `import { useEffect, useId, useState } from "react";

export default function Weight() {
  const [weight, setWeight] = useState("10");
  const [unit, setUnit] = useState("");
  const id = useId();
  useEffect(() => setUnit("${label}"), []);
  return (
    <p>
      <label htmlFor={id}>${label}</label> <input id={id} value={weight} onChange={(event) => setWeight(event.target.value)} />
      <input aria-label="Unit" name="unit" value={unit} onChange={(event) => setUnit(event.target.value)} />
    </p>
  );
}
`;
  shipped.write("islands/Weight.tsx", component("Weight"));
  shipped.edit("templates/base.html", "</main>", `{{ island(component="Weight", props={}, hydrate="load") }}\n</main>`);
  const field = page.locator("[data-island=Weight] input").first();
  const unit = page.getByLabel("Unit");
  await expect(async () => {
    await page.goto(`${shipped.origin}/privacy-policy`);
    await expect(field).toBeVisible({ timeout: 500 });
  }).toPass();
  await hydrated(page, "Weight");
  await expect(unit).toHaveValue("Weight");
  await field.fill("23");
  const isSame = await mark(page);
  // What came back once comes back again.
  for (const label of ["Weight in kg", "Weight in pounds"]) {
    shipped.write("islands/Weight.tsx", component(label));
    await expect(page.getByText(label)).toBeVisible({ timeout: 30_000 });
    await hydrated(page, "Weight");
    await expect(field).toHaveValue("23");
    // Nobody typed this.
    await expect(unit).toHaveValue(label);
  }
  expect(await isSame()).toBe(false);
});

test("only pages whose bytes changed do anything", async ({ shipped, page }) => {
  const other = await page.context().newPage();
  await page.goto(shipped.origin);
  await other.goto(`${shipped.origin}/privacy-policy`);
  const isSame = await mark(other);
  const answers: number[] = [];
  other.on("response", (response) => {
    if (response.url().endsWith("/privacy-policy")) answers.push(response.status());
  });
  await other.evaluate(() => {
    const seen: unknown[] = [];
    Object.assign(window, { seen });
    new MutationObserver((records) => seen.push(...records)).observe(document, {
      subtree: true,
      childList: true,
      attributes: true,
      characterData: true,
    });
  });
  shipped.edit("content/pages/index.yaml", /^browser_title: .*$/m, "browser_title: Another title");
  await expect(page).toHaveTitle(/Another title/);
  // A save that the server sees in two steps leads to two requests; no answer brings anything.
  await expect.poll(() => [...new Set(answers)]).toEqual([304]);
  expect(await isSame()).toBe(true);
  expect(await other.evaluate(() => (window as unknown as { seen: unknown[] }).seen.length)).toBe(0);
});

test("errors are shown over the last valid page, and disappear when they are fixed", async ({ small, page }) => {
  await page.goto(`${small.origin}/about`);
  const isSame = await mark(page);
  await expect(overlay(page)).toHaveCount(0);
  const valid = small.read("content/pages/about.md");
  const nasty = "<img src=x onerror=alert(1)><script>alert(2)</script>";
  small.write("content/pages/about.md", `---\ntitle: About\ntittle: [ ${nasty}\n---\n`);
  await expect(overlay(page)).toContainText("Showing the last valid page. It updates as soon as the errors are fixed.");
  await expect(overlay(page)).toContainText("content/pages/about.md:3");
  // The excerpt is text, whatever it says.
  await expect(overlay(page)).toContainText(nasty);
  expect(await overlay(page).evaluate((each) => each.shadowRoot!.querySelectorAll("img, script").length)).toBe(0);
  await expect(page.locator("h1")).toHaveText("About");
  // A page that is opened meanwhile shows it too.
  const other = await page.context().newPage();
  await other.goto(small.origin);
  await expect(overlay(other)).toContainText("content/pages/about.md:3");
  // Every error is shown.
  small.write("content/pages/about.md", valid);
  await expect(overlay(page)).toHaveCount(0);
  await expect(overlay(other)).toHaveCount(0);
  small.write("content/pages/about.md", markdown("About", "[one](/nowhere) [two](/never)"));
  await expect(overlay(page)).toContainText("/nowhere");
  await expect(overlay(page)).toContainText("/never");
  await expect(overlay(page)).toContainText("broken-link");
  await page.keyboard.press("Escape");
  await expect(overlay(page)).toBeHidden();
  small.write("content/pages/about.md", markdown("About", "Fixed."));
  await expect(page.getByText("Fixed.")).toBeVisible();
  await expect(overlay(page)).toHaveCount(0);
  expect(await isSame()).toBe(true);
});

test.describe("with requests that fail", () => {
  test.use({ expected: [/Failed to load resource|ERR_CONNECTION|ERR_INCOMPLETE/] });

  test("a site that is broken from the start appears when it is fixed", async ({ small, page }) => {
    await small.stop();
    small.write("content/pages/about.md", "---\ntitle: [\n---\n");
    await small.serve();
    await page.goto(`${small.origin}/about`);
    await expect(overlay(page)).toContainText("content/pages/about.md:2");
    await expect(page.locator("body")).toHaveText("");
    small.write("content/pages/about.md", markdown("About", "Fixed."));
    await expect(page.getByText("Fixed.")).toBeVisible();
    await expect(overlay(page)).toHaveCount(0);
  });

  test("a page appears where there was none, and the 404 page when it goes", async ({ small, page }) => {
    await page.goto(`${small.origin}/new`);
    await expect(page.locator("h1")).toHaveText("404");
    small.write("content/pages/new.md", markdown("New", "Text."));
    await expect(page.locator("h1")).toHaveText("New");
    rmSync(join(small.root, "content/pages/new.md"));
    await expect(page.locator("h1")).toHaveText("404");
  });

  test("a server that comes back is followed again", async ({ small, page }) => {
    await page.goto(`${small.origin}/about`);
    const port = new URL(small.origin).port;
    await small.stop();
    small.write("content/pages/about.md", markdown("About", "While it was away."));
    await small.serve(port);
    await expect(page.getByText("While it was away.")).toBeVisible();
    small.write("content/pages/about.md", markdown("About", "And after."));
    await expect(page.getByText("And after.")).toBeVisible();
  });
});

test("more tabs than a browser has connections all follow", async ({ small, context }) => {
  const pages: Page[] = [];
  for (let count = 0; count < 10; count++) {
    const page = await context.newPage();
    await page.goto(`${small.origin}/${count % 2 ? "about" : ""}`);
    pages.push(page);
  }
  small.edit("templates/pages/page.html", "<main>", "<main>\n<p>Everywhere.</p>");
  for (const page of pages) await expect(page.getByText("Everywhere.")).toBeVisible();
  // The one that listens for all of them is closed.
  await pages.shift()!.close();
  small.edit("templates/pages/page.html", "Everywhere.", "Elsewhere.");
  for (const page of pages) await expect(page.getByText("Elsewhere.")).toBeVisible();
});

test("of twelve photographs each is made once, in the one file that the browser asks for", async ({ small, page }) => {
  const cache = join(small.root, ".sitegen/cache");
  const made = () => (existsSync(cache) ? readdirSync(cache).sort() : []);
  const photographs = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 1500, height: 1000 });
    const context = canvas.getContext("2d")!;
    return Array.from({ length: 12 }, (_, number) => {
      for (let at = 0; at < 1500; at += 5) {
        context.fillStyle = `hsl(${(at + number * 30) % 360} 60% ${30 + (at % 40)}%)`;
        context.fillRect(at, (at * 7) % 500, 40, 700);
      }
      return canvas.toDataURL("image/jpeg", 0.9).split(",")[1]!;
    });
  });
  mkdirSync(join(small.root, "content/assets"), { recursive: true });
  for (const [number, photograph] of photographs.entries())
    writeFileSync(join(small.root, `content/assets/photo-${number}.jpg`), Buffer.from(photograph, "base64"));
  const texts = photographs.map((_, number) => `![Photograph ${number}](photo-${number}.jpg)`);
  small.write("content/pages/photographs.md", markdown("Photographs", texts.join("\n\n")));
  await expect.poll(async () => (await fetch(`${small.origin}/photographs`)).text()).toContain("Photograph 11");
  const before = new Set(made());

  await page.goto(`${small.origin}/photographs`);
  const chosen = async () => {
    for (const image of await page.getByRole("img").all()) {
      await image.scrollIntoViewIfNeeded();
      await expect.poll(() => image.evaluate((each: HTMLImageElement) => each.naturalWidth)).toBeGreaterThan(0);
    }
    return page.getByRole("img").evaluateAll((all: HTMLImageElement[]) => all.map((each) => new URL(each.currentSrc).pathname));
  };
  const first = await chosen();
  // The window is 1280 pixels wide, and the photographs 1500.
  for (const [number, path] of first.entries())
    expect(path).toMatch(new RegExp(`^/assets/photo-${number}-1500x1000-[0-9a-f]{8}\\.webp$`));
  const after = made();
  expect(after.filter((name) => !before.has(name))).toHaveLength(12);

  await page.reload();
  expect(await chosen()).toEqual(first);
  expect(made()).toEqual(after);
});

test("what a visitor opened and what a script made stays", async ({ small, page }) => {
  const text = (word: string) =>
    markdown(
      "About",
      `<details><summary>More</summary><p>${word}</p></details>\n\n<label>Name <input name="a" value="${word}"></label>\n\n` +
        `<ul><li>one</li><li><label>Item <input name="b"></label></li></ul>`,
    );
  small.write("content/pages/about.md", text("first"));
  await page.goto(`${small.origin}/about`);
  await expect(page.getByText("first")).toBeAttached();
  const isSame = await mark(page);
  await page.locator("summary").click();
  await page.locator('[name="a"]').fill("typed");
  await page.locator('[name="b"]').fill("typed too");
  await page.evaluate(() => document.querySelector("main")!.append(Object.assign(document.createElement("i"), { id: "made" })));
  small.write("content/pages/about.md", text("second").replace("<li>one", "<li>zero</li><li>one"));
  await expect(page.getByText("second")).toBeVisible();
  await expect(page.locator("li").first()).toHaveText("zero");
  await expect(page.locator('[name="a"]')).toHaveValue("typed");
  await expect(page.locator('[name="b"]')).toHaveValue("typed too");
  await expect(page.locator('[name="b"]')).toBeFocused();
  await expect(page.locator("#made")).toBeAttached();
  expect(await isSame()).toBe(true);
});

test("files under their own names are loaded anew by the pages that use them", async ({ small, page }) => {
  const square = (side: number) => `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}"/>`;
  small.write("content/public/square.svg", square(10));
  small.write("content/assets/own.svg", square(20));
  const image = '<img src="/square.svg" alt="A square">\n\n![Another](own.svg)';
  small.write("content/pages/about.md", markdown("About", image));
  await expect.poll(async () => (await (await fetch(`${small.origin}/about`)).text()).includes("square.svg")).toBe(true);
  await page.goto(`${small.origin}/about`);
  const widths = () =>
    page
      .locator("img")
      .evaluateAll((all) => all.map((each) => (each as HTMLImageElement).naturalWidth))
      // The page is being loaded anew.
      .catch(() => []);
  await expect.poll(widths).toEqual([10, 20]);
  const isSame = await mark(page);
  // An asset has a digest in its name, so the page changes with it.
  small.write("content/assets/own.svg", square(40));
  await expect.poll(widths).toEqual([10, 40]);
  expect(await isSame()).toBe(true);
  small.write("content/public/square.svg", square(30));
  await expect.poll(widths).toEqual([30, 40]);
});

test("whatever a page becomes, a patched page is what the server sent", async ({ small, page }) => {
  // Random documents from a fixed seed: elements that come, go, change places, texts and attributes.
  let seed = 1;
  const chance = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const element = (depth: number): string => {
    const name = ["p", "div", "ul", "b", "section", "input", "details", "svg"][chance(8)]!;
    const id = chance(6) === 0 ? ` id="i${chance(5)}"` : "";
    const other = chance(3) === 0 ? ` class="c${chance(3)}"` : chance(5) === 0 ? ` data-x="${chance(9)}"` : "";
    if (name === "input") return `<input${id}${other}>`;
    if (name === "svg") return `<svg viewBox="0 0 ${chance(9)} 9"><use xlink:href="#a${chance(3)}"/></svg>`;
    if (name === "p" || depth > 3) return `<p${id}${other}>${["one", "two", "three &amp; four"][chance(3)]}</p>`;
    return `<${name}${id}${other}>${content(depth + 1)}</${name}>`;
  };
  const content = (depth: number): string =>
    Array.from({ length: chance(5) }, () => (chance(4) ? element(depth) : ["text", "<!-- remark -->", " "][chance(3)])).join("");
  const documents = Array.from(
    { length: 60 },
    (_, number) =>
      `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${number}</title>${chance(2) ? '<meta name="a" content="b">' : ""}</head>` +
      `<body class="n${number}">${content(0)}<noscript><p>${chance(3)}</p></noscript><template><i>${chance(3)}</i></template></body></html>\n`,
  );
  small.write("content/public/random.html", documents[0]!);
  await expect.poll(async () => (await fetch(`${small.origin}/random.html`)).status).toBe(200);
  await page.goto(`${small.origin}/random.html`);
  const isSame = await mark(page);
  for (const [number, text] of documents.entries()) {
    small.write("content/public/random.html", text);
    await page.waitForFunction((title) => document.title === title, String(number), { polling: 20 });
    const [patched, sent] = await page.evaluate(async () => {
      // Scripts being off, the parser of a script reads <noscript> in another way than the page was read.
      const plain = (root: Document) =>
        root.documentElement.outerHTML
          .replace(/<noscript>[^]*?<\/noscript>/g, (each) => each.replaceAll("&lt;", "<").replaceAll("&gt;", ">"))
          .replace(/<script data-sitegen[^]*<\/script>/, "");
      const answer = await fetch(location.href);
      return [plain(document), plain(new DOMParser().parseFromString(await answer.text(), "text/html"))];
    });
    expect(patched, text).toBe(sent);
  }
  expect(await isSame()).toBe(true);
});
