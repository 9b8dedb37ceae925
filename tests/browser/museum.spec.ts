// The example site in examples/museum: what visitors meet in English, German and Arabic, from left to right and from right to
// left.
import type { Locator, Page } from "@playwright/test";
import { engines } from "./engines.ts";
import { testEveryPage } from "./every-page.ts";
import { expect, test } from "./site.ts";

test.use({ variant: "museum" });

testEveryPage([
  "/",
  "/collection",
  "/collection/kamal",
  "/journal/subjects/stars",
  "/latitude",
  "/visit",
  "/de",
  "/de/ausstellungen/den-grund-lesen",
  "/de/tagebuch",
  "/de/karten",
  "/de/impressum",
  "/ar",
  "/ar/maarid",
  "/ar/muqtanayat/asturlab",
  "/ar/yawmiyyat",
  "/ar/yawmiyyat/notes-on-a-cord",
  "/ar/khatt-al-ard",
  "/ar/tadhakir",
]);

/** For each language the home page, a work, the words of the header, and a page with a form. */
const languages = {
  en: { name: "English", direction: "ltr", home: "/", work: "/collection/kamal", menu: "Main", tickets: "/tickets" },
  de: { name: "Deutsch", direction: "ltr", home: "/de", work: "/de/sammlung/kamal", menu: "Hauptmenü", tickets: "/de/karten" },
  ar: { name: "العربية", direction: "rtl", home: "/ar", work: "/ar/muqtanayat/kamal", menu: "القائمة الرئيسية", tickets: "/ar/tadhakir" },
};

test("a visitor changes the language on a work, and stays with that work", async ({ page }) => {
  await page.goto(languages.en.work);
  for (const [language, { name, direction, work }] of [...Object.entries(languages).slice(1), Object.entries(languages)[0]!]) {
    await page.locator(".languages").getByRole("link", { name, exact: true }).click();
    await expect(page).toHaveURL(work);
    await expect(page.locator("html")).toHaveAttribute("lang", language);
    await expect(page.locator("html")).toHaveAttribute("dir", direction);
    await expect(page.locator(".languages [aria-current]")).toHaveText(name);
  }
  // The imprint is there in German alone: from there, the switch leads to the home page.
  await page.locator("footer").getByRole("link", { name: "Impressum" }).click();
  await expect(page.locator("html")).toHaveAttribute("lang", "de");
  await page.locator(".languages").getByRole("link", { name: "العربية" }).click();
  await expect(page).toHaveURL(languages.ar.home);
});

