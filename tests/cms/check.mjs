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
const { chromium } = createRequire(join(root, "package.json"))("playwright-core");
const packages = createRequire(join(work, "package.json"));
const YAML = packages("yaml");
const Ajv = packages("ajv");

const sites = { minimal: "starters/minimal", company: "starters/company", docs: "starters/docs", museum: "museum" };
const managers = { decap: editInDecap, sveltia: editInSveltia, "pages-cms": editInPagesCms };
const isWanted = (name, all) => !wanted.some((each) => each in all) || wanted.includes(name);

/** A copy of a site that can be built. */
function copy(manager, name) {
  const site = join(work, "sites", `${manager}-${name}`);
  rmSync(site, { recursive: true, force: true });
  mkdirSync(join(work, "sites"), { recursive: true });
  cpSync(join(root, "examples", sites[name]), site, {
    recursive: true,
    filter: (path) => !/\/(dist|\.sitegen|node_modules)$/.test(path),
  });
  symlinkSync(join(root, "node_modules"), join(site, "node_modules"));
  return site;
}

/** The published bytes of a site by their paths. */
function build(site) {
  rmSync(join(site, "dist"), { recursive: true, force: true });
  const { status, stdout, stderr } = spawnSync(sitegen, ["build", "--now", "2026-11-28"], { cwd: site, encoding: "utf8" });
  if (status !== 0) throw new Error(`${site} does not build:\n${stdout}${stderr}`);
  return Object.fromEntries(filesOf(join(site, "dist")).map((path) => [path, readFileSync(join(site, "dist", path)).toString("base64")]));
}

const filesOf = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => path !== "manifest.json")
    .sort();

const configurationOf = (manager, site) => execFileSync(sitegen, ["schema", "--for", manager, "--root", site], { encoding: "utf8" });

/** The texts of a site's content. */
const contentOf = (site) =>
  Object.fromEntries(
    filesOf(join(site, "content"))
      .filter((path) => /\.(md|yaml|json|toml|csv)$/.test(path) && !path.startsWith("schemas/"))
      .map((path) => [`content/${path}`, readFileSync(join(site, "content", path), "utf8")]),
  );

/**
 * Whether a manager is known to change what a file says. Sveltia CMS removes spaces at the ends of texts, and the museum has labels that end in
 * one: the comma of a list.
 */
const isKnownToChange = (manager, name, path) => manager === "sveltia" && name === "museum" && path === "content/site.yaml";

/** What can be opened in a manager of Decap's family: the address of each text, its file and the key that is changed. */
function texts(config, content) {
  const keyOf = (fields) => fields.find((field) => ["title", "name"].includes(field.name) && field.widget === "string")?.name;
  // A translation may lack it.
  const hasKey = ({ path, key }) => key && new RegExp(`^${key}:`, "m").test(content[path]);
  return config.collections.flatMap((collection) => {
    if (collection.files) {
      const files = collection.files.map((file) => ({
        hash: `#/collections/${collection.name}/entries/${file.name}`,
        path: file.file.replace(/[./]\{\{locale\}\}/, ""),
        key: keyOf(file.fields),
      }));
      return files.filter((file) => hasKey(file));
    }
    const start = `${collection.folder}/`;
    const names = Object.keys(content).filter((path) => path.startsWith(start) && path.endsWith(`.${collection.extension}`));
    const slugs = names.map((path) => path.slice(start.length, -collection.extension.length - 1));
    const isListed = (slug) =>
      !slug.includes("/") &&
      !(config.i18n?.locales ?? []).some((tag) => slug.endsWith(`.${tag}`)) &&
      (!collection.filter || !/^template:/m.test(content[`${start}${slug}.${collection.extension}`]));
    const entries = slugs.filter(isListed).map((slug) => ({
      hash: `#/collections/${collection.name}/entries/${slug}`,
      path: `${start}${slug}.${collection.extension}`,
      key: keyOf(collection.fields),
    }));
    return entries.filter(hasKey);
  });
}

const scripts = { decap: "decap-cms/dist/decap-cms.js", sveltia: "@sveltia/cms/dist/sveltia-cms.js" };

