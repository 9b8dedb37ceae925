// Forms that deliver: the brewery's newsletter and application, and the first site's contact form with `deliver`, to a real
// receiver. Nothing that was typed may be lost, whatever the receiver does.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test as base, type Locator, type Page } from "@playwright/test";
import { brotliCompressSync } from "node:zlib";
import { receive, type Receiver } from "../support/receiver.ts";
import { serve, type Host } from "../support/server.ts";
import { violations } from "./axe.ts";
import { engines, type Engine } from "./engines.ts";

const project = resolve(import.meta.dirname, "../..");
const sitegen = resolve(project, process.env.SITEGEN ?? "target/release/sitegen");

const deliver = (origin: string) => `
deliver:
  connection: contact
  to: ${origin}/contact
  success: /thanks
  trap: Leave this empty
  texts: { problem: There is a problem, missing: "This is missing: {label}", invalid: "Please check: {label}", too_large: "{label} {size}", wrong_type: "{label} {types}", sending: Sending, sent: Thank you, failed: It did not arrive, offline: You are offline, refused_size: Too large }
`;

interface Sites {
  receiver: Receiver;
  brewery: Host;
  first: Host;
  folder: string;
}

const test = base.extend<{ quiet: void }, { sites: Sites }>({
  sites: [
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), "delivery-"));
      const receiver = await receive();
      // Chromium applies `form-action` to where the receiver leads, which is a page of the site at its own address.
      const build = async (root: string, out: string) => {
        const host = await serve(join(folder, out));
        const options = ["--quiet", "--root", root, "--out", join(folder, out), "--base-url", host.origin];
        execFileSync(sitegen, ["build", ...options], { stdio: ["ignore", "pipe", "inherit"] });
        return host;
      };
      const edit = (file: string, change: (text: string) => string) => {
        const before = readFileSync(file, "utf8");
        expect(change(before)).not.toBe(before);
        writeFileSync(file, change(before));
      };

      const brewery = join(folder, "brewery-project");
      cpSync(join(project, "examples/brewery"), brewery, { recursive: true, filter: (path) => !/\/\.sitegen\/(?!cache)/.test(path) });
      symlinkSync(join(project, "node_modules"), join(brewery, "node_modules"));
      const local = (text: string) => text.replaceAll("https://forms.tidewheel.test", receiver.origin);
      for (const file of ["site.yaml", "forms/newsletter.yaml", "forms/application.yaml"])
        edit(join(brewery, "content", file), local);
      edit(join(brewery, "content/forms/application.yaml"), (text) => text.replace("seconds: 60", "seconds: 6"));
      const breweryHost = await build(brewery, "brewery");

      const first = join(folder, "first-project");
      for (const part of ["content", "templates", "islands", "package.json", "tsconfig.json"])
        cpSync(join(project, part), join(first, part), { recursive: true });
      symlinkSync(join(project, "node_modules"), join(first, "node_modules"));
      for (const form of ["contact", "application"])
        edit(join(first, `content/forms/${form}.yaml`), (text) => text + deliver(receiver.origin));
      // The form is in the page now, in place of 60 KB of script.
      edit(join(first, "content/site.yaml"), (text) =>
        text.replace("html: 14", "html: 15").replace(
          /\nsettings:\n/,
          `$&  connections:\n    contact: { origin: "${receiver.origin}", for: [form, fetch], why: Takes your message. }\n`,
        ),
      );
      writeFileSync(join(first, "content/pages/thanks.md"), "---\ntitle: Thank you\ndescription: What comes next.\nnoindex: true\n---\n\n## We have your message\n\nUntil soon.\n");
      const firstHost = await build(first, "first");

      await use({ receiver, folder, brewery: breweryHost, first: firstHost });
      for (const each of [receiver, breweryHost, firstHost]) await each.close();
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: "worker", timeout: 180_000 },
  ],

  // What the policy blocks shows on the console.
  quiet: [
    async ({ page, sites }, use) => {
      Object.assign(sites.receiver, { deliveries: [], attempts: 0, next: [] });
      const blocked: string[] = [];
      page.on("console", (message) => /Content Security|Refused|Uncaught/.test(message.text()) && blocked.push(message.text()));
      page.on("pageerror", (error) => blocked.push(error.message));
      await use();
      expect(blocked).toEqual([]);
    },
    { auto: true },
  ],
});

