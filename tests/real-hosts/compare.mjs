// Sends the same requests to the hosts' own programs and to `sitegen preview --target`, and reports differences. See `run`.
import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import { createServer } from "node:net";
import { dirname, join, resolve } from "node:path";
import { programs } from "./programs.mjs";

const here = import.meta.dirname;
const project = resolve(here, "../..");
const [work, ...wanted] = process.argv.slice(2);
const sitegen = resolve(project, process.env.SITEGEN ?? "target/release/sitegen");
if (!existsSync(sitegen)) throw new Error(`There is no ${sitegen}: \`cargo build --release\`, or name another in SITEGEN.`);

/** Each layout, at the root of a domain and, with one of them, below a path. */
const variants = [
  { routes: "both", base: "" },
  { routes: "file", base: "" },
  { routes: "directory", base: "" },
  { routes: "both", base: "/docs" },
];

const pages = ["/careers", "/guides", "/guides/first-steps"];

/** What is asked for, as seen from the site's home page. `asset` is a file with a digest in its name. */
const paths = (asset) => [
  "/",
  "/?a=1",
  "/index.html",
  ...pages.flatMap((page) => [page, `${page}/`, `${page}.html`, `${page}/index.html`, `${page}?a=1`, `${page}/?a=1`]),
  asset,
  "/plain.txt",
  "/.well-known/security.txt",
  "/robots.txt",
  "/sitemap.xml",
  "/nowhere",
  "/nowhere/",
  "/careers/nowhere",
  "/Careers",
  "/assets",
  "/assets/nowhere.js",
  "/assets/brand/nowhere.svg",
  "/404",
  "/404.html",
  "/jobs",
  "/jobs/",
  "/jobs?a=1",
  "/JOBS",
  "/old/about.php",
  "/old/about.php/",
  "/old/about.php?a=1",
  "/old/page.html",
  "/shop",
  "/shop?a=1",
  "/shop/v1.0",
  "/shop/v1.0?a=1",
  "/bare",
];

/** The headers that a site chooses. */
const chosen = [
  "strict-transport-security",
  "x-content-type-options",
  "referrer-policy",
  "permissions-policy",
  "cross-origin-opener-policy",
  "cross-origin-resource-policy",
  "content-security-policy",
  "x-awkward",
];

const brief = ({ status, location }) => (status === 200 ? "the page" : location ? `redirects to \`${location}\`` : `${status}`);
const title = ({ body }) => JSON.stringify(/<title>([^<]*)/.exec(body)?.[1] ?? body.slice(0, 40));
/** Lists are the same however their commas are spaced (RFC 9110, 5.6.1). */
const plain = (value) => value?.replace(/,\s*/g, ",");

const results = [];
for (const program of programs.filter(({ host }) => wanted.length === 0 || wanted.includes(host))) {
  const result = { ...program, asked: 0, routes: {}, differences: [] };
  for (const variant of variants) await compare(program, variant, result);
  results.push(result);
  for (const difference of result.differences) console.log(`${program.host}: ${difference}`);
  console.log(`${program.host}: ${result.asked} answers, ${result.differences.length} different`);
}
if (wanted.length === 0 && results.every((result) => result.differences.length === 0)) report(results);
process.exitCode = results.some((result) => result.differences.length > 0) ? 1 : 0;

