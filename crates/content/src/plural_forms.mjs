// Writes plural_forms.tsv from the plural rules of CLDR: `plurals.json` of the npm package cldr-core.
//
//     npm pack cldr-core && tar xzf cldr-core-*.tgz
//     node crates/content/src/plural_forms.mjs package/supplemental/plurals.json
//
// Each line has languages, their categories, and the number of the category of a whole number `n`, as an expression of C, which is
// what the header `Plural-Forms` of gettext has. For a whole number the operands of Unicode Technical Standard 35, part 3, are known:
// `i` is `n`, and `v`, `f`, `t`, `w`, `e` and `c` are 0.
import { readFileSync, writeFileSync } from "node:fs";

const data = JSON.parse(readFileSync(process.argv[2], "utf8")).supplemental;

function relation(text) {
  const [, operand, , modulus, sign, values] = /^(\w)( % (\d+))? (!?=) ([\d.,]+)$/.exec(text);
  const ranges = values.split(",").map((range) => range.split("..").map(Number));
  if (!"ni".includes(operand)) {
    return ranges.some(([first, last = first]) => first <= 0 && last >= 0) === (sign === "=");
  }
  const value = modulus ? `n%${modulus}` : "n";
  const parts = ranges.map(([first, last]) => {
    if (last === undefined) return `${value}==${first}`;
    return first === 0 ? `${value}<=${last}` : `${value}>=${first} && ${value}<=${last}`;
  });
  const all = parts.map((part) => (parts.length > 1 && part.includes("&&") ? `(${part})` : part)).join(" || ");
  const isOne = parts.length === 1 && !all.includes("&&");
  if (sign === "=") return isOne ? all : `(${all})`;
  return isOne ? all.replace("==", "!=") : `!(${all})`;
}

function condition(rule) {
  const alternatives = rule.split(" or ").map((alternative) => {
    const parts = alternative.split(" and ").map((part) => relation(part.trim()));
    if (parts.includes(false)) return false;
    return parts.filter((part) => part !== true).join(" && ") || true;
  });
  if (alternatives.includes(true)) return true;
  const all = alternatives.filter((part) => part !== false);
  if (all.length === 0) return false;
  return all.length === 1 ? all[0].replace(/^\((.*)\)$/, (whole, inner) => (/[()]/.test(inner) ? whole : inner)) : all.map((part) => (part.includes("&&") && !part.startsWith("(") ? `(${part})` : part)).join(" || ");
}

const groups = new Map();
for (const [language, rules] of Object.entries(data["plurals-type-cardinal"])) {
  if (language === "und") continue;
  const categories = Object.entries(rules).map(([name, rule]) => [name.replace("pluralRule-count-", ""), rule.split("@")[0].trim()]);
  const cases = categories.slice(0, -1).map(([, rule], number) => [condition(rule), number]).filter(([test]) => test !== false);
  const last = categories.length - 1;
  const expression = cases.reduceRight((rest, [test, number]) => `(${test}) ? ${number} : ${rest}`, String(last));
  const line = `${categories.map(([name]) => name).join(" ")}\t${expression}`;
  groups.set(line, [...(groups.get(line) ?? []), language]);
}
const lines = [...groups].map(([line, languages]) => `${languages.join(" ")}\t${line}`).sort();
writeFileSync(new URL("plural_forms.tsv", import.meta.url), `# CLDR ${data.version._cldrVersion}\n${lines.join("\n")}\n`);
