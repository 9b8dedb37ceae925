// The extension in code-server, in Chromium: `node vscode.mjs WORK MUSEUM SMALL EXTENSION`. `run` installs and calls it.
// MUSEUM is a copy of examples/museum, SMALL one of `site/`.
import { chromium } from "@playwright/test";
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

const [work, museum, small, extension] = process.argv.slice(2);
const screenshots = join(work, "screenshots");
const data = join(work, "code");
rmSync(data, { recursive: true, force: true });
rmSync(screenshots, { recursive: true, force: true });
mkdirSync(join(data, "User"), { recursive: true });
mkdirSync(screenshots, { recursive: true });

const settings = {
  "workbench.startupEditor": "none",
  "window.autoDetectColorScheme": true,
  "security.workspace.trust.startupPrompt": "never",
  "telemetry.telemetryLevel": "off",
  "chat.disableAIFeatures": true,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  // An editor takes `PATH` from the shell of the person.
  "sitegen.path": join(work, "bin/sitegen"),
  "git.enabled": false,
  "files.autoSave": "off",
  "editor.minimap.enabled": false,
  "editor.accessibilitySupport": "off",
  "extensions.ignoreRecommendations": true,
};
writeFileSync(join(data, "User/settings.json"), JSON.stringify(settings, null, 2));

const code = join(work, "node_modules/code-server/out/node/entry.js");
const common = ["--config", join(data, "config.yaml"), "--user-data-dir", data, "--extensions-dir", join(data, "extensions")];
writeFileSync(join(data, "config.yaml"), "auth: none\ncert: false\n");
execFileSync("node", [code, ...common, "--install-extension", extension], { stdio: "pipe" });

const port = await new Promise((done) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const { port } = server.address();
    server.close(() => done(port));
  });
});

/** Starts the editor, and returns what ends it. */
async function start(...options) {
  const own = ["--bind-addr", `127.0.0.1:${port}`, "--auth", "none", "--disable-telemetry", "--disable-update-check"];
  const child = spawn("node", [code, ...common, ...own, ...options], { stdio: "ignore", detached: true });
  const stop = () => {
    try {
      process.kill(-child.pid);
    } catch {
      // It has ended.
    }
  };
  process.on("exit", stop);
  await wait("code-server answers", async () => (await fetch(`http://127.0.0.1:${port}/healthz`)).ok);
  return async () => {
    const ended = new Promise((done) => child.once("exit", done));
    stop();
    await ended;
  };
}

const wait = async (what, is, time = 30_000) => {
  const end = Date.now() + time;
  let last;
  while (Date.now() < end) {
    try {
      if ((last = await is())) {
        console.log(`ok   ${what}`);
        return last;
      }
    } catch (failure) {
      last = failure;
    }
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`waited in vain: ${what}: ${last}`);
};

