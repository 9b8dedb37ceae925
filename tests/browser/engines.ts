// Engines other than the one that Playwright drives here: Firefox by WebDriver BiDi, WebKit by WebDriver. Both come from the
// system, so that no browser has to be downloaded.
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import puppeteer from "puppeteer-core";

/** A browser with one page. */
export interface Engine {
  open(url: string): Promise<void>;
  /** The value of a function body that runs in the page. */
  run<T>(body: string): Promise<T>;
  /** Types a text, letter by letter, where the focus is. */
  type(text: string): Promise<void>;
  /** Presses a key, named as in `KeyboardEvent.key`. */
  press(key: keyof typeof KEYS): Promise<void>;
  /** Chooses a file as its dialog would. */
  choose(selector: string, path: string): Promise<void>;
  close(): Promise<void>;
}

const program = (...names: string[]): string | undefined =>
  process.env
    .PATH!.split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((path) => existsSync(path));

/** Keys without a letter, as WebDriver names them (W3C WebDriver, 17.4.2). */
const KEYS = { ArrowDown: "\ue015", ArrowUp: "\ue013", Enter: "\ue007", Escape: "\ue00c" };

interface Options {
  /** Whether pages may run scripts; `run` works in any case. */
  scripts?: boolean;
}

/** By name: a function that starts the engine, or `undefined` where it is not installed. */
export const engines: Record<string, ((options?: Options) => Promise<Engine>) | undefined> = {
  Firefox: firefox(),
  WebKit: webkit(),
};

function firefox() {
  const executablePath = program("firefox-esr", "firefox");
  if (!executablePath) return undefined;
  return async ({ scripts = true }: Options = {}): Promise<Engine> => {
    const extraPrefsFirefox = { "javascript.enabled": scripts };
    const browser = await puppeteer.launch({ browser: "firefox", executablePath, extraPrefsFirefox, timeout: 90_000 });
    const page = await browser.newPage();
    page.setDefaultNavigationTimeout(90_000);
    await page.setViewport({ width: 1000, height: 800 });
    return {
      open: async (url) => void (await page.goto(url)),
      run: <T>(body: string) => page.evaluate(`(() => { ${body} })()`) as Promise<T>,
      type: (text) => page.keyboard.type(text),
      press: (key) => page.keyboard.press(key),
      choose: async (selector, path) => {
        const input = (await page.$(selector)) as unknown as { uploadFile(path: string): Promise<void> };
        await input.uploadFile(path);
      },
      close: () => browser.close(),
    };
  };
}

function webkit() {
  const driver = program("WebKitWebDriver");
  const display = program("Xvfb");
  // In a folder of its version, and on Debian in one of the machine's kind.
  const below = (folder: string) =>
    existsSync(folder)
      ? readdirSync(folder, { withFileTypes: true })
          .filter((each) => each.isDirectory())
          .map((each) => join(folder, each.name))
      : [];
  const binary = ["/usr/lib", ...below("/usr/lib"), "/usr/libexec"]
    .flatMap(below)
    .filter((each) => each.includes("webkit2gtk-4"))
    .map((each) => join(each, "MiniBrowser"))
    .find((each) => existsSync(each));
  if (!driver || !display || !binary) return undefined;
  return async ({ scripts = true }: Options = {}): Promise<Engine> => {
    const home = mkdtempSync(join(tmpdir(), "webkit-"));
    const number = await displayNumber(display);
    // Below the ports that the system gives to connections.
    const port = 20_000 + (process.pid % 12_000);
    const driving = spawn(driver, [`--port=${port}`], {
      stdio: "ignore",
      // A container's root has no sandbox.
      env: { ...process.env, HOME: home, DISPLAY: `:${number.display}`, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1" },
    });
    const ask = async (method: string, path: string, body?: object): Promise<any> => {
      for (let attempt = 0; ; attempt++)
        try {
          const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
            method,
            ...(body && { body: JSON.stringify(body) }),
          });
          const { value } = (await answer.json()) as { value: any };
          if (!answer.ok) throw new Error(`WebKit: ${value.message}`);
          return value;
        } catch (error) {
          // The driver does not listen at once.
          if (path !== "/session" || attempt === 150) throw error;
          await new Promise((done) => setTimeout(done, 200));
        }
    };
    const capabilities = {
      alwaysMatch: { "webkitgtk:browserOptions": { binary, args: ["--automation", `--enable-javascript=${scripts ? "TRUE" : "FALSE"}`] } },
    };
    const { sessionId } = await ask("POST", "/session", { capabilities });
    const session = `/session/${sessionId}`;
    const type = (text: string) => {
      const actions = [...text].flatMap((value) => ["keyDown", "keyUp"].map((type) => ({ type, value })));
      return ask("POST", `${session}/actions`, { actions: [{ type: "key", id: "keyboard", actions }] });
    };
    return {
      open: (url) => ask("POST", `${session}/url`, { url }),
      run: (script) => ask("POST", `${session}/execute/sync`, { script, args: [] }),
      type,
      press: (key) => type(KEYS[key]),
      choose: async (selector, path) => {
        const found = await ask("POST", `${session}/element`, { using: "css selector", value: selector });
        await ask("POST", `${session}/element/${Object.values(found)[0]}/value`, { text: path });
      },
      close: async () => {
        await ask("DELETE", session).catch(() => {});
        // The next one has the same port.
        for (const each of [driving, number.process]) {
          const ended = new Promise((done) => each.once("exit", done));
          if (each.exitCode === null && each.signalCode === null && each.kill()) await ended;
        }
        rmSync(home, { recursive: true, force: true });
      },
    };
  };
}

/** Starts a display on a number of its own choice, which it writes to the third file. */
function displayNumber(xvfb: string): Promise<{ display: string; process: ChildProcess }> {
  const started = spawn(xvfb, ["-displayfd", "3", "-screen", "0", "1280x900x24"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  return new Promise((done, failed) => {
    started.once("error", failed);
    started.stdio[3]!.once("data", (text) => done({ display: String(text).trim(), process: started }));
  });
}
