const LETTERS = /[\p{Alphabetic}\p{N}]+/gu;
const WITH_ACCENTS = /[\p{Alphabetic}\p{N}\u0300-\u036f]+/gu;
const RUNS = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{3134f}]+|[^\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{3134f}]+/gu;
const IDEOGRAPH = /^[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{3134f}]/u;
const RESULTS = 8;
const OF_PAGE = 3;
const CANDIDATES = 40;
const FILES = 2;
const TEXTS = 8;
const PAUSE = 15;
const EDGE = 8;
const PREFIX = 0.7;
const OTHER = 0.6;
const COVERED = 0.2;
const EXACT = 0.1;
const MISSPELT = 0.5;
const folded = (text) => text.toLowerCase().normalize("NFKD").replace(/[\u0300-\u036f]/g, "").normalize("NFC").replaceAll("ß", "ss");
export function wordsOf(text) {
return (folded(text).match(LETTERS) ?? []).flatMap((word) =>
word.match(RUNS).flatMap((run) => {
const letters = [...run];
if (!IDEOGRAPH.test(run) || letters.length < 2) return [run];
return letters.slice(1).map((letter, at) => letters[at] + letter);
}),
);
}
async function read(address, options) {
const response = await fetch(address, options);
if (!response.ok) throw new Error(`${response.status} ${address}`);
return new Response(response.body.pipeThrough(new DecompressionStream("deflate-raw"))).json();
}
function isNear(one, other) {
const [short, long] = one.length < other.length ? [one, other] : [other, one];
if (long.length - short.length > 1 || short === long) return false;
let at = 0;
while (at < short.length && short[at] === long[at]) at += 1;
if (short.length < long.length) return short.slice(at) === long.slice(at + 1);
if (short.slice(at + 1) === long.slice(at + 1)) return true;
return short[at] === long[at + 1] && short[at + 1] === long[at] && short.slice(at + 2) === long.slice(at + 2);
}
const END = "\uffff";
const backwards = (word) => [...word].reverse().join("");
export class Index {
constructor(address) {
this.address = new URL(address, location.href);
this.files = new Map();
}
open(options) {
this.entry ??= read(this.address, options);
return this.entry;
}
file(name, parse) {
if (!this.files.has(name)) this.files.set(name, read(new URL(`assets/search-${name}.bin`, this.address)).then(parse));
return this.files.get(name);
}
around(list, word, from, to, number, parse) {
const at = (word) => Math.max(0, list.findLastIndex(([first]) => first <= word));
const [first, last] = [at(from), at(to)];
const start = Math.max(first, Math.min(at(word) - (number >> 2), last - number + 1));
const names = list.slice(start, Math.min(last + 1, start + number));
return Promise.all(names.map(([, name]) => this.file(name, parse)));
}
async terms(word, from, to, number, weigh) {
const { terms } = await this.open();
const parse = (file) => file.map(([scale, forms, ...postings]) => ({ scale, forms: forms.split(" "), postings }));
const found = new Map();
for (const file of await this.around(terms, word, from, to, number, parse)) {
for (const term of file) {
const weight = Math.max(...term.forms.map(weigh));
if (weight > 0) found.set(term.forms.join(" "), { ...term, weight });
}
}
return [...found.values()];
}
async meant(word, isLast) {
const isBegin = (form) => isLast && (word.length > 1 || IDEOGRAPH.test(word)) && form.startsWith(word);
const weigh = (form) => (form === word ? 1 : isBegin(form) ? PREFIX * (0.5 + (0.5 * word.length) / form.length) : 0);
const found = await this.terms(word, word, isLast ? word + END : word, FILES, weigh);
if (found.length || word.length < 4) return found;
const stem = word.slice(0, Math.max(3, word.length - 3));
const isOther = (form) => form.startsWith(stem) && form.length <= word.length;
const near = (form) => (isNear(form, word) ? MISSPELT : isOther(form) ? (OTHER * form.length) / word.length : 0);
const half = word.slice(0, Math.min(stem.length, word.length >> 1));
const others = await this.terms(word, half, half + END, FILES + 1, near);
if (others.some(({ weight }) => weight === MISSPELT)) return others;
const { words } = await this.open();
const reversed = backwards(word);
const end = reversed.slice(0, (word.length - 1) >> 1);
const lists = await this.around(words, reversed, end, end + END, FILES, (text) => text.split(" "));
const forms = lists.flat().filter((form) => isNear(form, reversed)).slice(0, FILES).map(backwards);
const exact = (wanted) => this.terms(wanted, wanted, wanted, 1, (form) => (form === wanted ? MISSPELT : 0));
return [...others, ...(await Promise.all(forms.map(exact))).flat()];
}
async search(query) {
const words = [...new Set(wordsOf(query))].slice(0, 8);
const isOpen = !/\s$/.test(query);
const terms = await Promise.all(words.map((word, at) => this.meant(word, isOpen && at === words.length - 1)));
const scores = new Map();
for (const meant of terms) {
const best = new Map();
for (const { scale, postings, weight } of meant) {
let part = 0;
for (const posting of postings) {
part += posting >> 4;
const score = scale * (posting & 15) * weight;
if (score > (best.get(part) ?? 0)) best.set(part, score);
}
}
for (const [part, score] of best) {
const before = scores.get(part) ?? { part, score: 0, matched: 0 };
scores.set(part, { part, score: before.score + score, matched: before.matched + 1 });
}
}
const ranked = [...scores.values()].map(({ part, score, matched }) => ({ part, score: score * matched * matched }));
ranked.sort((one, other) => other.score - one.score || one.part - other.part);
const forms = new Set(terms.flat().flatMap((term) => term.forms));
const { parts } = await this.open();
const fileOf = (part) => parts.findLast(([first]) => first <= part);
const best = ranked.slice(0, CANDIDATES);
const fetched = new Set([...new Set(best.map(({ part }) => fileOf(part)))].slice(0, TEXTS));
const read = async ({ part, score }) => {
const [first, name] = fileOf(part);
const [address, title, id, heading, text] = (await this.file(name, (file) => file))[part - first];
const own = wordsOf(heading || title);
const covered = own.filter((word) => forms.has(word)).length / (own.length || 1);
const exact = words.filter((word) => own.includes(word)).length / words.length;
return { address, title, id, heading, text, score: score * (1 + COVERED * covered + EXACT * exact) };
};
const candidates = best.filter(({ part }) => fetched.has(fileOf(part)));
const found = await Promise.all(candidates.map(read));
found.sort((one, other) => other.score - one.score);
const seen = new Map();
const results = found.filter(({ address, id }) => {
const of = seen.get(address) ?? seen.set(address, new Set()).get(address);
const isNew = !of.has(id) && of.size < OF_PAGE;
of.add(id);
return isNew;
});
return { results: results.slice(0, RESULTS), forms };
}
}
function mark(element, text, forms) {
let from = 0;
for (const match of text.matchAll(WITH_ACCENTS)) {
if (!wordsOf(match[0]).some((word) => forms.has(word))) continue;
const marked = document.createElement("mark");
marked.textContent = match[0];
element.append(text.slice(from, match.index), marked);
from = match.index + match[0].length;
}
element.append(text.slice(from));
return element;
}
function excerpt(text, forms, length = 160) {
const hits = [...text.matchAll(WITH_ACCENTS)].filter((match) => wordsOf(match[0]).some((word) => forms.has(word)));
let [best, most] = [0, 0];
for (const { index } of hits) {
const near = hits.filter((hit) => hit.index >= index && hit.index < index + length);
const distinct = new Set(near.map((hit) => folded(hit[0]))).size;
if (distinct > most) [best, most] = [index, distinct];
}
let start = Math.max(0, Math.min(best - 40, text.length - length));
if (start > 0) start = text.indexOf(" ", start) + 1;
let end = Math.min(text.length, start + length);
if (end < text.length) end = Math.max(text.lastIndexOf(" ", end), start + 1);
return (start > 0 ? "… " : "") + text.slice(start, end) + (end < text.length ? " …" : "");
}
function make(name, className) {
const element = document.createElement(name);
element.className = className;
return element;
}
export function mount(element, { index: address, texts, shortcut }) {
const input = element.querySelector("input");
const panel = make("div", "search-panel");
const status = make("p", "search-status");
const list = make("ul", "search-results");
status.setAttribute("role", "status");
list.setAttribute("aria-label", texts.results);
panel.append(status, list);
panel.hidden = true;
element.append(panel);
element.hidden = false;
let index = new Index(address);
let latest = 0;
let pause;
let answered = Promise.resolve();
const links = () => [...list.querySelectorAll("a")];
const say = (text) => status.textContent !== text && (status.textContent = text);
const cancel = () => {
clearTimeout(pause);
pause = undefined;
return (latest += 1);
};
const close = () => {
cancel();
panel.hidden = true;
};
const open = () => {
panel.hidden = false;
panel.style.translate = "";
const { left, right } = panel.getBoundingClientRect();
const after = Math.max(0, right + EDGE - document.documentElement.clientWidth);
const beyond = Math.min(left - EDGE, after);
if (beyond) panel.style.translate = `${-beyond}px`;
};
function show({ results, forms }, query) {
list.replaceChildren(
...results.map(({ address, title, id, heading, text }) => {
const item = make("li", "search-result");
const link = make("a", "search-link");
link.href = id ? `${address}#${encodeURIComponent(id)}` : address;
link.append(mark(make("span", "search-heading"), heading || title, forms));
if (heading) link.append(" ", mark(make("span", "search-page"), title, forms));
item.append(link);
if (text) item.append(mark(make("p", "search-text"), excerpt(text, forms), forms));
return item;
}),
);
const count = results.length;
let form = count === 1 ? "one" : "many";
if (texts.other) form = new Intl.PluralRules(document.documentElement.lang || undefined).select(count);
const text = count === 0 ? texts.none : (texts[form] ?? texts.other);
say(text.replace("{count}", () => String(count)).replace("{query}", () => query));
open();
}
async function answer() {
const query = input.value;
const own = cancel();
if (!wordsOf(query).length) {
list.replaceChildren();
say("");
return close();
}
try {
let found;
try {
found = await index.search(query);
} catch {
index = new Index(address);
await index.open({ cache: "reload" });
found = await index.search(query);
}
if (own === latest) show(found, query.trim());
} catch {
if (own !== latest) return;
index = new Index(address);
list.replaceChildren();
say(texts.failed);
open();
}
}
const ask = () => (answered = answer());
input.addEventListener("input", (event) => {
if (event.isComposing) return;
cancel();
pause = setTimeout(ask, PAUSE);
});
input.addEventListener("compositionend", ask);
input.addEventListener("focus", () => {
index.open().catch(() => (index = new Index(address)));
if (input.value && panel.hidden) ask();
});
element.addEventListener("focusout", ({ relatedTarget }) => {
if (relatedTarget && !element.contains(relatedTarget)) close();
});
document.addEventListener("pointerdown", ({ target }) => {
if (!element.contains(target)) close();
});
list.addEventListener("click", ({ target }) => {
if (target.closest("a")) close();
});
element.addEventListener("keydown", async (event) => {
if (event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
if (event.key === "Escape" && !panel.hidden) {
event.preventDefault();
input.focus();
close();
} else if (event.key === "Enter" && event.target === input) {
event.preventDefault();
if (pause) ask();
const own = latest;
await answered;
if (own === latest) links()[0]?.click();
} else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && !panel.hidden && links().length) {
event.preventDefault();
if (pause) ask();
const own = latest;
await answered;
if (own !== latest) return;
const now = links();
const next = now.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1);
(next < 0 ? input : (now[next] ?? now.at(-1) ?? input)).focus();
}
});
if (shortcut)
document.addEventListener("keydown", (event) => {
const isTyped = event.target.closest?.("input,textarea,select,[contenteditable]");
if (event.key !== shortcut || isTyped || event.altKey || event.ctrlKey || event.metaKey) return;
event.preventDefault();
input.focus();
});
if (document.activeElement === input) {
void index.open().catch(() => {});
if (input.value) ask();
}
}
for (const element of document.querySelectorAll("[data-search-index]")) {
const { searchIndex, searchTexts, searchShortcut } = element.dataset;
mount(element, { index: searchIndex, texts: JSON.parse(searchTexts), shortcut: searchShortcut });
}
