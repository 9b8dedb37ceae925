// Started by `run`, which see.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { delimiter, extname, join, resolve } from "node:path";

const here = import.meta.dirname;
const root = resolve(here, "../..");
const [work, ...wanted] = process.argv.slice(2);
const sitegen = resolve(process.env.SITEGEN ?? join(root, "target/release/sitegen"));
const packages = [work, root].find((folder) => existsSync(join(folder, "node_modules/playwright-core")));
const { chromium } = createRequire(join(packages, "package.json"))("playwright-core");
const site = join(work, "site");

/** Islands that need a page to exist at all, and why. */
const only = JSON.parse(readFileSync(join(here, "only.json"), "utf8"));

/** What React's development build prints of an error that an island has on purpose. */
const expected = { ErrorBoundary: /burnt/ };

const all = readdirSync(join(here, "islands")).map((file) => file.replace(/\.tsx$/, ""));
const names = wanted.length > 0 ? all.filter((name) => wanted.includes(name)) : all;
const lock = JSON.parse(readFileSync(join(here, "package-lock.json"), "utf8"));

/** The packages that an island imports, with their versions. */
const packagesOf = (name) => {
  const source = readFileSync(join(here, "islands", `${name}.tsx`), "utf8");
  const imports = [...source.matchAll(/(?:from|import) "((?:@[^/"]+\/)?[^/"]+)[^"]*"/g)].map((match) => match[1]);
  const names = [...new Set(imports)].filter((each) => each !== "react" || imports.length === 1);
  return names.map((each) => `${each} ${lock.packages[`node_modules/${each}`].version}`);
};

function writeSite() {
  rmSync(site, { recursive: true, force: true });
  for (const folder of ["content/pages", "templates/pages", "islands"])
    mkdirSync(join(site, folder), { recursive: true });
  cpSync(join(root, "crates/islands/src/runtime"), join(site, "islands/runtime"), { recursive: true });
  symlinkSync(join(work, "node_modules"), join(site, "node_modules"));
  writeFileSync(
    join(site, "content/site.yaml"),
    "url: https://www.hollowoven.test\nlanguage: en\nname: Hollow Oven\nemail: hello@hollowoven.test\nsettings:\n  routes: file\n",
  );
  writeFileSync(join(site, "content/pages/index.yaml"), "title: Hollow Oven\ntemplate: pages/home.html\n");
  const page = (body) =>
    `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{{ page.title }}</title>\n</head>\n<body>\n<main>\n<h1>{{ page.title }}</h1>\n${body}\n</main>\n</body>\n</html>\n`;
  writeFileSync(join(site, "templates/pages/home.html"), page(""));
  for (const name of names) {
    cpSync(join(here, "islands", `${name}.tsx`), join(site, "islands", `${name}.tsx`));
    const hydrate = only[name] ? 'hydrate="only", fallback="Loading", height="300px"' : 'hydrate="load"';
    writeFileSync(join(site, `templates/pages/${name}.html`), page(`{{ island(component="${name}", ${hydrate}) }}`));
    writeFileSync(join(site, `content/pages/${name.toLowerCase()}.yaml`), `title: ${name}\ntemplate: pages/${name}.html\n`);
  }
}

/** Builds the site and gives what was reported of each island. */
function build(out, environment, ...options) {
  const { stdout, stderr, status } = spawnSync(
    sitegen,
    ["build", "--out", join(work, out), "--now", "2026-12-01", "--format", "json", "--no-manifest", ...options],
    { cwd: site, encoding: "utf8", env: { ...process.env, ...environment }, maxBuffer: 1 << 28 },
  );
  return { status, report: `${stdout}${stderr}` };
}

/** Leaves islands out that cannot be built, until the others are. */
function buildAll() {
  const failures = {};
  for (;;) {
    rmSync(join(work, "dist"), { recursive: true, force: true });
    const { status, report } = build("dist", {}, "--development");
    if (status === 0) return failures;
    let found = 0;
    for (const line of report.split("\n")) {
      if (!line.includes('"error"')) continue;
      const text = line.replace(/\\n/g, " ");
      const name = names.find(
        (each) => !failures[each] && (text.includes(`\`${each}\``) || text.includes(`islands/${each}.tsx`) || text.includes(`pages/${each.toLowerCase()}.yaml`)),
      );
      if (!name) continue;
      found++;
      failures[name] = /"message": ?"((?:[^"\\]|\\.)*)"/.exec(line)?.[1] ?? line;
      rmSync(join(site, `islands/${name}.tsx`));
      rmSync(join(site, `templates/pages/${name}.html`));
      rmSync(join(site, `content/pages/${name.toLowerCase()}.yaml`));
    }
    if (found === 0) throw new Error(`the site does not build:\n${report}`);
  }
}

/** Every file of a folder with its bytes. */
const contents = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => `${path.slice(folder.length)} ${readFileSync(path).toString("base64")}`);

