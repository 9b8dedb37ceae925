// The page of `sitegen serve --edit`: shows the site in a frame and edits the values behind it. Only that command
// serves it; nothing of it is published. Everything that comes from the server or the site is put in as text.

const $ = (id) => document.getElementById(id);
const frame = $("frame");

// ---- Calls. The token stays in this module, and in the tab's storage for a reload of this page.

const [, given, start] = /^#([0-9a-f]{32})?(\/.*)?$/.exec(location.hash) ?? [];
const storageKey = "sitegen edit";
let token = given;
try {
  if (given) sessionStorage.setItem(storageKey, given);
  else token = sessionStorage.getItem(storageKey);
  history.replaceState(null, "", `#${start ?? "/"}`);
} catch {
  // Storage is forbidden: then the token stays in the address bar.
}

const help = "Open the address that `sitegen serve --edit` prints.";

async function call(name, body = {}) {
  let answer;
  try {
    const headers = { "content-type": "application/json", "x-sitegen-token": token ?? "" };
    answer = await fetch(`/.sitegen/edit/${name}`, { method: "POST", headers, body: JSON.stringify(body) });
  } catch {
    throw new Error(`sitegen does not answer. Start it again. ${help}`);
  }
  const data = await answer.json().catch(() => ({}));
  if (answer.ok) return data;
  if (answer.status === 410) refresh();
  throw new Error(answer.status === 403 ? help : data.error);
}

/** A handler of events whose errors are shown. */
const guard = (handle) => async (event) => {
  try {
    await handle(event);
  } catch (error) {
    say(error.message, true);
  }
};

// ---- Elements.

/** An element, named like `p.class`, with properties and children. */
function h(name, ...children) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag);
  element.className = classes.join(" ");
  for (const child of children)
    if (child?.constructor !== Object) element.append(child || "");
    else
      for (const [key, value] of Object.entries(child))
        if (value === undefined || value === null) continue;
        else if (key in element) element[key] = value;
        else element.setAttribute(key, value);
  return element;
}

const first = (node, selector) => node.querySelector(selector);
const writable = "input, textarea, select";
const prevent = (event) => event.preventDefault();
const icon = (name) => first($("icons").content, `.i-${name}`).cloneNode(true);
const button = (label, onclick, kind = "") =>
  h(`button.button${kind && `.button--${kind}`}`, { onclick: guard(onclick) }, label);
const tool = (name, label, onclick) =>
  h(`button.tool.${name}`, { title: label, "aria-label": label, onclick: guard(onclick) }, icon(name));
const isNarrow = () => matchMedia("(max-width: 719px)").matches;

// ---- The page in the frame.

let page; // the latest answer about it
let places = []; // its parts with the nodes that show them
let byElement = new Map();
const inside = () => frame.contentDocument;
const inner = () => frame.contentWindow;
const addressOf = () => inner().location.pathname;
let isEditing = true;

let patched = () => {};
let pending; // the first answer about a page that has arrived

async function refresh() {
  const address = addressOf();
  const all = elements(inside());
  const answer = await call("page", { address, elements: all.map(({ localName }) => localName) });
  if (address !== addressOf()) return;
  page = answer;
  places = page.parts.map((part) => locate(part, all[part.element]));
  byElement = new Map();
  for (const place of places) byElement.set(place.element, [...(byElement.get(place.element) ?? []), place]);
  document.title = `Edit: ${page.title}`;
  $("title").textContent = page.title;
  $("address").textContent = address;
  $("draft").hidden = !page.draft;
  showHistory(page);
  if (view?.place)
    view.place = places.find(({ part }) => part.id && part.id === view.place.part.id) ?? places[view.index];
  hovered = undefined;
  if (!view && showsPage) showEntries();
  paint();
}

frame.onload = guard(() => {
  const opened = inside();
  if (!opened || opened.URL === "about:blank") return;
  patched();
  page = undefined;
  places = [];
  if (!view && showsPage) showEntries();
  history.replaceState(null, "", location.hash.replace(/\/.*/, "") + (location.hash ? "" : "#") + addressOf());
  const on = (name, handle) => opened.addEventListener(name, handle, { capture: true, passive: false });
  on("pointermove", (event) => event.pointerType !== "touch" && hover(at(event)));
  on("pointerout", (event) => event.relatedTarget || hover());
  on("focusin", ({ target }) => target.matches?.(":focus-visible") && hover(at({ target })));
  on("click", clicked);
  on("keydown", keys);
  on("scroll", paintSoon);
  on("dragover", (event) => taker(event) && prevent(event));
  on("drop", dropped);
  inner().addEventListener("resize", paintSoon);
  // The reload script sets this attribute when it has patched the page.
  new MutationObserver(
    guard(() => {
      patched();
      return refresh();
    }),
  ).observe(opened, { subtree: true, attributeFilter: ["data-sitegen"] });
  new ResizeObserver(paintSoon).observe(opened.documentElement);
  return (pending = refresh());
});

/** The elements below a node in the order of their start tags; of what is not in the document, copies. */
function elements(root, all = []) {
  for (const element of root.children) {
    all.push(element);
    if (element.localName !== "noscript" || element.firstElementChild)
      elements(element.localName === "template" ? element.content : element, all);
    else {
      const { head, body } = new DOMParser().parseFromString(element.textContent, "text/html");
      elements(head, all);
      elements(body, all);
    }
  }
  return all;
}

function locate(part, element) {
  const texts = element
    ? [...element.childNodes].filter((node) => node.nodeType === 3 && /[^ \t\n\r\f]/.test(node.data))
    : [];
  const node = texts[part.text];
  return { part, element: part.text === undefined || node ? element : undefined, node };
}

