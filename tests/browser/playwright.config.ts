import { defineConfig } from "@playwright/test";
import { chromium } from "./chromium.ts";
import { fontConfiguration } from "./fonts.ts";

// All three engines are started with the variables of this process.
process.env.FONTCONFIG_FILE = fontConfiguration();

export default defineConfig({
  testDir: ".",
  outputDir: "../../target/browser",
  globalSetup: "./setup.ts",
  fullyParallel: true,
  // Of two processors three keep both busy: many tests wait for something.
  workers: 3,
  // On a machine that does other work too, starting a browser can take ten seconds.
  timeout: 60_000,
  // Nor does a test fail because the machine did other work for the usual five seconds.
  expect: { timeout: 20_000 },
  // What passes only at the second try is reported as flaky, and does not keep a change from landing.
  retries: process.env.CI ? 1 : 0,
  forbidOnly: Boolean(process.env.CI),
  reporter: process.stdout.isTTY ? "line" : "dot",
  use: { browserName: "chromium", launchOptions: chromium },
});
