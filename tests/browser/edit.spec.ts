// `sitegen serve --edit` and a real browser: what is clicked is the page, what changes is one value of one file.
import { spawn, type ChildProcess } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { expect, test as base, type FrameLocator, type Locator, type Page } from "@playwright/test";
import { transformSync } from "esbuild";
import { violations } from "./axe.ts";
import { engines, type Engine } from "./engines.ts";

const repository = resolve(import.meta.dirname, "../..");
const sitegen = resolve(repository, process.env.SITEGEN ?? "target/release/sitegen");

/** A copy of a site of this repository that is served for editing. */
class Project {
  readonly root = mkdtempSync(join(tmpdir(), "edit-"));
  /** The address of the editor with its token. */
  address = "";
  private child?: ChildProcess;

  constructor(site: string) {
    for (const part of ["content", "templates", "islands"])
      if (existsSync(join(repository, site, part)))
        cpSync(join(repository, site, part), join(this.root, part), { recursive: true });
    for (const part of ["package.json", "package-lock.json", "tsconfig.json"])
      cpSync(join(repository, part), join(this.root, part));
    symlinkSync(join(repository, "node_modules"), join(this.root, "node_modules"));
  }

  read = (path: string) => readFileSync(join(this.root, path), "utf8");

  /** Saves as editors do: to a temporary file, which then replaces the file. */
  edit(path: string, before: string, after: string) {
    const text = this.read(path);
    expect(text).toContain(before);
    const temporary = join(this.root, dirname(path), `.${basename(path)}.tmp`);
    writeFileSync(temporary, text.replace(before, after));
    renameSync(temporary, join(this.root, path));
  }

  async serve() {
    const options = ["serve", "--edit", "--root", this.root, "--port", "0", "--now", "2026-12-01"];
    this.child = spawn(sitegen, options, { stdio: ["ignore", "pipe", "ignore"] });
    for await (const line of createInterface(this.child.stdout!)) {
      this.address = /http:\S+\/\.sitegen\/edit#[0-9a-f]{32}/.exec(line)?.[0] ?? "";
      if (this.address) break;
    }
    expect(this.address).not.toBe("");
    // Nobody else reads what it says, and it must not wait for a reader.
    this.child.stdout!.resume();
  }

  async end() {
    const child = this.child;
    if (child) {
      const ended = new Promise((done) => child.once("exit", done));
      child.kill("SIGKILL");
      await ended;
    }
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
  }
}

interface Options {
  /** The folder of the site in this repository. */
  site: string;
}

const test = base.extend<Options & { project: Project; editor: Editor; quiet: void }>({
  site: ["examples/brewery", { option: true }],

  project: async ({ site, context }, use) => {
    const project = new Project(site);
    await project.serve();
    await use(project);
    // Pages would complain that the server is gone.
    await context.close();
    await project.end();
  },

  editor: async ({ page, project }, use) => use(new Editor(page, project)),

  // The browser reports what a policy blocks on the console.
  quiet: [
    async ({ context }, use) => {
      const seen: string[] = [];
      context.on("console", (message) => seen.push(`console ${message.type()}: ${message.text()}`));
      context.on("weberror", (thrown) => seen.push(`uncaught: ${thrown.error().stack}`));
      await use();
      expect(seen).toEqual([]);
    },
    { auto: true },
  ],
});

/** What a person does with the editor. */
class Editor {
  readonly frame: FrameLocator;
  /** The input over a text of the page. */
  readonly inPlace: Locator;
  readonly card: Locator;
  readonly panel: Locator;
  readonly problem: Locator;

  constructor(
    readonly page: Page,
    readonly project: Project,
  ) {
    this.frame = page.frameLocator("#frame");
    this.inPlace = page.locator("#place textarea");
    this.card = page.locator("#card");
    this.panel = page.locator("#panel");
    this.problem = page.locator(".problem__message");
  }

  async open(path = "/") {
    await this.page.goto(this.project.address + path);
    await this.ready();
  }

  /** Waits until the list has what can be edited on the page. */
  async ready() {
    // For the first answer the whole site is rendered a second time.
    await expect(this.page.locator(".entry[data-key^='part']").first()).toBeAttached({ timeout: 60_000 });
  }

  /** Writes over the text that is open, and saves it. */
  async write(text: string) {
    await this.inPlace.fill(text);
    await this.inPlace.press("Enter");
    await expect(this.inPlace).toHaveCount(0);
  }

  entry = (text: string) => this.page.locator(".entry", { hasText: text });

  save = () => this.page.getByRole("button", { name: "Save", exact: true }).click();

  async hidePanel() {
    if (await this.panel.isVisible()) await this.page.getByRole("button", { name: "Panel" }).click();
  }

  async showPanel() {
    if (!(await this.panel.isVisible())) await this.page.getByRole("button", { name: "Panel" }).click();
  }
}

test.describe.configure({ timeout: 180_000 });

const home = "content/pages/index.yaml";
const title = "Beer that waits for the tide";

