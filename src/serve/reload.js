
// Follows the site while it is edited. Only `sitegen serve` adds this; nothing of it is published.
(() => {
  const script = document.currentScript;
  const dynamic = Symbol();

  // ---- The page before scripts touched it, and the live node for each node of that copy.

  const live = new WeakMap();
  let source = copy(document);

  function copy(node) {
    const made = isStyle(node) ? standIn(node) : node.cloneNode(isOpaque(node));
    live.set(made, node);
    if (made.nodeName === "NOSCRIPT") {
      const { head, body } = new DOMParser().parseFromString(node.textContent, "text/html");
      made.textContent = head.innerHTML + body.innerHTML;
    }
    if (!isStyle(node) && !isOpaque(node)) node.childNodes.forEach((child) => made.appendChild(copy(child)));
    return made;
  }

  function pair(from, to) {
    live.set(from, to);
    if (!isOpaque(from)) from.childNodes.forEach((child, index) => pair(child, to.childNodes[index]));
  }

  // The policy forbids all styles but those the page came with, even in a copy that styles nothing. In copies that are
  // only compared, a data block replaces each style.
  function standIn(style) {
    const made = document.createElementNS(style.namespaceURI, "script");
    made.setAttribute("type", "sitegen/style");
    for (const { name, value } of style.attributes) if (name !== "type") made.setAttribute(name, value);
    made.textContent = style.textContent;
    return made;
  }

  function parse(html) {
    const styles = /<style\b((?:\s+type=(?:"[^"]*"|[^\s>]*))?)([^>]*)>([^]*?)<\/style\s*>/gi;
    const inert = html.replace(
      styles,
      (_, type, attributes, css) => `<script type="sitegen/style"${attributes}>${css}</` + "script>",
    );
    const made = new DOMParser().parseFromString(inert, "text/html");
    // With scripts a browser reads <noscript> as text; here, without scripts, as elements.
    for (const each of made.querySelectorAll("noscript")) each.textContent = each.innerHTML;
    return made;
  }

  function isStyle(node) {
    return /^style$/i.test(node.nodeName);
  }
  function isOpaque(node) {
    return /^(NOSCRIPT|TEMPLATE)$/.test(node.nodeName);
  }
  function stylesOf(root) {
    return [...root.querySelectorAll('script[type="sitegen/style"]')];
  }

  // ---- Patches the page: applies what differs between the old and the new source, and nothing else. So fields, focus,
  // scroll positions and everything that islands have rendered stay as they are.

  function patch(next) {
    patchNode(source, next);
    adoptStyles(next);
    source = next;
  }

  function patchNode(before, after) {
    const node = live.get(before);
    live.set(after, node);
    // A browser would add a changed policy to the old one.
    if (!node || isPolicy(after)) return;
    if (after.nodeType !== Node.ELEMENT_NODE && after.nodeType !== Node.DOCUMENT_NODE) {
      if (before.nodeValue !== after.nodeValue) node.nodeValue = after.nodeValue;
      return;
    }
    if (after.nodeType === Node.ELEMENT_NODE) {
      for (const { name, value, namespaceURI } of isStyle(node) ? [] : after.attributes)
        if (before.getAttribute(name) !== value) node.setAttributeNS(namespaceURI, name, value);
      for (const { name } of isStyle(node) ? [] : [...before.attributes]) if (!after.hasAttribute(name)) node.removeAttribute(name);
    }
    if (isStyle(node)) return;
    if (isOpaque(after)) {
      if (before.innerHTML === after.innerHTML) return;
      if (after.nodeName === "NOSCRIPT") node.textContent = after.textContent;
      else node.innerHTML = after.innerHTML;
      return;
    }
    patchChildren([...before.childNodes], [...after.childNodes], node);
  }

  function patchChildren(before, after, parent) {
    const partners = align(before, after);
    const kept = new Set(partners);
    for (const child of before) if (!kept.has(child)) live.get(child)?.remove();
    let last;
    after.forEach((child, index) => {
      const partner = partners[index];
      if (partner) {
        patchNode(partner, child);
        const node = live.get(child);
        if (node?.parentNode === parent) last = node;
        return;
      }
      const node = document.importNode(child, true);
      pair(child, node);
      if (last) last.after(node);
      else parent.prepend(node);
      last = node;
    });
  }

  // Finds the old child that each new one continues, in an order that moves none: a moved node loses its focus.
  function align(before, after) {
    const partners = new Array(after.length);
    const old = before.map(text);
    const fresh = after.map(text);
    let start = 0;
    let ends = [before.length, after.length];
    while (start < ends[0] && start < ends[1] && old[start] === fresh[start]) partners[start] = before[start++];
    while (ends[0] > start && ends[1] > start && old[ends[0] - 1] === fresh[ends[1] - 1])
      partners[--ends[1]] = before[--ends[0]];
    let from = start;
    let to = start;
    for (const [left, right] of [...common(old, fresh, start, ends), ends]) {
      // Between two children that stay, others continue the first unused one of their kind.
      for (; to < right; to++) {
        const match = before.findIndex((each, at) => at >= from && at < left && isAlike(each, after[to]));
        if (match < 0) continue;
        partners[to] = before[match];
        from = match + 1;
      }
      if (right < ends[1]) partners[right] = before[left];
      from = left + 1;
      to = right + 1;
    }
    return partners;
  }

  // Returns the longest common subsequence, as pairs of positions.
  function common(old, fresh, start, [oldEnd, freshEnd]) {
    const [rows, columns] = [oldEnd - start, freshEnd - start];
    // A list of thousands of which thousands changed is matched by order alone.
    if (rows * columns > 4e6) return [];
    const width = columns + 1;
    const lengths = new Uint16Array((rows + 1) * width);
    for (let row = rows - 1; row >= 0; row--)
      for (let column = columns - 1; column >= 0; column--)
        lengths[row * width + column] =
          old[start + row] === fresh[start + column]
            ? lengths[(row + 1) * width + column + 1] + 1
            : Math.max(lengths[(row + 1) * width + column], lengths[row * width + column + 1]);
    const pairs = [];
    for (let row = 0, column = 0; row < rows && column < columns; )
      if (old[start + row] === fresh[start + column]) pairs.push([start + row++, start + column++]);
      else if (lengths[(row + 1) * width + column] >= lengths[row * width + column + 1]) row++;
      else column++;
    return pairs;
  }

  const text = (node) => node.outerHTML ?? `${node.nodeName} ${node.nodeValue}`;
  const isAlike = (one, other) => one.nodeName === other.nodeName && (one.id ?? "") === (other.id ?? "");
  const isPolicy = (node) => node.nodeName === "META" && /^content-security-policy$/i.test(node.httpEquiv.trim());

  // The policy allows a style by its hash, and it cannot change while the page lives. It does not apply to stylesheets
  // that a script creates (CSSOM; Content Security Policy Level 3, 4.2.3).
  function adoptStyles(next) {
    const texts = (root) => stylesOf(root).map((style) => style.outerHTML);
    if (String(texts(source)) === String(texts(next))) return;
    const sheets = stylesOf(next).map((style) => {
      const sheet = new CSSStyleSheet({ media: style.getAttribute("media") ?? "" });
      sheet.replaceSync(style.textContent);
      return Object.assign(sheet, { [dynamic]: true });
    });
    for (const style of document.querySelectorAll("style")) if (style.sheet) style.sheet.disabled = true;
    const others = document.adoptedStyleSheets.filter((sheet) => !sheet[dynamic]);
    document.adoptedStyleSheets = [...sheets, ...others];
  }

  // Whether the page can be patched. Scripts run once, islands hydrate once, and a policy lasts as long as its page.
  function canPatch(next) {
    const policies = (root) =>
      [...root.querySelectorAll("meta")].filter(isPolicy).map((meta) =>
        meta.content.replace(/style-src[^;]*/, (styles) => styles.replace(/ *'sha256-[^']*'/g, "")),
      );
    const scripts = (root) =>
      [...root.querySelectorAll("script")]
        .filter((each) => !("sitegen" in each.dataset) && !/json|sitegen/.test(each.type))
        .map((each) => each.outerHTML);
    const islands = (root) => [...root.querySelectorAll("[data-island]")].map((each) => each.outerHTML);
    const links = (root) => [...root.querySelectorAll("link[rel~=stylesheet], base")].map((each) => each.outerHTML);
    const styles = (root) => stylesOf(root).map((each) => each.outerHTML);
    const same = (of) => JSON.stringify(of(source)) === JSON.stringify(of(next));
    return (
      same(policies) &&
      same(scripts) &&
      same(islands) &&
      same(links) &&
      (same(styles) || (!links(next).length && !/@import/.test(String(styles(next)))))
    );
  }

  // ---- A reload keeps the scroll position and what was typed: fields are saved, and filled in before islands hydrate,
  // which take over what is in them.

  const storageKey = `sitegen ${location.pathname}`;

  function controls() {
    const seen = new Map();
    return [...document.querySelectorAll("input, textarea, select")].map((control) => {
      const form = control.closest("[data-island]")?.dataset.island;
      // React derives ids from a field's position in its island, which a change may move.
      const name = [form, control.nodeName, control.type, control.name || control.id].join(" ");
      seen.set(name, (seen.get(name) ?? 0) + 1);
      return [`${name} ${seen.get(name)}`, control];
    });
  }

  // React writes what is typed into the attribute too, so that it looks like the value that was served; and what an island
  // writes itself was not typed, and is written again.
  const typed = new WeakSet();
  addEventListener("input", (event) => event.isTrusted && typed.add(event.target), true);

  function entered(control) {
    if (control.type === "file" || control.type === "hidden") return undefined;
    if (/^(checkbox|radio)$/.test(control.type))
      return control.checked === control.defaultChecked ? undefined : control.checked;
    if (control.nodeName === "SELECT") {
      const differs = [...control.options].some((option) => option.selected !== option.defaultSelected);
      return differs ? [...control.selectedOptions].map((option) => option.value) : undefined;
    }
    if (control.closest("[data-island]")) return typed.has(control) ? control.value : undefined;
    return control.value === control.defaultValue ? undefined : control.value;
  }

  function reload() {
    const kept = { at: [scrollX, scrollY], values: {} };
    for (const [name, control] of controls()) {
      const value = entered(control);
      if (value !== undefined) kept.values[name] = value;
      if (control === document.activeElement) {
        const { selectionStart, selectionEnd } = control;
        kept.focus = [name, selectionStart, selectionEnd];
      }
    }
    try {
      sessionStorage.setItem(storageKey, JSON.stringify(kept));
    } catch {
      // Storage is full or forbidden: then the fields come back empty.
    }
    location.reload();
  }

  function restore() {
    let kept;
    try {
      kept = JSON.parse(sessionStorage.getItem(storageKey));
      sessionStorage.removeItem(storageKey);
    } catch {
      return;
    }
    if (!kept) return;
    for (const [name, control] of controls()) {
      const value = kept.values[name];
      if (value === undefined) continue;
      typed.add(control);
      if (typeof value === "boolean") control.checked = value;
      else if (Array.isArray(value)) for (const option of control.options) option.selected = value.includes(option.value);
      else control.value = value;
    }
    const [name, start, end] = kept.focus ?? [];
    const focused = controls().find(([key]) => key === name)?.[1];
    focused?.focus({ preventScroll: true });
    if (focused && typeof start === "number") focused.setSelectionRange(start, end);
    const scroll = () => scrollTo({ left: kept.at[0], top: kept.at[1], behavior: "instant" });
    scroll();
    // Images and islands may have made the page longer.
    addEventListener("load", scroll, { once: true });
  }

  restore();

  // ---- Shows problems over the page, in a shadow tree that no style of the page reaches. All of it is text.

  let overlay;

  function show(problems) {
    const shown = overlay?.shadowRoot.querySelector("div").textContent;
    if (overlay && shown === problems.join("")) return;
    overlay?.remove();
    overlay = undefined;
    if (!problems.length) return;
    overlay = document.createElement("sitegen-problems");
    const root = overlay.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`
      :host { all: initial; position: fixed; inset: 0; z-index: 2147483647; overflow: auto; background: #000a;
        font: 14px/1.5 ui-monospace, Menlo, Consolas, monospace; color: #eee; }
      section { box-sizing: border-box; width: fit-content; min-width: min(88ch, 100%); max-width: 100%; margin: 4vh auto;
        padding: 20px 24px; background: #1b1d22; border-top: 4px solid #ff5f57; border-radius: 6px; }
      p { margin: 0 0 16px; color: #a9adb7; font-family: system-ui, sans-serif; }
      pre { margin: 0 0 16px; font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; }
      pre::first-line { color: #ff8b85; font-weight: bold; }
      pre.warning::first-line { color: #e3b341; font-weight: normal; }
      button { float: right; font: inherit; color: inherit; background: none; border: 1px solid #666; border-radius: 4px; }
    `);
    root.adoptedStyleSheets = [sheet];
    const add = (parent, name, content) => {
      const element = parent.appendChild(document.createElement(name));
      if (content) element.textContent = content;
      return element;
    };
    const section = add(root, "section");
    section.setAttribute("role", "alert");
    const button = add(section, "button", "Hide (Esc)");
    button.onclick = hide;
    add(section, "p", "Showing the last valid page. It updates as soon as the errors are fixed.");
    const list = add(section, "div");
    for (const problem of problems) add(list, "pre", problem).className = /^\w*/.exec(problem)[0];
    document.documentElement.append(overlay);
  }

  const hide = () => overlay?.style.setProperty("display", "none");
  addEventListener("keydown", (event) => event.key === "Escape" && hide());

  // ---- Follows changes.

  let site;
  let files = [];
  let running = false;

  // Whether an editor at the other end shows where a text is written.
  let places = false;
  addEventListener(
    "click",
    (event) => {
      if (!event.altKey || !places) return;
      event.preventDefault();
      const element = event.target.closest("p,li,h1,h2,h3,h4,h5,h6,td,th,dt,dd,figcaption,a,button,label,img");
      const text = (element?.alt ?? (element ?? event.target).textContent).trim().slice(0, 200);
      const query = new URLSearchParams({ path: location.pathname, text });
      // Pages of other sites cannot send such a header.
      fetch(`/.sitegen/place?${query}`, { headers: { "x-sitegen": "place" } });
    },
    true,
  );

  async function receive(update) {
    show(update.problems);
    places = update.places;
    const isNew = site !== undefined && site !== update.site;
    const isFirst = site === undefined;
    site = update.site;
    if (isNew) files.push(...update.files);
    if (isNew || isFirst) await follow();
  }

  // Only one check runs at a time; an update during a check causes another.
  let again = false;
  async function follow() {
    if (running) {
      again = true;
      return;
    }
    running = true;
    do {
      again = false;
      try {
        await check();
      } catch {
        // The server is gone for the moment. It sends its state when it comes back.
        site = undefined;
      }
    } while (again);
    running = false;
  }

  async function check() {
    const loaded = new Set(performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname));
    if (files.splice(0).some((file) => loaded.has(encodeURI(file)))) return reload();
    const current = script.dataset.sitegen;
    const answer = await fetch(location.href, { cache: "no-store", headers: { "if-none-match": current } });
    if (answer.status === 304) return;
    const next = parse(await answer.text());
    const tag = next.querySelector("script[data-sitegen]:last-of-type")?.dataset.sitegen;
    if (tag === current) return;
    if (tag && !answer.redirected && canPatch(next)) patch(next);
    else reload();
  }

  // Browsers open six connections to a server, whatever the number of tabs. So one tab listens and passes updates on.
  const channel = new BroadcastChannel("sitegen");
  let latest;
  channel.onmessage = ({ data }) => {
    if (data === "what is new?") {
      if (latest) channel.postMessage(latest);
    } else receive(data);
  };
  const listen = () => {
    new EventSource("/.sitegen/changes").onmessage = ({ data }) => {
      latest = JSON.parse(data);
      channel.postMessage(latest);
      receive(latest);
    };
    return new Promise(() => {});
  };
  // Only pages of this machine, or served by https, have locks.
  if (navigator.locks) navigator.locks.request("sitegen", listen);
  else listen();
  channel.postMessage("what is new?");

  // A page from the back/forward cache has missed updates.
  addEventListener("pageshow", (event) => event.persisted && follow());
})();