function rangeOf({ part, element, node }) {
  const range = inside().createRange();
  if (!node) range.selectNodeContents(element);
  else {
    range.setStart(node, Math.min(part.start ?? 0, node.length));
    range.setEnd(node, Math.min(part.end ?? node.length, node.length));
  }
  return range;
}

/** The boxes of a part in the window of the frame. None: it is not shown. */
function boxes(place) {
  if (!place?.element?.isConnected || place.element.ownerDocument !== inside()) return [];
  const list = place.node ? rangeOf(place).getClientRects() : place.element.getClientRects();
  return [...(list.length || place.node ? list : rangeOf(place).getClientRects())].filter(
    ({ width, height }) => width && height,
  );
}

function union(rects) {
  const [left, top] = ["left", "top"].map((side) => Math.min(...rects.map((rect) => rect[side])));
  const [right, bottom] = ["right", "bottom"].map((side) => Math.max(...rects.map((rect) => rect[side])));
  return { left, top, right, bottom, width: right - left, height: bottom - top };
}

const isContent = ({ part }) => part.kind !== "template";

/** The part at a point, or of an element that has the focus. */
function at({ target, clientX: x, clientY: y }) {
  const isHere = (place) =>
    place.node &&
    boxes(place).some(({ left, right, top, bottom }) => x >= left && x <= right && y >= top && y <= bottom);
  for (let element = target; element; element = element.parentElement) {
    const here = byElement.get(element) ?? [];
    const content = here.filter(isContent);
    const isLeaf = element.localName === "a" || (element === target && !element.firstElementChild);
    const place =
      content.find(isHere) ??
      content.find(({ part, node }) => node || !part.attribute || part.kind === "picture") ??
      (isLeaf ? content[0] : undefined) ??
      here.find(({ node }) => node);
    if (place) return place;
  }
}

// ---- Marks above the frame.

let hovered;
const hover = (place) => {
  if (!isEditing) place = undefined;
  if (hovered === place) return;
  hovered = place;
  paint();
};

function mark(element, place) {
  const rects = boxes(place);
  element.hidden = !rects.length;
  if (!rects.length) return;
  const { left, top, width, height } = union(rects);
  element.style.cssText = `left:${left - 4}px;top:${top - 4}px;width:${width + 8}px;height:${height + 8}px`;
  element.dataset.kind = place.part.kind;
  element.classList.toggle("mark--low", top < 30);
}

function paint() {
  mark($("hover"), hovered === view?.place ? undefined : hovered);
  const { part } = hovered ?? {};
  if (part) $("hover").firstChild.textContent = part.label;
  mark($("pinned"), view?.input ? undefined : view?.place);
  view?.lay?.();
}

let frameRequest;
const paintSoon = () => {
  frameRequest ??= requestAnimationFrame(() => {
    frameRequest = undefined;
    paint();
  });
};
addEventListener("resize", paintSoon);

function reveal(place) {
  const [rect] = boxes(place);
  if (!rect) return;
  const low = frame.clientHeight * (isNarrow() && !$("panel").hidden ? 0.35 : 0.8);
  if (rect.top < 60 || rect.bottom > low)
    inner().scrollBy({ top: rect.top - low / 2, behavior: "instant" });
  paint();
}

// ---- Clicks in the page, and keys.

const clicked = guard(async (event) => {
  const link = event.target.closest?.("a[href]");
  const isPlain = !event.button && !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
  const stop = () => {
    prevent(event);
    event.stopImmediatePropagation();
  };
  if (isEditing && isPlain && !page) {
    // Until it is known what can be edited, a click waits.
    stop();
    await pending;
    if (link && !at(event)) return go(link.href);
  }
  const place = isEditing && isPlain ? at(event) : undefined;
  if (place && !(link && place.part.kind === "template")) {
    stop();
    const focused = inside().activeElement;
    const back = () => (focused === inside().body ? frame : focused).focus({ preventScroll: true });
    return open(place, back, inside().caretPositionFromPoint?.(event.clientX, event.clientY));
  }
  // The policy of this page allows no other site in the frame.
  if (link && link.origin !== location.origin && /^http/.test(link.protocol)) {
    stop();
    window.open(link.href, "_blank", "noopener");
  }
});

/** The part that a file can be dropped onto: a picture, or the Markdown that is open. */
const taker = (event) => {
  const place = isEditing && at(event);
  return place && (place.part.kind === "picture" || (place === view?.place && view.controls[0]?.take)) && place;
};

const dropped = guard(async (event) => {
  const place = taker(event);
  const [file] = event.dataTransfer.files;
  if (!file || !place) return;
  prevent(event);
  if (place !== view?.place) await open(place);
  view?.controls[0]?.take?.(file);
});

function keys(event) {
  const isField = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.nodeName) || event.target.isContentEditable;
  if (event.key?.toLowerCase() === "z" && (event.ctrlKey || event.metaKey) && !isField && !event.altKey) {
    prevent(event);
    step(event.shiftKey ? "redo" : "undo");
  } else if (event.key === "Escape" && !event.defaultPrevented && !first(document, "dialog[open]")) {
    if (view) end();
    else if (isNarrow() && !$("panel").hidden) showPanel(false);
    // While one browses, the key is for the page.
    else if (!isField && (isEditing || event.view === window)) setMode(!isEditing);
  }
}
addEventListener("keydown", keys);

/** Shows which of two buttons is pressed. */
const press = (one, other, isOne) => {
  $(one).ariaPressed = isOne;
  $(other).ariaPressed = !isOne;
};

function setMode(edits) {
  isEditing = edits;
  press("edit", "browse", edits);
  hover();
}
$("edit").onclick = () => setMode(true);
$("browse").onclick = guard(async () => (await leave()) && setMode(false));

const go = guard(async (address) => (await leave()) && inner().location.assign(address));

// ---- Messages, and the history of changes.

