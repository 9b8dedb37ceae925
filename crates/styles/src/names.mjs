// Writes the CSS names that a build knows into `names.txt`, beside this file:
//
//     node src/styles/names.mjs
//
// Names come from the specifications of the W3C, as the package `@webref/css` lists them, and from the installed Chromium
// (`CHROMIUM` names its program). npm installs the package into a folder that is removed at the end. A name from only one
// of the two is included too, so the list may contain too many.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const folder = mkdtempSync(join(tmpdir(), "css-names-"));
execFileSync("npm", ["install", "--silent", "--no-save", "--ignore-scripts", "--prefix", folder, "@webref/css"]);
const read = (file) => JSON.parse(readFileSync(join(folder, "node_modules/@webref/css", file), "utf8"));
const { version } = read("package.json");
const css = read("css.json");
rmSync(folder, { recursive: true });

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
const page = await browser.newPage();
const fromBrowser = await page.evaluate(() => {
  const style = document.documentElement.style;
  const names = new Set([...getComputedStyle(document.documentElement)]);
  for (const name in style) {
    const dashed = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    if (CSS.supports(dashed, "inherit")) names.add(dashed);
  }
  return [...names];
});

const isPrefixed = (name) => name.startsWith("-");
const sorted = (names) => [...new Set(names)].sort();
const types = new Map(css.types.map((type) => [type.name, type]));
const properties = new Map(css.properties.map((property) => [property.name, property]));

// Types whose values are not keywords, so that the list needs nothing of them.
const CLOSED =
  /^(length|percentage|length-percentage|number|integer|angle|angle-percentage|time|time-percentage|frequency|flex|resolution|ratio|url|string|hex-color|zero|dimension|image|gradient|basic-shape|unicode-range-token|urange|hash-token|n-dimension|number-token|url-set|alpha-value|transform-function|filter-value-list|easing-function)$/;

// Returns the keywords in a value's syntax, outside of functions. `*` stands for names that an author chooses, and for
// whatever is not known.
function keywords(syntax, found, seen) {
  // A build does not check the arguments of functions either.
  let outside = syntax.replace(/<[^<>]*\[[^\]]*\][^<>]*>/g, (type) => type.replace(/\[[^\]]*\]/, ""));
  for (let before = ""; before !== outside; ) {
    before = outside;
    outside = outside.replace(/[-\w]+\([^()]*\)/g, (whole, at) => (outside[at - 1] === "<" ? whole : " "));
    if (/<[-\w]+\(\)/.test(outside)) outside = outside.replace(/<[-\w]+\(\)\s*>/g, " ");
  }
  for (const [whole] of outside.matchAll(/<[^>]*>|[a-z][-\w]*/gi)) {
    if (!whole.startsWith("<")) {
      if (!/^\d/.test(whole)) found.add(whole.toLowerCase());
      continue;
    }
    const name = whole.slice(1, -1).trim();
    if (seen.has(name)) continue;
    seen.add(name);
    const property = name.startsWith("'") && properties.get(name.slice(1, -1));
    if (property?.syntax) keywords(property.syntax, found, seen);
    else if (types.get(name)?.syntax) keywords(types.get(name).syntax, found, seen);
    else if (!CLOSED.test(name)) found.add("*");
    else if (/^(number|integer|number-token|alpha-value|ratio|dimension)$/.test(name)) found.add("<number>");
  }
  return found;
}

const UNITS = `em rem ex rex cap rcap ch rch ic ric lh rlh vw svw lvw dvw vh svh lvh dvh vi svi lvi dvi vb svb lvb dvb
vmin svmin lvmin dvmin vmax svmax lvmax dvmax cqw cqh cqi cqb cqmin cqmax cm mm q in pt pc px deg grad rad turn s ms hz
khz dpi dpcm dppx x fr st db`.split(/\s+/);

const colors = [...keywords(types.get("color").syntax, new Set(), new Set())];
const compact = (values) =>
  colors.every((color) => values.includes(color))
    ? ["<color>", ...values.filter((value) => !colors.includes(value))]
    : values;

const lines = [
  `# The names of CSS that a build knows. Do not edit: \`node src/styles/names.mjs\` writes this file.`,
  `# A line: what it is, a name, and what can stand there; \`*\` is whatever an author calls something.`,
  `unit ${UNITS.join(" ")}`,
  `color ${sorted(colors).join(" ")}`,
];
const atRules = css.atrules.map(({ name }) => name.slice(1)).filter((name) => !isPrefixed(name));
// Proposals that no browser supports. The build would accept them, and browsers would drop their content.
const proposed = ["apply", "contents", "custom-media", "custom-selector", "else", "mixin", "private", "when", "supports-condition"];
lines.push(`at ${sorted(atRules.filter((name) => !proposed.includes(name))).join(" ")}`);
const pseudo = css.selectors.map(({ name }) => name).filter((name) => /^::?[a-z]/.test(name));
lines.push(`pseudo ${sorted(pseudo.map((name) => name.replace(/^:+/, "").replace(/\(.*$/, ""))).join(" ")}`);
// Those of values that the package describes within others, and of at-rules and font features.
const more = ["annotation", "character-variant", "format", "generic", "local", "ornaments", "scroll-state", "style", "styleset", "stylistic", "supports", "swash", "tech"];
const functions = css.functions.map(({ name }) => name.replace("()", "").toLowerCase());
lines.push(`function ${sorted([...functions, ...more].filter((name) => !isPrefixed(name))).join(" ")}`);
const features = (rule) => css.atrules.find(({ name }) => name === rule).descriptors.map(({ name }) => name);
for (const rule of ["@media", "@container"])
  lines.push(`feature ${rule.slice(1)} ${sorted(features(rule).filter((name) => !isPrefixed(name))).join(" ")}`);
for (const { name, descriptors } of css.atrules)
  if (descriptors.length && !["@media", "@container"].includes(name))
    lines.push(`descriptor ${name.slice(1)} ${sorted(descriptors.map((each) => each.name)).join(" ")}`);
const known = sorted([...properties.keys(), ...fromBrowser].filter((name) => !isPrefixed(name)));
const all = known.map((name) => {
  const syntax = properties.get(name)?.syntax;
  return [name, syntax ? sorted(keywords(syntax, new Set(), new Set())) : ["*"]];
});
// Browsers also accept older words, and some that a specification has in prose only.
const pool = sorted(["overlay", "avoid-page", "linearrgb", "srgb", "lr", "lr-tb", "rl", "rl-tb", "tb", "tb-rl", ...all.flatMap(([, values]) => values)]);
const added = await page.evaluate(
  ({ all, pool }) =>
    all.map(([name]) => [
      ...pool.filter((word) => /^[a-z]/.test(word) && CSS.supports(name, word)),
      ...(CSS.supports(name, "7") || CSS.supports(name, "0.5") ? ["<number>"] : []),
    ]),
  { all, pool },
);
const everywhere = ["inherit", "initial", "unset", "revert", "revert-layer", "revert-rule"];
for (const [index, [name, values]] of all.entries()) {
  const both = sorted([...values, ...added[index]]).filter((word) => !everywhere.includes(word));
  lines.push(`property ${name} ${values.includes("*") ? "*" : compact(both).join(" ")}`.trimEnd());
}
lines.splice(1, 0, `# Sources: @webref/css ${version} (the specifications of the W3C), Chromium ${browser.version()}.`);
await browser.close();
writeFileSync(new URL("names.txt", import.meta.url), `${lines.join("\n")}\n`);
