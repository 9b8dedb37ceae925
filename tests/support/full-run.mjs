// Writes what a run of tests/all has done, as Markdown. Arguments: the file with its output, the commit, its seconds and its
// exit code.
import { readFileSync } from "node:fs";
import { availableParallelism, release, type } from "node:os";

/** What tests/run says at its end. */
const passed = "all tests have passed";
/** Lines of the output of a test that are shown. */
const most = 3;

const [log, commit, seconds, code] = process.argv.slice(2);
const lines = readFileSync(log, "utf8").replace(/\u001b\[[\d;]*[A-Za-z]/g, "").split(/\r?\n/);

/** The parts of the run with the time at which each began, and their output. */
const parts = [{ name: "", time: "0:00", lines: [] }];
for (const line of lines) {
  const [, name, time] = /^== (.+) \[(\d+:\d\d)\]$/.exec(line) ?? [];
  if (name) parts.push({ name, time, lines: [] });
  else parts.at(-1).lines.push(line);
}

/** What a part says of itself: tests that passed and failed, and the executions of the fuzzer. */
function resultsOf({ lines }) {
  const results = [];
  const rust = lines.flatMap((line) => [...line.matchAll(/^test result: .* (\d+) passed; (\d+) failed; (\d+) ignored/g)]);
  if (rust.length) {
    const sum = (at) => rust.reduce((sum, each) => sum + Number(each[at]), 0);
    results.push(`${sum(1)} passed, ${sum(2)} failed, ${sum(3)} ignored`);
  }
  for (const line of lines) {
    // Playwright counts each kind of result in a line of its own.
    const [, browser] = /^ {2}(\d+ (?:passed|failed|flaky|skipped|did not run))\b/.exec(line) ?? [];
    if (browser) results.push(browser);
    const [, units] = /number_of_executed_units: *(\d+)/.exec(line) ?? [];
    if (units) results.push(`fuzzer: ${units} inputs`);
  }
  return results.join("; ");
}

/** What tests print of what they have tried, by their names. */
function printed() {
  const all = new Map();
  let name;
  for (const line of lines) {
    const [, begun] = /^---- (\S+) stdout ----$/.exec(line) ?? [];
    if (begun) all.set((name = begun), []);
    else if (line === "" || /^(successes|failures):$|^test result: |^== /.test(line)) name = undefined;
    else if (name) all.get(name).push(line);
    if (/^attacks: \d/.test(line)) all.set("browser", [...(all.get("browser") ?? []), line.replace(/ \(.*/, "")]);
  }
  return [...all].filter(([, lines]) => lines.length > 0);
}

const cell = (text) => text.replaceAll("|", "\\|");
const minutes = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
const result = code === "0" ? "all tests passed" : `failed with exit code ${code} in the part “${parts.at(-1).name}”`;
console.log(`# The last full run of the tests

Written by \`tests/all\`.

- Date: ${new Date().toISOString().slice(0, 10)}
- Commit: ${commit}
- Machine: ${type()} ${release()}, ${availableParallelism()} processors
- Time: ${minutes} minutes
- Result: ${result}

## Parts

| Began | Part | Result |
|---|---|---|`);
for (const part of parts.filter((each) => each.name && each.name !== passed)) console.log(`| ${part.time} | ${cell(part.name)} | ${cell(resultsOf(part))} |`);
console.log("\n## What the tests tried\n\n| Test | Output |\n|---|---|");
for (const [name, lines] of printed()) {
  // Sums stand at the end.
  const more = lines.length > most ? [`${lines.length - most} lines, and`] : [];
  console.log(`| \`${name}\` | ${[...more, ...lines.slice(-most)].map(cell).join("<br>")} |`);
}