test("a click on a text opens it where it stands, and Enter writes that value and nothing else", async ({
  editor,
  page,
  project,
}) => {
  await editor.open();
  const before = project.read(home);
  const heading = editor.frame.getByRole("heading", { level: 1 });
  await heading.hover();
  await expect(page.locator("#hover")).toBeVisible();
  const box = (await heading.boundingBox())!;
  await heading.click();
  await expect(editor.inPlace).toBeFocused();
  await expect(editor.inPlace).toHaveValue(title);
  const over = (await editor.inPlace.boundingBox())!;
  // The lines of the input lie on those of the page.
  expect(Math.abs(over.x - box.x)).toBeLessThan(2);
  expect(Math.abs(over.y - box.y)).toBeLessThan(2);
  expect(Math.abs(over.height - box.height)).toBeLessThan(4);
  for (const property of ["font-size", "font-weight", "color", "line-height"])
    await expect(editor.inPlace).toHaveCSS(
      property,
      await heading.evaluate((each, name) => getComputedStyle(each).getPropertyValue(name), property),
    );
  await editor.write("Beer that waits for the moon");
  await expect(heading).toHaveText("Beer that waits for the moon");
  expect(project.read(home)).toBe(before.replace(title, "Beer that waits for the moon"));
  await expect(page.locator("#toast")).toContainText("Saved");
  await expect(page.locator("#toast a").first()).toBeVisible();
  await expect(page.locator("#frame")).toBeFocused();
});

test("Esc leaves a text as it was", async ({ editor, project }) => {
  await editor.open();
  const before = project.read(home);
  await editor.frame.getByRole("heading", { level: 1 }).click();
  await editor.inPlace.fill("Something else");
  await editor.inPlace.press("Escape");
  await expect(editor.inPlace).toHaveCount(0);
  await expect(editor.frame.getByRole("heading", { level: 1 })).toHaveText(title);
  expect(project.read(home)).toBe(before);
});

test("a text that breaks a rule is marked with the message and not written", async ({ editor, project }) => {
  await editor.open("/beers/heron");
  const file = "content/beers/heron.md";
  const before = project.read(file);
  await editor.frame.getByRole("heading", { level: 1 }).click();
  await editor.inPlace.fill("A name that is much too long for the label of any bottle");
  await expect(editor.problem).toContainText("30");
  await expect(editor.inPlace).toHaveAttribute("aria-invalid", "true");
  const described = (await editor.inPlace.getAttribute("aria-describedby"))!.split(" ");
  expect(described).toContain(await editor.problem.evaluate((each) => each.closest(".problem")!.id));
  await editor.inPlace.press("Enter");
  await expect(editor.inPlace).toBeFocused();
  await expect(editor.problem).toBeVisible();
  expect(project.read(file)).toBe(before);
  // What is right again says so.
  await editor.inPlace.fill("Grey Heron");
  await expect(editor.problem).toHaveCount(0);
  await expect(editor.card.locator(".status")).toContainText("Changes");
  await editor.write("Grey Heron");
  expect(project.read(file)).toBe(before.replace("name: Heron", "name: Grey Heron"));
});

test("a number that the page shows in another format opens as a number", async ({ editor, project }) => {
  await editor.open("/beers/heron");
  const before = project.read("content/beers/heron.md");
  await editor.frame.getByText("\u00a33.10").click();
  const input = editor.page.locator("input[type=number]");
  await expect(input).toBeFocused();
  await input.fill("3.45");
  await input.press("Enter");
  await expect(editor.frame.getByText("\u00a33.45")).toBeVisible();
  expect(project.read("content/beers/heron.md")).toBe(before.replace("price: 3.10", "price: 3.45"));
});

test("a block of Markdown opens as its source, and only that block changes", async ({ editor, page, project }) => {
  await editor.open("/visit");
  const before = project.read("content/pages/visit.md");
  await editor.frame.getByText("From the station it is ten minutes").click();
  const source = editor.panel.locator("textarea").first();
  await expect(source).toBeFocused();
  await expect(page.locator("#pinned")).toBeVisible();
  const text = await source.inputValue();
  expect(before).toContain(text);
  await source.fill(text.replace("ten minutes", "**twelve** minutes"));
  await editor.save();
  await expect(editor.frame.locator("strong", { hasText: "twelve" })).toBeVisible();
  expect(project.read("content/pages/visit.md")).toBe(before.replace("ten minutes: down", "**twelve** minutes: down"));
});