const job = "/jobs/brewer";
const cv = { name: "Lebenslauf für Sie.pdf", mimeType: "application/pdf", buffer: Buffer.from(Array.from({ length: 70_000 }, (_, at) => (at * 31) % 256)) };
const picture = { name: "wheel.png", mimeType: "image/png", buffer: Buffer.from([137, 80, 78, 71, 13, 10, 26, 10, 0, 13, 10, 45, 45]) };
const texts = { name: "Ada “Countess” Lovelace", email: "ada@example.com", phone: "+44 1", letter: "Two\nlines & <b>=ü" };

async function ready(page: Page) {
  await page.locator("[data-enhance=Deliver]").scrollIntoViewIfNeeded();
  await expect(page.locator("form[novalidate]")).toHaveCount(1);
}

async function apply(page: Page, sites: Sites) {
  await page.goto(sites.brewery.origin + job);
  await ready(page);
  for (const [name, text] of Object.entries(texts)) await page.locator(`form [name=${name}]`).fill(text);
  await page.locator("[name=cv]").setInputFiles(cv);
  await page.locator("[name=portfolio]").setInputFiles(picture);
}

const send = (page: Page) => page.getByRole("button", { name: /^(Send application|Submit application|Subscribe|Send message)$/ }).click({ noWaitAfter: true });

const entered = (page: Page) =>
  page.locator("form").evaluate((form: HTMLFormElement) =>
    Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, value instanceof File ? `${value.name} ${value.size}` : value])),
  );

function expectWhole({ receiver }: Sites) {
  expect(receiver.deliveries.length).toBe(1);
  const [{ fields, files }] = receiver.deliveries as [Receiver["deliveries"][0]];
  expect(fields).toMatchObject({ ...texts, letter: texts.letter.replace("\n", "\r\n") });
  expect(files.cv!.name).toBe(cv.name);
  expect(files.cv!.bytes.equals(cv.buffer)).toBe(true);
  expect(files.portfolio!.bytes.equals(picture.buffer)).toBe(true);
}

test("an application arrives with its files, byte for byte, and says so", async ({ page, sites }) => {
  await apply(page, sites);
  await send(page);
  const sent = page.getByRole("status").filter({ hasText: "We have your application" });
  await expect(sent).toBeFocused();
  await expect(page.locator("form")).toHaveCount(0);
  expectWhole(sites);
  const { fields } = sites.receiver.deliveries[0]!;
  expect(fields.website).toBe("");
  expect(Number(fields._seconds)).toBeLessThan(60);
  expect(fields._delivery).toMatch(/^[0-9a-f-]{30,}$/);
});

const failures = [
  ["answers 500", 500, "did not arrive"],
  ["says that it is too much", 413, "too large"],
  ["cuts the connection", "reset", "did not arrive"],
  ["cuts the connection in the middle", "reset in the middle", "did not arrive"],
  ["never answers", "hang", "did not arrive"],
] as const;
for (const [what, behaviour, says] of failures)
  test(`nothing is lost if the receiver ${what}, and the next attempt arrives`, async ({ page, sites }) => {
    await apply(page, sites);
    const before = await entered(page);
    sites.receiver.next = [behaviour, behaviour];
    for (const attempt of [1, 2]) {
      await send(page);
      const alert = page.getByRole("alert").filter({ hasText: says });
      await expect(alert).toBeFocused();
      expect(await entered(page), `attempt ${attempt}`).toEqual(before);
      expect(sites.receiver.deliveries).toEqual([]);
    }
    sites.receiver.next = [];
    await send(page);
    await expect(page.getByRole("status").filter({ hasText: "We have your application" })).toBeFocused();
    expectWhole(sites);
  });

test("offline, a visitor reads so and loses nothing", async ({ page, context, sites }) => {
  await apply(page, sites);
  const before = await entered(page);
  await context.setOffline(true);
  await send(page);
  await expect(page.getByRole("alert").filter({ hasText: "You are offline" })).toBeFocused();
  expect(await entered(page)).toEqual(before);
  await context.setOffline(false);
  await send(page);
  await expect(page.getByText("We have your application")).toBeVisible();
  expectWhole(sites);
});

test("a network that fails during a submit loses nothing", async ({ page, context, sites }) => {
  await apply(page, sites);
  const before = await entered(page);
  sites.receiver.next = ["hang"];
  await send(page);
  await expect.poll(() => sites.receiver.attempts).toBe(1);
  await context.setOffline(true);
  await expect(page.getByRole("alert").filter({ hasText: "You are offline" })).toBeFocused();
  expect(await entered(page)).toEqual(before);
  await context.setOffline(false);
  await send(page);
  await expect(page.getByText("We have your application")).toBeVisible();
  expectWhole(sites);
});