let hush;
function say(text, isError, { changes = "", pages = [] } = {}) {
  const toast = $("toast");
  toast.hidden = false;
  toast.classList.toggle("toast--error", isError);
  $("said").textContent = text;
  $("live").textContent = `${text} ${changes}`;
  const link = ({ address, title }) =>
    h("a", { href: address, onclick: (event) => (prevent(event), go(address)) }, title || address);
  const rest = pages.slice(3);
  const more = rest.length && h("details", h("summary", `${rest.length} more`), ...rest.map(link));
  $("pages").replaceChildren(...pages.slice(0, 3).map(link), more || "");
  clearTimeout(hush);
  const close = () => {
    if (toast.matches(":hover, :focus-within")) hush = setTimeout(close, 4_000);
    else toast.hidden = true;
  };
  if (!isError) hush = setTimeout(close, 12_000);
}
$("hush").onclick = () => ($("toast").hidden = true);

function showHistory(answer) {
  for (const name of ["undo", "redo"]) {
    const what = answer[name];
    const label = `${name === "undo" ? "Undo" : "Redo"} ${what ?? ""}`;
    const state = { title: label, ariaDisabled: String(!what), value: answer[`${name}Id`] };
    Object.assign($(name), state).lastElementChild.textContent = label;
  }
}

/** Makes a change. Where somebody else has changed the same words, asks which to keep; `theirs` is then one answer. */
async function commit(name, body) {
  const arrival = new Promise((done) => (patched = done));
  const answer = await call(name, body);
  if (!answer.conflict) return { ...answer, arrival };
  const kept = await compare(answer.conflict);
  if (kept === "mine") return commit(name, { ...body, over: true });
  return { ok: false, problems: [], theirs: kept === "theirs" };
}

/** Names the pages that a change has changed, and waits until the page in the frame follows. */
async function follow(verb, answer) {
  const { what, pages, arrival } = answer;
  say(`${verb}: ${what}.`, false, answer);
  showHistory(answer);
  const isHere = pages.some(({ address }) => address === addressOf());
  await Promise.race([arrival, new Promise((done) => setTimeout(done, isHere ? 1_500 : 0))]);
  guard(refresh)();
}

const step = guard(async (name) => {
  if ($(name).ariaDisabled === "true" || !(await leave())) return;
  const body = { id: $(name).value };
  const answer = await commit(name, body);
  // Otherwise nothing before it could be undone either.
  if (answer.theirs) showHistory(await call(name, { ...body, skip: true }));
  if (answer.ok) await follow(name === "undo" ? "Undone" : "Redone", answer);
  else if (answer.problems[0]) {
    say(answer.problems[0].message, true);
    await refresh();
  }
});
for (const name of ["undo", "redo"]) $(name).onclick = () => step(name);

async function compare({ theirs, yours }) {
  const dialog = $("conflict");
  const show = (id, [before, other, after]) => $(id).replaceChildren(before, h("mark", other), after);
  show("mine", yours);
  show("theirs", theirs);
  dialog.returnValue = "";
  dialog.showModal();
  await new Promise((done) => dialog.addEventListener("close", done, { once: true }));
  return dialog.returnValue;
}

// ---- Fields.

let count = 0;

/** The input of a field with its label, hint and problems. It joins the controls that are saved together. */
function control(field, controls) {
  const id = `field-${++count}`;
  const message = h("div.problem", { id: `${id}-problem`, "aria-live": "polite" });
  const self = { field, message, controls, body: () => ({ id: field.id, value: self.read() }) };
  const common = {
    id,
    lang: field.language,
    dir: field.direction,
    "aria-describedby": `${id}-hint ${id}-problem`,
    oninput: () => typed(self),
  };
  Object.assign(self, (inputs[field.editor] ?? inputs.raw)(field, common, self));
  self.keep = () => (self.saved = JSON.stringify(self.read()));
  self.keep();
  // The fields of a group are saved each by itself, and so are the entries of a list but for the one that it adds.
  const isSaved = field.id !== undefined && Boolean(self.input ?? self.added);
  self.isChanged = () => isSaved && JSON.stringify(self.read()) !== self.saved;
  controls.push(self, ...(self.more ?? []));
  const isGroup = !self.input;
  const label = h(
    isGroup ? "h3.field__label" : "label.field__label",
    { id: `${id}-label`, htmlFor: isGroup ? null : id },
    field.label,
  );
  const hint = h("div.hint", { id: `${id}-hint` }, ...rules(field));
  const group = isGroup && { role: "group", "aria-labelledby": `${id}-label` };
  self.node = h(`div.field.field--${field.editor}`, group, label, self.before, hint, self.box ?? self.input, message.parentNode ? "" : message);
  return self;
}

const rules = ({ hint, shown }) => [hint, shown && h("span.shown", "Shown as: ", h("b", shown))];

function area(field, common) {
  const input = h("textarea", { ...common, rows: 1, value: String(field.value ?? "") });
  const grow = () => {
    input.style.height = "auto";
    input.style.height = `${input.scrollHeight + 2}px`;
  };
  new ResizeObserver(() => input.parentElement?.id === "place" || grow()).observe(input);
  input.addEventListener("input", () => (view?.input === input ? view.lay() : grow()));
  return { input, read: () => (input.value || (field.required && field.value !== null) ? input.value : null) };
}

/** An input of a type; of what is written in another way than browsers know, one of text. */
function line(type, shape, { value }, properties) {
  const input = h("input", { ...properties, type: value === null || shape.test(value) ? type : "text", value: value ?? "" });
  return { input, read: () => input.value || null };
}

/** Writes a text in the place of another as if it were typed, so that the browser can undo it. Moves the caret on from its end. */
function type(input, from, to, text, on = 0) {
  input.focus();
  input.setSelectionRange(from, to);
  document.execCommand("insertText", false, text);
  input.setSelectionRange(from + text.length + on, from + text.length + on);
}

