// Texts of a language that islands show: each equals what Chromium, Firefox and WebKit write, or the build refuses it.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "@playwright/test";
import { engines } from "./engines.ts";

const root = resolve(import.meta.dirname, "../..");
/** The packages of formatjs lie there; `tests/ecosystem/run --install` installs them. */
const packages = join(root, "target/ecosystem-few/node_modules");
const schema = JSON.parse(readFileSync(join(root, "crates/content/src/site.schema.json"), "utf8"));
const locales: string[] = schema.properties.settings.properties.islands.properties.locales.items.enum;
/** Those whose texts the program makes here too; it takes a minute for all. */
const rendered = ["en", "en-US", "en-GB", "de", "de-CH", "fr", "es", "pl", "pt-BR", "pt-PT", "zh-CN", "zh-TW", "ja", "ar", "hi", "th"];
/** Those in which nothing common is refused. */
const usual = ["en", "en-US", "en-GB", "de", "fr", "es", "pl", "pt-BR", "ja"];

/** For each locale the texts of its cases. What is refused is missing. */
type Texts = Record<string, Record<string, string>>;

const rules = await import(pathToFileURL(join(root, "crates/islands/src/texts.js")).href);
const { UNITS, CURRENCIES, DATES, TIMES, WITH_TIME } = rules;
const lists = JSON.stringify({ UNITS, CURRENCIES, DATES, TIMES, WITH_TIME });
const calls = readFileSync(join(root, "tests/support/texts.js"), "utf8");

