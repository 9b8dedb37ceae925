// The pages of which the documentation has pictures. tests/screenshots.mjs takes the pictures, and
// tests/browser/screenshots.spec.mjs compares what they were taken of with what the program shows today.
//
// The bytes of a picture depend on the browser and its fonts. What it was taken of does not: the HTML, the styles and the
// files that these name.
import { spawn, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";

const repository = resolve(import.meta.dirname, "../..");

/** The folder of the pictures. */
export const assets = join(repository, "docs/content/assets");

/** What each picture was taken of, by its name. */
export const record = join(repository, "tests/screenshots.json");

/** The page of each starter that is shown. */
const starters = { minimal: "/", company: "/", blog: "/", portfolio: "/", docs: "/guides/use" };

/** The page of each picture in the tutorial. */
const steps = { start: "/", error: "/", about: "/about", news: "/news", photograph: "/about", hours: "/", colours: "/news" };

/** The step that ends with an error. The browser stays where it was, and shows it. */
const broken = "error";

/** Entries of a later day are left out, so it does not depend on the calendar which entries a page has. */
const today = ["--now", "2026-12-01"];

/**
 * Yields, one after the other, the home page of a new project of each starter, while it is served: the picture's `name`, the
 * `viewport` and the page's `address`. `work` is an empty folder.
 */
export async function* pagesOfStarters(sitegen, work) {
  for (const [starter, path] of Object.entries(starters)) {
    const project = join(work, starter);
    execFileSync(sitegen, ["new", project, "--starter", starter, "--name", "Example"], { stdio: "ignore" });
    if (existsSync(join(project, "package.json"))) symlinkSync(join(repository, "node_modules"), join(project, "node_modules"));
    const server = await serving(sitegen, project, "serve", ...today);
    try {
      yield { name: `starters/${starter}`, viewport: { width: 1280, height: 800 }, address: server.address + path };
    } finally {
      await server.end();
    }
  }
}

/**
 * Follows the tutorial: writes its files in their order while `sitegen serve` runs, and yields the page that its text shows, at
 * the place where the picture is. `problems` are those that the browser shows over the page.
 */
export async function* pagesOfTutorial(sitegen, work) {
  let folder = work;
  let server;
  try {
    for (const { language, title, text, picture } of parts(readFileSync(join(repository, "docs/content/pages/tutorial.md"), "utf8"))) {
      if (picture) {
        if (!(picture in steps)) throw new Error(`no page is known for tutorial/${picture}.jpg`);
        const shown = { name: `tutorial/${picture}`, viewport: { width: 960, height: 540 }, address: server.address + steps[picture] };
        if (picture === broken) shown.problems = await until(() => problems(server.address), (list) => list.length > 0);
        else await settled(server.address, folder);
        yield shown;
      } else if (language === "sh") {
        for (const line of text.trim().split("\n")) {
          if (line.startsWith("cd ")) folder = join(folder, line.slice(3));
          else if (line === "sitegen serve") server = await serving(sitegen, folder, "serve", ...today);
          else if (line.startsWith("sitegen new")) {
            const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word);
            execFileSync(sitegen, words.slice(1), { cwd: folder, stdio: "ignore" });
          }
        }
      } else if (title && title !== "The message") {
        if (text.includes("](oven.jpg)"))
          cpSync(join(repository, "examples/brewery/content/assets/photos/barley.jpg"), join(folder, "content/assets/oven.jpg"));
        save(join(folder, title), text);
      }
    }
  } finally {
    await server?.end();
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

/** Starts a command that serves a site, and returns its address and how to end it. */
async function serving(sitegen, folder, ...command) {
  const server = spawn(sitegen, [...command, "--port", "0"], { cwd: folder, stdio: ["ignore", "pipe", "ignore"] });
  const end = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill("SIGTERM");
    await once(server, "exit");
  };
  for await (const line of createInterface({ input: server.stdout })) {
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (!address) continue;
    // Leaving the loop pauses what it read, and the server must not wait for a reader.
    server.stdout.resume();
    return { address, end };
  }
  throw new Error(`${command.join(" ")} in ${folder} says no address`);
}

/** Writes a file as editors do, so that the server never reads half of it. */
function save(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  const temporary = join(dirname(file), `.${basename(file)}.tmp`);
  writeFileSync(temporary, text);
  renameSync(temporary, file);
}

let marks = 0;

/**
 * Waits until the server shows everything that was written: it then also has a file that is written now. The build that has
 * it may have begun before, but not the build that has the next one.
 */
async function settled(address, folder) {
  for (let round = 0; round < 2; round++) {
    const mark = String(++marks);
    save(join(folder, "content/public/mark.txt"), mark);
    await until(async () => (await fetch(`${address}/mark.txt`)).text(), (text) => text === mark);
  }
}

/** Asks until an answer is the right one, and returns it. */
async function until(ask, isRight) {
  const end = Date.now() + 60_000;
  for (;;) {
    const answer = await ask();
    if (isRight(answer)) return answer;
    if (Date.now() > end) throw new Error(`after a minute the server still answers ${JSON.stringify(answer)}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

/** Returns what the server sends to an open page at first: the problems of the newest sources. */
async function problems(address) {
  let text = "";
  for await (const chunk of (await fetch(`${address}/.sitegen/changes`)).body) {
    text += Buffer.from(chunk).toString("latin1");
    const data = /^data: ?(.*)\n\n/m.exec(text)?.[1];
    if (data) return JSON.parse(Buffer.from(data, "latin1").toString()).problems;
  }
  throw new Error("the server sends no state");
}

/**
 * Returns what a picture of a page is taken of: digests of its HTML, of its styles and of the files that they name. The head and
 * the scripts are not part of it, nor are the smaller copies of photographs: which of them a browser loads, and in which
 * format the program can write them, says nothing about what the picture shows.
 */
export async function taken({ viewport, address, problems }) {
  const html = await (await fetch(address)).text();
  const start = html.indexOf("<body");
  if (start < 0) throw new Error(`${address} has no body`);
  let body = html.slice(start).replaceAll(/<script\b[^]*?<\/script>|<source\b[^>]*>| (?:srcset|sizes)="[^"]*"/g, "");
  const sheets = [...html.matchAll(/<style[^>]*>([^]*?)<\/style>/g)].map(([, css]) => css);
  for (const [link] of html.matchAll(/<link\b[^>]*\brel="stylesheet"[^>]*>/g))
    sheets.push(await (await fetch(new URL(/\bhref="([^"]*)"/.exec(link)[1], address))).text());
  if (problems) {
    body += problems.join("\n");
    // The box with the problems has its own styles, and they are in the script that shows it.
    sheets.push(/\battachShadow\([^]*?replaceSync\(`([^`]*)`/.exec(html)[1]);
  }
  const styles = sheets.join("\n");
  const named = [...body.matchAll(/<img\b[^>]*?\ssrc="([^"]*)"/g), ...styles.matchAll(/url\(["']?([^"')]*)/g)].map(([, path]) => path);
  const files = createHash("sha256");
  for (const path of [...new Set(named)].filter((path) => !path.startsWith("data:") && !path.startsWith("#"))) {
    const answer = await fetch(new URL(path, address));
    if (!answer.ok) throw new Error(`${address} names ${path}, and it is not there`);
    files.update(`${path}\n`).update(Buffer.from(await answer.arrayBuffer()));
  }
  return { viewport: `${viewport.width} × ${viewport.height}`, html: digest(body), styles: digest(styles), files: files.digest("hex").slice(0, 16) };
}

/** Returns the start of the SHA-256 of a text or of bytes. */
export const digest = (content) => createHash("sha256").update(content).digest("hex").slice(0, 16);
