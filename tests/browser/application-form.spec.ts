import { writeFileSync } from "node:fs";
import type { Locator, Page } from "@playwright/test";
import { fileSize } from "../../islands/parts/fileSize.ts";
import { application, cv, expect, fill, hydrated, press, test } from "./site.ts";

const fields = [
  { name: "firstName", type: "text", marked: true, required: true, autocomplete: "given-name" },
  { name: "lastName", type: "text", marked: true, required: true, autocomplete: "family-name" },
  { name: "email", type: "email", marked: true, required: true, autocomplete: "email" },
  { name: "phone", type: "tel", autocomplete: "tel" },
  { name: "portfolio", type: "url" },
  { name: "coverLetter", type: "textarea" },
  { name: "cv", type: "file", marked: true, accept: ".pdf,.doc,.docx", hint: /max 10MB/ },
  { name: "portfolio_file", type: "file", accept: ".pdf,.zip,.rar", hint: /PDF or ZIP, max 25MB/ },
];

// From the first listener on, Playwright answers in the place of the browser's dialog. One added just before a key is
// pressed can come too late.
const interceptChoosers = async (page: Page) => {
  page.on("filechooser", () => {});
  await page.evaluate(() => {});
};

for (const javaScriptEnabled of [true, false])
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled });

    test("it has the eight fields, and only those", async ({ page }) => {
      await page.goto("/careers");
      if (javaScriptEnabled) await hydrated(page, "ApplicationForm");
      const controls = page.locator("form").locator("input, textarea, select");
      expect(await controls.evaluateAll((all) => all.map((each) => each.getAttribute("name")))).toEqual(
        fields.map((field) => field.name),
      );
      for (const { name, type, marked, required, autocomplete, accept, hint } of fields) {
        const control = page.locator(`[name="${name}"]`);
        await expect(control).toHaveJSProperty("type", type);
        await expect(control).toHaveJSProperty("required", Boolean(required));
        const label = await control.evaluate((each: HTMLInputElement) => each.labels![0]!.innerText.trim());
        expect(label.endsWith("*"), `${name}: ${label}`).toBe(Boolean(marked));
        // Like the star itself, for those who do not see it; the browser must not ask for the CV.
        if (name === "cv") await expect(control).toHaveAttribute("aria-required", "true");
        if (autocomplete) await expect(control).toHaveAttribute("autocomplete", autocomplete);
        if (accept) await expect(control).toHaveAttribute("accept", accept);
        if (hint) {
          await expect(page.getByText(hint)).toBeVisible();
          await expect(control).toHaveAccessibleDescription(hint);
        }
      }
    });

    test("a file picker is reached and opened from the keyboard", async ({ page }) => {
      await interceptChoosers(page);
      await page.goto("/careers");
      if (javaScriptEnabled) await hydrated(page, "ApplicationForm");
      await page.locator("[name=coverLetter]").focus();
      await page.keyboard.press("Tab");
      await expect(page.locator("[name=cv]")).toBeFocused();
      const chooser = page.waitForEvent("filechooser");
      await page.keyboard.press("Space");
      await (await chooser).setFiles(cv);
      expect(await page.locator("[name=cv]").evaluate((input: HTMLInputElement) => input.files![0]!.name)).toBe(
        cv.name,
      );
    });
  });

test("a required field that is empty gets the browser's own message", async ({ page }) => {
  await page.goto("/careers");
  await hydrated(page, "ApplicationForm");
  await press(page, page.locator("form [type=submit]"));
  await expect(page.locator("[name=firstName]")).toBeFocused();
  await expect(page.getByRole("alert").filter({ hasText: "An error occurred" })).toHaveCount(0);
});

test("a portfolio must be an address, a phone number may be anything", async ({ page }) => {
  await page.goto("/careers");
  await hydrated(page, "ApplicationForm");
  await fill(page, { ...application, phone: "call me", portfolio: "not an address" });
  await page.locator("[name=cv]").setInputFiles(cv);
  await press(page, page.locator("form [type=submit]"));
  await expect(page.locator("[name=portfolio]:invalid")).toBeFocused();
  await page.locator("[name=portfolio]").fill("https://ada.example.com");
  await press(page, page.locator("form [type=submit]"));
  await expect(page.getByRole("alert").filter({ hasText: "An error occurred" })).toBeVisible();
});

test("an empty file of any type and size is a CV: the limits are hints", async ({ page }) => {
  await page.goto("/careers");
  await hydrated(page, "ApplicationForm");
  await fill(page, application);
  await page.locator("[name=cv]").setInputFiles({ name: "cv.xyz", mimeType: "text/plain", buffer: Buffer.alloc(0) });
  await expect(page.getByText("0 B")).toBeVisible();
  await press(page, page.locator("form [type=submit]"));
  await expect(page.getByRole("alert").filter({ hasText: "An error occurred" })).toBeVisible();
});