test("a click in a table puts the caret there, and Enter adds a row below", async ({ editor, page, project }) => {
  await editor.open("/about/mill");
  const file = "content/pages/about/mill.md";
  const before = project.read(file);
  await editor.frame.getByText("granite", { exact: true }).click({ position: { x: 1, y: 5 } });
  const source = editor.panel.locator("textarea").first();
  await expect(source).toBeFocused();
  const table = await source.inputValue();
  const caret = () => source.evaluate((input: HTMLTextAreaElement) => [input.selectionStart, input.selectionEnd]);
  expect(await caret()).toEqual(Array(2).fill(table.indexOf("granite")));
  await page.keyboard.press("Enter");
  await page.keyboard.type("The door");
  const row = "| The stones | 140 years | granite |\n";
  const withRow = (more: string) => table.replace(row, row + more);
  await expect(source).toHaveValue(withRow("| The door |  |  |\n"));
  // From the head, the row comes below the line that parts it from the body.
  await source.evaluate((input: HTMLTextAreaElement) => input.setSelectionRange(4, 4));
  await page.keyboard.press("Enter");
  const ruler = "|---|---:|---|\n";
  await expect(source).toHaveValue(withRow("| The door |  |  |\n").replace(ruler, `${ruler}|  |  |  |\n`));
  // An empty row ends the table.
  await page.keyboard.press("Enter");
  await expect(source).toHaveValue(withRow("| The door |  |  |\n").replace(ruler, `${ruler}\n\n`));
  // All of it was typed, as the browser sees it.
  for (let step = 0; step < 2; step++) await page.keyboard.press("Control+z");
  await expect(source).toHaveValue(withRow("| The door |  |  |\n"));
  await source.press("Control+Enter");
  await expect(editor.frame.getByText("The door")).toBeVisible();
  expect(project.read(file)).toBe(before.replace(row, `${row}| The door |  |  |\n`));
});

test("a picture that is dropped onto Markdown is added, and its description asked for", async ({ editor, page, project }) => {
  await editor.open("/visit");
  const before = project.read("content/pages/visit.md");
  await editor.frame.getByText("From the station it is ten minutes").click();
  const source = editor.panel.locator("textarea").first();
  await expect(source).toBeFocused();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("\n\n");
  const file = readFileSync(join(repository, "examples/brewery/content/assets/photos/frost.jpg")).toString("base64");
  await source.evaluate((target, data) => {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([bytes], "First frost.jpg", { type: "image/jpeg" }));
    const at = { bubbles: true, cancelable: true, dataTransfer };
    if (!target.dispatchEvent(new DragEvent("dragover", at))) target.dispatchEvent(new DragEvent("drop", at));
  }, file);
  await expect(source).toHaveValue(/\n\n!\[\]\(first-frost\.jpg\)$/);
  await expect(source).toBeFocused();
  await expect(page.locator("#toast")).toContainText("Write between the brackets what the picture shows");
  await page.keyboard.type("The pond in winter");
  await editor.save();
  await expect(editor.frame.locator("img[src*=first-frost]").first()).toHaveAttribute("alt", "The pond in winter");
  expect(project.read("content/pages/visit.md")).toContain("\n\n![The pond in winter](first-frost.jpg)\n");
  for (const what of ["text of", "the picture first-frost.jpg"]) {
    await expect(page.locator("#undo")).toContainText(what);
    await page.locator("#undo").click();
  }
  await expect(page.locator("#undo")).toHaveAttribute("aria-disabled", "true");
  expect(project.read("content/pages/visit.md")).toBe(before);
  expect(existsSync(join(project.root, "content/assets/first-frost.jpg"))).toBe(false);
});

test("a picture that is too large is refused before it is sent", async ({ editor, page }) => {
  await editor.open("/visit");
  const sent: string[] = [];
  page.on("request", (request) => sent.push(request.url()));
  await editor.frame.getByRole("img").first().click();
  await expect(editor.panel.locator(".pictures img").first()).toBeAttached();
  const name = await editor.panel.locator(".drop__now span").textContent();
  sent.length = 0;
  await editor.panel.locator("input[type=file]").evaluate((input: HTMLInputElement) => {
    const chosen = new DataTransfer();
    chosen.items.add(new File([new Uint8Array(36_000_001)], "large.jpg", { type: "image/jpeg" }));
    input.files = chosen.files;
    input.dispatchEvent(new Event("change"));
  });
  await expect(editor.problem).toHaveText([/^The picture is too large: at most 36 MB can be added\./]);
  await expect(editor.panel.locator(".drop__now")).toHaveText(name!);
  await editor.save();
  expect(sent.filter((url) => /change|upload/.test(url))).toEqual([]);
});

test("a picture is chosen from those of the site, with its description beside it", async ({ editor, project }) => {
  await editor.open("/visit");
  const before = project.read("content/pages/visit.md");
  await editor.frame.getByRole("img").first().click();
  await editor.panel.locator(".pictures label", { hasText: "photos/barley.jpg" }).click();
  await editor.save();
  await expect(editor.frame.locator("img[src*=barley]").first()).toBeAttached();
  expect(project.read("content/pages/visit.md")).toBe(before.replace("photos/pond.jpg", "photos/barley.jpg"));
});

