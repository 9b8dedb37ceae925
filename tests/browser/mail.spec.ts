// The receiver in docs/content/pages/guides/forms.md that sends mail: the program as it stands there, with a `sendmail` that keeps what it gets.
import { spawn, type ChildProcess } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "@playwright/test";

const document = readFileSync(resolve(import.meta.dirname, "../../docs/content/pages/guides/forms.md"), "utf8");

let folder: string;
let origin: string;
let receiver: ChildProcess;

const freePort = () =>
  new Promise<number>((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => done(port));
    });
  });

const mails = () => readdirSync(folder).filter((name) => name.startsWith("mail.")).map((name) => readFileSync(join(folder, name), "utf8"));

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "mail-"));
  const program = /```js\n([\s\S]*?)```/.exec(document.split("## A receiver that sends mail")[1]!)![1]!;
  const port = await freePort();
  expect(program).toContain(".listen(8000)");
  writeFileSync(join(folder, "receiver.mjs"), program.replace(".listen(8000)", `.listen(${port}, "127.0.0.1")`));
  writeFileSync(
    join(folder, "sendmail"),
    `#!/bin/sh\n[ ! -e "${folder}/broken" ] || exit 1\nfile=$(mktemp "${folder}/kept.XXXXXX")\n{ echo "To: $*"; cat; } > "$file"\nmv "$file" "${folder}/mail.\${file##*.}"\n`,
  );
  chmodSync(join(folder, "sendmail"), 0o755);
  receiver = spawn(process.execPath, [join(folder, "receiver.mjs")], {
    env: { PATH: `${folder}:${process.env.PATH}` },
    stdio: "inherit",
  });
  origin = `http://127.0.0.1:${port}`;
  await expect.poll(() => fetch(origin, { method: "OPTIONS" }).then(({ status }) => status, () => 0)).toBe(204);
});

test.beforeEach(() => readdirSync(folder).filter((name) => name.startsWith("mail.")).forEach((name) => rmSync(join(folder, name))));

test.afterAll(() => {
  receiver.kill();
  rmSync(folder, { recursive: true, force: true });
});

const json = { accept: "application/json" };

test("a form of a browser without scripts becomes a mail, and leads to the success page", async () => {
  const body = new FormData();
  body.set("email", "ada@example.com");
  body.set("loaf", "Rye <b>& more");
  body.set("website", "");
  body.set("plan", new File(["%PDF"], "plan.pdf"));
  const answer = await fetch(origin, { method: "POST", body, redirect: "manual" });
  expect([answer.status, answer.headers.get("location")]).toEqual([303, "https://www.bakery.test/ordered"]);
  await expect.poll(() => mails().length).toBe(1);
  const [mail] = mails();
  for (const line of ["To: orders@bakery.test", "Subject: Order", "email: ada@example.com", "loaf: Rye <b>& more", "plan: plan.pdf"])
    expect(mail!.split("\n")).toContain(line);
});

test("what is sent twice becomes one mail, as JSON and as a form", async () => {
  for (const [delivery, kind] of [["1", "json"], ["2", "form"]] as const) {
    const fields = { email: "ada@example.com", _delivery: delivery };
    const send = () => {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.set(name, value);
      const body = kind === "json" ? JSON.stringify(fields) : form;
      const headers: Record<string, string> = kind === "json" ? { ...json, "content-type": "application/json" } : json;
      return fetch(origin, { method: "POST", body, headers });
    };
    for (const answer of [await send(), await send()]) {
      expect(answer.status).toBe(200);
      expect(answer.headers.get("access-control-allow-origin")).toBe("https://www.bakery.test");
    }
  }
  await expect.poll(() => mails().length).toBe(2);
});

test("what is no form, and a mail that cannot be sent, is refused, and the receiver goes on", async () => {
  const send = (type: string, body: string) =>
    fetch(origin, { method: "POST", body, headers: { ...json, "content-type": type } }).then(({ status }) => status);
  for (const [type, body] of [["application/json", "{"], ["application/json", "null"], ["multipart/form-data", "x"], ["text/plain", "x"]] as const)
    expect(await send(type, body), `${type} ${body}`).toBe(500);
  const letter = JSON.stringify({ email: "ada@example.com", _delivery: "9" });
  writeFileSync(join(folder, "broken"), "");
  expect(await send("application/json", letter)).toBe(500);
  rmSync(join(folder, "broken"));
  // The visitor tries again, and now it arrives.
  expect(await send("application/json", letter)).toBe(200);
  expect(mails().length).toBe(1);
});

// The last one: a connection that is cut while it sends is of no use to those that follow.
test("what a trap caught is put aside, what is too large is refused, and nobody adds a header", async () => {
  const trapped = new FormData();
  trapped.set("website", "https://spam.test");
  trapped.set("email", "x@spam.test\nBcc: all@example.com");
  expect((await fetch(origin, { method: "POST", body: trapped, headers: json })).status).toBe(200);
  await expect.poll(() => mails().length).toBe(1);
  const [head] = mails()[0]!.split("\n\n");
  expect(head).toBe("To: orders@bakery.test\nSubject: Perhaps spam");
  const large = new FormData();
  large.set("plan", new File([new Uint8Array(11e6)], "plan.pdf"));
  const refused = await fetch(origin, { method: "POST", body: large, headers: json }).then(({ status }) => status, () => 413);
  expect(refused).toBe(413);
  const answer = () => fetch(origin, { method: "OPTIONS" }).then(({ status }) => status, () => 0);
  await expect.poll(answer, "it still answers").toBe(204);
  expect(mails().length).toBe(1);
});