test("a form is sent once, however often the button is pressed", async ({ page, sites }) => {
  await apply(page, sites);
  sites.receiver.next = ["hang"];
  await page.locator("form").evaluate((form: HTMLFormElement) => {
    const button = form.querySelector<HTMLElement>("button")!;
    for (let time = 0; time < 5; time++) button.click();
    form.requestSubmit();
  });
  await expect(page.getByRole("button", { name: "Sending …" })).toHaveAttribute("aria-disabled", "true");
  await page.getByLabel("Phone").press("Enter");
  await expect(page.getByRole("alert").filter({ hasText: "did not arrive" })).toBeFocused();
  expect(sites.receiver.attempts).toBe(1);
});

test("an incomplete form says what is wrong, above and at each field, and sends nothing", async ({ page, sites }) => {
  await page.goto(sites.brewery.origin + job);
  await ready(page);
  await page.getByLabel("Name").fill("   ");
  await page.getByLabel("E-mail").fill("ada");
  await page.locator("[name=cv]").setInputFiles({ ...cv, name: "cv.exe" });
  await page.locator("[name=portfolio]").setInputFiles({ name: "big.png", mimeType: "image/png", buffer: Buffer.alloc(5_000_001) });
  await send(page);
  const summary = page.getByRole("alert").filter({ hasText: "There is a problem" });
  await expect(summary).toBeFocused();
  await expect(summary.getByRole("link")).toHaveText([
    "This is missing: Name",
    "Please check: E-mail",
    "CV must be of one of these types: .pdf, .odt",
    "Something you have made must be smaller than 5 MB",
  ]);
  await expect(page).toHaveTitle(/^There is a problem: /);
  // The classes that docs/content/pages/guides/forms.md names.
  await expect(summary).toHaveClass(/(^| )form-errors$/);
  await expect(page.locator(".form-error")).toHaveCount(4);
  await expect(page.getByLabel("E-mail")).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByLabel("CV")).toHaveAccessibleDescription(/at most 5 MB .*one of these types/);
  expect(await violations(page)).toEqual([]);
  await summary.getByRole("link", { name: "E-mail" }).click();
  await expect(page.getByLabel("E-mail")).toBeFocused();
  expect(sites.receiver.attempts).toBe(0);
  // Corrected, it goes.
  for (const [name, text] of Object.entries(texts)) await page.locator(`form [name=${name}]`).fill(text);
  await page.locator("[name=cv]").setInputFiles(cv);
  await page.locator("[name=portfolio]").setInputFiles(picture);
  await send(page);
  await expect(page.getByText("We have your application")).toBeVisible();
  expectWhole(sites);
});

test("the newsletter needs the consent, and goes as JSON", async ({ page, sites }) => {
  await page.goto(`${sites.brewery.origin}/newsletter`);
  await ready(page);
  await page.getByLabel("E-mail").fill("ada@example.com");
  await send(page);
  await expect(page.getByRole("alert").getByRole("link")).toHaveText(["This is missing: Send me the letter. I can stop it at any time."]);
  expect(sites.receiver.attempts).toBe(0);
  // The message of a check box stands above it, and the label beside it.
  const box = (of: Locator) => of.boundingBox().then((box) => box!);
  const message = await box(page.locator(".field--choice .form-error"));
  const control = await box(page.getByRole("checkbox"));
  const label = await box(page.locator(".field--choice label"));
  expect(message.y + message.height).toBeLessThanOrEqual(control.y);
  expect(label.x).toBeGreaterThanOrEqual(control.x + control.width);
  expect(label.y).toBeLessThan(control.y + control.height);
  await page.getByRole("checkbox").check();
  // It has no text of its own for a form that is too large.
  for (const status of [500, 413]) {
    sites.receiver.next = [status];
    await send(page);
    await expect(page.getByRole("alert").filter({ hasText: "could not take your address" })).toBeFocused();
    await expect(page.locator(".form-failure")).toBeFocused();
    await expect(page.getByLabel("E-mail")).toHaveValue("ada@example.com");
  }
  await send(page);
  await expect(page.locator(".form-sent[role=status]").filter({ hasText: "Thank you" })).toBeFocused();
  expect(sites.receiver.deliveries).toMatchObject([
    { path: "/newsletter", type: "application/json", fields: { email: "ada@example.com", consent: "yes" }, files: {} },
  ]);
});

