// The hosts' own programs: how each is started, and how it differs from the host itself.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const bin = (work, name) => join(work, "node_modules/.bin", name);
const packageVersion = (name) => (work) =>
  JSON.parse(readFileSync(join(work, "node_modules", name, "package.json"), "utf8")).version;
const quiet = (work) => ({ HOME: join(work, "home"), CI: "1", NO_COLOR: "1" });
const said = (command, args, pattern) => () => {
  const output = execFileSync("sh", ["-c", `${command} ${args} 2>&1`], { encoding: "utf8" });
  return pattern.exec(output)[1];
};

export const programs = [
  {
    host: "netlify",
    name: "Netlify: netlify-cli",
    version: packageVersion("netlify-cli"),
    start({ work, folder, out, port }) {
      const flags = ["--offline", "--no-open", "--skip-gitignore", "--internal-disable-edge-functions"];
      const args = [bin(work, "netlify"), "dev", ...flags, "--dir", out, "--port", String(port)];
      return { command: "node", args, cwd: folder, env: { ...quiet(work), BROWSER: "none" } };
    },
    /** It serves every file with a caching of its own, so its parser is asked what the file says. */
    async rules({ work, root }) {
      const load = (path) => import(pathToFileURL(join(work, "node_modules", path)).href);
      const { parseAllHeaders } = await load("@netlify/headers-parser/lib/index.js");
      const { headersForPath } = await load("netlify-cli/dist/utils/headers.js");
      const parsed = await parseAllHeaders({ headersFiles: [join(root, "_headers")], configHeaders: [], minimal: false });
      if (parsed.errors.length > 0) throw parsed.errors[0];
      return (asked) => {
        const headers = headersForPath(parsed.headers, asked.split("?")[0]);
        const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
        return { "cache-control": "public, max-age=0, must-revalidate", ...Object.fromEntries(lower) };
      };
    },
    /** It does not redirect between `/careers` and `/careers/`, as the host does ("Pretty URLs"). */
    expected({ asked, own, ask }) {
      const [path] = asked.split("?");
      const to = own.status === 301 ? own.location?.split("?")[0] : undefined;
      return to === `${path}/` || `${to}/` === path ? ask(own.location) : own;
    },
    /** It writes `b=` for `b` in a query. */
    location: (location) => location.replace(/=(?=&|#|$)/g, ""),
  },
  {
    host: "cloudflare-pages",
    name: "Cloudflare Pages: wrangler, with workerd",
    version: packageVersion("wrangler"),
    start({ work, folder, out, port }) {
      const flags = ["--ip", "127.0.0.1", "--port", String(port), "--compatibility-date", "2026-07-01"];
      const args = [bin(work, "wrangler"), "pages", "dev", out, ...flags, "--show-interactive-dev-session=false"];
      return { command: "node", args, cwd: folder, env: { ...quiet(work), WRANGLER_SEND_METRICS: "false" } };
    },
  },
  {
    host: "vercel",
    name: "Vercel: vercel, and its routing-utils",
    version: packageVersion("vercel"),
    start({ work, folder, out, port }) {
      // It writes into the folder that it serves.
      const copy = join(folder, "deployed");
      cpSync(out, copy, { recursive: true });
      const args = [bin(work, "vercel"), "dev", copy, "--local", "--yes", "--listen", `127.0.0.1:${port}`];
      return { command: "node", args, cwd: copy, env: { ...quiet(work), VERCEL_TELEMETRY_DISABLED: "1" } };
    },
    /** It serves every file with a caching of its own, so the routes of a deployment are followed. */
    rules({ work, root }) {
      const require = createRequire(join(work, "package.json"));
      const { getTransformedRoutes } = require("@vercel/routing-utils");
      const { routes, error } = getTransformedRoutes(JSON.parse(readFileSync(join(root, "vercel.json"), "utf8")));
      if (error) throw new Error(error.message);
      return (asked) => {
        const [path] = asked.split("?");
        const headers = { "cache-control": "public, max-age=0, must-revalidate" };
        for (const route of routes.filter((route) => route.continue && new RegExp(route.src).test(path)))
          for (const [name, value] of Object.entries(route.headers)) headers[name.toLowerCase()] = value;
        return headers;
      };
    },
    /** It leaves out the query of the request, which the host sends along. */
    expected: ({ asked, own }) =>
      asked.includes("?") && own.location
        ? { ...own, location: own.location.replace(/[?&]a=1/, "") }
        : own,
  },
  {
    host: "nginx",
    name: "nginx",
    isServer: true,
    version: said("nginx", "-v", /nginx\/([\d.]+)/),
    start({ folder, root, out, port }) {
      const state = join(folder, "nginx");
      mkdirSync(state);
      const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
      const config = `daemon off; pid ${state}/pid; error_log ${state}/error.log; events {} http { access_log off;
        include /etc/nginx/mime.types; ${temporary.map((name) => `${name}_temp_path ${state}/${name};`).join(" ")}
        server { listen 127.0.0.1:${port}; root ${root}; include ${out}/.host/nginx.conf; } }`;
      writeFileSync(join(state, "nginx.conf"), config);
      return { command: "nginx", args: ["-p", state, "-c", join(state, "nginx.conf")] };
    },
  },
  {
    host: "caddy",
    name: "Caddy",
    isServer: true,
    version: said("caddy", "version", /v?([\d.]+)/),
    start({ folder, root, out, port }) {
      const file = join(folder, "Caddyfile");
      const site = `root * ${root}\n\timport ${out}/.host/Caddyfile`;
      writeFileSync(file, `{\n\tadmin off\n\tauto_https off\n}\nhttp://127.0.0.1:${port} {\n\t${site}\n}\n`);
      return { command: "caddy", args: ["run", "--adapter", "caddyfile", "--config", file], env: { HOME: folder } };
    },
  },
];