/** Serves a manager with its configuration. */
async function served(manager, config, tree) {
  const types = { ".js": "text/javascript; charset=utf-8" };
  const answer = (path) => {
    if (path === "/admin/") {
      const files = tree ? `<script>window.repoFiles = ${JSON.stringify(tree).replaceAll("<", "\\u003c")}</script>` : "";
      return ["text/html", `<!doctype html><meta charset="utf-8"><title>Admin</title><body>${files}<script src="/packages/${scripts[manager]}"></script></body>`];
    }
    if (path === "/admin/config.yml") return ["text/yaml", config];
    const file = path.startsWith("/packages/") && join(work, "node_modules", path.slice("/packages/".length));
    if (file && existsSync(file)) return [types[extname(file)] ?? "application/octet-stream", readFileSync(file)];
    return path === "/" ? ["text/html", "<!doctype html><title>Empty</title>"] : undefined;
  };
  const server = createServer((request, response) => {
    const found = answer(new URL(request.url, "http://localhost").pathname);
    if (!found) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": found[0] }).end(found[1]);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { server, address: `http://127.0.0.1:${server.address().port}` };
}

/** The same configuration with the manager's back end for tests. */
const forTests = (config) => YAML.stringify({ ...config, backend: { name: "test-repo" } });

async function opened(manager, config, content) {
  let tree;
  if (manager === "decap") {
    tree = {};
    // Its back end for tests takes all assets for files that were uploaded.
    for (const [path, text] of Object.entries(content).filter(([path]) => !path.startsWith("content/assets/"))) {
      const parts = path.split("/");
      const name = parts.pop();
      let folder = tree;
      for (const part of parts) folder = folder[part] ??= {};
      folder[name] = { content: text };
    }
  }
  const { server, address } = await served(manager, forTests(config), tree);
  const page = await browser.newPage({ viewport: { width: 1400, height: 1100 } });
  const complaints = [];
  page.on("pageerror", (error) => {
    // Sveltia CMS closes a text that lacks a language with this, and has saved it by then.
    if (manager !== "sveltia" || error.message !== "Cannot convert undefined or null to object") complaints.push(error.message);
  });
  page.on("console", (message) => {
    const isOfNetwork = /Failed to load resource|JSON schema of Sveltia/.test(message.text());
    if (message.type() === "error" && !isOfNetwork) complaints.push(message.text());
  });
  page.on("dialog", (dialog) => dialog.accept());
  return { server, address, page, complaints };
}

const decapFile = (page, path) =>
  page.evaluate((path) => path.split("/").reduce((folder, part) => folder?.[part], window.repoFiles)?.content, path);

async function until(what, condition) {
  for (let tries = 0; tries < 150; tries++) {
    if (await condition()) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`waited for ${what}`);
}

async function editInDecap(config, content) {
  const { server, address, page, complaints } = await opened("decap", config, content);
  await page.goto(`${address}/admin/`);
  await page.getByRole("button", { name: "Login" }).click();
  await page.getByText("Collections").first().waitFor();
  const written = {};
  const all = texts(config, content);
  for (const { hash, path, key } of all) {
    const field = page.locator(`[id^="${key}-field-"]`).first();
    for (const change of [(value) => `${value} (changed)`, (value) => value.replace(" (changed)", "")]) {
      await page.evaluate((hash) => (location.hash = hash), hash);
      await field.waitFor();
      const before = await decapFile(page, path);
      await field.fill(change(await field.inputValue()));
      await page.getByRole("button", { name: /^Publish$/ }).click();
      await page.getByRole("menuitem", { name: "Publish now" }).click();
      await until(`${path} to be written`, async () => (await decapFile(page, path)) !== before);
      await page.getByText("Changes saved").waitFor();
      // The editor loads the text again after it has saved it, and does not go to another by itself.
      await page.evaluate((hash) => (location.hash = hash), hash.slice(0, hash.indexOf("/entries/")));
      await field.waitFor({ state: "detached" });
    }
    written[path] = await decapFile(page, path);
  }
  await page.close();
  server.close();
  return { written, complaints, count: all.length };
}

/** A file in the browser's own file system. It is not there for a moment while it is written. */
const opfsFile = (page, path) =>
  page.evaluate(async (path) => {
    const parts = path.split("/");
    const name = parts.pop();
    let folder = await (await navigator.storage.getDirectory()).getDirectoryHandle("sveltia-cms-test");
    for (const part of parts) folder = await folder.getDirectoryHandle(part);
    const file = await folder.getFileHandle(name).catch(() => undefined);
    return (await file?.getFile().catch(() => undefined))?.text();
  }, path);

async function editInSveltia(config, content, isEdited) {
  const { server, address, page, complaints } = await opened("sveltia", config, content);
  await page.goto(`${address}/`);
  await page.evaluate(async (content) => {
    const top = await (await navigator.storage.getDirectory()).getDirectoryHandle("sveltia-cms-test", { create: true });
    for (const [path, text] of Object.entries(content)) {
      const parts = path.split("/");
      const name = parts.pop();
      let folder = top;
      for (const part of parts) folder = await folder.getDirectoryHandle(part, { create: true });
      const out = await (await folder.getFileHandle(name, { create: true })).createWritable();
      await out.write(text);
      await out.close();
    }
  }, content);
  await page.goto(`${address}/admin/`);
  await page.getByRole("button", { name: /test/i }).first().click();
  const all = texts(config, content).filter(({ path }) => isEdited(path));
  for (const { hash, path, key } of all) {
    for (const change of [(value) => `${value} (changed)`, (value) => value.replace(" (changed)", "")]) {
      await page.evaluate((hash) => (location.hash = hash), hash);
      // The editor of the original language comes first.
      const field = page.locator(`[data-key-path="${key}"] input`).first();
      await field.waitFor();
      const before = await opfsFile(page, path);
      await field.fill(change(await field.inputValue()));
      await page.getByRole("button", { name: "Save" }).click();
      await until(`${path} to be written`, async () => {
        const text = await opfsFile(page, path);
        return text !== undefined && text !== before;
      });
      // It answers an address only once it has stored what it knows of the text.
      await page.waitForTimeout(300);
      await until("the editor to close", async () => {
        await page.evaluate((hash) => (location.hash = hash), hash.slice(0, hash.indexOf("/entries/")));
        await page.waitForTimeout(200);
        return (await field.count()) === 0;
      });
    }
  }
  const written = {};
  for (const path of Object.keys(content)) written[path] = await opfsFile(page, path);
  await page.close();
  server.close();
  return { written, complaints, count: all.length };
}

/** Writes each file as Pages CMS does: parsed and printed by its library, without empty values, below lines of `---`. */
async function editInPagesCms(config, content) {
  const files = config.content.flatMap((item) => (item.type === "group" ? item.items : [item]));
  const written = {};
  let count = 0;
  for (const item of files.filter((item) => item.format.startsWith("yaml"))) {
    const isOf = (path) =>
      item.type === "file"
        ? path === item.path
        : path.startsWith(`${item.path}/`) && path.endsWith(item.filename.slice("{primary}".length)) && !item.exclude?.includes(path.slice(item.path.length + 1));
    for (const path of Object.keys(content).filter(isOf)) {
      const [, keys, body] = item.format === "yaml" ? [, content[path]] : /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(content[path]);
      const data = YAML.parse(keys, { strict: false, uniqueKeys: false });
      const printed = YAML.stringify(withDefaults(data, item.fields));
      written[path] = item.format === "yaml" ? printed : `---\n${printed.trim()}\n---\n${body.replace(/^\r?\n/, "")}`;
      count++;
    }
  }
  return { written, complaints: [], count };
}

/** What a form has when it is saved without a change: `false` for switches, and nothing for what is empty. */
function withDefaults(data, fields) {
  const all = { ...data };
  for (const field of fields ?? []) {
    if (field.type === "boolean") all[field.name] ??= field.default ?? false;
    else if (field.default !== undefined && field.default !== "") all[field.name] ??= field.default;
    if (all[field.name] === "" || all[field.name] === undefined) delete all[field.name];
  }
  return all;
}

/** What is wrong with a configuration by the manager's own schema, if its package has one. Decap CMS checks when it starts. */
function faults(manager, config) {
  if (manager !== "sveltia") return [];
  const schema = JSON.parse(readFileSync(join(work, "node_modules/@sveltia/cms/schema/sveltia-cms.json"), "utf8"));
  const ajv = new Ajv({ strict: false, allErrors: true, logger: false });
  return ajv.validate(schema, config) ? [] : ajv.errors.map((error) => `${error.instancePath} ${error.message}`);
}

const names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];
const installed = names.flatMap((name) => process.env.PATH.split(delimiter).map((folder) => join(folder, name)));
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? installed.find(existsSync), args: ["--no-sandbox"] });
let failed = 0;
let passed = 0;
for (const [manager, edit] of Object.entries(managers).filter(([name]) => isWanted(name, managers))) {
  for (const name of Object.keys(sites).filter((name) => isWanted(name, sites))) {
    const site = copy(manager, name);
    const before = build(site);
    const content = contentOf(site);
    const config = YAML.parse(configurationOf(manager, site));
    const wrong = faults(manager, config);
    let count = 0;
    try {
      const edited = await edit(config, content, (path) => !isKnownToChange(manager, name, path));
      count = edited.count;
      wrong.push(...edited.complaints);
      const changed = Object.entries(edited.written).filter(([path, text]) => text !== content[path]);
      for (const [path, text] of Object.entries(edited.written)) {
        if (text === undefined) wrong.push(`${path} is gone`);
        else writeFileSync(join(site, path), text);
      }
      if (count === 0) wrong.push("no text was edited");
      if (changed.length === 0) wrong.push("nothing was written");
      const after = build(site);
      wrong.push(...Object.keys({ ...before, ...after }).filter((path) => before[path] !== after[path]).map((path) => `${path} differs`));
    } catch (error) {
      wrong.push(error.message);
    }
    if (wrong.length === 0) passed++;
    else failed++;
    console.log(`${wrong.length === 0 ? "ok  " : "FAIL"} ${manager} ${name}: ${count} texts ${wrong.join("\n     ").slice(0, 2000)}`);
  }
}
await browser.close();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