/** Puts marks of Markdown around what is selected, which stays selected. */
const wrap = (label, before, after, input) =>
  button(
    label,
    () => {
      const { selectionStart: from, selectionEnd: to, value } = input;
      type(input, from, to, before + value.slice(from, to) + after);
      input.setSelectionRange(from + before.length, to + before.length);
    },
    "small",
  );

/** Adds a row to the table of Markdown that the caret is in, below its own. From an empty row it leaves the table. */
function addRow(input) {
  const { selectionStart: from, selectionEnd: to, value } = input;
  const start = value.lastIndexOf("\n", from - 1) + 1;
  const [row, ruler] = value.slice(start).split("\n");
  let end = start + row.length;
  if (!/^ *\|.*\| *$/.test(row) || from < start || to > end) return false;
  if (!/[^| ]/.test(row)) type(input, start, end, "\n");
  else {
    if (/^[ |:-]*-[ |:-]*$/.test(ruler ?? "")) end += ruler.length + 1;
    const cells = row.replace(/\\./g, "").match(/\|/g).length - 1;
    type(input, end, end, `\n|${"  |".repeat(cells)}`, 1 - 3 * cells);
  }
  return true;
}

const isTooLarge = (self, { size }) => {
  const problem = $("too-large");
  if (size <= problem.dataset.most) return false;
  showProblems(self, [{ message: problem.textContent, here: true }]);
  return true;
};

async function upload(file) {
  const reader = new FileReader();
  await new Promise((done) => Object.assign(reader, { onloadend: done }).readAsDataURL(file));
  return { name: file.name, data: reader.result.slice(reader.result.indexOf(",") + 1) };
}

/** Gives a file that is dropped onto an element to a control. */
const takeDropped = (element, { take }) =>
  Object.assign(element, {
    ondragover: (event) => event.dataTransfer.types.includes("Files") && prevent(event),
    ondrop: (event) => {
      const [file] = event.dataTransfer.files;
      if (!file) return;
      prevent(event);
      take(file);
    },
  });

const inputs = {
  text: area,
  long: area,
  raw: area,
  markdown(field, common, self) {
    const { input, read } = area(field, common);
    const marks = [
      wrap("Bold", "**", "**", input),
      wrap("Italic", "*", "*", input),
      wrap("Link", "[", "](https://)", input),
    ];
    self.take = guard(async (file) => {
      if (isTooLarge(self, file)) return;
      const answer = await commit("upload", { upload: await upload(file) });
      if (!answer.ok) return showProblems(self, answer.problems);
      showHistory(answer);
      say(answer.hint, false);
      type(input, input.selectionEnd, input.selectionEnd, `![](${answer.name})`, -answer.name.length - 3);
    });
    takeDropped(input, self);
    return { input, read, before: h("div.marks", ...marks) };
  },
  number(field, common) {
    const { minimum: min, maximum: max, step = "any" } = field;
    const { input } = line("number", /^-?\d*\.?\d+(e[-+]?\d+)?$/i, field, { ...common, min, max, step });
    // As it is typed. What the browser cannot read must not look like nothing.
    const typed = () => (input.validity.badInput ? "?" : input.value || null);
    const read = () => (field.id || !typed() ? typed() : Number(typed()));
    return { input, read, body: () => ({ id: field.id, number: typed() }) };
  },
  date: (field, common) => line("date", /^\d{4}-\d\d-\d\d$/, field, common),
  choice(field, common) {
    const { choices = [], value } = field;
    const all = value === null || choices.includes(value) ? choices : [value, ...choices];
    const options = all.map((each, index) => h("option", { value: index, selected: each === value }, String(each)));
    if (!field.required || value === null)
      options.unshift(h("option", { value: "", selected: value === null }, "\u2014"));
    const input = h("select", common, ...options);
    return { input, read: () => (input.value === "" ? null : all[input.value]) };
  },
  switch(field, common) {
    const input = h("input", { ...common, type: "checkbox", role: "switch", checked: field.value === true });
    return { input, read: () => (input.checked ? true : field.value === null ? null : false) };
  },
  picture(field, common, self) {
    let value = field.value;
    let file;
    const box = $("picture").content.firstElementChild.cloneNode(true);
    const [image, name, choices, drop, all] = ["img", "span", ".pictures", ".drop", "fieldset"].map((each) => first(box, each));
    image.src = field.preview ?? "data:,";
    name.textContent = value ?? "No picture";
    const show = (text, source) => {
      showProblems(self, []);
      name.textContent = text;
      image.src = source;
      // The description of the picture before is not that of this one.
      alt.node.hidden = plain.node.hidden = false;
      Object.assign(alt.input, { value: "", placeholder: "Unchanged" });
      alt.keep();
    };
    self.take = (chosen) => {
      if (isTooLarge(self, chosen)) return (input.value = "");
      file = chosen;
      Object.assign(first(choices, ":checked") ?? {}, { checked: false });
      show(`${file.name} (new)`, URL.createObjectURL(file));
    };
    const input = h("input", {
      ...common,
      type: "file",
      accept: "image/*",
      oninput: undefined,
      onchange: () => input.files[0] && self.take(input.files[0]),
    });
    takeDropped(drop, self);
    drop.append(input);
    const fill = guard(async () => {
      choices.append(
        ...(await call("pictures")).all.map((each) => {
          const radio = h("input", {
            type: "radio",
            name: `${common.id}-choice`,
            checked: each.name === value,
            oninput: () => {
              value = each.name;
              file = undefined;
              show(value, each.preview);
            },
          });
          return h(
            "label",
            { title: each.name },
            radio,
            h("img", { alt: "", src: each.preview, loading: "lazy" }),
            h("span", each.name),
          );
        }),
      );
    });
    fill();
    self.more = [];
    const alt = control(field.alt ?? { label: "Alternative text", editor: "text", value: null }, self.more);
    alt.node.hidden = !field.alt;
    const plain = control({ label: "Only decorates the page", editor: "switch", value: null }, []);
    plain.node.hidden = true;
    all.before(alt.node, plain.node, self.message);
    return {
      input,
      box,
      read: () => file ?? value,
      body: async () => {
        const description = plain.read() || alt.input.value ? { alt: plain.read() ? "" : alt.input.value } : {};
        if (!file) return { id: field.id, value, ...description };
        return { id: field.id, upload: await upload(file), ...description };
      },
    };
  },
  group(field, common, self) {
    const parts = field.fields.map((each) => control(each, self.controls));
    const filled = () => parts.map((each) => [each.field.name, each.read()]).filter(([, value]) => value !== null);
    return { box: h("div.group", ...fieldsIn(parts)), read: () => Object.fromEntries(filled()) };
  },
  list,
};

