// Islands that wait, islands without a script, HTML of a template in a component, and state that two islands share.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { expect, test as base } from "@playwright/test";
import { serve, type Host } from "../support/server.ts";

const project = resolve(import.meta.dirname, "../..");
const sitegen = resolve(project, process.env.SITEGEN ?? "target/release/sitegen");

const page = (body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{{ page.title }}</title></head><body><main><h1>{{ page.title }}</h1>${body}</main></body></html>\n`;

const counter = (more: string) => `{{ island(component="Counter", props={"label": "Loaves"}, ${more}) }}`;

const pages: Record<string, string> = {
  media: counter(`hydrate="media", media="(min-width: 40rem)"`),
  interaction: counter(`hydrate="interaction"`),
  never: counter(`hydrate="never"`),
  slots:
    `{% set first %}<p>Rye from <a href="/never">the mill</a> &amp; more</p>{% endset %}{% set second %}<p>Spelt</p>{% endset %}` +
    `{{ island(component="Tabs", slots={"first": first, "second": second}, hydrate="load") }}`,
  shared: `{{ island(component="Add", hydrate="load") }}<p>Between them</p>{{ island(component="Total", hydrate="load") }}`,
};

const files: Record<string, string> = {
  "content/site.yaml": "url: https://www.mill.test\nlanguage: en\nname: The Mill\n",
  "content/pages/index.yaml": "title: The Mill\n",
  "templates/pages/page.html": page("<p>Nothing.</p>"),
  "islands/Counter.tsx": `
import { useState } from "react";

export default function Counter({ label }: { label: string }) {
  const [count, setCount] = useState(0);
  return <button type="button" onClick={() => setCount(count + 1)}>{label}: {count}</button>;
}
`,
  "islands/Tabs.tsx": `
import { useState } from "react";
import { Slot } from "./runtime/slot";

export default function Tabs() {
  const [shown, setShown] = useState(0);
  return (
    <div>
      <button type="button" onClick={() => setShown(1 - shown)}>Turn</button>
      <div hidden={shown !== 0}><Slot name="first" /></div>
      <div hidden={shown !== 1}><Slot name="second" /></div>
    </div>
  );
}
`,
  "islands/parts/basket.ts": `
import { useSyncExternalStore } from "react";

let loaves = 0;
const listeners = new Set<() => void>();
export const add = () => {
  loaves++;
  listeners.forEach((listener) => listener());
};
export const useLoaves = () =>
  useSyncExternalStore((listener) => (listeners.add(listener), () => listeners.delete(listener)), () => loaves, () => 0);
`,
  "islands/Add.tsx": `
import { add } from "./parts/basket";

export default function Add() {
  return <button type="button" onClick={add}>Add a loaf</button>;
}
`,
  "islands/Total.tsx": `
import { useLoaves } from "./parts/basket";

export default function Total() {
  return <output>{useLoaves()} in the basket</output>;
}
`,
};

const test = base.extend<{ quiet: void }, { site: Host }>({
  site: [
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), "weights-"));
      for (const [name, body] of Object.entries(pages)) {
        files[`content/pages/${name}.yaml`] = `title: ${name}\ntemplate: pages/${name}.html\n`;
        files[`templates/pages/${name}.html`] = page(body);
      }
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
      }
      symlinkSync(join(project, "node_modules"), join(folder, "node_modules"));
      execFileSync(sitegen, ["build", "--quiet", "--root", folder, "--out", join(folder, "dist")], { stdio: "inherit" });
      const site = await serve(join(folder, "dist"));
      await use(site);
      await site.close();
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: "worker", timeout: 180_000 },
  ],

  // What the policy blocks shows on the console.
  quiet: [
    async ({ page, site }, use) => {
      site.log.length = 0;
      const seen: string[] = [];
      page.on("console", (message) => seen.push(message.text()));
      page.on("pageerror", (error) => seen.push(error.message));
      await use();
      expect(seen).toEqual([]);
    },
    { auto: true },
  ],
});

const scripts = (site: Host) => site.log.filter(({ path }) => path.endsWith(".js")).map(({ path }) => path);

test("an island that waits for a window is fetched when the window fits, and once", async ({ page, site }) => {
  await page.setViewportSize({ width: 400, height: 600 });
  await page.goto(`${site.origin}/media`, { waitUntil: "networkidle" });
  const button = page.getByRole("button");
  await button.click();
  await expect(button).toHaveText("Loaves: 0");
  expect(scripts(site)).toEqual([]);
  await page.setViewportSize({ width: 900, height: 600 });
  await expect(async () => {
    await button.click();
    await expect(button).not.toHaveText("Loaves: 0", { timeout: 500 });
  }).toPass();
  await page.setViewportSize({ width: 400, height: 600 });
  await page.setViewportSize({ width: 900, height: 600 });
  const text = await button.textContent();
  await button.click();
  await expect(button).toHaveText(`Loaves: ${Number(text!.split(": ")[1]) + 1}`);
  expect(new Set(scripts(site)).size).toBe(scripts(site).length);
});

test("an island that waits for an interaction takes the click that woke it", async ({ page, site }) => {
  await page.goto(`${site.origin}/interaction`, { waitUntil: "networkidle" });
  expect(scripts(site)).toEqual([]);
  const button = page.getByRole("button");
  await button.click();
  await expect(button).toHaveText("Loaves: 1");
  await button.click();
  await expect(button).toHaveText("Loaves: 2");
});

test("an island that waits for an interaction wakes up for a keyboard", async ({ page, site }) => {
  await page.goto(`${site.origin}/interaction`, { waitUntil: "networkidle" });
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button")).toHaveText("Loaves: 1");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button")).toHaveText("Loaves: 2");
});

test.describe("on a touch screen", () => {
  test.use({ hasTouch: true });

  test("an island that waits for an interaction takes the first tap", async ({ page, site }) => {
    await page.goto(`${site.origin}/interaction`, { waitUntil: "networkidle" });
    expect(scripts(site)).toEqual([]);
    await page.getByRole("button").tap();
    await expect(page.getByRole("button")).toHaveText("Loaves: 1");
  });
});

test("an island that never wakes up is HTML, and its page has no script at all", async ({ page, site }) => {
  await page.goto(`${site.origin}/never`, { waitUntil: "networkidle" });
  await page.getByRole("button").click();
  await expect(page.getByRole("button")).toHaveText("Loaves: 0");
  expect(scripts(site)).toEqual([]);
  expect(await page.locator("script").count()).toBe(0);
  const policy = await page.locator("meta[http-equiv=Content-Security-Policy]").getAttribute("content");
  expect(policy).not.toContain("script-src");
});

test("HTML of a template stays in its component, once, and the component works around it", async ({ page, site }) => {
  const source = await (await fetch(`${site.origin}/slots`)).text();
  expect(source.split("Rye from").length, "the page has it once").toBe(2);
  await page.goto(`${site.origin}/slots`);
  const first = page.getByText("Rye from the mill & more");
  await expect(first).toBeVisible();
  await expect(page.getByText("Spelt")).toBeHidden();
  await first.evaluate((element) => (element.dataset.kept = "yes"));
  await expect(async () => {
    await page.getByRole("button").click();
    await expect(page.getByText("Spelt")).toBeVisible({ timeout: 500 });
  }).toPass();
  await expect(first).toBeHidden();
  await page.getByRole("button").click();
  await expect(first).toBeVisible();
  expect(await first.getAttribute("data-kept"), "it is the same element").toBe("yes");
  await page.getByRole("link", { name: "the mill" }).click();
  await expect(page).toHaveURL(`${site.origin}/never`);
});

test("two islands share what a module keeps", async ({ page, site }) => {
  await page.goto(`${site.origin}/shared`, { waitUntil: "networkidle" });
  const total = page.getByText("in the basket");
  await expect(total).toHaveText("0 in the basket");
  await expect(async () => {
    await page.getByRole("button").click();
    await expect(total).not.toHaveText("0 in the basket", { timeout: 500 });
  }).toPass();
  const before = Number((await total.textContent())!.split(" ")[0]);
  await page.getByRole("button").click();
  await expect(total).toHaveText(`${before + 1} in the basket`);
});