let page;
let stop;
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync),
  args: ["--no-sandbox"],
});
try {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  page = await context.newPage();
  const shot = (name) => page.screenshot({ path: join(screenshots, `${name}.png`) });
  const input = page.locator(".quick-input-widget input").first();
  const command = async (text) => {
    await input.waitFor({ state: "hidden" });
    // It does not open while a dialog closes.
    for (let tries = 0; tries < 50 && !(await input.isVisible()); tries++) {
      await page.keyboard.press("F1");
      await page.waitForTimeout(200);
    }
    await page.keyboard.type(text, { delay: 10 });
    await page.locator('.quick-input-list .monaco-list-row[data-index="0"]').waitFor();
    await page.waitForTimeout(300);
    await page.keyboard.press("Enter");
  };
  const open = async (path) => {
    await input.waitFor({ state: "hidden" });
    await page.keyboard.press("Control+P");
    await input.fill(path);
    // The list is of what was typed before for a while.
    const [folder, name] = [path.slice(0, path.lastIndexOf("/")), path.slice(path.lastIndexOf("/") + 1)];
    const first = page.locator('.quick-input-list .monaco-list-row[data-index="0"]');
    await first.filter({ hasText: name }).filter({ hasText: folder }).waitFor();
    await page.waitForTimeout(300);
    await page.keyboard.press("Enter");
    await page.locator(`.tab.active[data-resource-name="${name}"]`).waitFor();
    await page.locator(".editor-instance .monaco-editor.focused").first().waitFor();
  };
  const text = () => page.locator(".editor-instance .view-lines").first().innerText();
  const suggestions = () => page.locator(".suggest-widget.visible .monaco-list-row").allInnerTexts();
  const problems = () => page.locator(".markers-panel-container .monaco-list-row, .markers-panel .monaco-list-row").allInnerTexts();
  const end = async () => {
    await page.keyboard.press("Control+End");
    await page.keyboard.press("End");
  };
  const undo = async () => {
    await page.keyboard.press("Escape");
    await command("File: Revert File");
  };

  const visit = async (folder) => {
    await page.goto(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(folder)}`);
    await page.locator(".explorer-folders-view .monaco-list-row").first().waitFor({ timeout: 60_000 });
  };

  stop = await start("--disable-workspace-trust");
  await visit(museum);
  await open("content/pages/about.md");
  await end();
  await page.keyboard.type("\n\nSee [the fog](/journal/a-week-of-fgo).");
  await command("Problems: Focus on Problems View");
  await wait("a link that leads nowhere is a problem", async () => (await problems()).some((row) => row.includes("a-week-of-fgo")));
  await page.keyboard.press("Control+1");
  await end();
  await shot("01-problems-light");
  await page.emulateMedia({ colorScheme: "dark" });
  await wait("the editor becomes dark", async () => (await page.locator(".monaco-workbench.vs-dark").count()) > 0);
  // Colours change slowly.
  await page.waitForTimeout(1000);
  await shot("02-problems-dark");
  await page.emulateMedia({ colorScheme: "light" });
  await command("View: Close Panel");

  await page.keyboard.press("Control+1");
  await end();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Control+.");
  await page.locator(".action-widget .monaco-list-row", { hasText: "a-week-of-fog" }).first().waitFor();
  await shot("03-repairs");
  await page.keyboard.press("Enter");
  await wait("the lamp applies the repair", async () => (await text()).includes("/journal/a-week-of-fog)"));
  await wait("nothing is wrong after it", async () => (await page.locator(".squiggly-error").count()) === 0);

  await end();
  await page.keyboard.type(" And [x](/jour", { delay: 30 });
  await wait("links are completed with titles", async () => (await suggestions()).find((row) => row.includes("/journal") && /fog/i.test(row)));
  await shot("04-links");
  await page.keyboard.press("Escape");
  await page.keyboard.type("nal). Call {{ site.", { delay: 30 });
  await wait("references are completed with their values", async () => (await suggestions()).find((row) => row.includes("name")));
  await shot("05-references");
  await undo();

  await open("templates/pages/work.html");
  await page.keyboard.press("Control+F");
  await page.keyboard.type("site.labels.drawing");
  await page.keyboard.press("Escape");
  await command("Show or Focus Hover");
  await wait("hovering shows the value of a reference", async () => /draw/i.test(await page.locator(".monaco-hover:visible").first().innerText()));
  await shot("06-hover");
  await page.keyboard.press("Escape");
  await page.keyboard.press("F12");
  await wait("the definition is in site.yaml", async () => (await page.locator('.tab.active[data-resource-name="site.yaml"]').count()) > 0);
  await shot("07-definition");

  await open("templates/pages/work.html");
  await end();
  await page.keyboard.type("\n{{ page.ti", { delay: 30 });
  await wait("the keys of a page are completed in its template", async () => (await suggestions()).find((row) => row.startsWith("title")));
  await shot("08-template");
  await page.keyboard.press("Escape");
  await page.keyboard.type("tel }}", { delay: 10 });
  await wait("a template that is not saved is checked", async () => (await page.locator(".squiggly-error").count()) > 0);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.waitForTimeout(1000);
  await shot("09-template-dark");
  await page.emulateMedia({ colorScheme: "light" });

  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await command("sitegen: Explain this message");
  await wait("a message is explained", async () => {
    const frames = page.frames().map((frame) => frame.locator("body").innerText({ timeout: 500 }).catch(() => ""));
    return (await Promise.all(frames)).some((body) => body.includes("unknown-key") && body.includes("add it to the schema"));
  });
  await shot("10-explanation");
  await command("View: Close All Editors in Group");
  await open("templates/pages/work.html");
  await undo();

  await open("content/journal/a-week-of-fog.md");
  await shot("11-entry");
  const opened = context.waitForEvent("page", { timeout: 30_000 }).catch(() => undefined);
  await command("sitegen: Open this page in the browser");
  await page.waitForTimeout(2000);
  await shot("12-opening");
  const asked = page.locator(".monaco-dialog-box").getByText("Open", { exact: true });
  if (await asked.count()) await asked.click();
  const tab = await opened;
  await wait("the page of an entry opens in the browser", async () => /fog/i.test(await tab.locator("h1").innerText()));
  // code-server leads to it through a proxy of its own, below a path where absolute links and the updates do not work. Editors that
  // run on the person's machine open the address itself.
  await tab.goto(tab.url().replace(/:\d+\/proxy\/(\d+)/, ":$1"));
  await tab.screenshot({ path: join(screenshots, "13-page.png") });
  await page.bringToFront();
  await page.keyboard.press("Control+1");
  await end();
  await page.keyboard.type("\nThe fog has lifted.");
  await wait("the page follows what is typed, before it is saved", async () => (await tab.locator("main").innerText()).includes("The fog has lifted."));
  await tab.close();
  await undo();
  await stop();

  // A folder of somebody else's, whose settings name another program.
  const marker = join(small, "was-run");
  mkdirSync(join(small, ".vscode"));
  writeFileSync(join(small, ".vscode/settings.json"), '{ "sitegen.path": "./program" }');
  writeFileSync(join(small, "program"), `#!/bin/sh\ntouch ${marker}\nexec ${join(work, "bin/sitegen")} "$@"\n`);
  chmodSync(join(small, "program"), 0o755);
  stop = await start();
  await visit(small);
  await open("content/pages/index.md");
  await wait("a folder that is not trusted is checked", async () => (await page.locator(".squiggly-error").count()) > 0);
  if (existsSync(marker)) throw new Error("the program of a folder that is not trusted was run");
  await shot("14-restricted");
  await command("Workspaces: Manage Workspace Trust");
  await page.getByRole("button", { name: "Trust", exact: true }).first().click();
  await wait("when it is trusted, its settings count", () => existsSync(marker));

  await open("content/pages/index.md");
  await page.keyboard.press("Control+F");
  await page.keyboard.type("/abuot");
  await page.keyboard.press("Escape");
  await command("Fix All");
  await wait("“Fix all” repairs what is certain", async () => (await text()).includes("/about)"));
  await command("File: Save All Files");
  const written = (name) => readFileSync(join(small, "content/pages", name), "utf8");
  const has = (name) => existsSync(join(small, "content/pages", name));
  const isFine = async () => (await page.locator(".squiggly-error").count()) === 0;

  // In the explorer: the editor asks whether the other files may change.
  await open("content/pages/about.md");
  await command("File: Reveal Active File in Explorer View");
  await page.locator(".explorer-folders-view .monaco-list-row.focused", { hasText: "about.md" }).waitFor();
  await page.keyboard.press("F2");
  await page.locator(".explorer-folders-view input").fill("bread.md");
  await page.keyboard.press("Enter");
  await page.locator(".monaco-dialog-box").getByText("OK", { exact: true }).click();
  await wait("a file is renamed in the explorer", () => has("bread.md") && !has("about.md"));
  await command("File: Save All Files");
  await wait("that changes the links to its page", () => written("index.md").includes("](/bread)"));
  await wait("its old address redirects", () => written("bread.md").includes("- /about"));
  await open("content/pages/index.md");
  await wait("and nothing is wrong after it", isFine);

  // At a link: no question, as the person has named the page.
  await page.keyboard.press("Control+F");
  await page.keyboard.type("/bread");
  await page.keyboard.press("Escape");
  await page.keyboard.press("F2");
  await page.locator(".rename-box input").waitFor();
  await shot("15-rename");
  await page.locator(".rename-box input").fill("/loaves");
  await page.keyboard.press("Enter");
  await wait("renaming a page at a link moves its file", () => has("loaves.md") && !has("bread.md"));
  await command("File: Save All Files");
  await wait("its links lead there", () => written("index.md").includes("](/loaves)"));
  await wait("its old addresses redirect", () => /- \/about\n/.test(written("loaves.md")) && /- \/bread\n/.test(written("loaves.md")));
  await wait("and nothing is wrong after it", isFine);
} catch (failure) {
  await page?.screenshot({ path: join(screenshots, "failed.png") });
  throw failure;
} finally {
  await browser.close();
  await stop?.();
}
