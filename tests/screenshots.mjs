// Takes the pictures of the documentation from the real program, so that they show what it does today:
//
//     npm run screenshots [starters|tutorial]
//
// For each starter the home page of a new project, and for the tutorial the page that its text shows, at the place where the
// picture is. `SITEGEN` sets another program, `CHROMIUM` another browser. tests/screenshots.json says what each picture was
// taken of; a test compares it with the program.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { chromium } from "@playwright/test";
import { assets, digest, pagesOfStarters, pagesOfTutorial, record, taken } from "./support/pictured.mjs";

const sitegen = resolve(import.meta.dirname, "..", process.env.SITEGEN ?? "target/release/sitegen");
const work = mkdtempSync(join(tmpdir(), "screenshots-"));
const walks = { starters: pagesOfStarters, tutorial: pagesOfTutorial };
const wanted = process.argv[2] ? [process.argv[2]] : Object.keys(walks);

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
const page = await browser.newPage({ colorScheme: "light", reducedMotion: "reduce" });

try {
  const known = existsSync(record) ? Object.entries(JSON.parse(readFileSync(record, "utf8"))) : [];
  const pictures = known.filter(([name]) => !wanted.includes(dirname(name)));
  for (const walk of wanted)
    for await (const shown of walks[walk](sitegen, work)) {
      await page.setViewportSize(shown.viewport);
      if (shown.problems) await page.locator("sitegen-problems").waitFor();
      else await page.goto(shown.address, { waitUntil: "networkidle" });
      await page.evaluate(() => document.fonts.ready);
      const path = join(assets, `${shown.name}.jpg`);
      mkdirSync(dirname(path), { recursive: true });
      const picture = digest(await page.screenshot({ path, type: "jpeg", quality: 85 }));
      pictures.push([shown.name, { picture, ...(await taken(shown)) }]);
      console.log(shown.name);
    }
  pictures.sort(([one], [other]) => (one < other ? -1 : 1));
  writeFileSync(record, `${JSON.stringify(Object.fromEntries(pictures), null, 2)}\n`);
} finally {
  await browser.close();
  rmSync(work, { recursive: true, force: true });
}