async function compare(program, { routes, base }, result) {
  const folder = join(work, "sites", `${program.host}-${routes}${base.replace("/", "-")}`);
  rmSync(folder, { recursive: true, force: true });
  const source = join(folder, "project");
  cpSync(join(here, "site"), source, { recursive: true });
  const file = join(source, "content/site.yaml");
  writeFileSync(file, readFileSync(file, "utf8").replace("settings:\n", `settings:\n  routes: ${routes}\n`));
  // The root of a server: nginx and Caddy find a site below a path in a folder of that name.
  const root = join(folder, "out");
  const out = program.isServer ? join(root, base) : root;
  mkdirSync(dirname(out), { recursive: true });
  const address = ["--base-url", `https://www.site.test${base}`];
  execFileSync(sitegen, ["build", "--quiet", "--root", source, "--out", out, "--target", program.host, ...address]);
  const site = program.isServer ? out : join(root, base);
  const brand = readdirSync(join(site, "assets/brand"))[0];

  const [port, other] = [await freePort(), await freePort()];
  const stops = [];
  try {
    stops.push(await start(await program.start({ work, folder, root, out, base, port }), port));
    const preview = ["preview", out, "--root", source, "--target", program.host, "--port", String(other), ...address];
    stops.push(await start({ command: sitegen, args: preview }, other));
    const rules = await program.rules?.({ work, root });
    for (const path of paths(`/assets/brand/${brand}`)) {
      const asked = base + path;
      const [real, own] = [await ask(port, asked), await ask(other, asked)];
      result.asked += 1;
      const say = (what, theirs, ours) =>
        result.differences.push(`${routes} ${asked}: ${what} is ${theirs}, and preview says ${ours}`);
      if (path === "/careers" && base === "") result.routes[routes] = brief(real);
      const expected = await program.expected?.({ asked, real, own, ask: (path) => ask(other, path) }) ?? own;
      if (real.status !== expected.status) say("the status", real.status, expected.status);
      const [theirs, ours] = [real, expected].map(({ location }) => location && program.location?.(location) || location);
      if (theirs !== ours) say("the location", theirs, ours);
      if (![200, 404].includes(expected.status)) continue;
      if (real.body !== expected.body) say("the page", title(real), title(expected));
      const sent = { ...real.headers, ...rules?.(asked, real) };
      for (const name of chosen)
        if (plain(sent[name]) !== plain(expected.headers[name])) say(name, sent[name], expected.headers[name]);
      const caching = sent["cache-control"];
      if (caching !== expected.headers["cache-control"]) say("cache-control", caching, expected.headers["cache-control"]);
      if (expected.status === 404 && /immutable/.test(caching ?? "")) say("a missing file", caching, "not kept");
      if (sent["access-control-allow-origin"]) say("access-control-allow-origin", "*", "nothing");
    }
  } finally {
    for (const stop of stops) await stop();
  }
}

function ask(port, path) {
  return new Promise((done, fail) => {
    const request = http.get({ host: "127.0.0.1", port, path, headers: { "accept-encoding": "identity" } }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (part) => (body += part));
      response.on("end", () => {
        const { location } = response.headers;
        const inside = location?.replace(`http://127.0.0.1:${port}`, "");
        done({ status: response.statusCode, headers: response.headers, location: inside, body });
      });
    });
    request.on("error", fail);
  });
}

function freePort() {
  return new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}

/** Starts a program and waits until it answers. Gives what stops it and all that it has started. */
async function start({ command, args, cwd, env }, port) {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (said = (said + part).slice(-4000)));
  const ended = new Promise((done) => child.on("exit", done));
  const stop = async () => {
    try {
      process.kill(-child.pid, "SIGTERM");
      await Promise.race([ended, new Promise((done) => setTimeout(done, 10_000))]);
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // It has ended.
    }
  };
  for (let tries = 0; tries < 240; tries += 1) {
    try {
      await ask(port, "/");
      return stop;
    } catch {
      if (child.exitCode !== null) throw new Error(`${command} ${args.join(" ")} has ended:\n${said}`);
      await new Promise((done) => setTimeout(done, 500));
    }
  }
  await stop();
  throw new Error(`${command} ${args.join(" ")} does not answer:\n${said}`);
}

function report(results) {
  const file = join(project, "docs/content/pages/guides/hosts.md");
  const text = readFileSync(file, "utf8");
  const [from, to] = ["<!-- tests/real-hosts: written by tests/real-hosts/run -->\n", "<!-- /tests/real-hosts -->"];
  const [before, rest] = text.split(from);
  if (rest === undefined) throw new Error(`${file} has no line ${from}`);
  const row = ({ name, version, routes, asked }) =>
    `| ${name} | ${version(work)} | ${routes.both} | ${routes.file} | ${routes.directory} | ${asked} |`;
  const day = new Date().toISOString().slice(0, 10);
  const table = [
    "",
    `On ${day} these programs answered as \`sitegen preview --target\` does, at every path that was asked for:`,
    "",
    "| Program | Version | At `/careers` with `both` | with `file` | with `directory` | Answers compared |",
    "|---|---|---|---|---|---:|",
    ...results.map(row),
    "",
    "",
  ];
  writeFileSync(file, before + from + table.join("\n") + to + rest.slice(rest.indexOf(to) + to.length));
}