test("a picture of one's computer is uploaded with its description", async ({ editor, page, project }) => {
  await editor.open("/visit");
  await editor.frame.getByRole("img").first().click();
  const file = join(repository, "examples/brewery/content/assets/photos/frost.jpg");
  await editor.panel
    .locator("input[type=file]")
    .setInputFiles({ name: "winter.jpg", mimeType: "image/jpeg", buffer: readFileSync(file) });
  await editor.panel.getByLabel("Alternative text").fill("The pond in winter, frozen to its edge");
  await editor.save();
  await expect(editor.frame.locator("img[src*=winter]").first()).toHaveAttribute(
    "alt",
    "The pond in winter, frozen to its edge",
  );
  const name = /^photo: (\S*winter\S*)$/m.exec(project.read("content/pages/visit.md"))![1]!;
  expect(readFileSync(join(project.root, "content/assets", name)).equals(readFileSync(file))).toBe(true);
  // The description went with the picture: there is one change to undo.
  await page.locator("#undo").click();
  await expect(editor.frame.locator("img[src*=pond]").first()).toBeAttached();
  await expect(page.locator("#undo")).toHaveAttribute("aria-disabled", "true");
});

test("a picture without a description is refused beside its field, and may only decorate", async ({ editor, project }) => {
  await editor.open("/visit");
  await editor.frame.getByRole("img").first().click();
  const buffer = readFileSync(join(repository, "examples/brewery/content/assets/photos/frost.jpg"));
  await expect(editor.panel.getByLabel("Only decorates the page")).toBeHidden();
  await editor.panel.locator("input[type=file]").setInputFiles({ name: "winter.jpg", mimeType: "image/jpeg", buffer });
  await editor.save();
  await expect(editor.problem).toHaveText(["Say what the picture shows, for people who cannot see it."]);
  await expect(editor.panel.getByLabel("Alternative text")).toBeFocused();
  const [problem, pictures] = [(await editor.problem.boundingBox())!, editor.panel.locator("fieldset")];
  expect(problem.y).toBeLessThan((await pictures.boundingBox())!.y);
  await editor.panel.getByLabel("Only decorates the page").check();
  await editor.save();
  await expect(editor.frame.locator("img[src*=winter]").first()).toHaveAttribute("alt", "");
  expect(project.read("content/pages/visit.md")).toMatch(/^photo: \S*winter/m);
});

test("a picture that is dropped onto one of the page replaces it", async ({ editor, page, project }) => {
  await editor.open("/visit");
  const before = project.read("content/pages/visit.md");
  const image = editor.frame.getByRole("img").first();
  await image.scrollIntoViewIfNeeded();
  // As browsers do: the file comes with the events of a drag, which has to be accepted before anything can be dropped.
  const file = readFileSync(join(repository, "examples/brewery/content/assets/photos/frost.jpg")).toString("base64");
  const wasAccepted = await image.evaluate(async (target, data) => {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([bytes], "First frost.jpg", { type: "image/jpeg" }));
    const { left, top, width, height } = target.getBoundingClientRect();
    const at = { clientX: left + width / 2, clientY: top + height / 2, bubbles: true, cancelable: true, dataTransfer };
    target.dispatchEvent(new DragEvent("dragenter", at));
    const isRefused = target.dispatchEvent(new DragEvent("dragover", at));
    target.dispatchEvent(new DragEvent("drop", at));
    return !isRefused;
  }, file);
  expect(wasAccepted).toBe(true);
  await expect(editor.panel.locator(".drop__now")).toContainText("First frost.jpg");
  // Nothing is written before it is saved.
  expect(project.read("content/pages/visit.md")).toBe(before);
  await editor.panel.getByLabel("Alternative text").fill("The pond in winter");
  await editor.save();
  await expect(editor.frame.locator("img[src*=first-frost]").first()).toHaveAttribute("alt", "The pond in winter");
  expect(project.read("content/pages/visit.md")).toContain("photo: first-frost.jpg");
  // A text is no picture.
  const isHeadingRefused = await editor.frame
    .getByRole("heading", { level: 1 })
    .evaluate((target) => target.dispatchEvent(new DragEvent("dragover", { bubbles: true, cancelable: true })));
  expect(isHeadingRefused).toBe(true);
  await page.locator("#undo").click();
  await expect(editor.frame.locator("img[src*=pond]").first()).toBeAttached();
  expect(project.read("content/pages/visit.md")).toBe(before);
  expect(existsSync(join(project.root, "content/assets/first-frost.jpg"))).toBe(false);
});

test("an entry is added to a list and removed again", async ({ editor, project }) => {
  await editor.open("/beers/heron");
  const file = "content/beers/heron.md";
  const before = project.read(file);
  await editor.entry(file).first().click();
  await editor.panel.getByLabel("New entry of Taste").fill("banana split");
  await editor.panel.getByRole("group", { name: "Taste" }).getByRole("button", { name: "Add" }).click();
  await expect.poll(() => project.read(file)).toBe(before.replace("clove, orange]", "clove, orange, banana split]"));
  const remove = editor.panel.getByRole("button", { name: "Remove banana split" });
  await remove.click();
  await expect.poll(() => project.read(file)).toBe(before);
});