for (const name of ["cv", "portfolio_file"])
  test.describe(`the picker ${name}`, () => {
    let input: Locator;
    let box: Locator;
    let remove: Locator;
    let prompt: string;

    test.beforeEach(async ({ page }) => {
      await interceptChoosers(page);
      await page.goto("/careers");
      await hydrated(page, "ApplicationForm");
      input = page.locator(`[name="${name}"]`);
      box = input.locator("xpath=..");
      remove = box.getByRole("button", { name: /^Remove/ });
      prompt = await box.getByRole("status").innerText();
      expect(prompt).toMatch(/\S/);
      await expect(remove).toHaveCount(0);
    });

    const expectChosen = async (file: string, size: RegExp) => {
      await expect(box.getByRole("status")).toContainText(file);
      await expect(box.getByRole("status")).toContainText(size);
      await expect(box.getByRole("status")).not.toContainText(prompt);
      await expect(remove).toHaveAccessibleName(`Remove ${file}`);
      expect(await input.evaluate((each: HTMLInputElement) => [...each.files!].map((chosen) => chosen.name))).toEqual([
        file,
      ]);
    };

    test("shows the name and size of a chosen file", async ({ page }) => {
      const chooser = page.waitForEvent("filechooser");
      await press(page, box);
      await (await chooser).setFiles(cv);
      await expectChosen(cv.name, /1\.4 MB/);
    });

    test("keeps its height with a file of any name", async ({ page }) => {
      for (const width of [320, 768, 1440]) {
        await page.setViewportSize({ width, height: 800 });
        await input.setInputFiles([]);
        const height = async () => (await box.boundingBox())!.height;
        const before = await height();
        for (const name of ["cv.pdf", "curriculum-vitae-2026.pdf", `${"Lebenslauf ".repeat(15)}.pdf`, `${"W".repeat(24)}`, `${"履歷".repeat(12)}.pdf`]) {
          await input.setInputFiles({ name, mimeType: "application/pdf", buffer: Buffer.alloc(1_400_000) });
          await expect(remove).toHaveAccessibleName(`Remove ${name}`);
          await expect(box.getByRole("status")).toContainText(name.length < 25 ? name : name.slice(-11));
          expect(await height(), `${name} at ${width} px`).toBe(before);
        }
      }
    });

    test("removing empties it, brings the prompt back and moves the focus to it; the same file can come again", async () => {
      await input.setInputFiles(cv);
      for (const key of ["Enter", "Space"]) {
        await remove.press(key);
        await expect(box.getByRole("status")).toHaveText(prompt);
        await expect(remove).toHaveCount(0);
        await expect(input).toBeFocused();
        await expect(input).toHaveValue("");
        await input.setInputFiles(cv);
        await expectChosen(cv.name, /1\.4 MB/);
      }
      await remove.click();
      await expect(input).toBeFocused();
      await expect(box.getByRole("status")).toHaveText(prompt);
    });

    test("takes a dropped file, and the first of several", async ({ page }) => {
      const dropped = await page.evaluateHandle(() => {
        const transfer = new DataTransfer();
        transfer.items.add(new File(["x".repeat(2_000)], "dropped.txt"));
        transfer.items.add(new File(["x"], "another.txt"));
        return transfer;
      });
      const over = await box.evaluate((element, dataTransfer) => {
        const event = new DragEvent("dragover", { dataTransfer, bubbles: true, cancelable: true });
        element.dispatchEvent(event);
        return event.defaultPrevented;
      }, dropped);
      expect(over, "the box accepts what is dragged over it").toBe(true);
      await box.dispatchEvent("drop", { dataTransfer: dropped });
      await expectChosen("dropped.txt", /2 KB/);
      await remove.click();
      await box.dispatchEvent("drop", { dataTransfer: dropped });
      await expectChosen("dropped.txt", /2 KB/);
    });

    test("takes a file dragged in from the desktop", async ({ page, context }, information) => {
      const path = information.outputPath("from the desktop.pdf");
      writeFileSync(path, "x".repeat(3_000));
      await box.scrollIntoViewIfNeeded();
      const { x, y, width, height } = (await box.boundingBox())!;
      const devtools = await context.newCDPSession(page);
      for (const type of ["dragEnter", "dragOver", "drop"] as const)
        await devtools.send("Input.dispatchDragEvent", {
          type,
          x: x + width / 2,
          y: y + height / 2,
          data: { items: [], files: [path], dragOperationsMask: 1 },
        });
      await expectChosen("from the desktop.pdf", /3 KB/);
      await expect(page).toHaveURL(/\/careers$/);
    });

    test("leaves alone what is dropped without a file", async ({ page }) => {
      await input.setInputFiles(cv);
      const text = await page.evaluateHandle(() => {
        const transfer = new DataTransfer();
        transfer.setData("text/plain", "words");
        return transfer;
      });
      await box.dispatchEvent("drop", { dataTransfer: text });
      await expectChosen(cv.name, /1\.4 MB/);
    });

    test("shows where the focus is", async ({ page }) => {
      await input.evaluate((each) => (each.tabIndex = 0));
      const outline = () => box.evaluate((each) => getComputedStyle(each).outlineStyle);
      expect(await outline()).toBe("none");
      await page.locator("[name=coverLetter]").focus();
      for (let step = 0; step < 3 && !(await input.evaluate((each) => each === document.activeElement)); step++)
        await page.keyboard.press("Tab");
      expect(await outline()).not.toBe("none");
    });
  });

test("a size has the same words on every machine", () => {
  for (const [bytes, words] of [
    [0, "0 B"],
    [999, "999 B"],
    [1_000, "1 KB"],
    [999_499, "999 KB"],
    [999_500, "1.0 MB"],
    [10_000_000, "10.0 MB"],
    [2_500_000_000, "2.5 GB"],
    [5_000_000_000_000, "5000.0 GB"],
  ] as const)
    expect(fileSize(bytes)).toBe(words);
});

test("a long name wraps inside its box", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto("/careers");
  await hydrated(page, "ApplicationForm");
  await page.locator("[name=cv]").setInputFiles({ ...cv, name: `${"long".repeat(40)}.pdf` });
  await page.getByRole("button", { name: /^Remove/ }).scrollIntoViewIfNeeded();
  await expect(page.getByRole("button", { name: /^Remove/ })).toBeInViewport({ ratio: 1 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});
