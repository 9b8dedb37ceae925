// Takes the pictures of the documentation from the real program, so that they show what it does today:
//
//     npm run screenshots [starters|tutorial]
//
// For each starter the home page of a new project, and for the tutorial the page that its text shows, at the place where the
// picture is: the script writes the files of the tutorial in their order while `sitegen serve` runs. `SITEGEN` sets another
// program, `CHROMIUM` another browser.
import { spawn, execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { chromium } from "@playwright/test";

const repository = resolve(import.meta.dirname, "..");
const sitegen = resolve(repository, process.env.SITEGEN ?? "target/release/sitegen");
const assets = join(repository, "docs/content/assets");
const work = mkdtempSync(join(tmpdir(), "screenshots-"));
const wanted = process.argv[2];

/** The page of each starter that is shown. */
const starters = { minimal: "/", company: "/", blog: "/", portfolio: "/", docs: "/guides/use" };

/** The page of each picture in the tutorial. */
const steps = { start: "/", error: "/", about: "/about", news: "/news", photograph: "/about", hours: "/", colours: "/news" };

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
const page = await browser.newPage({ colorScheme: "light", reducedMotion: "reduce" });

/** Starts a command that serves a site, and returns its address and how to end it. */
async function serving(folder, ...command) {
  const server = spawn(sitegen, [...command, "--port", "0"], { cwd: folder, stdio: ["ignore", "pipe", "ignore"] });
  for await (const line of createInterface({ input: server.stdout })) {
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (address) return { address, end: () => server.kill("SIGTERM") };
  }
  throw new Error(`${command.join(" ")} in ${folder} says no address`);
}

/** Writes a picture of the open page. */
async function shoot(path) {
  await page.evaluate(() => document.fonts.ready);
  mkdirSync(dirname(path), { recursive: true });
  await page.screenshot({ path, type: "jpeg", quality: 85 });
  console.log(path.slice(repository.length + 1));
}

async function showStarters() {
  await page.setViewportSize({ width: 1280, height: 800 });
  for (const [starter, path] of Object.entries(starters)) {
    const project = join(work, starter);
    execFileSync(sitegen, ["new", project, "--starter", starter, "--name", "Example"], { stdio: "ignore" });
    if (existsSync(join(project, "package.json"))) symlinkSync(join(repository, "node_modules"), join(project, "node_modules"));
    execFileSync(sitegen, ["build", "--quiet"], { cwd: project });
    const { address, end } = await serving(project, "preview");
    await page.goto(address + path, { waitUntil: "networkidle" });
    await shoot(join(assets, `starters/${starter}.jpg`));
    end();
  }
}

/** Returns the code blocks and the pictures of a text, in their order. */
function parts(text) {
  const found = [];
  let block;
  for (const line of text.split("\n")) {
    if (block && line === "```") block = void found.push(block);
    else if (block) block.text += `${line}\n`;
    else if (line.startsWith("```"))
      block = { language: /^```(\w*)/.exec(line)[1], title: /title="([^"]+)"/.exec(line)?.[1], text: "" };
    else if (line.startsWith("{{ <capture")) found.push({ picture: /path="tutorial\/(\w+)\.jpg"/.exec(line)?.[1] });
  }
  return found;
}

async function showTutorial() {
  await page.setViewportSize({ width: 960, height: 540 });
  let folder = work;
  let server;
  for (const { language, title, text, picture } of parts(readFileSync(join(repository, "docs/content/pages/tutorial.md"), "utf8"))) {
    if (picture) {
      if (!(picture in steps)) throw new Error(`no page is known for tutorial/${picture}.jpg`);
      // The server reads what was written, builds the site and sends it to the page.
      await new Promise((done) => setTimeout(done, 2_000));
      if (picture !== "error") await page.goto(server.address + steps[picture], { waitUntil: "networkidle" });
      await shoot(join(assets, `tutorial/${picture}.jpg`));
    } else if (language === "sh") {
      for (const line of text.trim().split("\n")) {
        if (line.startsWith("cd ")) folder = join(folder, line.slice(3));
        else if (line === "sitegen serve") {
          server = await serving(folder, "serve");
          await page.goto(server.address);
        } else if (line.startsWith("sitegen new")) {
          const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word);
          execFileSync(sitegen, words.slice(1), { cwd: folder, stdio: "ignore" });
        }
      }
    } else if (title && title !== "The message") {
      const file = join(folder, title);
      mkdirSync(dirname(file), { recursive: true });
      if (text.includes("](oven.jpg)"))
        cpSync(join(repository, "examples/brewery/content/assets/photos/barley.jpg"), join(folder, "content/assets/oven.jpg"));
      writeFileSync(file, text);
    }
  }
  server?.end();
}

try {
  if (wanted !== "tutorial") await showStarters();
  if (wanted !== "starters") await showTutorial();
} finally {
  await browser.close();
  rmSync(work, { recursive: true, force: true });
}