test("Enter adds a new entry, which is not checked before it is one", async ({ editor, page, project }) => {
  await editor.open("/beers/heron");
  const file = "content/beers/heron.md";
  const before = project.read(file);
  await editor.entry(file).first().click();
  const checks: string[] = [];
  page.on("request", (request) => request.url().endsWith("/check") && checks.push(request.url()));
  await editor.panel.getByLabel("New entry of Taste").fill("banana split");
  await page.waitForTimeout(600);
  expect(checks).toEqual([]);
  await expect(editor.problem).toHaveCount(0);
  await editor.panel.getByLabel("New entry of Taste").press("Enter");
  await expect.poll(() => project.read(file)).toBe(before.replace("clove, orange]", "clove, orange, banana split]"));
  await expect(page.locator("#editor")).toBeVisible();
});

test("a new entry that is written and not added is added when the form is saved, and stays when others move", async ({
  editor,
  page,
  project,
}) => {
  await editor.open("/beers/heron");
  const file = "content/beers/heron.md";
  const before = project.read(file);
  await editor.entry(file).first().click();
  const entry = editor.panel.getByLabel("New entry of Taste");
  await entry.fill("banana split");
  await editor.panel.getByRole("button", { name: "Move down banana" }).click();
  const moved = before.replace("[banana, clove, orange]", "[clove, banana, orange]");
  await expect.poll(() => project.read(file)).toBe(moved);
  await expect(editor.panel.getByRole("button", { name: "Move up banana" })).toBeVisible();
  await expect(entry).toHaveValue("banana split");
  await editor.panel.getByLabel("Kind").fill("Dark wheat beer");
  await editor.save();
  await expect(page.locator("#editor")).toBeHidden();
  expect(project.read(file)).toBe(
    moved.replace("orange]", "orange, banana split]").replace("kind: Wheat beer", "kind: Dark wheat beer"),
  );
});

test("a new entry that is wrong is not lost when the form is saved", async ({ editor, project }) => {
  await editor.open("/beers/heron");
  const file = "content/beers/heron.md";
  const before = project.read(file);
  await editor.entry(file).first().click();
  const entry = editor.panel.getByLabel("New entry of Taste");
  await entry.fill("{{ site.nothing }}");
  await editor.save();
  await expect(editor.problem.first()).toBeVisible();
  await expect(entry).toBeFocused();
  await expect(entry).toHaveValue("{{ site.nothing }}");
  expect(project.read(file)).toBe(before);
});

test("the fields of a form are saved together", async ({ editor, project }) => {
  await editor.open("/beers/heron");
  const file = "content/beers/heron.md";
  const before = project.read(file);
  await editor.entry(file).first().click();
  await editor.panel.getByLabel("Kind").fill("Dark wheat beer");
  await editor.panel.getByLabel("Bitterness").fill("15");
  await editor.save();
  await expect(editor.frame.getByText("Dark wheat beer").first()).toBeVisible();
  await expect(editor.panel.locator("#filter")).toBeVisible();
  expect(project.read(file)).toBe(
    before.replace("kind: Wheat beer", "kind: Dark wheat beer").replace("bitterness: 14", "bitterness: 15"),
  );
});

test("entries of a list move with their buttons, and the focus goes with them", async ({ editor, page, project }) => {
  await editor.open();
  const before = project.read("content/site.yaml");
  await editor.entry("content/site.yaml").first().click();
  const down = editor.panel.getByRole("button", { name: "Move down Beers" });
  await down.press("Enter");
  await expect.poll(() => project.read("content/site.yaml")).not.toBe(before);
  const rows = ["  - { label: Beers, path: /beers }\n", "  - { label: News, path: /news }\n"];
  expect(project.read("content/site.yaml")).toBe(before.replace(rows.join(""), rows.reverse().join("")));
  await expect(editor.panel.getByRole("button", { name: "Move down Beers" })).toBeFocused();
  await expect(editor.frame.locator("header nav a").first()).toHaveText("News");
  await expect(page.locator("#live")).toContainText("number 2");
});

test("undo and redo name what they change back, with buttons and keys", async ({ editor, page, project }) => {
  await editor.open();
  const before = project.read(home);
  await editor.frame.getByRole("heading", { level: 1 }).click();
  await editor.write("Another title");
  const after = project.read(home);
  const undo = page.locator("#undo");
  await expect(undo).toHaveAccessibleName(/Undo .*title/i);
  await undo.click();
  await expect(editor.frame.getByRole("heading", { level: 1 })).toHaveText(title);
  expect(project.read(home)).toBe(before);
  await expect(page.locator("#redo")).toHaveAccessibleName(/Redo .*title/i);
  await page.keyboard.press("Control+Shift+Z");
  await expect(editor.frame.getByRole("heading", { level: 1 })).toHaveText("Another title");
  expect(project.read(home)).toBe(after);
  await page.keyboard.press("Control+Z");
  await expect(editor.frame.getByRole("heading", { level: 1 })).toHaveText(title);
});