/** The time zones that formatjs knows. */
const zones: string[] = existsSync(packages)
  ? readFileSync(join(packages, "@formatjs/intl-datetimeformat/add-all-tz.js"), "utf8").match(/(?<=")[A-Z]\w+\/[\w/+-]+(?=\|)/g)!
  : [];

/** The body of a function that runs the cases of some locales, with `Intl` and the methods of a browser or of `own`. */
const body = (locales: string[]) => `
  ${calls.replace(/^export const/gm, "const")}
  const texts = {};
  for (const locale of ${JSON.stringify(locales)}) {
    texts[locale] = {};
    for (const [name, text] of Object.entries(casesOf(${lists})))
      try {
        texts[locale][name] = text(locale);
      } catch {}
  }
  texts.zones = {};
  for (const zone of ${JSON.stringify(zones)})
    try {
      texts.zones[zone] = hoursOf(zone)("en-GB");
    } catch {}
  return texts;`;

/** What the rules answer with formatjs, in Node: the same as in the program, in a twentieth of the time. */
async function answered(): Promise<Texts> {
  const load = (name: string) => {
    const [part, locale] = name.split(".");
    const scripts: Record<string, string> = { "zh-CN": "zh-Hans", "zh-TW": "zh-Hant" };
    const files =
      part === "zones"
        ? ["intl-datetimeformat/add-all-tz.js"]
        : [locale!, scripts[locale!], locale!.split("-")[0]].map((tag) => `intl-${part}/locale-data/${tag}.js`);
    const file = files.map((each) => join(packages, "@formatjs", each)).find((each) => existsSync(each));
    return file && new Function("Intl", readFileSync(file, "utf8"));
  };
  const own: Record<string, any> = {};
  for (const name of ["NumberFormat", "DateTimeFormat", "PluralRules", "ListFormat", "RelativeTimeFormat"]) {
    const file = join(packages, `@formatjs/intl-${name.toLowerCase()}/index.js`);
    const module = await import(pathToFileURL(file).href);
    own[name] = module[name] ?? module.default;
  }
  const answer = rules.answering(own, load);
  const ask = (name: string, locale: string, options: object, required: string, method: string, values: unknown[]) => {
    const reply = answer(name, locale, { ...options }, required, method, values);
    if (reply === undefined) throw new Error("refused");
    return reply.value;
  };
  const classes: Record<string, unknown> = {};
  for (const name of Object.keys(own))
    classes[name] = class {
      constructor(locale: string, options: object) {
        return new Proxy(this, {
          get: (_, method: string) => (...values: unknown[]) => ask(name, locale, options, "default", method, values),
        });
      }
    };
  const methods: [any, string, string, string][] = [
    [Number, "toLocaleString", "NumberFormat", ""],
    [BigInt, "toLocaleString", "NumberFormat", ""],
    [Date, "toLocaleString", "DateTimeFormat", "any"],
    [Date, "toLocaleDateString", "DateTimeFormat", "date"],
    [Date, "toLocaleTimeString", "DateTimeFormat", "time"],
  ];
  const before = methods.map(([type, method]) => type.prototype[method]);
  const browsers = globalThis.Intl;
  for (const [type, method, name, required] of methods)
    type.prototype[method] = function (locale: string, options: object) {
      return ask(name, locale, options, required, "format", [this.valueOf()]);
    };
  // formatjs finds its own classes there, as in the program.
  const replace = (all: unknown) => Object.assign(globalThis, { Intl: all });
  replace({ ...own, getCanonicalLocales: (tags: unknown) => [tags ?? []].flat() });
  try {
    return new Function("Intl", body(locales))(classes);
  } finally {
    replace(browsers);
    methods.forEach(([type, method], index) => (type.prototype[method] = before[index]));
  }
}

/** Builds a site that shows the texts that are answered, and gives its page. */
function published(folder: string, texts: Texts): string {
  for (const each of ["content/pages", "templates/pages", "islands/parts"]) mkdirSync(join(folder, each), { recursive: true });
  symlinkSync(packages, join(folder, "node_modules"));
  cpSync(join(root, "tests/support/texts.js"), join(folder, "islands/parts/texts.js"));
  const write = (path: string, text: string) => writeFileSync(join(folder, path), text);
  write("islands/parts/lists.json", lists);
  write(
    "islands/Texts.tsx",
    `import { casesOf } from "./parts/texts";
     import lists from "./parts/lists.json";
     export default function Texts({ locale, names }: { locale: string; names: string[] }) {
       const cases: any = casesOf(lists);
       return <ul lang={locale}>{names.map((name) => <li key={name} title={name}>{cases[name](locale)}</li>)}</ul>;
     }`,
  );
  const settings = { routes: "file", islands: { locales: rendered } };
  write("content/site.yaml", JSON.stringify({ url: "https://www.hollowoven.test", language: "en", name: "Hollow Oven", settings }));
  const calls = rendered.map((locale) => ({ locale, names: Object.keys(texts[locale]!) }));
  write("content/pages/index.yaml", JSON.stringify({ title: "Hollow Oven", calls }));
  write(
    "templates/pages/page.html",
    `<!doctype html>
     <html lang="en">
     <head><meta charset="utf-8"><title>{{ page.title }}</title></head>
     <body><main><h1>{{ page.title }}</h1>
     {% for call in page.calls %}{{ island(component="Texts", props=call, hydrate="never") }}{% endfor %}
     </main></body>
     </html>`,
  );
  const program = resolve(process.env.SITEGEN ?? join(root, "target/release/sitegen"));
  execFileSync(program, ["build", "--out", "dist", "--now", "2026-12-01"], { cwd: folder, stdio: "pipe", encoding: "utf8" });
  return readFileSync(join(folder, "dist/index.html"), "utf8");
}

/** The first places where texts differ: `locale, case: one; other`. */
const differences = (texts: Texts, others: Texts, locales = Object.keys(texts)) =>
  locales
    .flatMap((locale) =>
      Object.entries(texts[locale]!)
        .filter(([name, text]) => others[locale]![name] !== text)
        .map(([name, text]) => `${locale}, ${name}: ${text}; ${others[locale]![name]}`),
    )
    .slice(0, 50);

test.describe.configure({ mode: "serial", timeout: 300_000 });
let texts: Texts;
test.beforeAll(async () => {
  if (!existsSync(join(packages, "@formatjs"))) throw new Error("Run tests/ecosystem/run --install first.");
  texts = await answered();
});

test("common texts are answered in usual locales", async () => {
  const { common } = await import(pathToFileURL(join(root, "tests/support/texts.js")).href);
  const refused = usual.flatMap((locale) =>
    Object.keys(common).filter((name) => texts[locale]![name] === undefined).map((name) => `${locale}, ${name}`),
  );
  expect(refused).toEqual([]);
  expect(locales.flatMap((locale) => Object.keys(texts[locale]!)).length).toBeGreaterThan(15_000);
  expect(Object.keys(texts.zones!).length).toBeGreaterThan(350);
});

test("the program writes the texts that are answered", async ({ page }, information) => {
  const html = published(information.outputPath("site"), texts);
  await page.setContent(html);
  const shown = await page.evaluate(() => {
    const texts: Record<string, Record<string, string>> = {};
    for (const list of document.querySelectorAll("ul"))
      texts[list.lang] = Object.fromEntries([...list.children].map((each) => [(each as HTMLElement).title, each.textContent!]));
    return texts;
  });
  expect(differences(texts, shown, rendered)).toEqual([]);
});

test("Chromium writes the same texts", async ({ page }) => {
  const written = (await page.evaluate(`(() => { ${body(locales)} })()`)) as Texts;
  expect(differences(texts, written)).toEqual([]);
});

for (const [name, start] of Object.entries(engines))
  test(`${name} writes the same texts`, async () => {
    // Where CI is set, nothing is left out.
    test.skip(!start && !process.env.CI, `${name} is not installed on this machine.`);
    const engine = await start!();
    try {
      await engine.open("about:blank");
      expect(differences(texts, await engine.run<Texts>(body(locales)))).toEqual([]);
    } finally {
      await engine.close();
    }
  });