/** Fields of a form. Those that the file does not have and need not have are behind a button. */
function fieldsIn(parts) {
  const isOptional = ({ field }) => field.value === null && !field.required && !field.items?.length && !field.fields;
  const rest = parts.filter(isOptional);
  if (rest.length < 2) return parts.map(({ node }) => node);
  const more = h(
    "details",
    h("summary", `${rest.length} more that are empty`),
    ...rest.map(({ node }) => node),
  );
  return [...parts.filter((each) => !isOptional(each)).map(({ node }) => node), more];
}

/**
 * A list. Each change of its order is written at once; the values of its entries with the rest, and so is a new entry that was
 * written and not added.
 */
function list(field, common, self) {
  if (!field.id) {
    // In an entry that is not written yet.
    const { input } = area({ value: "" }, { ...common, placeholder: "One entry per line" });
    const lines = () => input.value.split("\n").filter((line) => line.trim());
    return { input, read: () => (lines().length ? lines() : null) };
  }
  const box = h("div.list");
  let fresh; // the control of a new entry, which stays when the list is drawn again
  let count;
  const read = () => (fresh && JSON.stringify(fresh.read()) !== fresh.saved ? fresh.read() : null);
  const addition = () => ({ id: field.id, add: fresh?.read() ?? null, at: count });
  const row = (index) => `:scope > ol > li:nth-child(${index + 1})`;
  const change = (body, focus, text) => async () => {
    if (!(await saveAll(self.controls.filter((each) => each !== self)))) return;
    const answer = await commit("change", body());
    showProblems(self, answer.problems ?? []);
    if (!answer.ok) return;
    await follow("Saved", answer);
    await (body === addition ? added() : reopen());
    (first(box, focus) ?? first(box, "button"))?.focus();
    $("live").textContent = text;
  };
  const reopen = async () => {
    // The entries have new ids, and so has the list.
    field = await call("open", { id: field.id });
    draw(field);
  };
  const added = async () => {
    fresh = undefined;
    await reopen();
  };
  const draw = ({ items = [], canAdd, item }) => {
    count = items.length;
    // The entries that were shown until now are saved, and their controls go with them.
    self.controls.splice(0, self.controls.length, ...self.controls.filter((each) => each.list !== self));
    const rows = items.map(({ title, field: entry }, index) => {
      const body = h("div.list__body");
      const fill = () => {
        if (body.firstChild) return;
        const before = self.controls.length;
        body.append(control(entry, self.controls).node);
        for (const each of self.controls.slice(before)) each.list ??= self;
      };
      const mover = (name, label, to) => {
        const text = `${title}: now number ${to + 1} of ${items.length}`;
        const move = tool(
          name,
          `${label} ${title}`,
          change(() => ({ id: field.id, move: index, to }), `${row(to)} .${name}`, text),
        );
        return Object.assign(move, { disabled: to < 0 || to >= items.length });
      };
      const neighbour = row(Math.min(index, items.length - 2));
      const remove = change(() => ({ id: field.id, remove: index }), `${neighbour} .remove`, `${title} removed`);
      const isShort = !/^(group|list|markdown|long|picture)$/.test(entry.editor);
      if (isShort) fill();
      const head = isShort
        ? body
        : h("details", { ontoggle: fill }, h("summary", title || `Entry ${index + 1}`), body);
      const tools = [
        mover("up", "Move up", index - 1),
        mover("down", "Move down", index + 1),
        tool("remove", `Remove ${title}`, remove),
      ];
      return h("li.list__row", head, h("div.list__tools", ...tools));
    });
    box.replaceChildren(h("ol", ...rows));
    if (!canAdd) return;
    fresh ??= control({ ...item, label: `New entry of ${field.label}` }, []);
    const add = change(addition, `${row(count)} :is(${writable}, summary)`, "Added");
    const adding = h("div.list__add", fresh.node, button("Add", add, "small"));
    const open = read() !== null;
    box.append(item.fields ? h("details", { open }, h("summary", "Add an entry"), adding) : adding);
  };
  draw(field);
  return { box, read, body: addition, added };
}

// ---- Checks while somebody types.

let timer;
function typed(self) {
  clearTimeout(timer);
  timer = setTimeout(
    guard(async () => {
      const { problems = [], changes = "" } = self.isChanged() && self.field.editor !== "picture" ? await call("check", self.body()) : {};
      if (!self.message.isConnected) return;
      showProblems(self, problems);
      if (view) view.status.textContent = changes;
      paintSoon();
    }),
    250,
  );
}

function showProblems(self, problems) {
  const show = ({ message, help, here, place }) => [
    h("p.problem__message", message),
    !here && h("p.quiet", place),
    help && h("p", help),
  ];
  self.message.replaceChildren(...problems.flatMap(show).filter(Boolean));
  if (self.input) self.input.ariaInvalid = problems.length > 0;
}