test("undo in one tab does not undo what another tab has changed", async ({ editor, page, project, context }) => {
  await editor.open();
  await editor.frame.getByRole("heading", { level: 1 }).click();
  await editor.write("Another title");
  const other = new Editor(await context.newPage(), project);
  await other.open("/visit");
  await other.frame.getByText("Opening hours, the way to the mill").click();
  await other.write("Come and see");
  const visit = project.read("content/pages/visit.md");
  await page.locator("#undo").click();
  await expect(page.locator("#toast")).toContainText("Something else was changed meanwhile");
  expect(project.read("content/pages/visit.md")).toBe(visit);
  // The button shows the other change now.
  await expect(page.locator("#undo")).toHaveAccessibleName(/Visit/);
  await page.locator("#undo").click();
  await expect.poll(() => project.read("content/pages/visit.md")).not.toBe(visit);
  expect(project.read(home)).toContain("title: Another title");
});

for (const kept of ["mine", "theirs"] as const)
  test(`undo over what somebody else has written ends: keep ${kept}`, async ({ editor, page, project }) => {
    await editor.open();
    await editor.frame.getByRole("heading", { level: 1 }).click();
    await editor.write("Another title");
    project.edit(home, "title: Another title", "title: Their title");
    await expect(editor.frame.getByRole("heading", { level: 1 })).toHaveText("Their title");
    await page.locator("#undo").click();
    await page.getByRole("button", { name: `Keep ${kept}` }).click();
    await expect(page.getByRole("dialog")).toBeHidden();
    await expect(page.locator("#undo")).toHaveAttribute("aria-disabled", "true");
    await expect.poll(() => project.read(home)).toContain(kept === "mine" ? `title: ${title}` : "title: Their title");
  });

for (const kept of ["mine", "theirs"] as const)
  test(`the same words changed on the disk are shown side by side: keep ${kept}`, async ({ editor, page, project }) => {
    await editor.open();
    await editor.frame.getByRole("heading", { level: 1 }).click();
    await editor.inPlace.fill("My title");
    project.edit(home, `title: ${title}`, "title: Their title");
    await editor.inPlace.press("Enter");
    const dialog = page.getByRole("dialog");
    await expect(dialog).toContainText("My title");
    await expect(dialog).toContainText("Their title");
    expect(project.read(home)).toContain("title: Their title");
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole("button", { name: `Keep ${kept}` }).click();
    await expect(editor.inPlace).toHaveCount(0);
    const text = kept === "mine" ? "My title" : "Their title";
    await expect(editor.frame.getByRole("heading", { level: 1 })).toHaveText(text);
    expect(project.read(home)).toContain(`title: ${text}\n`);
  });

test("what a template writes is named with its place", async ({ editor }) => {
  await editor.open("/beers/heron");
  await editor.frame.getByText("Tastes of").click();
  await expect(editor.card).toContainText(/templates\/\S+\.html:\d+/);
  await expect(editor.card.getByRole("button", { name: "Save" })).toHaveCount(0);
});

test("a link is followed when one browses, and from its editor", async ({ editor, page }) => {
  await editor.open();
  await editor.frame.getByRole("link", { name: "Visit", exact: true }).click();
  await expect(editor.inPlace).toHaveValue("Visit");
  await editor.card.getByRole("button", { name: "Follow the link" }).click();
  await expect(editor.frame.getByRole("heading", { level: 1 })).toHaveText("Visit");
  await expect.poll(() => new URL(page.url()).hash).toBe("#/visit");
  await page.getByRole("button", { name: "Browse" }).click();
  await editor.frame.getByRole("link", { name: "Team", exact: true }).click();
  await expect(editor.frame.getByRole("heading", { level: 1 })).toHaveText(/team|people/i);
  await expect(editor.inPlace).toHaveCount(0);
});

test("everything works with the keyboard alone, and the focus comes back", async ({ editor, page, project }) => {
  await editor.open();
  await page.locator("#filter").focus();
  await page.keyboard.type("waits for");
  await expect(page.locator("#count")).toContainText("of");
  await page.keyboard.press("Tab");
  // Before the parts of the page are its files.
  const isAtPart = () =>
    page.evaluate((text) => {
      const { dataset, textContent } = document.activeElement as HTMLElement;
      return dataset.key?.startsWith("part") && textContent!.startsWith(text);
    }, title);
  while (!(await isAtPart())) await page.keyboard.press("Tab");
  await expect(page.locator("#hover")).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(editor.inPlace).toBeFocused();
  await page.keyboard.press("Control+A");
  await page.keyboard.type("Beer that waits for nobody");
  await page.keyboard.press("Enter");
  await expect(editor.inPlace).toHaveCount(0);
  const entry = page.locator(".entry[data-key^='part']", { hasText: "Beer that waits for nobody" });
  await expect(entry.and(page.locator(":focus"))).toHaveCount(1);
  expect(project.read(home)).toContain("title: Beer that waits for nobody");
});

