// Checks the site in a folder with linkinator, another link checker, and prints the broken addresses as a JSON list.
// The site's own absolute addresses are looked up in the folder too; those of other sites are not checked.
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
  // It does not read answers, which leaves their connections open. Ten thousand pages take seven minutes if few requests
  // run at once and those without a free connection are retried; a 404 is reported at once.
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
