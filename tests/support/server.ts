// A static host on the loopback, as the real ones answer: `careers.html` at /careers, `careers/index.html` at /careers/,
// 404.html with status 404, compressed for whoever accepts it. It keeps a log of what it was asked for.
import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize, sep } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const mediaTypes: Record<string, string> = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".jpg": "image/jpeg",
  ".js": "text/javascript",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
  ".xml": "application/xml",
};

export interface Host {
  origin: string;
  /** The paths asked for so far, with the status that each was answered with. */
  log: { path: string; status: number }[];
  close(): Promise<void>;
}

/** Serves a folder. `change` may send another text and other headers in place of a file of HTML. */
export async function serve(
  folder: string,
  change?: (html: string, headers: Record<string, string>) => string,
): Promise<Host> {
  const log: Host["log"] = [];
  const compressed = new Map<string, Buffer>();

  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url!, "http://host").pathname);
    const found = findFile(folder, path);
    const file = found ?? findFile(folder, "/404");
    const status = found ? 200 : 404;
    log.push({ path, status });
    if (!file) {
      response.writeHead(404).end();
      return;
    }
    let body: Buffer = readFileSync(file);
    const headers: Record<string, string> = {
      "content-type": mediaTypes[extname(file)] ?? "application/octet-stream",
      // Those with a digest in their names never change.
      "cache-control": /^\/assets\/.*-\w{8}\.\w+$/.test(path) ? "public, max-age=31536000, immutable" : "no-cache",
    };
    if (change && extname(file) === ".html") body = Buffer.from(change(body.toString(), headers));
    const encoding = ["br", "gzip"].find((each) => request.headers["accept-encoding"]?.includes(each));
    if (encoding && !/\.(png|jpg|webp|woff2|ico)$/.test(file)) {
      const key = `${encoding} ${file}`;
      body = compressed.get(key) ?? (encoding === "br" ? brotli(body, 4) : gzipSync(body));
      compressed.set(key, body);
      headers["content-encoding"] = encoding;
    }
    response.writeHead(status, headers).end(body);
  });

  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    log,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

/** The best quality is what hosts use for files that they compress once. */
export const brotli = (body: Buffer | string, quality = 11): Buffer =>
  brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });

function findFile(folder: string, path: string): string | undefined {
  const inside = normalize(path);
  if (inside.split(sep).includes("..")) return undefined;
  const candidates = inside.endsWith("/")
    ? [`${inside}index.html`]
    : [inside, `${inside}.html`, `${inside}/index.html`];
  return candidates.map((each) => join(folder, each)).find((each) => existsSync(each) && statSync(each).isFile());
}
