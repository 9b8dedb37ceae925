// Text that a visitor enlarges or spaces out, or that is longer in another language, is never cut off.
import type { Page } from "@playwright/test";
import { expect, pages, test } from "./site.ts";

const widths = [320, 390, 640, 768, 960, 1024, 1440, 1920];

// The longest words in Duden's corpus, and an honorific compound.
const words = ["Kraftfahrzeughaftpflichtversicherung", "Aufmerksamkeitsdefizit-Hyperaktivitätsstörung"];

const changes: Record<string, (page: Page) => Promise<void>> = {
  "as it is": async () => {},
  "at 150 %": (page) => enlarge(page, 150),
  "at 200 %": (page) => enlarge(page, 200),
  "with the spacing of WCAG 1.4.12": (page) =>
    page.evaluate(() => {
      for (const each of document.body.querySelectorAll<HTMLElement>("*")) {
        each.style.lineHeight = "1.5";
        each.style.letterSpacing = "0.12em";
        each.style.wordSpacing = "0.16em";
        if (each.matches("p")) each.style.marginBlockEnd = "2em";
      }
    }),
  "40 % longer": (page) => rewrite(page, (text) => text + text.slice(0, Math.ceil(text.length * 0.4))),
  "with the longest words of German": (page) =>
    rewrite(page, (text, index) => text.replace(/\S+/, (first) => (/\p{L}{4}/u.test(first) ? words[index % 2]! : first))),
};

const enlarge = (page: Page, percent: number) =>
  page.evaluate((size) => document.documentElement.style.setProperty("font-size", size), `${percent}%`);

async function rewrite(page: Page, change: (text: string, index: number) => string): Promise<void> {
  const texts = await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const nodes: Text[] = [];
    while (walker.nextNode())
      if (walker.currentNode.textContent!.trim() && !walker.currentNode.parentElement!.closest("script, noscript"))
        nodes.push(walker.currentNode as Text);
    Object.assign(window, { nodes });
    return nodes.map((node) => node.data);
  });
  await page.evaluate(
    (changed) => changed.forEach((text, index) => ((window as any).nodes[index].data = text)),
    texts.map(change),
  );
}

/** Texts that are wider than the window, or that a box around them cuts. A box that scrolls cuts nothing. */
const cut = (page: Page) =>
  page.evaluate(() => {
    const found = new Set<string>();
    const available = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth > available) found.add(`the page is ${document.documentElement.scrollWidth} px`);
    const scrolls = (element: Element | null): boolean =>
      element !== null && (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode as Text;
      const parent = node.parentElement!;
      if (!node.data.trim() || !parent.checkVisibility({ visibilityProperty: true })) continue;
      if (parent.closest(".visually-hidden, .skip-link")) continue;
      if (scrolls(parent)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const text of range.getClientRects()) {
        let [left, right, top, bottom] = [0, available, -Infinity, Infinity];
        for (let box: Element | null = parent; box && box !== document.body; box = box.parentElement) {
          const { overflowX, overflowY } = getComputedStyle(box);
          if (overflowX === "visible" && overflowY === "visible") continue;
          const edge = box.getBoundingClientRect();
          [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)];
          [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
        }
        // Text lines are higher than their letters.
        const slack = text.height / 4;
        if (text.left < left - 1 || text.right > right + 1 || text.top < top - slack || text.bottom > bottom + slack)
          found.add(`${parent.className || parent.tagName}: ${node.data.trim().slice(0, 50)}`);
      }
    }
    return [...found];
  });

for (const path of pages)
  test(`${path} breaks no word of a phone's text that is twice as large`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(path);
    await enlarge(page, 200);
    const broken = await page.evaluate(() => {
      const found: string[] = [];
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const node = walker.currentNode as Text;
        if (!node.parentElement!.checkVisibility() || node.parentElement!.closest(".visually-hidden, noscript, .table")) continue;
        // Addresses may break anywhere.
        for (const { 0: word, index } of node.data.matchAll(/(?<![\p{L}@./])\p{L}{2,16}(?![\p{L}@./])/gu)) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          if (new Set([...range.getClientRects()].map((each) => Math.round(each.top))).size > 1) found.push(word);
        }
      }
      return found;
    });
    expect(broken).toEqual([]);
  });

for (const path of pages)
  for (const [name, change] of Object.entries(changes))
    test(`${path} ${name} cuts no text between 320 and 1920 px`, async ({ page }) => {
      await page.emulateMedia({ reducedMotion: "reduce" });
      await page.goto(path);
      await change(page);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        expect.soft(await cut(page), `${width} px`).toEqual([]);
      }
    });
