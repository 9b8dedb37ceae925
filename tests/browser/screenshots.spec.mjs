// The pictures of the documentation are as old as what they show: tests/screenshots.json says what each was taken of, and
// here the program shows the same pages once more. No browser is needed for that.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { expect, test } from "@playwright/test";
import { assets, digest, pagesOfStarters, pagesOfTutorial, record, taken } from "../support/pictured.mjs";

const sitegen = resolve(import.meta.dirname, "../..", process.env.SITEGEN ?? "target/release/sitegen");
const walks = { starters: pagesOfStarters, tutorial: pagesOfTutorial };

for (const [part, walk] of Object.entries(walks))
  test(`the pictures of the ${part} show what the program shows`, async () => {
    test.setTimeout(300_000);
    const known = JSON.parse(readFileSync(record, "utf8"));
    const work = mkdtempSync(join(tmpdir(), "pictures-"));
    const outdated = [];
    const names = [];
    try {
      for await (const shown of walk(sitegen, work)) {
        const name = basename(shown.name);
        names.push(name);
        const path = join(assets, `${shown.name}.jpg`);
        const today = { picture: digest(readFileSync(path)), ...(await taken(shown)) };
        const was = known[shown.name] ?? {};
        const differing = Object.keys(today).filter((each) => today[each] !== was[each]);
        if (differing.length)
          outdated.push(`the picture ${name} of the ${part} is older than the page it shows: npm run screenshots (${differing.join(", ")})`);
      }
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
    expect(outdated).toEqual([]);
    // None is left that nothing shows any more.
    expect(readdirSync(join(assets, part)).sort()).toEqual(names.map((name) => `${name}.jpg`).sort());
    expect(Object.keys(known).filter((name) => name.startsWith(`${part}/`))).toEqual(names.map((name) => `${part}/${name}`).sort());
  });