test("a reload of the tab keeps the token, which is not in the address bar", async ({ editor, page }) => {
  await editor.open("/visit");
  expect(new URL(page.url()).hash).toBe("#/visit");
  await page.reload();
  await editor.ready();
  await expect(editor.frame.getByRole("heading", { level: 1 })).toHaveText("Visit");
});

test("without the token nothing is shown but how to get it", async ({ page, project }) => {
  await page.goto(project.address.replace(/#.*/, ""));
  await expect(page.locator("#toast")).toContainText("sitegen serve --edit");
  await expect(page.locator(".entry")).toHaveCount(0);
});

test("a new entry is written from its title", async ({ editor, page, project }) => {
  await editor.open();
  await page.getByRole("button", { name: "Whole site" }).click();
  await editor.entry("A new page").first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Title").fill("Summer Hours");
  await expect(dialog.getByLabel("Last part of the address")).toHaveValue("summer-hours");
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Create" }).click();
  await expect(dialog).toBeHidden();
  // It is a draft, which is on no page: its form opens at once, and again from the list.
  await expect(editor.panel.getByRole("switch", { name: "Draft" })).toBeChecked();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Whole site" }).click();
  await editor.entry("Summer Hours").click();
  await expect(editor.panel.getByRole("switch", { name: "Draft" })).toBeChecked();
  await expect
    .poll(
      () =>
        existsSync(join(project.root, "content/pages/summer-hours.md")) ||
        existsSync(join(project.root, "content/pages/summer-hours.yaml")),
    )
    .toBe(true);
});

test.describe("the first site", () => {
  test.use({ site: "." });

  test("texts after an island stay those of their elements when it has hydrated", async ({ editor, page }) => {
    await editor.open();
    const island = editor.frame.locator("[data-island]").first();
    await island.scrollIntoViewIfNeeded();
    await expect
      .poll(() => island.evaluate((each) => Object.keys(each).some((key) => key.startsWith("__reactContainer"))))
      .toBe(true);
    await editor.panel.locator("#filter").fill("footer");
    for (const text of await editor.frame.locator("footer a").allTextContents()) {
      const link = editor.frame.locator("footer a", { hasText: text.trim() }).first();
      if (!(await link.textContent())?.trim()) continue;
      await link.hover();
      await expect(page.locator("#hover")).toBeVisible();
      const [mark, box] = [(await page.locator("#hover").boundingBox())!, (await link.boundingBox())!];
      expect(mark.x).toBeLessThanOrEqual(box.x + box.width);
      expect(Math.abs(mark.y + mark.height / 2 - box.y - box.height / 2)).toBeLessThan(box.height);
    }
  });
});

test.describe("a site in several languages", () => {
  test.use({ site: "examples/museum" });

  test("a text that runs from right to left is edited so", async ({ editor }) => {
    await editor.open("/ar/");
    await editor.frame.getByRole("heading", { level: 1 }).click();
    await expect(editor.inPlace).toHaveAttribute("dir", "rtl");
    await expect(editor.inPlace).toHaveAttribute("lang", /^ar/);
  });

  test("a text that a language does not have is translated, and the original stays", async ({ editor, project }) => {
    const file = "content/journal/notes-on-a-cord";
    const before = project.read(`${file}.md`);
    await editor.open("/de/tagebuch/notes-on-a-cord");
    await editor.frame.getByText("Nobody will untie anything.").click();
    const source = editor.panel.locator("textarea").first();
    await expect(source).toHaveValue("Nobody will untie anything. The knots are the object.");
    await expect(editor.panel).toContainText("What you write here is the text in Deutsch; the original stays as it is.");
    await source.fill("Niemand wird etwas aufkn\u00fcpfen. Die Knoten sind der Gegenstand.");
    await editor.save();
    await expect(editor.frame.getByText("Niemand wird etwas aufkn\u00fcpfen.")).toBeVisible();
    expect(project.read(`${file}.md`)).toBe(before);
    expect(project.read(`${file}.de.md`)).toContain("Niemand wird etwas aufkn\u00fcpfen. Die Knoten sind der Gegenstand.");
    await editor.page.locator("#undo").click();
    await expect(editor.frame.getByText("Nobody will untie anything.")).toBeVisible();
    expect(existsSync(join(project.root, `${file}.de.md`))).toBe(false);
    expect(project.read(`${file}.md`)).toBe(before);
  });
});

test.describe("a phone", () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } });

  test("what is touched is large enough, and the text stays in view above its sheet", async ({ editor, page }) => {
    await editor.open("/visit");
    const small = () =>
      page.evaluate(() =>
        [
          ...document.querySelectorAll<HTMLElement>(
            "button, a, summary, select, input:not([type=radio], [type=checkbox]), label:has(input), textarea",
          ),
        ]
          .filter((each) => each.checkVisibility() && each.offsetHeight && !each.closest("#place"))
          .filter((each) => each.offsetHeight < 44 || each.offsetWidth < 44)
          .map((each) => `${each.outerHTML.slice(0, 80)} ${each.offsetWidth} x ${each.offsetHeight}`),
      );
    const lead = editor.frame.getByText("Opening hours, the way to the mill");
    await lead.tap();
    await expect(editor.inPlace).toBeFocused();
    expect(await small()).toEqual([]);
    await editor.write("Opening hours and the way");
    await expect(page.locator("#toast")).toBeVisible();
    expect(await small()).toEqual([]);
    await page.locator("#hush").tap();
    await editor.frame.getByText("From the station it is ten minutes").tap();
    await expect(editor.panel.locator("textarea")).toBeFocused();
    await expect(page.locator("#pinned")).toBeVisible();
    const [mark, panel] = [(await page.locator("#pinned").boundingBox())!, (await editor.panel.boundingBox())!];
    expect(mark.y).toBeGreaterThan(40);
    expect(mark.y + 44).toBeLessThan(panel.y);
    expect(await small()).toEqual([]);
    await editor.panel.getByRole("button", { name: "Discard" }).tap();
    await editor.showPanel();
    expect(await small()).toEqual([]);
    await editor.entry("content/site.yaml").first().tap();
    await editor.panel.locator(".list__row summary").first().tap();
    expect(await small()).toEqual([]);
  });
});

