import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { LaunchOptions } from "@playwright/test";

// The system's own Chromium: no browser has to be downloaded for the tests. The one without windows takes a third of the
// processor time.
const whole = ["chromium", "chromium-browser", "google-chrome"];

function executable(names: string[]): string {
  const installed = names.flatMap((name) => process.env.PATH!.split(delimiter).map((folder) => join(folder, name)));
  const path = process.env.CHROMIUM ?? installed.find((each) => existsSync(each));
  if (!path)
    throw new Error("No Chromium found. Install the package `chromium`, or name a browser's program in CHROMIUM.");
  return path;
}

export const chromium: LaunchOptions = {
  executablePath: executable(["chromium-headless-shell", ...whole]),
  // A container's root has no sandbox; and what the browser itself asks its maker for is not the site's doing.
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"],
};

/** With windows, and with all that belongs to them. */
export const wholeChromium: LaunchOptions = { ...chromium, executablePath: executable(whole) };
