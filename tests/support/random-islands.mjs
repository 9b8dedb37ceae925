// Writes a project with random islands, and `expected.json`: calls of them, with what `react-dom/server` renders in Node.
//
//     node tests/support/random-islands.mjs <folder> <seed> <islands>
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");
const project = resolve(process.argv[2]);
const [seed, count] = process.argv.slice(3).map(Number);

// mulberry32
let state = seed;
const random = () => {
  state = (state + 0x6d2b79f5) | 0;
  let value = Math.imul(state ^ (state >>> 15), 1 | state);
  value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
  return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
};
const below = (limit) => Math.floor(random() * limit);
const one = (list) => list[below(list.length)];

const words = ["Rye", "a < b", "\"&'", "ä 🥖", "  two  ", "</p><script>", "0", "", "\u00a0", "{x}"];
const text = () => JSON.stringify(one(words));
const values = ["1", "0", "1.5", "-2", "null", "undefined", "true", "false", "10n", text];
const value = () => {
  const chosen = one(values);
  return typeof chosen === "function" ? chosen() : chosen;
};
const styles = ["width: 3", "opacity: 0.5", 'color: "red"', '"--x": "a b"', "lineHeight: 2", 'WebkitMask: "none"', "margin: 0"];
const attributes = [
  () => `title={${text()}}`,
  () => `data-a={${value()}}`,
  () => `hidden={${one(["true", "false"])}}`,
  () => `className={${text()}}`,
  () => `style={{ ${[...new Set([one(styles), one(styles)])].join(", ")} }}`,
  () => "id={id}",
  () => `tabIndex={${below(3)}}`,
  () => `aria-label={${text()}}`,
];
const dates = [
  'new Date("2026-12-24").toISOString()',
  'new Date("2026-12-24T18:00:00Z").getTime()',
  "new Date(Date.UTC(2026, 1, 29)).getUTCDay()",
  'new Date("Thu, 24 Dec 2026 18:00:00 GMT").toUTCString()',
  'Date.parse("2026-12-24T18:00:00+02:00")',
  "JSON.stringify({ day: new Date(0) })",
  "new Date(NaN).getTime()",
];
const globals = [
  'new URL("../b?x=1&y=%20#z", "https://user@example.com:8080/a/c").href',
  'new URL("https://Bücher.example/ä?ü").href',
  'new URLSearchParams("a=1&b=%C3%A4&a=2+3").getAll("a").join()',
  'new URLSearchParams({ q: "a b&c=ä!\'()~*" }).toString()',
  'Array.from(new TextEncoder().encode("aä€🥖")).join()',
  "new TextDecoder().decode(new Uint8Array([240, 159, 165, 150, 255, 97]))",
  'JSON.stringify(structuredClone({ a: [1, new Date(0)], b: new Map([[1, 2]]).size }))',
  "new AbortController().signal.aborted",
  "typeof setTimeout(() => {}, 10) !== typeof undefined",
  '[3, 1, 2].toSorted().join() + "abc".at(-1)',
];

const node = (depth) => {
  const kind = depth <= 0 ? below(6) : depth > 2 ? 6 + below(6) : below(12);
  switch (kind) {
    case 0:
      return `{${text()}}`;
    case 1:
      return `{${value()}}`;
    case 2:
      return `{${one(dates)}}`;
    case 3:
      return "{count}";
    case 4:
      return "{id}";
    case 5:
      return `{String(${one(globals)})}`;
    case 6:
      return `{${one(["count > 0", "flag", "!flag"])} ? ${wrapped(depth - 1)} : ${wrapped(depth - 1)}}`;
    case 7:
      return `{flag && ${wrapped(depth - 1)}}`;
    case 8:
      return `{[${Array.from({ length: below(4) }, () => text()).join(", ")}].map((item, index) => <li key={index} value={index}>{item}${node(depth - 1)}</li>)}`;
    case 9:
      return `<Inner start={${below(5)}}>${node(depth - 1)}</Inner>`;
    case 10:
      return `<input ${one(["value", "defaultValue"])}={${text()}} readOnly type="${one(["text", "number", "checkbox"])}" ${one(["", "checked", "disabled"])} />`;
    default: {
      const name = one(["div", "span", "b", "section", "em"]);
      const own = [...new Set(Array.from({ length: below(3) }, () => one(attributes)))].map((attribute) => attribute());
      const unique = own.filter((each, at) => own.findIndex((other) => other.split("=")[0] === each.split("=")[0]) === at);
      return `<${name} ${unique.join(" ")}>${node(depth - 1)}${node(depth - 1)}</${name}>`;
    }
  }
};
const wrapped = (depth) => `<>${node(depth)}</>`;

const island = (name) => `
import { createContext, useContext, useId, useMemo, useReducer, useRef, useState } from "react";

const Depth = createContext(0);
let made = 0;

function Inner({ start, children }: { start: number; children?: React.ReactNode }) {
  const [count] = useState(start);
  const depth = useContext(Depth);
  const flag = depth % 2 === 0;
  const id = useId();
  made++;
  return <Depth.Provider value={depth + 1}><i>{count}{made}{flag}{id}</i>{children}</Depth.Provider>;
}

export default function ${name}({ flag, start }: { flag: boolean; start: number }) {
  const [count] = useReducer((count: number) => count + 1, start);
  const id = useId();
  const unseen = useRef(Math.random() + Date.now() + new Date().getHours());
  const sorted = useMemo(() => ["b", "a"].sort(), []);
  return <>${node(4)}${node(4)}<p>{sorted}{typeof unseen.current}</p></>;
}
`;

mkdirSync(join(project, "islands"), { recursive: true });
cpSync(join(root, "crates/islands/src/runtime"), join(project, "islands/runtime"), { recursive: true });
symlinkSync(join(root, "node_modules"), join(project, "node_modules"));
const props = Array.from({ length: count }, () => ({ flag: below(2) === 0, start: below(3) }));
let entry = 'import { renderToString } from "react-dom/server";\nimport { Boundary } from "./islands/runtime/Boundary";\n';
let list = "";
for (let index = 0; index < count; index++) {
  const name = `Random${index}`;
  writeFileSync(join(project, `islands/${name}.tsx`), island(name));
  entry += `import ${name} from "./islands/${name}";\n`;
  list += `renderToString(<Boundary><${name} {...${JSON.stringify(props[index])}} /></Boundary>, { identifierPrefix: "i${index}-" }),\n`;
}
writeFileSync(join(project, "entry.tsx"), `${entry}export default [\n${list}];\n`);

const esbuild = join(root, `node_modules/@esbuild/${process.platform}-${process.arch}/bin/esbuild`);
const bundle = join(project, "node.cjs");
const options = ["--bundle", "--platform=node", "--format=cjs", "--jsx=automatic", '--define:process.env.NODE_ENV="production"'];
execFileSync(esbuild, [join(project, "entry.tsx"), ...options, "--log-level=warning", `--outfile=${bundle}`]);
rmSync(join(project, "entry.tsx"));
const rendered = createRequire(bundle)(bundle).default;
const expected = rendered.map((html, index) => ({
  component: `Random${index}`,
  props: JSON.stringify(props[index]),
  prefix: `i${index}-`,
  html,
}));
writeFileSync(join(project, "expected.json"), JSON.stringify(expected));
