// The forms, the pickers and the banner in Firefox and WebKit: what they do there as well as in Chromium.
import { writeFileSync } from "node:fs";
import { engines, type Engine } from "./engines.ts";
import { expect, pages, test } from "./site.ts";

for (const [name, start] of Object.entries(engines))
  test.describe(name, () => {
    // Where CI is set, nothing is left out.
    test.skip(!start && !process.env.CI, `${name} is not installed on this machine.`);
    test.describe.configure({ mode: "serial", timeout: 120_000 });
    let engine: Engine;
    test.beforeAll(async () => {
      engine = await start!();
    });
    test.afterAll(() => engine?.close());

    const hydrate = async (island: string) => {
      await engine.run(`document.querySelector('[data-island="${island}"]').scrollIntoView()`);
      const isHydrated = () =>
        engine.run<boolean>(
          `return Object.keys(document.querySelector('[data-island="${island}"]')).some((key) => key.startsWith("__reactContainer"))`,
        );
      await expect.poll(isHydrated).toBe(true);
    };
    const enter = (texts: Record<string, string>) =>
      engine.run(`for (const [name, text] of Object.entries(${JSON.stringify(texts)})) {
        const field = document.querySelector("form").elements.namedItem(name);
        field.focus();
        field.value = text;
        field.dispatchEvent(new Event("input", { bubbles: true }));
      }`);
    const submit = () => engine.run(`document.querySelector("form [type=submit]").click()`);
    const text = (selector: string) =>
      engine.run<string>(`return document.querySelector(${JSON.stringify(selector)}).textContent`);
    const height = () => engine.run<number>("return document.documentElement.scrollHeight");
    const values = () =>
      engine.run<string[]>(`return [...document.querySelectorAll("form [name]")].map((each) => each.value)`);

    test("no page is wider than the window, and the display font loads", async ({ host }) => {
      for (const path of pages) {
        await engine.open(host.origin + path);
        expect(await engine.run("return document.documentElement.scrollWidth - innerWidth"), path).toBeLessThanOrEqual(0);
        // A page does not use a font that arrives late, and Firefox then gives it up for good. This checks that the file
        // arrives, under the page's policy, and is a font: under another name it is asked for once more.
        const arrives = `
          const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
          const rule = rules.find((each) => /^@font-face.*family: "?Display/s.test(each.cssText));
          const state = (state) => () => (window.displayFont = state);
          window.displayFont ??= (new FontFace("Again", rule.style.getPropertyValue("src")).load().then(state(true), state("failed")), "loading");
          return window.displayFont`;
        await expect.poll(() => engine.run(arrives), path).toBe(true);
      }
    });

    test("an incomplete message is named to a screen reader, a complete one shows the banner for 3 seconds", async ({
      host,
    }) => {
      await engine.open(`${host.origin}/`);
      await hydrate("ContactForm");
      await submit();
      await expect.poll(() => text("[data-island] > [role=status]")).toBe("Please fill in: Name, E-mail, Company, Message");
      expect(await text("form [role=alert]")).toBe("");
      await enter({ name: "Ada", email: "ada@example.com", company: "Engines", message: "Two lines" });
      const before = await height();
      const submitted = Date.now();
      await submit();
      await expect
        .poll(() => text("form [role=alert]"))
        .toBe("An error occurred while sending your message. Please try again later.");
      expect(await height()).toBe(before);
      await expect.poll(() => text("form [role=alert]")).toBe("");
      expect(Date.now() - submitted).toBeGreaterThanOrEqual(2_900);
      expect(await values()).toEqual(["", "", "", ""]);
      expect(await height()).toBe(before);
    });

    test("a chosen file is shown and can be removed; an application shows the banner and is emptied", async ({
      host,
    }, information) => {
      const cv = information.outputPath("cv.pdf");
      writeFileSync(cv, "x".repeat(2_000));
      await engine.open(`${host.origin}/careers`);
      await hydrate("ApplicationForm");
      const prompt = await text(".picker__text");
      await engine.choose("[name=cv]", cv);
      await expect.poll(() => text(".picker__text")).toBe("cv.pdf 2 KB");
      await engine.run(`document.querySelector(".picker__remove").click()`);
      await expect.poll(() => text(".picker__text")).toBe(prompt);
      expect(await engine.run("return document.activeElement.name")).toBe("cv");
      await enter({ firstName: "Ada", lastName: "Lovelace", email: "ada@example.com" });
      await submit();
      await expect.poll(() => text("[data-island] > [role=status]")).toBe("Please fill in: CV");
      await engine.choose("[name=cv]", cv);
      await submit();
      await expect
        .poll(() => text("form [role=alert]"))
        .toBe("An error occurred while submitting your application. Please try again later.");
      await expect.poll(() => text("form [role=alert]")).toBe("");
      expect(new Set(await values())).toEqual(new Set([""]));
      expect(await text(".picker__text")).toBe(prompt);
    });
  });