test("every link leads to a page that is there, and into another language only if it says so", async ({ page, request }) => {
  const seen = new Set(["/"]);
  const of: Record<string, string> = {};
  const links: { from: string; to: string; hreflang: string | null; lang: string | null }[] = [];
  for (const path of seen) {
    const response = await request.get(path);
    expect(response.status(), path).toBe(200);
    const { language, direction, found } = await page.evaluate((html) => {
      const parsed = new DOMParser().parseFromString(html, "text/html");
      const found = [...parsed.querySelectorAll("a[href^='/']")].map((link) => ({
        to: link.getAttribute("href")!.replace(/#.*/, ""),
        hreflang: link.getAttribute("hreflang"),
        lang: link.getAttribute("lang"),
      }));
      return { language: parsed.documentElement.lang, direction: parsed.documentElement.dir, found };
    }, await response.text());
    of[path] = language;
    expect(direction, path).toBe(language === "ar" ? "rtl" : "ltr");
    for (const link of found.filter(({ to }) => !/\.(xml|json)$/.test(to))) {
      links.push({ from: path, ...link });
      seen.add(link.to);
    }
  }
  const wrong = links.filter(({ from, to, hreflang }) => (hreflang ?? of[from]) !== of[to]);
  expect(wrong).toEqual([]);
  // The names of languages are read out in the languages that they name.
  expect(links.filter(({ hreflang, lang }) => hreflang !== lang)).toEqual([]);
  const counts = Object.fromEntries(Object.keys(languages).map((tag) => [tag, Object.values(of).filter((each) => each === tag).length]));
  // All but the 404 pages and those after a booking; the imprint is in German alone.
  expect(counts).toEqual({ en: 33, de: 34, ar: 33 });
});

test("pages name their translations, and these name them back", async ({ page, request }) => {
  const named: Record<string, Record<string, string>> = {};
  for (const { home, work, tickets } of Object.values(languages))
    for (const path of [home, work, tickets]) {
      const html = await (await request.get(path)).text();
      named[path] = await page.evaluate((html) => {
        const parsed = new DOMParser().parseFromString(html, "text/html");
        const links = [...parsed.querySelectorAll<HTMLLinkElement>("link[hreflang]")];
        return Object.fromEntries(links.map((link) => [link.hreflang, new URL(link.href).pathname]));
      }, html);
    }
  for (const key of ["home", "work", "tickets"] as const) {
    const expected = { "x-default": languages.en[key], ...Object.fromEntries(Object.entries(languages).map(([tag, each]) => [tag, each[key]])) };
    for (const each of Object.values(languages)) expect(named[each[key]], each[key]).toEqual(expected);
  }
});

for (const [tag, path, notice, mark] of [
  ["de", "/de/tagebuch/notes-on-a-cord", "Diesen Text gibt es noch nicht auf Deutsch. Sie lesen ihn auf Englisch.", "Auf Englisch"],
  ["ar", "/ar/yawmiyyat/notes-on-a-cord", "لم يُنشر هذا النص بالعربية بعد، وتقرؤونه هنا بالإنجليزية.", "بالإنجليزية"],
] as const)
  test(`a text without translation says so in ${tag}, and is marked as what it is`, async ({ page, request }) => {
    await page.goto(path);
    await expect(page.locator("html")).toHaveAttribute("lang", tag);
    await expect(page.locator(".fallback-notice")).toHaveText(notice);
    for (const text of [page.getByRole("heading", { level: 1 }), page.getByText("Nobody will untie anything.")]) {
      const marked = text.locator("xpath=ancestor-or-self::*[@lang][1]");
      await expect(marked).toHaveAttribute("lang", "en");
      await expect(marked).toHaveAttribute("dir", "ltr");
      await expect(text).toHaveCSS("direction", "ltr");
    }
    await expect(page.locator("link[rel=canonical]")).toHaveAttribute("href", /test\/journal\/notes-on-a-cord$/);
    const list = path.replace(/\/[^/]*$/, "");
    await page.goto(list);
    await expect(page.locator(".mark")).toHaveText(mark);
    // The feed of a language has what was written in it.
    const feed = await (await request.get(`${list}/feed.xml`)).text();
    expect(feed).toContain(`xml:lang="${tag}"`);
    expect(feed).not.toContain("notes-on-a-cord");
    expect(await (await request.get("/journal/feed.xml")).text()).toContain("notes-on-a-cord");
  });

/** The tab stops of a page from its start: what the focus is on. */
async function tabStops(page: Page, count: number): Promise<{ name: string; x: number; y: number }[]> {
  const stops = [];
  for (let number = 0; number < count; number++) {
    await page.keyboard.press("Tab");
    stops.push(
      await page.evaluate(() => {
        const { left, right, top } = document.activeElement!.getBoundingClientRect();
        return { name: document.activeElement!.textContent!.trim(), x: (left + right) / 2, y: top };
      }),
    );
  }
  return stops;
}

for (const [tag, { home, direction, menu }] of Object.entries(languages))
  test(`in ${tag}, the keyboard goes through the header as one reads`, async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(home);
    const links = page.getByRole("navigation", { name: menu }).getByRole("link");
    const names = (await links.allTextContents()).map((each) => each.trim());
    expect(names).toHaveLength(5);
    // The link to the text, the name, two other languages, and the menu.
    const stops = await tabStops(page, 4 + names.length);
    const ofMenu = stops.slice(4);
    expect(ofMenu.map(({ name }) => name)).toEqual(names);
    const places = ofMenu.map(({ x }) => x);
    const sorted = [...places].sort((a, b) => (direction === "rtl" ? b - a : a - b));
    expect(places).toEqual(sorted);
    // The name of the museum comes before the languages, on the side where lines begin.
    expect(Math.sign(stops[1]!.x - stops[2]!.x)).toBe(direction === "rtl" ? 1 : -1);
    await page.keyboard.press("Tab");
    await expect(page.getByRole("searchbox")).toBeFocused();
  });

const latitudes = {
  en: { path: "/latitude", label: "Height of the Pole Star", muscat: "The star stands 24° above the horizon. You are at 24° north, the latitude of Muscat.", near: "The star stands 25° above the horizon. You are at 25° north. The nearest harbour is Muscat, one degree to the south." },
  de: { path: "/de/breitengrad", label: "Höhe des Polarsterns", muscat: "Der Stern steht 24° über dem Horizont. Sie sind auf 24° Nord, der Breite von Maskat.", near: "Der Stern steht 25° über dem Horizont. Sie sind auf 25° Nord. Der nächste Hafen ist Maskat, ein Grad weiter südlich." },
  ar: { path: "/ar/khatt-al-ard", label: "ارتفاع نجم القطب", muscat: "يعلو النجم 24° فوق الأفق، فأنت على عرض 24° شمالًا، وهو عرض مسقط.", near: "يعلو النجم 25° فوق الأفق، فأنت على عرض 25° شمالًا، وأقرب الموانئ مسقط، درجة واحدة إلى الجنوب." },
};

