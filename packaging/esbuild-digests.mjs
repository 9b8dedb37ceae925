// Adds versions of esbuild to the table of those that a build starts, `crates/core/src/tools/esbuild.txt`:
//
//     node packaging/esbuild-digests.mjs            # the version in package.json
//     node packaging/esbuild-digests.mjs 0.28.1     # another one
//
// npm downloads the packages of all platforms and compares them with the integrity that their registry has. Those of the
// version in `package-lock.json` are also compared with that file. Nothing in them is run.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const table = join(root, "crates/core/src/tools/esbuild.txt");
const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
const pinned = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).dependencies.esbuild;

const npm = (...args) => JSON.parse(execFileSync("npm", [...args, "--json"], { stdio: ["ignore", "pipe", "inherit"] }));

// For some platforms, such as Android on x64, the program is a script for Node, which runs WebAssembly from another file.
// The digest of the script would say nothing about that file.
const isScript = (program) => program.subarray(0, 2).toString() === "#!";

function digestOf(name, version, folder) {
  const [packed] = npm("pack", `${name}@${version}`, "--pack-destination", folder);
  const locked = lock[`node_modules/${name}`];
  if (locked?.version === version && locked.integrity !== packed.integrity) {
    throw new Error(`${name}@${version} is not the package that package-lock.json names`);
  }
  const path = name.includes("/win32-") ? "package/esbuild.exe" : "package/bin/esbuild";
  const archive = join(folder, packed.filename);
  const program = execFileSync("tar", ["-xOzf", archive, path], { maxBuffer: 2 ** 28 });
  rmSync(archive);
  return isScript(program) ? undefined : createHash("sha256").update(program).digest("hex");
}

const lines = new Map();
const known = readFileSync(table, { encoding: "utf8", flag: "a+" }).split("\n");
for (const line of known.filter((line) => line !== "" && !line.startsWith("#"))) {
  const [digest, version, platform] = line.split(" ");
  lines.set(`${version} ${platform}`, digest);
}

const folder = mkdtempSync(join(tmpdir(), "esbuild-digests-"));
try {
  const versions = process.argv.slice(2);
  for (const version of versions.length > 0 ? versions : [pinned]) {
    for (const name of Object.keys(npm("view", `esbuild@${version}`, "optionalDependencies")).sort()) {
      const [platform, digest] = [name.replace("@esbuild/", ""), digestOf(name, version, folder)];
      const before = lines.get(`${version} ${platform}`);
      if (before !== undefined && before !== digest) {
        throw new Error(`${name}@${version} has another program than the table says`);
      }
      if (digest === undefined) console.log(`${name}@${version}: left out, its program is a script`);
      else lines.set(`${version} ${platform}`, digest);
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}

const byName = new Intl.Collator("en", { numeric: true }).compare;
const sorted = [...lines].sort(([a], [b]) => byName(a, b)).map(([key, digest]) => `${digest} ${key}\n`);
const head = `# SHA-256 of the programs of esbuild that a build starts, the version, and the platform as npm names it.
# packaging/esbuild-digests.mjs writes this file.
`;
writeFileSync(table, head + sorted.join(""));
console.log(`${sorted.length} programs in the table`);
