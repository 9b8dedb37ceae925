// Measures the search of a site with 1,000 pages in Chromium: from a key to its results in the page, and on the screen.
// Run by hand:
//
//     cargo build --release
//     node benches/search.mjs [target/release/sitegen]
//
// The site is that of `sitegen new --starter docs` with pages of words that nobody has seen, used as often as words of a
// language are. Every letter of 60 words is typed, slower than the search pauses, so that each has an answer.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { chromium } from "@playwright/test";

const PAGES = 1000;
const WORDS = 60;
const sitegen = resolve(process.argv[2] ?? "target/release/sitegen");
const root = mkdtempSync(join(tmpdir(), "search-"));

let state = 7;
const random = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
const one = (list) => list[Math.floor(random() * list.length)];
const syllables = [..."bdfgklmnprstv"].flatMap((first) => [..."aeio"].map((second) => first + second));
const vocabulary = new Set();
while (vocabulary.size < 15_000) vocabulary.add(Array.from({ length: 2 + Math.floor(random() * 3) }, () => one(syllables)).join(""));
// Zipf's law: the word at place n is used about 1/n as often as the first.
const ranked = [...vocabulary];
const word = () => ranked[Math.floor(ranked.length ** random()) - 1];
const sentence = (length) => {
  const text = Array.from({ length }, word).join(" ");
  return `${text[0].toUpperCase()}${text.slice(1)}.`;
};

function project() {
  const answers = ["--name", "Docs", "--url", "https://docs.example.com", "--language", "en"];
  execFileSync(sitegen, ["new", join(root, "site"), "--starter", "docs", ...answers], { stdio: "ignore" });
  for (let page = 0; page < PAGES; page++) {
    const section = () => `## ${sentence(3)}\n\n${sentence(70)}\n\n${sentence(50)}\n\n`;
    const keys = `title: ${sentence(3)}\ndescription: ${sentence(8)}\norder: ${page + 10}`;
    const text = `---\n${keys}\n---\n${Array.from({ length: 5 }, section).join("")}`;
    writeFileSync(join(root, `site/content/pages/guides/p${page}.md`), text);
  }
  // Each page would list all others.
  const template = join(root, "site/templates/pages/page.html");
  const list = 'pages | sort(attribute="order")';
  writeFileSync(template, readFileSync(template, "utf8").replace(list, `(${list})[:4]`));
  execFileSync(sitegen, ["build", "--quiet", "--root", join(root, "site")], { stdio: ["ignore", "ignore", "inherit"] });
}

async function served() {
  const server = spawn(sitegen, ["preview", "--port", "0", "--root", join(root, "site")], { stdio: ["ignore", "pipe", "inherit"] });
  for await (const line of createInterface(server.stdout)) {
    const address = /^serving at (http:\S+)/.exec(line)?.[1];
    if (address) return { server, address };
  }
  throw new Error("the server did not start");
}

/** Notes for each key when its results are in the page, and when they are on the screen. */
function observe() {
  window.times = [];
  const input = document.activeElement;
  let typed = 0;
  input.addEventListener("input", (event) => (typed = event.timeStamp));
  new MutationObserver(() => {
    if (!typed) return;
    const [begin, present] = [typed, performance.now()];
    typed = 0;
    // A message after the next frame arrives when that is painted.
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => window.times.push([present - begin, performance.now() - begin]);
      port2.postMessage(null);
    });
  }).observe(input.closest(".search"), { subtree: true, childList: true, characterData: true });
}

function report(what, times) {
  times.sort((one, other) => one - other);
  const [median, most, last] = [0.5, 0.95, 1].map((part) => times[Math.min(times.length - 1, Math.floor(times.length * part))].toFixed(1));
  console.log(`${what.padEnd(24)} median ${median} ms, 95 % within ${most} ms, all within ${last} ms (${times.length} keys)`);
}

try {
  project();
  const { server, address } = await served();
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
  const page = await browser.newPage();
  let fetched = 0;
  page.on("response", async (response) => {
    if (/\.(bin|js)$/.test(new URL(response.url()).pathname)) fetched += (await response.body()).length;
  });
  await page.goto(address);
  await page.keyboard.press("/");
  await page.evaluate(observe);
  const text = readFileSync(join(root, "site/content/pages/guides/p500.md"), "utf8");
  const words = [...new Set(text.match(/\b[a-z]{4,}\b/g))].slice(0, WORDS);
  for (const [number, typed] of words.entries()) {
    for (const letter of typed) {
      await page.keyboard.type(letter);
      await page.waitForTimeout(150);
    }
    if (number === 0) console.log(`files for the first query  ${(fetched / 1000).toFixed(1)} KB before compression`);
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.press("Delete");
    await page.waitForTimeout(100);
  }
  const times = await page.evaluate(() => window.times);
  report("results in the page", times.map(([present]) => present));
  report("results on the screen", times.map(([, painted]) => painted));
  await browser.close();
  server.kill();
} finally {
  rmSync(root, { recursive: true, force: true });
}
