// Checks the site in a folder with linkinator, a link checker of other people, and prints what is broken as JSON: a list of
// addresses. Own absolute addresses are looked up in the folder too; those of other sites are nobody's business.
import { createServer } from "node:net";
import { LinkChecker } from "linkinator";

const [folder, origin] = process.argv.slice(2);
const port = await new Promise((resolve) => {
  const server = createServer().listen(0, () => {
    const { port } = server.address();
    server.close(() => resolve(port));
  });
});
const here = `http://localhost:${port}`;
const { links } = await new LinkChecker().check({
  path: "/",
  serverRoot: folder,
  port,
  recurse: true,
  // It leaves answers unread, and with them their connections open. Ten thousand pages are checked in seven minutes, if few
  // are asked for at once and what the server had no connection left for is asked for again; a 404 is told at once.
  concurrency: 10,
  retryErrors: true,
  retryErrorsCount: 6,
  cleanUrls: true,
  checkCss: true,
  checkFragments: true,
  urlRewriteExpressions: [{ pattern: new RegExp(`^${origin.replaceAll(".", "\\.")}`), replacement: here }],
  linksToSkip: async (url) => !url.startsWith(here),
});
const local = (url) => new URL(url, here).href.slice(here.length);
const broken = links.filter((link) => link.state === "BROKEN").map((link) => local(link.url));
console.log(JSON.stringify({ broken, checked: links.filter((link) => link.state !== "SKIPPED").length }));