test("in forced colours the marks stay visible", async ({ editor, page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await editor.open();
  await editor.frame.getByRole("heading", { level: 1 }).hover();
  const mark = page.locator("#hover");
  await expect(mark).toBeVisible();
  const [border, ground] = await mark.evaluate((each) => [
    getComputedStyle(each).borderTopColor,
    getComputedStyle(document.body).backgroundColor,
  ]);
  expect(border).not.toBe(ground);
  expect(border).not.toMatch(/, 0\)$/);
});

for (const colorScheme of ["light", "dark"] as const)
  for (const width of [360, 1440])
    test(`at ${width} px, ${colorScheme}, axe finds nothing in any state and nothing is wider than the window`, async ({
      editor,
      page,
    }) => {
      test.setTimeout(180_000);
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      const check = async (state: string) => {
        expect(await violations(page), state).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), state).toBeLessThanOrEqual(
          0,
        );
      };
      await editor.open("/visit");
      const lead = editor.frame.getByText("Opening hours, the way to the mill");
      await lead.hover();
      await check("page");
      await lead.click();
      await expect(editor.inPlace).toBeFocused();
      await check("text");
      await page.keyboard.press("Escape");
      await editor.showPanel();
      await check("list");
      await editor.entry("content/site.yaml").first().click();
      await editor.panel.locator(".list__row summary").first().click();
      await check("form");
      await page.keyboard.press("Escape");
      await editor.hidePanel();
      await editor.frame.getByText("From the station it is ten minutes").click();
      await expect(editor.panel.locator("textarea").first()).toBeFocused();
      await check("markdown");
      await page.keyboard.press("Escape");
      await editor.frame.getByRole("img").first().click();
      await expect(editor.panel.locator(".pictures img").first()).toBeVisible();
      await check("picture");
      await page.keyboard.press("Escape");
      await lead.click();
      await editor.inPlace.fill("{{ site.nothing }}");
      await expect(editor.problem.first()).toBeVisible();
      await check("error");
      await editor.write("Come and see");
      await expect(page.locator("#toast")).toBeVisible();
      await check("toast");
    });

for (const [name, start] of Object.entries(engines))
  test.describe(name, () => {
    // Where CI is set, nothing is left out.
    test.skip(!start && !process.env.CI, `${name} is not installed on this machine.`);

    test("a text is changed in the page", async ({ project }) => {
      test.setTimeout(180_000);
      const engine: Engine = await start!();
      try {
        await engine.open(`${project.address}/`);
        await expect
          .poll(() => engine.run<number>("return document.querySelectorAll('.entry').length"), { timeout: 60_000 })
          .toBeGreaterThan(5);
        await engine.run("document.getElementById('frame').contentDocument.querySelector('h1').click()");
        await expect.poll(() => engine.run("return document.activeElement.value")).toBe(title);
        await engine.run("document.activeElement.setSelectionRange(0, document.activeElement.value.length)");
        await engine.type("Beer for all engines");
        await engine.press("Enter");
        const heading = "return document.getElementById('frame').contentDocument.querySelector('h1').textContent";
        await expect.poll(() => engine.run(heading)).toBe("Beer for all engines");
        expect(project.read(home)).toContain("title: Beer for all engines");
        await engine.run("document.getElementById('undo').click()");
        await expect.poll(() => engine.run(heading)).toBe(title);
      } finally {
        await engine.close();
      }
    });
  });

test("the script is at most 25 KB", () => {
  const code = readFileSync(join(repository, "src/serve/edit/edit.js"), "utf8");
  // `npx esbuild --minify --format=esm src/serve/edit/edit.js > src/serve/edit/edit.min.js` writes it anew.
  const served = readFileSync(join(repository, "src/serve/edit/edit.min.js"), "utf8");
  expect(served).toBe(transformSync(code, { minify: true, format: "esm" }).code);
  expect(served.length).toBeLessThanOrEqual(25 * 1024);
});
