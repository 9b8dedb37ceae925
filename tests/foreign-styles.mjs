// Runs `sitegen check` on the stylesheets of popular npm packages, as a site's own, and asks Chromium about everything
// that is reported. A name or a value that Chromium knows is a false alarm, and fails.
//
//     cargo build --release && node tests/foreign-styles.mjs
//
// The packages are installed into a folder that is removed at the end. `SITEGEN` sets another program, `CHROMIUM` another
// browser.

import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium } from "playwright-core";

const packages = `@fortawesome/fontawesome-free @picocss/pico @primer/css animate.css bootstrap bulma foundation-sites
github-markdown-css highlight.js katex leaflet materialize-css milligram modern-normalize normalize.css open-props prismjs
purecss sanitize.css spectre.css swiper tachyons uikit water.css`.split(/\s+/);

const sitegen = resolve(process.env.SITEGEN ?? "target/release/sitegen");
const folder = mkdtempSync(join(tmpdir(), "foreign-styles-"));
mkdirSync(join(folder, "packages"));
execFileSync("npm", ["install", "--silent", "--no-save", "--ignore-scripts", "--prefix", join(folder, "packages"), ...packages]);

// One site with all of them as components, in a folder without packages.
const site = join(folder, "site");
const styles = join(site, "templates/components/foreign");
mkdirSync(styles, { recursive: true });
mkdirSync(join(site, "content/pages"), { recursive: true });
writeFileSync(join(site, "content/site.yaml"), "url: https://www.styles.test\nlanguage: en\nname: Styles\n");
writeFileSync(join(site, "content/pages/index.yaml"), "title: Styles\n");
writeFileSync(join(site, "templates/page.html"), "{{ styles() }}");
let count = 0;
const modules = join(folder, "packages/node_modules");
for (const name of readdirSync(modules, { recursive: true }))
  if (name.endsWith(".css") && !name.endsWith(".min.css") && statSync(join(modules, name)).isFile()) {
    cpSync(join(modules, name), join(styles, name.replaceAll(/[/@]/g, "_")));
    count += 1;
  }
// Many define no properties of their own, and of a file only the first 100 problems are reported.
const texts = readdirSync(styles).map((name) => readFileSync(join(styles, name), "utf8"));
const properties = new Set(texts.flatMap((text) => text.match(/--[\w-]+/g) ?? []));
writeFileSync(join(styles, "properties.css"), `:root {\n${[...properties].map((name) => `  ${name}: 0;\n`).join("")}}\n`);
const { stderr } = spawnSync(sitegen, ["check", "--format", "json"], {
  cwd: site,
  encoding: "utf8",
  maxBuffer: 1 << 30,
});

const reports = [];
for (const line of stderr.split("\n").filter(Boolean)) {
  const { code, file, line: row, column, message } = JSON.parse(line);
  // Other files of the packages were not copied.
  if (["missing-import", "missing-package", "outside-import"].includes(code)) continue;
  const text = readFileSync(join(site, file), "utf8");
  const start = text.split("\n", row - 1).reduce((sum, each) => sum + each.length + 1, 0) + column - 1;
  const from = Math.max(...["{", "}", ";", "*/"].map((end) => text.lastIndexOf(end, start - 1) + end.length));
  const to = Math.min(...["{", "}", ";"].map((end) => text.indexOf(end, start)).filter((at) => at >= 0));
  reports.push({ code, message, place: `${file}:${row}:${column}`, written: text.slice(from, to).trim() });
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
const page = await browser.newPage();
const known = await page.evaluate((reports) => {
  const accepts = {
    "unknown-property": (written) => CSS.supports(written),
    "css-value": (written) => CSS.supports(written.replace(/\s*!important$/, "")),
    "css-syntax": (written) => CSS.supports(`selector(${written})`) || CSS.supports(written),
    "unknown-pseudo": (written) => written.split(",").every((each) => CSS.supports(`selector(${each})`)),
    "unknown-at-rule": (written) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(`${written} {}`);
      return sheet.cssRules.length > 0;
    },
  };
  return reports.map(({ code, written }) => accepts[code]?.(written) ?? true);
}, reports);
await browser.close();
rmSync(folder, { recursive: true });

const alarms = reports.filter((_, index) => known[index]);
for (const { place, message, written } of alarms) console.error(`${place}: ${message}\n    ${written}`);
console.log(`${count} stylesheets, ${reports.length} reports, ${alarms.length} false alarms`);
process.exit(alarms.length || count < 500 ? 1 : 0);