// ---- Editors: over a text, on a card beside it, or in the panel.

let view; // the editor that is open
let turn = 0;

async function open(place, opener, caret) {
  if (!(await leave())) return;
  const { part } = place;
  if (part.kind === "template") {
    const body = begin({ place, title: "Part of the template", where: part.place, opener, host: $("card") });
    body.append(h("p", "A developer can change it."));
    view.lay();
    return first(view.host, ".actions button").focus();
  }
  const mine = ++turn;
  const field = await call("open", { id: part.id });
  // Something else was clicked meanwhile.
  if (mine !== turn) return;
  reveal(place);
  const isSimple = /^(text|long|number|date|choice|switch)$/.test(field.editor) && boxes(place).length > 0;
  const body = begin({ place, title: field.label, where: field.where, opener, host: isSimple ? $("card") : $("editor") });
  const self = control(field, view.controls);
  self.node.classList.add("field--only");
  body.append(self.node);
  // A text that comes from a value in some other way may still equal it, letter by letter.
  const isShown = part.kind === "value" || (place.node && field.value === String(rangeOf(place)).trim());
  if (isSimple && isShown && place.node && self.input.nodeName === "TEXTAREA") {
    self.input.setAttribute("aria-label", field.label);
    body.append(
      h(
        "p.hint.keys",
        `Enter saves${field.editor === "long" ? ", Shift+Enter breaks the line" : ""}, Esc discards.`,
      ),
    );
    view.input = self.input;
    lay(self.input);
  }
  body.append(...beside(place));
  view.lay?.();
  const target = self.input ?? first(self.node, `${writable}, summary, button`);
  (part.kind === "picture" ? first(self.node, "input") : target)?.focus({ preventScroll: true });
  if (caret) putCaret(place, self, caret);
  paint();
}

/** Puts the caret where somebody has clicked: in the same text of the value, or of the source of Markdown. */
function putCaret({ part, element, node }, { input, field }, { offsetNode, offset }) {
  const text = offsetNode.data ?? "";
  let at = -1;
  if (view.input && offsetNode === node && input.value === text.slice(part.start, part.end)) at = -(part.start ?? 0);
  else if (field.editor === "markdown" && text.trim()) {
    const before = inside().createRange();
    before.setStart(element, 0);
    before.setEnd(offsetNode, 0);
    // The same words may stand before it.
    for (let count = String(before).split(text).length; count--; ) at = input.value.indexOf(text, at + 1);
    if (at < 0) return;
  } else return;
  input.setSelectionRange(at + offset, at + offset);
}

async function openForm({ id, title, file }, opener) {
  if (!(await leave())) return;
  const form = await call("form", { id });
  const body = begin({ title, where: file, opener, host: $("editor") });
  const all = [form.draft, ...form.fields, form.body].filter(Boolean).map((field) => control(field, view.controls));
  body.append(...fieldsIn(all));
  first(body, `${writable}, button`)?.focus();
}

function begin({ place, title, where, opener, host }) {
  hover();
  host.replaceChildren($("skeleton").content.cloneNode(true));
  const part = (selector) => first(host, selector);
  const hadPanel = !$("panel").hidden;
  view = { place, index: places.indexOf(place), opener, host, hadPanel, controls: [], status: part(".status") };
  const isTemplate = place && !isContent(place);
  const link = place?.element?.closest("a[href]");
  part("h2").textContent = title;
  part(".where").textContent = where;
  const acts = {
    back: async () => (await leave()) && showPanel(true),
    save: !isTemplate && save,
    discard: end,
    link: link && (() => go(link.href)),
  };
  for (const [name, act] of Object.entries(acts)) {
    const element = part(`[data-act=${name}]`);
    if (act) element.onclick = guard(act);
    else element.remove();
  }
  if (isTemplate) part("[data-act=discard]").textContent = "Close";
  host.onkeydown = $("place").onkeydown = keysOfEditor;
  host.hidden = false;
  if (host === $("card")) view.lay = () => boxes(view.place).length && putCard(union(boxes(view.place)));
  else {
    showPanel(true);
    $("lists").hidden = true;
    reveal(place);
  }
  return part(".body");
}

/** Other values of the same element: the address of a link, the description of a picture. */
function beside(place) {
  const others = (byElement.get(place.element) ?? []).filter(
    (each) => each !== place && each.element && isContent(each),
  );
  if (!others.length) return [];
  const buttons = others.map((each) => button(each.part.label, () => open(each, view?.opener), "small"));
  return [h("div.beside", h("span.quiet", "Also here:"), ...buttons)];
}

function keysOfEditor(event) {
  if (event.key !== "Enter" || event.isComposing) return;
  const adding = event.target.closest(".field--text, .field--number, .field--date")?.closest(".list__add");
  if (adding) {
    prevent(event);
    return adding.lastChild.click();
  }
  const self = view.controls.find(({ input }) => input === event.target);
  const editor = self?.field.editor;
  const isLine = self?.input === view.input || /^(text|number|date)$/.test(editor);
  const isSent = isLine || event.ctrlKey || event.metaKey;
  if (editor === "markdown" && !isSent && !event.shiftKey && addRow(self.input)) prevent(event);
  if (!self || (event.shiftKey && editor === "long") || !isSent) return;
  prevent(event);
  guard(save)();
}

