import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { builtSite, htmlFiles } from "./setup.ts";
import { expect, test } from "./site.ts";

// What it says for lack of knowledge, or of the host:
const unfounded = [
  // React writes `<input/>` where HTML means `<input>`. Both are the same element.
  "Trailing slash on void elements has no effect.*",
  // Without the role Safari does not expose a list without bullets as a list.
  "The “list” role is unnecessary for element “[uo]l”.*",
  // Its CSS is some years old: container queries, `field-sizing`, `:target-current`.
  "CSS: .*(doesn't exist|Unrecognized at-rule).*",
  "CSS: Unknown pseudo-element or pseudo-class “:target-current”",
  // No policy stops structured data, and `'self'` cannot be judged from a file. A browser says what is really blocked, in every test.
  ".*violates Content Security Policy.*",
];

test("the Nu HTML checker finds nothing in any page", () => {
  test.setTimeout(120_000);
  const java = spawnSync("java", ["-version"]);
  // Where CI is set, nothing is left out.
  if (process.env.CI) expect(java.status, "the Nu HTML checker needs Java").toBe(0);
  test.skip(java.status !== 0, "There is no Java on this machine, which the Nu HTML checker needs.");
  const vnu: string = createRequire(import.meta.url)("vnu-jar");
  const files = htmlFiles("site");
  expect(files.length).toBeGreaterThan(4);
  const { stderr } = spawnSync(
    "java",
    ["-jar", vnu, "--exit-zero-always", "--format", "json", "--filterpattern", unfounded.join("|"), ...files],
    {
      cwd: builtSite("site"),
      encoding: "utf8",
    },
  );
  const { messages } = JSON.parse(stderr) as { messages: { url: string; message: string; extract: string }[] };
  // Its CSS does not know this pseudo-element with an argument, and the message does not name it.
  const unknown = ({ message, extract }: { message: string; extract: string }) =>
    message === "CSS: Parse Error." && "::view-transition-group(site-header){animation:none}".includes(extract);
  const found = messages.filter((each) => !unknown(each));
  expect(found.map(({ url, message, extract }) => ({ url, message, extract }))).toEqual([]);
});