test("the contact form of the first site delivers if its file says so", async ({ page, sites }) => {
  await page.goto(sites.first.origin);
  await ready(page);
  const message = { name: "Ada", email: "ada@example.com", company: "Engines", message: "Hello" };
  for (const [name, text] of Object.entries(message)) await page.locator(`form [name=${name}]`).fill(text);
  await send(page);
  await expect(page.getByRole("status").filter({ hasText: "Thank you" })).toBeFocused();
  expect(sites.receiver.deliveries).toMatchObject([{ path: "/contact", fields: message }]);
});

test("the application of the first site delivers its files if its file says so", async ({ page, sites }) => {
  await page.goto(`${sites.first.origin}/careers`);
  await ready(page);
  const text = { firstName: "Ada", lastName: "Lovelace", email: "ada@example.com" };
  for (const [name, value] of Object.entries(text)) await page.locator(`form [name=${name}]`).fill(value);
  await page.locator("[name=cv]").setInputFiles(cv);
  await send(page);
  await expect(page.getByRole("status").filter({ hasText: "Thank you" })).toBeFocused();
  expect(sites.receiver.deliveries).toMatchObject([{ fields: text }]);
  expect(sites.receiver.deliveries[0]!.files.cv!.bytes.equals(cv.buffer)).toBe(true);
});