for (const [tag, { path, label, muscat, near }] of Object.entries(latitudes))
  test(`in ${tag}, a slider raises the star, and a sentence names the harbour`, async ({ page }) => {
    await page.goto(path);
    const slider = page.getByRole("slider", { name: label });
    await slider.scrollIntoViewIfNeeded();
    await slider.fill("24");
    await expect(page.getByRole("status")).toHaveText(muscat);
    await expect(slider).toHaveAttribute("aria-valuetext", muscat);
    await expect(page.getByRole("row", { name: /24/ })).toHaveAttribute("aria-current", "true");
    // The key that points to where the slider ends.
    await slider.focus();
    await page.keyboard.press(tag === "ar" ? "ArrowLeft" : "ArrowRight");
    await expect(page.getByRole("status")).toHaveText(near);
  });

test("without JavaScript, the star stands still, the table is there, and the form is complete", async ({ browser, baseURL }) => {
  const context = await browser.newContext({ baseURL, javaScriptEnabled: false });
  const page = await context.newPage();
  for (const { path } of Object.values(latitudes)) {
    await page.goto(path);
    await expect(page.getByRole("slider")).toHaveCount(0);
    await expect(page.locator(".latitude__drawing")).toBeVisible();
    await expect(page.locator(".latitude__reading")).toContainText("31°");
    await expect(page.getByRole("row")).toHaveCount(19);
  }
  for (const [tag, { tickets }] of Object.entries(languages)) {
    await page.goto(tickets);
    const form = page.locator("form#tickets");
    await expect(form).toHaveAttribute("action", "https://desk.azimuth.test/book");
    await expect(form.locator("[name=language]")).toHaveValue(tag);
    const labels = await form.locator(".field label").allTextContents();
    expect(labels, tag).toHaveLength(6);
    for (const label of labels) expect(/[\u0600-\u06ff]/.test(label), label).toBe(tag === "ar");
  }
  await context.close();
});

const missing = {
  en: "This is missing: Name",
  de: "Das fehlt noch: Name",
  ar: "هذا الحقل ناقص: الاسم",
};

for (const [tag, message] of Object.entries(missing))
  test(`in ${tag}, an incomplete booking is answered in that language, beside its field`, async ({ page }) => {
    await page.goto(languages[tag as keyof typeof languages].tickets);
    const form = page.locator("form#tickets");
    await form.scrollIntoViewIfNeeded();
    await expect.poll(() => form.evaluate((element: HTMLFormElement) => element.noValidate)).toBe(true);
    await form.getByRole("button").click();
    const error = form.locator(".form-error").first();
    await expect(error).toContainText(message);
    const name: Locator = form.locator("[name=name]");
    await expect(name).toHaveAttribute("aria-invalid", "true");
    await expect(error).toHaveCSS("direction", languages[tag as keyof typeof languages].direction);
    // Addresses are typed from left to right everywhere.
    await expect(form.locator("[name=email]")).toHaveCSS("direction", "ltr");
  });

for (const [tag, path, query, title] of [
  ["en", "/", "astrolabe", "Astrolabe for six latitudes"],
  ["de", "/de", "Astrolabium", "Astrolabium für sechs Breiten"],
  ["ar", "/ar", "أسطرلاب", "أسطرلاب لستة عروض"],
] as const)
  test(`in ${tag}, the search finds what is written in that language`, async ({ page }) => {
    await page.goto(path);
    await page.getByRole("searchbox").fill(query);
    const results = page.getByRole("search").getByRole("link");
    await expect(results.filter({ hasText: title }).first()).toBeVisible();
    const found = await results.evaluateAll((links) => links.map((link) => link.getAttribute("href")!));
    for (const href of found) expect(/^\/(de|ar)\b/.exec(href)?.[1] ?? "en", href).toBe(tag);
  });

for (const [name, start] of Object.entries(engines))
  test(`in ${name}, no page is wider than the window, and what points onwards points the right way`, async ({ host }) => {
    // Where CI is set, nothing is left out.
    test.skip(!start && !process.env.CI, `${name} is not installed on this machine.`);
    test.setTimeout(120_000);
    const engine = await start!();
    try {
      for (const { home, work, tickets, direction } of Object.values(languages)) {
        for (const path of [work, tickets, home]) {
          await engine.open(host.origin + path);
          const over = "return document.documentElement.scrollWidth - innerWidth";
          expect(await engine.run<number>(over), path).toBeLessThanOrEqual(0);
          expect(await engine.run("return getComputedStyle(document.body).direction"), path).toBe(direction);
        }
        const arrow = await engine.run<string>("return getComputedStyle(document.querySelector('.more .arrow')).transform");
        expect(arrow).toBe(direction === "rtl" ? "matrix(-1, 0, 0, 1, 0, 0)" : "none");
        // The text of the hero begins where lines begin.
        const side = await engine.run<number>(
          "const { left, right } = document.querySelector('.hero .kicker').getBoundingClientRect(); return left - (innerWidth - right)",
        );
        expect(Math.sign(side)).toBe(direction === "rtl" ? 1 : -1);
      }
    } finally {
      await engine.close();
    }
  });