/** Lays the input over the text, in its font, and keeps it there. */
function lay(input) {
  const { element } = view.place;
  input.lang ||= element.closest("[lang]")?.lang ?? "";
  const style = getComputedStyle(element);
  const names =
    "fontFamily fontSize fontWeight fontStyle fontStretch lineHeight letterSpacing wordSpacing textTransform " +
    "textAlign textWrap color colorScheme";
  for (const name of names.split(" ")) input.style[name] = style[name];
  const grounds = [];
  for (let each = element; each; each = each.parentElement) grounds.push(getComputedStyle(each).backgroundColor);
  const ground = grounds.find((colour) => !/^rgba\(.*, 0\)$|^transparent$/.test(colour));
  $("place").style.setProperty("--under", ground ?? "Canvas");
  $("place").replaceChildren(input);
  $("place").hidden = false;
  loadFonts(style.fontFamily).then(paintSoon, () => {});
  const isRight = input.dir === "rtl";
  view.lay = () => {
    const rects = boxes(view.place);
    if (!rects.length) return;
    let block = view.place.element;
    while (/^(inline|contents)$/.test(getComputedStyle(block).display) && block.parentElement)
      block = block.parentElement;
    const edge = getComputedStyle(block);
    const outer = block.getBoundingClientRect();
    const inner = outer.left + block.clientLeft;
    const [from, to] = [
      inner + parseFloat(edge.paddingLeft),
      inner + block.clientWidth - parseFloat(edge.paddingRight),
    ];
    const box = union(rects);
    const line = parseFloat(style.lineHeight) || rects[0].height;
    const isAlone = block.textContent.trim() === String(rangeOf(view.place)).trim();
    const isLong = box.height > rects[0].height * 1.5;
    let { left, width } = isAlone || isLong ? { left: from, width: to - from } : box;
    const right = left + width;
    const [firstRect] = rects;
    input.style.textIndent = isLong && !isAlone ? `${isRight ? to - firstRect.right : firstRect.left - from}px` : "0";
    if (!isLong) {
      Object.assign(input.style, { whiteSpace: "pre", width: "0" });
      width = Math.min(Math.max(width, input.scrollWidth + 2), isRight ? right - 8 : frame.clientWidth - left - 12);
      input.style.whiteSpace = "";
      if (isRight) left = right - width;
    }
    input.style.width = `${width}px`;
    input.style.height = "0";
    const height = Math.max(input.scrollHeight, line + box.height - firstRect.height);
    input.style.height = `${height}px`;
    const top = box.top - (line - firstRect.height) / 2;
    Object.assign($("place").style, { left: `${left}px`, top: `${top}px` });
    putCard({ left, top, bottom: top + height });
  };
}

function putCard({ left, top, bottom }) {
  const card = $("card");
  const { clientWidth, clientHeight } = $("over");
  const below = bottom + 12;
  const above = top - card.offsetHeight - 12;
  const y =
    below + card.offsetHeight <= clientHeight - 8 || above < 8
      ? Math.min(below, clientHeight - card.offsetHeight - 8)
      : above;
  const x = Math.max(8, Math.min(left - 12, clientWidth - card.offsetWidth - 8));
  card.style.cssText = isNarrow() ? "" : `left:${x}px;top:${Math.max(8, y)}px`;
}