function isSameElsewhere() {
  const folders = ["dist-one", "dist-other"];
  const environments = [
    { TZ: "Pacific/Kiritimati", LANG: "de_DE.UTF-8", LC_ALL: "de_DE.UTF-8", RAYON_NUM_THREADS: "1" },
    { TZ: "Pacific/Pago_Pago", LANG: "ar_EG.UTF-8", LC_ALL: "ar_EG.UTF-8", RAYON_NUM_THREADS: "4" },
  ];
  for (const [index, folder] of folders.entries()) {
    rmSync(join(work, folder), { recursive: true, force: true });
    rmSync(join(site, ".sitegen"), { recursive: true, force: true });
    const { status, report } = build(folder, environments[index]);
    if (status !== 0) throw new Error(report);
  }
  const [one, other] = folders.map((folder) => contents(join(work, folder)));
  return JSON.stringify(one) === JSON.stringify(other);
}

const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };
const serve = (folder) =>
  new Promise((done) => {
    const server = createServer((request, response) => {
      const path = new URL(request.url, "http://localhost").pathname;
      // Browsers ask for it once, in whatever page comes first.
      if (path === "/favicon.ico") return response.writeHead(204).end();
      const file = [join(folder, path), join(folder, `${path}.html`)].find((each) => extname(each) && existsSync(each));
      response.writeHead(file ? 200 : 404, { "content-type": types[extname(file ?? "")] ?? "application/octet-stream" });
      response.end(file ? readFileSync(file) : "");
    });
    server.listen(0, "127.0.0.1", () => done(server));
  });

/** Hydrates an island and uses it once. Gives what went wrong. */
async function use(browser, origin, name) {
  const page = await browser.newPage();
  const complaints = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !expected[name]?.test(message.text()))
      complaints.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`thrown: ${error.message}`));
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", (event) =>
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`),
    );
  });
  try {
    await page.goto(`${origin}/${name.toLowerCase()}`, { waitUntil: "load" });
    await page.waitForFunction(
      () => Object.keys(document.querySelector("[data-island]")).some((key) => /^__(reactContainer|k$)/.test(key)),
      null,
      { timeout: 60_000 },
    );
    await page.waitForTimeout(300);
    const act = page.locator("[data-act]").first();
    const key = page.locator("[data-key]").first();
    const type = page.locator("[data-type]").first();
    if (await page.locator("[data-key]").count()) {
      await key.focus();
      await key.press(await key.getAttribute("data-key"));
    } else if (await page.locator("[data-type]").count()) {
      await type.focus();
      await page.keyboard.type(await type.getAttribute("data-type"));
    } else await act.click({ timeout: 60_000 });
    await page.locator("[data-done]").first().waitFor({ state: "attached", timeout: 60_000 });
    const color = page.locator("[data-color]");
    if (await color.count()) {
      const [wanted, shown] = await color.evaluate((each) => [each.dataset.color, getComputedStyle(each).color]);
      if (wanted !== shown) complaints.push(`the color is ${shown}`);
    }
  } catch (error) {
    complaints.push(String(error.message).split("\n")[0]);
  }
  await page.close();
  return complaints;
}

const executable = ["chromium", "chromium-browser", "google-chrome"]
  .flatMap((program) => process.env.PATH.split(delimiter).map((folder) => join(folder, program)))
  .find((path) => existsSync(path));

writeSite();
const results = {};
const failures = buildAll();
for (const [name, message] of Object.entries(failures)) results[name] = `not built: ${message}`;
const server = await serve(join(work, "dist"));
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? executable, args: ["--no-sandbox"] });
for (const name of names.filter((each) => !failures[each])) {
  const complaints = await use(browser, `http://127.0.0.1:${server.address().port}`, name);
  results[name] = complaints.join("; ");
  console.log(`${complaints.length === 0 ? "ok  " : "FAIL"} ${name} ${complaints.join("; ").slice(0, 300)}`);
}
await browser.close();
server.close();
for (const [name, message] of Object.entries(failures)) console.log(`FAIL ${name} ${message}`);
const isSame = isSameElsewhere();
console.log(isSame ? "the same bytes in another zone, language and number of threads" : "FAIL the bytes differ");

const failed = names.filter((name) => results[name]);
const asTheyAre = names.filter((name) => !results[name] && !only[name]);
console.log(`${asTheyAre.length} of ${names.length} run as they are, ${names.filter((name) => only[name]).length} with hydrate="only", ${failed.length} fail`);

if (wanted.length === 0) {
  const row = (name) => {
    const outcome = results[name] ? `no: ${results[name].replace(/\|/g, "\\|").slice(0, 200)}` : only[name] ? `with \`hydrate="only"\`: ${only[name]}` : "yes";
    return `| ${packagesOf(name).join(", ")} | ${outcome} |`;
  };
  const react = lock.packages["node_modules/react"].version;
  const text = readFileSync(join(here, "README.md"), "utf8");
  const [before, rest] = text.split("<!-- begin -->\n");
  const [, after] = rest.split("<!-- end -->\n");
  const table = `${asTheyAre.length} of ${names.length} islands run as they are; React ${react}.\n\n| Packages | Prerendered, hydrated and used |\n|---|---|\n${names.map(row).join("\n")}\n`;
  writeFileSync(join(here, "README.md"), `${before}<!-- begin -->\n${table}<!-- end -->\n${after}`);
}
process.exit(failed.length === 0 && isSame ? 0 : 1);