test("what is typed before the script arrives stays, and a page without a form has a closed policy", async ({ page, sites }) => {
  let release = () => {};
  const released = new Promise<void>((done) => (release = done));
  await page.route("**/*.js", async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(sites.brewery.origin + job);
  for (const [name, text] of Object.entries(texts)) await page.locator(`form [name=${name}]`).fill(text);
  await page.locator("[name=cv]").setInputFiles(cv);
  await page.locator("[name=portfolio]").setInputFiles(picture);
  release();
  await ready(page);
  await send(page);
  await expect(page.getByText("We have your application")).toBeVisible();
  expectWhole(sites);
  const policy = async (path: string) => {
    await page.goto(sites.brewery.origin + path);
    return page.locator("meta[http-equiv]").getAttribute("content");
  };
  expect(await policy("/beers")).not.toContain(sites.receiver.origin);
  expect(await policy("/beers")).toContain("form-action 'none'");
  // Sources are sorted, and ports vary.
  expect(await policy("/newsletter")).toMatch(new RegExp(`form-action [^;]*${sites.receiver.origin}[ ;]`));
});

test("a page with a form stays light", async ({ sites }) => {
  for (const [out, page] of [
    ["brewery", "jobs/brewer.html"],
    ["brewery", "newsletter.html"],
    ["first", "index.html"],
  ] as const) {
    const html = readFileSync(join(sites.folder, out, page), "utf8");
    const modules = new Set([...html.matchAll(/data-modules="([^"]*)"/g)].flatMap(([, list]) => list!.split(" ")));
    const bytes = [...modules].reduce((sum, module) => sum + brotliCompressSync(readFileSync(join(sites.folder, out, module))).length, 0);
    expect(modules.size).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(4_000);
    expect(brotliCompressSync(html).length + bytes).toBeLessThan(61_500);
    const engine = [...html.matchAll(/<script type="module">(.*?)<\/script>/gs)].map(([, text]) => text!).join("");
    expect(brotliCompressSync(engine).length).toBeLessThan(1_000);
  }
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the application goes as a real form, and the visitor sees a page that exists", async ({ page, sites }) => {
    sites.receiver.success = `${sites.brewery.origin}/jobs/thanks`;
    await page.goto(sites.brewery.origin + job);
    for (const [name, text] of Object.entries(texts)) await page.locator(`form [name=${name}]`).fill(text);
    await page.locator("[name=cv]").setInputFiles(cv);
    await page.locator("[name=portfolio]").setInputFiles(picture);
    await page.getByRole("button", { name: "Send application" }).click();
    await expect(page).toHaveURL(`${sites.brewery.origin}/jobs/thanks`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("We have your application");
    expectWhole(sites);
  });

  test("the first site's contact form goes as a real form, too", async ({ page, sites }) => {
    sites.receiver.success = `${sites.first.origin}/thanks`;
    await page.goto(sites.first.origin);
    for (const name of ["name", "company", "message"]) await page.locator(`form [name=${name}]`).fill(name);
    await page.locator("form [name=email]").fill("a@example.com");
    await page.getByRole("button", { name: "Send message" }).click();
    await expect(page).toHaveURL(`${sites.first.origin}/thanks`);
    expect(sites.receiver.deliveries.length).toBe(1);
  });
});

for (const [name, start] of Object.entries(engines))
  test.describe(name, () => {
    // Where CI is set, nothing is left out.
    test.skip(!start && !process.env.CI, `${name} is not installed on this machine.`);
    test.describe.configure({ mode: "serial", timeout: 120_000 });
    let engine: Engine;
    test.afterAll(() => engine?.close());

    const run = <T>(body: string) => engine.run<T>(body);
    const open = async (url: string) => {
      await engine.open(url);
      await run("document.querySelector('form').scrollIntoView()");
      await expect.poll(() => run("return document.querySelector('form').noValidate")).toBe(true);
    };
    const fill = (texts: Record<string, string>) =>
      run(`for (const [name, text] of Object.entries(${JSON.stringify(texts)})) document.querySelector('form').elements.namedItem(name).value = text`);
    const choose = async (sites: Sites) => {
      for (const [field, file] of Object.entries({ cv, portfolio: picture })) {
        const path = join(mkdtempSync(join(sites.folder, "chosen-")), file.name);
        writeFileSync(path, file.buffer);
        await engine.choose(`form [name=${field}]`, path);
      }
    };
    const submit = () => run("document.querySelector('form button').click()");
    const focused = (text: string) =>
      expect.poll(() => run<string>("return document.activeElement.textContent")).toContain(text);
    const form = () =>
      run(`return Object.fromEntries([...new FormData(document.querySelector('form'))].map(([name, value]) =>
        [name, value instanceof File ? value.name + " " + value.size : value]))`);

    test("the newsletter goes as JSON after failures, and keeps what was typed", async ({ sites }) => {
      engine = await start!();
      await open(`${sites.brewery.origin}/newsletter`);
      await fill({ email: "ada@example.com" });
      await submit();
      await focused("This is missing: Send me the letter.");
      expect(sites.receiver.attempts).toBe(0);
      await run("document.querySelector('form [name=consent]').click()");
      const before = await form();
      for (const behaviour of [500, "reset"] as const) {
        // Some browsers repeat a request whose connection was cut.
        sites.receiver.next = [behaviour, behaviour];
        await submit();
        await focused("could not take your address");
        expect(await form(), `${behaviour}`).toEqual(before);
        expect(sites.receiver.deliveries).toEqual([]);
        sites.receiver.next = [];
        await run("document.querySelector('form [name=email]').focus()");
      }
      await submit();
      await focused("Thank you");
      expect(sites.receiver.deliveries).toMatchObject([
        { path: "/newsletter", type: "application/json", fields: { email: "ada@example.com", consent: "yes" }, files: {} },
      ]);
    });

    test("an application arrives with its files, byte for byte, after every failure", async ({ sites }) => {
      await open(sites.brewery.origin + job);
      await fill(texts);
      await choose(sites);
      const before = await form();
      expect(before).toMatchObject({ cv: `${cv.name} ${cv.buffer.length}`, portfolio: `${picture.name} ${picture.buffer.length}` });
      for (const [what, behaviour, says] of failures) {
        // Some browsers repeat a request whose connection was cut.
        sites.receiver.next = [behaviour, behaviour, behaviour];
        await submit();
        await focused(says);
        expect(await form(), what).toEqual(before);
        expect(sites.receiver.deliveries).toEqual([]);
        sites.receiver.next = [];
        await run("document.querySelector('form [name=cv]').focus()");
      }
      await submit();
      await focused("We have your application");
      expectWhole(sites);
    });

    test("without JavaScript, both go as real forms, and the visitor sees pages that exist", async ({ sites }) => {
      await engine.close();
      engine = await start!({ scripts: false });
      // On the way to another page there is no heading, and a script may end with its page.
      const shows = (text: string) =>
        expect.poll(() => run<string>("return document.querySelector('h1')?.textContent").catch(String)).toBe(text);
      await engine.open(sites.brewery.origin + job);
      expect(await run("return document.querySelector('form').noValidate")).toBe(false);
      await fill(texts);
      await choose(sites);
      sites.receiver.success = `${sites.brewery.origin}/jobs/thanks`;
      await submit();
      await shows("We have your application");
      expectWhole(sites);
      expect(sites.receiver.deliveries[0]!.accept).toContain("text/html");
      sites.receiver.deliveries = [];
      await engine.open(`${sites.brewery.origin}/newsletter`);
      await fill({ email: "ada@example.com" });
      await run("document.querySelector('form [name=consent]').click()");
      sites.receiver.success = `${sites.brewery.origin}/newsletter/thanks`;
      await submit();
      await expect.poll(() => run("return location.pathname").catch(String)).toBe("/newsletter/thanks");
      expect(sites.receiver.deliveries).toMatchObject([{ path: "/newsletter", fields: { email: "ada@example.com", consent: "yes" } }]);
    });
  });
