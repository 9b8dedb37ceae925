// Bundles the form for Node and for browsers, renders it into every page, and writes the pages.
import { buildSync } from "esbuild";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const out = process.argv[2];
const common = { bundle: true, minify: true, jsx: "automatic", define: { "process.env.NODE_ENV": '"production"' } };
buildSync({ ...common, entryPoints: ["server.tsx"], platform: "node", format: "cjs", outfile: "cache/server.cjs" });
buildSync({ ...common, entryPoints: ["browser.tsx"], format: "esm", outfile: join(out, "assets/form.js") });
const { render } = (await import(pathToFileURL("cache/server.cjs"))).default;

const escaped = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const text = (value) => value.replace(/[&<>"]/g, (sign) => escaped[sign]);
for (const { name, title, props } of JSON.parse(readFileSync("pages.json", "utf8"))) {
  const form = `<div data-form="${text(JSON.stringify(props))}">${render(props)}</div>`;
  mkdirSync(join(out, name), { recursive: true });
  writeFileSync(
    join(out, name, "index.html"),
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text(title)} | Site</title>
<meta name="description" content="${text(title)}">
</head>
<body>
<main>
<h1>${text(title)}</h1>
${form}
</main>
<script type="module" src="/assets/form.js"></script>
</body>
</html>
`,
  );
}