/** Loads fonts of the page. The policy here lets no style load one, but a script may hand over its bytes. */
const fonts = new Set();
async function loadFonts(families) {
  const all = (rules) => [...rules].flatMap((rule) => (rule.cssRules ? all(rule.cssRules) : [rule]));
  for (const sheet of inside().styleSheets)
    for (const { cssText, style } of all(sheet.cssRules)) {
      const value = (name) => style.getPropertyValue(name);
      const family = cssText.startsWith("@font-face") ? value("font-family").replace(/^["']|["']$/g, "") : "";
      if (!family || !families.includes(family) || fonts.has(cssText)) continue;
      fonts.add(cssText);
      const address = /url\(["']?([^"')]+)/.exec(value("src"))?.[1];
      const bytes = address && (await (await fetch(new URL(address, sheet.href ?? inside().baseURI))).arrayBuffer());
      const [weight, range] = [value("font-weight") || "normal", value("unicode-range") || "U+0-10FFFF"];
      document.fonts.add(
        await new FontFace(family, bytes ?? value("src"), {
          weight,
          style: value("font-style") || "normal",
          unicodeRange: range,
        }).load(),
      );
    }
}

// A turn of the wheel over an editor scrolls the page under it.
$("over").addEventListener(
  "wheel",
  ({ target, deltaX, deltaY }) => {
    if (!target.closest(".card")) inner().scrollBy(deltaX, deltaY);
  },
  { passive: true },
);

/** Saves what has changed, one value after the other. Stops at the first that is refused. */
async function saveAll(controls, last = {}) {
  for (const self of [...controls]) {
    if (!self.isChanged()) continue;
    const answer = await commit("change", await self.body());
    if (!answer.ok && !answer.theirs) {
      showProblems(self, answer.problems);
      (self.more?.[0].input ?? self.input ?? first(self.node, `.list__add :is(${writable})`)).focus();
      return false;
    }
    if (answer.ok) last.answer = answer;
    if (answer.ok) await self.added?.();
    // The description of a picture goes with it.
    for (const each of [self, ...(self.more ?? [])]) each.keep();
    showProblems(self, []);
  }
  return true;
}

async function save() {
  const saved = view;
  if (!saved || saved.isBusy) return false;
  saved.isBusy = true;
  clearTimeout(timer);
  const last = {};
  try {
    const isSaved = await saveAll(saved.controls, last);
    if (last.answer) await follow("Saved", last.answer);
    if (!isSaved) return false;
  } finally {
    saved.isBusy = false;
    view?.lay?.();
  }
  if (view === saved) end();
  return true;
}

const hasChanges = () => view?.controls.some((each) => each.isChanged());

/** Whether no editor is open any more. What was changed is saved first. */
async function leave() {
  if (hasChanges()) return save();
  if (view) end();
  return true;
}
addEventListener("beforeunload", (event) => hasChanges() && prevent(event));

function end() {
  if (!view) return;
  const { opener, hadPanel, host } = view;
  view = undefined;
  clearTimeout(timer);
  $("place").hidden = true;
  host.hidden = true;
  host.replaceChildren();
  $("place").replaceChildren();
  $("lists").hidden = false;
  showPanel(hadPanel);
  showEntries();
  paint();
  opener?.();
}

// ---- The panel.

let showsPage = true;
let site;

function showPanel(isShown) {
  $("panel").hidden = !isShown;
  $("toggle").ariaExpanded = isShown;
  paintSoon();
}
$("toggle").onclick = guard(async () => {
  if (!(await leave())) return;
  showPanel($("panel").hidden);
  if (!$("panel").hidden && isNarrow()) $("filter").focus();
});

function textOf({ part, element, node }) {
  const attribute = part.kind === "picture" ? "alt" : part.attribute;
  const text = node
    ? node.data.slice(part.start, part.end)
    : attribute
      ? element?.getAttribute(attribute)
      : element?.textContent;
  return (text ?? "").replace(/\s+/g, " ").trim().slice(0, 100);
}

const focusEntry = (key) => first($("entries"), `[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });

function entry(name, text, label, key, act, place) {
  const again = () => focusEntry(key);
  return h(
    "li",
    h(
      "button.entry",
      {
        "data-key": key,
        onclick: guard(() => act(again)),
        onfocus: (event) => place && event.target.matches(":focus-visible") && (reveal(place), hover(place)),
        onmouseenter: () => place && hover(place),
        onmouseleave: () => hover(),
        onblur: () => hover(),
      },
      icon(name),
      h("span.entry__text", h("span", text || label), text && h("span.quiet", label)),
    ),
  );
}

function showEntries() {
  const { key } = document.activeElement.dataset;
  const words = $("filter").value.toLowerCase();
  const fits = (...texts) => texts.join(" ").toLowerCase().includes(words);
  let [shown, all] = [0, 0];
  const group = (title, entries, open) => {
    all += entries.length;
    const rows = entries.filter(([, text, label]) => fits(text, label)).map((each) => entry(...each));
    shown += rows.length;
    if (!rows.length) return "";
    const items = h("ul", { role: "list" }, ...rows);
    return open === undefined
      ? h("section", h("h2", title), items)
      : h("details.closed", { open }, h("summary", `${title} (${rows.length})`), items);
  };
  const isLink = ({ part }) => part.attribute === "href";
  const number = (place) => (!isContent(place) ? 3 : place.element?.closest("head") ? 2 : isLink(place) ? 1 : 0);
  const parts = (wanted) =>
    places.filter((place) => number(place) === wanted).map((place) => {
      const { part } = place;
      const label = wanted < 3 ? part.label : part.place;
      return [
        isLink(place) ? "link" : part.kind,
        textOf(place),
        label,
        `part ${places.indexOf(place)}`,
        (again) => open(place, again),
        place,
      ];
    });
  const forms = (page?.forms ?? []).map((form) => [
    "form",
    form.title,
    form.file,
    `form ${form.file}`,
    (again) => openForm(form, again),
  ]);
  const groups =
    showsPage
      ? [
          group("This page", forms.slice(0, 1)),
          group("On the page, in order", parts(0)),
          group("Addresses of links", parts(1), Boolean(words)),
          group("For search engines", parts(2)),
          group("Also on this page", forms.slice(1)),
          group("Parts of templates", parts(3), Boolean(words)),
        ]
      : [
          group(
            "New",
            (site?.new ?? []).map((each) => [
              "add",
              each.label,
              each.kind === "page" ? "A new page" : "A new entry",
              `new ${each.id}`,
              () => create(each),
            ]),
          ),
          group(
            "Pages",
            (site?.pages ?? []).map((each) => [
              "form",
              each.title,
              each.address + (each.draft ? " (draft)" : ""),
              `page ${each.address}`,
              (again) => (each.form ? openForm(each.form, again) : go(each.address)),
            ]),
          ),
        ];
  $("entries").replaceChildren(...groups);
  if (!shown) $("entries").append(h("p.empty", words ? "Nothing matches." : page ? "Nothing to edit." : "\u2026"));
  $("count").textContent = words ? `${shown} of ${all}` : "";
  if (key) focusEntry(key);
}
$("filter").oninput = showEntries;

async function show(isPage) {
  showsPage = isPage;
  press("showPage", "showSite", isPage);
  if (!isPage) site = await call("site");
  showEntries();
}
$("showPage").onclick = guard(() => show(true));
$("showSite").onclick = guard(() => show(false));

// ---- New pages and entries.

const { title: newTitle, name: newName, draft: newDraft } = $("new").elements;
let kind; // of the page or entry that is new
let isNamed = false;

function create(chosen) {
  kind = chosen;
  isNamed = false;
  $("new").reset();
  $("create-title").textContent = `New ${kind.kind === "page" ? "page" : "entry"}: ${kind.label}`;
  showProblems(creating, []);
  $("create").showModal();
}
const creating = { message: $("new-problem"), input: newName };
$("cancel").onclick = () => $("create").close();
newName.oninput = () => (isNamed = true);
newTitle.oninput = () => {
  const plain = newTitle.value.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  if (!isNamed) newName.value = plain.replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
};
$("new").onsubmit = guard(async (event) => {
  prevent(event);
  const answer = await commit("create", {
    id: kind.id,
    title: newTitle.value,
    name: newName.value,
    draft: newDraft.checked,
  });
  showProblems(creating, answer.problems ?? []);
  if (!answer.ok) return newName.focus();
  $("create").close();
  say(`Created ${answer.what}.`, false, answer);
  showHistory(answer);
  await show(true);
  answer.address ? go(answer.address) : openForm(answer.form);
});

// ---- Start.

// Another address, perhaps with another token, was typed.
onhashchange = () => location.reload();
showPanel(!isNarrow());
if (token) frame.src = start ?? "/";
else say(help, true);
