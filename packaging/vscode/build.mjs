// Makes `sitegen-VERSION.vsix`: `node build.mjs OUT`. `build` installs what it needs and calls it.
import { createVSIX } from "@vscode/vsce";
import { build } from "esbuild";
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const here = import.meta.dirname;
const project = resolve(here, "../..");
const [out] = process.argv.slice(2).map((each) => resolve(each));
const [, version] = /^version = "(.*)"$/m.exec(readFileSync(join(project, "Cargo.toml"), "utf8")) ?? [];
if (!out || !version) throw new Error("node build.mjs OUT");

const folder = join(project, "target/packaging/vscode/extension");
rmSync(folder, { recursive: true, force: true });
mkdirSync(join(folder, "dist"), { recursive: true });
mkdirSync(out, { recursive: true });

const { metafile } = await build({
  entryPoints: [join(here, "src/extension.js")],
  outfile: join(folder, "dist/extension.cjs"),
  bundle: true,
  minify: true,
  platform: "node",
  // What Visual Studio Code 1.91 runs extensions with.
  target: "node20",
  format: "cjs",
  external: ["vscode"],
  legalComments: "none",
  metafile: true,
  absWorkingDir: here,
  logLevel: "warning",
});

/** The packages whose code is in the bundle, with their folders. */
const packages = new Map(
  Object.keys(metafile.inputs).flatMap((file) => {
    const found = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file);
    return found ? [[found[0], found[1]]] : [];
  }),
);
const licences = [...packages].sort().map(([path, name]) => {
  const manifest = JSON.parse(readFileSync(join(here, path, "package.json"), "utf8"));
  const file = readdirSync(join(here, path)).find((each) => /^(licen[cs]e|copying)/i.test(each));
  if (!file) throw new Error(`${name} has no licence`);
  const text = readFileSync(join(here, path, file), "utf8").trim();
  return `${name} ${manifest.version}, ${manifest.license}\n${"-".repeat(80)}\n${text}\n`;
});
writeFileSync(join(folder, "THIRD-PARTY-LICENSES.txt"), licences.join(`\n${"=".repeat(80)}\n`));

const { private: _, type: __, devDependencies: ___, ...manifest } = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
writeFileSync(join(folder, "package.json"), `${JSON.stringify({ ...manifest, version, files: ["**"] }, null, 2)}\n`);
for (const name of ["README.md", "CHANGELOG.md", "icon.png", "syntaxes"]) cpSync(join(here, name), join(folder, name), { recursive: true });
for (const name of ["LICENSE-MIT", "LICENSE-APACHE"]) copyFileSync(join(project, name), join(folder, `${name}.txt`));

const file = join(out, `sitegen-${version}.vsix`);
rmSync(file, { force: true });
await createVSIX({ cwd: folder, packagePath: file, dependencies: false, allowMissingRepository: true, skipLicense: true });
if (!existsSync(file)) throw new Error(`no ${file}`);
console.log(file);
