// Libraries for toasts, drawers and styles in scripts put `<style>` elements into the page. The page's policy knows the
// styles of the build alone and blocks those. It does not restrict the CSSOM. So a script that creates a `<style>` gets an
// unknown element, and its text goes into a stylesheet that the document adopts. The build adds this file to the islands
// that need it.

const sheets = new Map<HTMLElement, { sheet: CSSStyleSheet; text: string }>();

const create = document.createElement;
document.createElement = function (this: Document, name: string, options?: ElementCreationOptions) {
  if (String(name).toLowerCase() !== "style") return create.call(this, name, options);
  const element = create.call(this, "adopted-style");
  const sheet = new CSSStyleSheet();
  sheets.set(element, { sheet, text: "" });
  // In the body its text would be visible.
  element.hidden = true;
  // Libraries also add rules to the sheet of their element.
  return Object.assign(element, { sheet });
} as typeof document.createElement;

/** Brings the adopted stylesheets up to date with the elements. */
function follow() {
  const adopted = new Set(document.adoptedStyleSheets);
  for (const [element, known] of sheets) {
    const text = element.textContent!;
    if (text !== known.text) {
      known.text = text;
      known.sheet.replaceSync(text);
    }
    if (element.isConnected) adopted.add(known.sheet);
    else adopted.delete(known.sheet);
  }
  if (adopted.size !== document.adoptedStyleSheets.length) document.adoptedStyleSheets = [...adopted];
}

new MutationObserver(follow).observe(document, { childList: true, characterData: true, subtree: true });
