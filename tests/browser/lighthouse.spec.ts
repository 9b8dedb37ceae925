// Lighthouse on the site as it is built for the address that it is served at, in the way of its mobile report. With
// LIGHTHOUSE=all also on two pages of examples/brewery, which begin with an SVG and with a photograph, and on two of the
// documentation: that takes longer.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium as playwright, expect, test, type Browser } from "@playwright/test";
import lighthouse, { defaultConfig } from "lighthouse";
import { serve, type Host } from "../support/server.ts";
import { chromium } from "./chromium.ts";
import { pages } from "./site.ts";

const project = resolve(import.meta.dirname, "../..");
const sitegen = resolve(project, process.env.SITEGEN ?? "target/release/sitegen");
/** How Lighthouse turns a desktop computer into a phone, and the speed of that phone by its own benchmark (its
 * documentation, throttling.md: a computer of 1,500 and more divided by four). */
const phone = 4;
const phoneIndex = 375;
const defaults = defaultConfig.settings!.throttling!;
const audited = [
  { root: ".", paths: pages },
  // All pages of the documentation have one template.
  ...(process.env.LIGHTHOUSE === "all"
    ? [
        { root: "examples/brewery", paths: ["/", "/visit"] },
        { root: "docs", paths: ["/", "/guides/islands"] },
      ]
    : []),
];
const categories = ["performance", "accessibility", "best-practices", "seo"] as const;

// One after the other: two at a time would slow each other down.
// Where the machine has no time for the browser, Lighthouse also fails beside its own promise.
test.describe.configure({ mode: "serial", timeout: 240_000, retries: 2 });

let folder: string;
const hosts: Record<string, Host> = {};
let browser: Browser;
let port: number;

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "lighthouse-"));
  for (const { root } of audited) {
    // The policy of each page names `robots.txt` by its address, which is known once the server listens.
    const out = join(folder, root, "dist");
    const host = (hosts[root] = await serve(out));
    execFileSync(sitegen, ["build", "--quiet", "--root", join(project, root), "--out", out, "--base-url", host.origin]);
  }
  port = await freePort();
  browser = await playwright.launch({ ...chromium, args: [...chromium.args!, `--remote-debugging-port=${port}`] });
});

test.afterAll(async () => {
  await browser?.close();
  for (const host of Object.values(hosts)) await host.close();
  rmSync(folder, { recursive: true, force: true });
});

for (const { root, path } of audited.flatMap(({ root, paths }) => paths.map((path) => ({ root, path }))))
  test(`${root === "." ? "" : root}${path} gets 100 in every category`, async ({}, information) => {
    const best: Record<string, number> = {};
    let lacking: string[] = [];
    let slowdown = phone;
    // Another test may take the processor from the page at any moment.
    for (let tries = 0; tries < 10; tries += 1) {
      const throttling = { ...defaults, cpuSlowdownMultiplier: slowdown };
      const flags = { port, onlyCategories: [...categories], throttling, logLevel: "error" as const };
      const run = await lighthouse(hosts[root]!.origin + path, flags).catch((error: Error) => error);
      if (!run || run instanceof Error || run.lhr.runtimeError) {
        lacking.push(String(run instanceof Error ? run : run?.lhr.runtimeError?.message));
        continue;
      }
      // Next to other programs this machine is slow enough without throttling.
      const { benchmarkIndex } = run.lhr.environment;
      slowdown = Math.min(slowdown, Math.max(0.1, benchmarkIndex / phoneIndex));
      for (const name of categories) {
        const { score, auditRefs } = run.lhr.categories[name]!;
        best[name] = Math.max(best[name] ?? 0, Math.round(score! * 100));
        const wrong = auditRefs.filter(({ id, weight }) => weight > 0 && (run.lhr.audits[id]!.score ?? 1) < 0.9);
        lacking = [...lacking, ...wrong.map(({ id }) => `${name}: ${id}`)];
      }
      information.annotations.push({ type: "benchmark", description: `${benchmarkIndex}, ${run.lhr.timing.total} ms` });
      if (best.performance === 100) break;
    }
    const full = { performance: 100, accessibility: 100, "best-practices": 100, seo: 100 };
    expect(best, lacking.join("\n")).toEqual(full);
  });

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => done(port));
    });
  });
}
