// The fonts of the browsers: those of one package, so that no test depends on what else is installed.
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** Where Debian, Fedora and Arch put DejaVu. `tests/run` installs the package on Debian. */
const places = ["truetype/dejavu", "dejavu-sans-fonts", "TTF"].map((each) => join("/usr/share/fonts", each));
const names = ["DejaVuSans", "DejaVuSans-Bold", "DejaVuSansMono", "DejaVuSansMono-Bold", "DejaVuSerif", "DejaVuSerif-Bold"];
const families = { "sans-serif": "DejaVu Sans", "system-ui": "DejaVu Sans", serif: "DejaVu Serif", monospace: "DejaVu Sans Mono" };

/** Writes a configuration of Fontconfig that knows only these, and returns its path. */
export function fontConfiguration(): string {
  const folder = resolve(import.meta.dirname, "../../target/browser-fonts");
  const file = join(folder, "fonts.conf");
  const place = places.find((each) => existsSync(join(each, "DejaVuSans.ttf")));
  // Systems that do not use Fontconfig.
  if (process.platform !== "linux") return file;
  if (!place) throw new Error("DejaVu is not installed. Install the package `fonts-dejavu-core`, which the browser tests use.");
  // Other packages put fonts into the same folder, so these are copied out of it.
  mkdirSync(join(folder, "fonts"), { recursive: true });
  for (const name of names) {
    const [from, to] = [join(place, `${name}.ttf`), join(folder, "fonts", `${name}.ttf`)];
    if (existsSync(from) && !existsSync(to)) copyFileSync(from, to);
  }
  const aliases = Object.entries(families).map(
    ([family, font]) => `  <alias binding="same"><family>${family}</family><prefer><family>${font}</family></prefer></alias>`,
  );
  const text = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>${join(folder, "fonts")}</dir>
  <cachedir>${join(folder, "cache")}</cachedir>
${aliases.join("\n")}
</fontconfig>
`;
  // Each worker comes here, while browsers of others start.
  if (!existsSync(file) || readFileSync(file, "utf8") !== text) writeFileSync(file, text);
  return file;
}
