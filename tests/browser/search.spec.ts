// The search of the documentation: a reader types, chooses and arrives.
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { violations } from "./axe.ts";
import { engines, type Engine } from "./engines.ts";
import { expect, test } from "./site.ts";

test.use({ variant: "docs" });

const field = (page: Page) => page.getByRole("searchbox", { name: "Search" });
const results = (page: Page) => page.getByRole("search").getByRole("link");

test("what a reader types leads to a section, by the keyboard alone", async ({ page, host }) => {
  await page.goto("/");
  await expect(field(page)).toBeVisible();
  // Nothing of the index is fetched before.
  expect(host.log.filter(({ path }) => path.endsWith(".bin"))).toEqual([]);
  await page.keyboard.press("/");
  await expect(field(page)).toBeFocused();
  await page.keyboard.type("link previews");
  await expect(results(page).first()).toHaveAttribute("href", /^\/guides\/pictures#link-previews$/);
  await expect(page.getByRole("search").getByRole("status")).toHaveText(/^\d+ results$/);
  const marked = page.locator(".search-result").first().locator("mark");
  await expect.poll(async () => (await marked.allTextContents()).map((each) => each.toLowerCase())).toContain("previews");
  await page.keyboard.press("ArrowDown");
  await expect(results(page).first()).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(results(page).nth(1)).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await expect(field(page)).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(results(page)).toHaveCount(0);
  await expect(field(page)).toHaveValue("link previews");
  await page.keyboard.type(" ");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/guides\/pictures#link-previews$/);
  await expect(page.getByRole("heading", { name: /^Link previews/ })).toBeInViewport();
});

for (const [name, start] of Object.entries(engines))
  test(`in ${name}, what a reader types leads to a section, by the keyboard alone`, async ({ host }) => {
    // Where CI is set, nothing is left out.
    test.skip(!start && !process.env.CI, `${name} is not installed on this machine.`);
    test.setTimeout(120_000);
    const engine = await start!();
    try {
      await inEngine(engine, host.origin);
    } finally {
      await engine.close();
    }
  });

async function inEngine(engine: Engine, origin: string) {
  // A script may end with the page that it runs in.
  const expectPoll = (body: string) => expect.poll(() => engine.run<unknown>(`return ${body}`).catch(String), { message: body });
  await engine.open(`${origin}/`);
  await expectPoll("document.querySelector('.search').checkVisibility()").toBe(true);
  await engine.type("/");
  await expectPoll("document.activeElement.className").toBe("search-input");
  await engine.type("link previews");
  await expectPoll("document.querySelector('.search-link')?.getAttribute('href')").toBe("/guides/pictures#link-previews");
  await expectPoll("document.querySelector('.search [role=status]').textContent").toMatch(/^\d+ results$/);
  await expectPoll("document.querySelector('.search-result mark').textContent.toLowerCase()").toMatch(/^(link|previews)$/);
  await engine.press("ArrowDown");
  await expectPoll("document.activeElement === document.querySelector('.search-link')").toBe(true);
  await engine.press("ArrowUp");
  await expectPoll("document.activeElement.className").toBe("search-input");
  await engine.press("Escape");
  await expectPoll("document.querySelector('.search-panel').hidden").toBe(true);
  expect(await engine.run("return document.activeElement.value")).toBe("link previews");
  await engine.type(" ");
  await engine.press("Enter");
  await expectPoll("location.pathname + location.hash").toBe("/guides/pictures#link-previews");
  // While the engine runs: tabs without a script are one row, and one of them is open.
  await engine.open(`${origin}/guides/documentation`);
  await engine.run("document.querySelector('.tab:last-of-type > summary').click()");
  await expectPoll("[...document.querySelectorAll('.tab')].map((tab) => tab.open).join()").toBe("false,true");
  await expectPoll("new Set([...document.querySelectorAll('.tab > summary')].map((title) => title.getBoundingClientRect().top)).size").toBe(1);
  await expectPoll("[...document.querySelectorAll('.tab pre')].map((text) => text.checkVisibility()).join()").toBe("false,true");
}

test("letters that follow each other at once make one query, and no earlier answer is shown", async ({ page }) => {
  await page.goto("/");
  await expect(field(page)).toBeVisible();
  await field(page).focus();
  // The first query is answered when the visitor has begun to type the next one, and the next one a while after that.
  const { queries, shown } = await page.evaluate(async () => {
    const { Index } = await import(document.querySelector<HTMLScriptElement>("script[src*='/assets/search-']")!.src);
    const search = Index.prototype.search;
    const queries: string[] = [];
    const shown: string[] = [];
    let [asked, answer] = [() => {}, () => {}];
    Index.prototype.search = async function (query: string) {
      queries.push(query);
      asked();
      await new Promise<void>((done) => (answer = done));
      return search.call(this, query);
    };
    const input = document.querySelector<HTMLInputElement>(".search-input")!;
    const type = async (text: string) => {
      const isAsked = new Promise<void>((done) => (asked = done));
      for (let end = 1; end <= text.length; end++) {
        input.value = text.slice(0, end);
        input.dispatchEvent(new InputEvent("input", { bubbles: true }));
        if (end === 1) answer();
      }
      await isAsked;
    };
    new MutationObserver(() => {
      const first = document.querySelector(".search-link");
      if (first) shown.push(first.getAttribute("href")!);
    }).observe(document.querySelector(".search-results")!, { childList: true });
    await type("pictures");
    await type("islands");
    answer();
    while (!shown.length) await new Promise((done) => setTimeout(done, 10));
    Index.prototype.search = search;
    return { queries, shown };
  });
  expect(queries).toEqual(["pictures", "islands"]);
  expect(shown).toEqual(["/guides/islands"]);
});

// What a newcomer types, and the addresses that answer it.
const questions: [string, RegExp][] = [
  ["deploy to netlify", /^\/guides\/hosts#hosts$/],
  ["github pages", /^\/guides\/(ci|answers)#/],
  ["add a feed", /^\/guides\/feeds#feeds$/],
  ["rss", /^\/guides\/(feeds|answers#how-do-i-make-an-rss-feed)/],
  ["dark mode", /^\/guides\/answers#how-do-i-make-a-dark-mode$/],
  ["write an island", /^\/guides\/islands#a-first-island$/],
  ["react component", /^\/guides\/react/],
  ["draft", /^\/guides\/(writing|answers)#/],
  ["alt text", /^\/guides\/pictures#/],
  ["how do I install it on a mac", /^\/guides\/install$/],
  ["choose a starter", /^\/guides\/starters$/],
  ["translate a page", /^\/guides\/translating$/],
  ["contact form", /^\/guides\/(forms|answers#how-do-i-add-a-contact-form)/],
  ["migrate from hugo", /^\/guides\/moving/],
  ["syntax highlighting", /^\/guides\/code$/],
  ["redirect an old page", /^\/guides\/hosts#redirects$/],
  ["custom 404 page", /^\/guides\/answers#how-do-i-make-a-page-for-addresses/],
  ["environment variables", /^\/guides\/commands#environment-variables$/],
  ["vs code", /^\/guides\/editors#vs-code/],
  ["exit code", /^\/guides\/output#exit-codes$/],
];

test("what newcomers type leads to the guide about it", async ({ page }) => {
  await page.goto("/");
  const found = await page.evaluate(async (queries) => {
    const script = document.querySelector<HTMLScriptElement>("script[src*='/assets/search-']")!.src;
    const address = document.querySelector<HTMLElement>("[data-search-index]")!.dataset["searchIndex"]!;
    const { Index } = await import(script);
    const index = new Index(address);
    const first = async (query: string) => {
      const { results } = await index.search(query);
      return results.length ? `${results[0].address}${results[0].id && `#${results[0].id}`}` : "";
    };
    return Promise.all(queries.map(first));
  }, questions.map(([query]) => query));
  for (const [at, [query, expected]] of questions.entries()) expect.soft(found[at], query).toMatch(expected);
});

for (const colorScheme of ["light", "dark"] as const)
  for (const width of [360, 1440])
    test(`at ${width} px, ${colorScheme}, results are readable and inside the window`, async ({ page }) => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await page.goto("/guides/islands");
      await field(page).fill("hydrate island");
      await expect(results(page).first()).toBeVisible();
      expect(await violations(page, { within: ".top" })).toEqual([]);
      const box = (await page.locator(".search-panel").boundingBox())!;
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width).toBeLessThanOrEqual(width);
      if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/${width}-${colorScheme}.png` });
    });

test("results stay inside a narrow window wherever the field is", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 900 });
  await page.goto("/guides/islands");
  for (const side of ["left", "right"]) {
    await field(page).evaluate((input, side) => {
      Object.assign(input.closest<HTMLElement>(".search")!.style, { position: "absolute", width: "9rem", left: "", right: "", [side]: "1rem" });
    }, side);
    await field(page).fill(side === "left" ? "hydrate" : "hydrate island");
    await expect(results(page).first()).toBeVisible();
    // The results of the query before stay where they were until those of this one are there.
    const isInside = async () => {
      const box = await page.locator(".search-panel").boundingBox();
      return box !== null && box.x >= 8 && box.x + box.width <= 352;
    };
    await expect.poll(isInside).toBe(true);
  }
});

test("a query without results says so, and an empty one closes the list", async ({ page }) => {
  await page.goto("/");
  await field(page).fill("xylophonists");
  await expect(page.getByRole("search").getByRole("status")).toHaveText("Nothing was found for “xylophonists”.");
  await field(page).fill("");
  await expect(page.locator(".search-panel")).toBeHidden();
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("there is no search, and a link to the list of all pages", async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 900 });
    await page.goto("/");
    await expect(page.locator(".search")).toBeHidden();
    await expect(page.getByRole("link", { name: "Menu", exact: true })).toBeVisible();
  });
});

test.describe("when the index does not arrive", () => {
  test.use({ expected: [/Failed to load resource/] });

  test("the reader learns of it, and the next query works", async ({ page }) => {
    await page.route("**/search-en.bin", (route) => route.fulfill({ status: 503 }));
    await page.goto("/");
    await field(page).fill("pictures");
    await expect(page.getByRole("search").getByRole("status")).toHaveText("The search is not available at the moment.");
    await page.unroute("**/search-en.bin");
    await field(page).fill("picture");
    await expect(results(page).first()).toBeVisible();
  });
});

test.describe("when a new version of the site has replaced the files that the entry names", () => {
  test.use({ expected: [/Failed to load resource/] });

  test("the entry is fetched anew", async ({ page, host }) => {
    const entry = Buffer.from(await (await fetch(`${host.origin}/search-en.bin`)).arrayBuffer());
    const old = inflateRawSync(entry).toString().replace(/"[0-9a-f]{8}"/g, '"00000000"');
    await page.route("**/search-en.bin", (route) => route.fulfill({ body: deflateRawSync(old) }), { times: 1 });
    await page.goto("/");
    await field(page).fill("pictures");
    await expect(results(page).first()).toHaveAttribute("href", /^\/guides\/pictures/);
  });
});

// The same as in the tests of `crates/search/src/words.rs`.
test("a query has the words that the index has", async ({ page }) => {
  await page.goto("/");
  const words = await page.evaluate(async () => {
    const { wordsOf } = await import(document.querySelector<HTMLScriptElement>("script[src*='/assets/search-']")!.src);
    return ["Loaves, baking; it's", "Straße Häuser", "Cafe\u0301s", "for_each 3ﬁ", "東京都AI"].map((text) => wordsOf(text).join(" "));
  });
  expect(words).toEqual(["loaves baking it s", "strasse hauser", "cafes", "for each 3fi", "東京 京都 ai"]);
});

// What readers would expect first, or among the first three.
const expectations: [query: string, first: number, address: string | RegExp][] = [
  ["highlight", 3, /^\/guides\/code/],
  ["bakery", 3, /^\/tutorial/],
  ["islands", 1, "/guides/islands"],
  ["island", 1, "/guides/islands"],
  ["budgets", 3, /budget/],
  ["content security policy", 3, /^\/explanation\/policy/],
  ["redirect", 3, /redirect/],
  ["publishing", 3, "/explanation/publishing"],
  ["publishing cache", 1, "/explanation/publishing"],
  ["rss feed", 3, /feed/],
  ["netlify", 1, "/guides/ci#netlify"],
  ["draft", 3, /draft/],
  ["favicon", 3, /icon/],
  // Typed so far, other forms, and one wrong letter in either half.
  ["islan", 3, /^\/guides\/islands/],
  ["hydrating", 3, /^\/guides\/(islands|react)/],
  ["picturs", 3, /^\/guides\/pictures/],
  ["bakary", 5, /^\/tutorial/],
  ["pulbishing", 3, "/explanation/publishing"],
  ["oslands", 1, "/guides/islands"],
];

test("the best sections come first", async ({ page }) => {
  await page.goto("/");
  const found = await page.evaluate(async (queries) => {
    const script = document.querySelector<HTMLScriptElement>("script[src*='/assets/search-']")!.src;
    const { Index } = await import(script);
    const index = new Index("/search-en.bin");
    const address = ({ address, id }: { address: string; id: string }) => (id ? `${address}#${id}` : address);
    const answers: string[][] = [];
    for (const query of queries) answers.push((await index.search(query)).results.map(address));
    return answers;
  }, expectations.map(([query]) => query));
  const wrong = expectations.flatMap(([query, first, address], at) => {
    const best = found[at]!.slice(0, first);
    const is = (each: string) => (typeof address === "string" ? each === address : address.test(each));
    return best.some(is) ? [] : [`${query}: ${found[at]!.slice(0, 5).join(", ")}`];
  });
  expect(wrong).toEqual([]);
});
