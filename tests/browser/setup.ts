// Builds the sites that the tests open: the real one, the same with React's development build, and copies of the project
// with a few files changed.
import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const project = resolve(import.meta.dirname, "../..");
const sitegen = resolve(project, process.env.SITEGEN ?? "target/release/sitegen");

/** The origin of the logo in the variant that has one on an image host. */
export const imageHost = "https://images.example";

/** What `sitegen new` can start with. */
export const starters = ["minimal", "company", "blog", "portfolio", "docs"];

/** The names of those that the gallery of the documentation shows. */
const names: Record<string, string> = { portfolio: "Ida Marsh", docs: "Tide Gauge" };

export default function setup() {
  if (!existsSync(sitegen))
    throw new Error(`There is no ${sitegen}. Run \`cargo build --release\` first, or set SITEGEN.`);
  const folder = mkdtempSync(join(tmpdir(), "site-"));

  const build = (root: string, variant: string, ...more: string[]) =>
    execFileSync(sitegen, ["build", "--quiet", "--root", root, "--out", join(folder, variant), ...more], {
      stdio: ["ignore", "pipe", "inherit"],
    });

  const copy = (variant: string): string => {
    const root = join(folder, `${variant}-project`);
    for (const part of ["content", "templates", "islands", "package.json", "package-lock.json", "tsconfig.json"])
      cpSync(join(project, part), join(root, part), { recursive: true });
    symlinkSync(join(project, "node_modules"), join(root, "node_modules"));
    return root;
  };

  build(project, "site");
  build(project, "development", "--development");

  const withLogo = copy("logo");
  edit(join(withLogo, "content/site.yaml"), /(\n\s+src: )brand\/\S+/, `$1${imageHost}/some/logo.png`);
  edit(
    join(withLogo, "content/site.yaml"),
    /\nsettings:\n/,
    `$&  connections:\n    logo: { origin: "${imageHost}", for: image, why: Shows our logo. }\n`,
  );
  build(withLogo, "logo");

  const withPlace = copy("place");
  edit(join(withPlace, "content/positions/ui-ux-designer.yaml"), /^posted:/m, "location:\n  city: Graz\n  country: AT\nposted:");
  build(withPlace, "place");

  const withIslands = copy("islands");
  cpSync(join(import.meta.dirname, "variants/islands"), withIslands, { recursive: true });
  // The islands of the tests are more than the site's own.
  edit(join(withIslands, "content/site.yaml"), /( {4}js: )\d+/, "$175");
  build(withIslands, "islands");
  build(withIslands, "islands-development", "--development");

  build(join(project, "examples/brewery"), "brewery", "--deny", "warnings");
  build(join(project, "examples/museum"), "museum", "--deny", "warnings");
  build(join(project, "examples/harbour"), "harbour", "--deny", "warnings");
  // Its versions are sites of their own.
  execFileSync(join(project, "examples/splice/build"), [join(folder, "splice"), "https://splice.test", "--deny", "warnings"], {
    env: { ...process.env, SITEGEN: sitegen },
    stdio: ["ignore", "pipe", "inherit"],
  });
  build(join(project, "docs"), "docs", "--deny", "warnings");
  for (const starter of starters) {
    const root = join(folder, `${starter}-starter-project`);
    const name = names[starter] ?? "Example";
    execFileSync(sitegen, ["new", root, "--starter", starter, "--name", name], { stdio: ["ignore", "pipe", "inherit"] });
    // The first build would install the same packages.
    if (existsSync(join(root, "package.json"))) symlinkSync(join(project, "node_modules"), join(root, "node_modules"));
    build(root, `${starter}-starter`, "--deny", "warnings");
  }

  process.env.BUILT_SITES = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

function edit(file: string, pattern: RegExp, replacement: string): void {
  const before = readFileSync(file, "utf8");
  const after = before.replace(pattern, replacement);
  if (after === before) throw new Error(`${file}: ${pattern} was not found`);
  writeFileSync(file, after);
}

/** The folder of a built site. */
export const builtSite = (variant: string): string => join(process.env.BUILT_SITES!, variant);

/** The paths of its HTML files. */
export const htmlFiles = (variant: string): string[] =>
  readdirSync(builtSite(variant), { recursive: true, encoding: "utf8" }).filter((each) => each.endsWith(".html"));
