import { readFileSync } from "node:fs";
import { join } from "node:path";
import { builtSite } from "./setup.ts";
import { expect, pages, siteSetting, test } from "./site.ts";

const titles: Record<string, string> = {
  "/": "Enterprise Digital Solutions",
  "/careers": "Careers",
  "/privacy-policy": "Privacy Policy",
  "/terms-of-service": "Terms of Service",
};

for (const javaScriptEnabled of [true, false])
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled });

    for (const path of pages) {
      test(`${path} answers at exactly its path`, async ({ page }) => {
        const response = await page.goto(path);
        expect(response!.status()).toBe(200);
        expect(new URL(page.url()).pathname).toBe(path);
        await expect(page.locator("h1")).toHaveText(titles[path]!);
        await expect(page.locator("link[rel=canonical]")).toHaveAttribute("href", siteSetting("url") + path);
        await expect(page).toHaveTitle(/\S/);
        await expect(page.locator("meta[name=description]")).toHaveAttribute("content", /\S/);
      });

      test(`${path} has the header and the footer`, async ({ page }) => {
        await page.goto(path);
        const header = page.getByRole("banner");
        await expect(header.getByRole("link").first()).toHaveAttribute("href", "/");
        for (const anchor of ["/#solutions", "/#company", "/#contact"])
          await expect(header.locator(`a[href="${anchor}"]`)).toHaveCount(1);

        const footer = page.getByRole("contentinfo");
        for (const [text, href] of [
          ["About", "/#company"],
          ["Contact", "/#contact"],
          ["Careers", "/careers"],
          ["Privacy Policy", "/privacy-policy"],
          ["Terms of Service", "/terms-of-service"],
        ])
          await expect(footer.getByRole("link", { name: text, exact: true })).toHaveAttribute("href", href!);
        await expect(footer).toContainText("2025");
        const external = footer.locator('a[target="_blank"]');
        await expect(external).toHaveCount(2);
        for (const link of await external.all()) {
          await expect(link).toHaveAttribute("rel", "noopener noreferrer");
          await expect(link).toHaveAccessibleName(/new tab/);
        }
        await expect(footer.getByText("Urban")).toBeVisible();
        await expect(footer.getByText(/coming soon/i).first()).toBeVisible();
        await expect(footer.getByRole("link", { name: /Urban/ })).toHaveCount(0);
      });
    }

    test("an unknown path displays nothing", async ({ page }) => {
      const response = await page.goto("/no/such/page", { waitUntil: "load" });
      expect(response!.status()).toBe(404);
      expect(await page.evaluate(() => document.body.childElementCount)).toBe(0);
      await expect(page.locator("body")).toHaveText("");
      await expect(page).toHaveTitle(/\S/);
      await expect(page.locator("meta[name=robots]")).toHaveAttribute("content", /noindex/);
    });
    test.use({ expected: [/console error: Failed to load resource: .* 404/] });

    test("a change of path starts at the top", async ({ page }) => {
      await page.goto("/");
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      await page.getByRole("contentinfo").getByRole("link", { name: "Careers" }).click();
      await expect(page).toHaveURL(/\/careers$/);
      expect(await page.evaluate(() => scrollY)).toBe(0);
    });

    for (const from of ["/", "/privacy-policy"])
      for (const section of ["solutions", "company", "contact"])
        test(`#${section} from ${from} lands with its heading in view, below the header`, async ({ page }) => {
          await page.emulateMedia({ reducedMotion: "reduce" });
          await page.goto(from);
          await page.getByRole("banner").locator(`a[href="/#${section}"]`).click();
          await expect(page).toHaveURL(new RegExp(`/#${section}$`));
          await expect
            .poll(() =>
              page.evaluate((id) => {
                // The address is there before the rest of the page.
                const heading = document.getElementById(id)?.querySelector("h2")?.getBoundingClientRect();
                if (!heading) return false;
                // Whatever lies over the heading's middle hides it.
                const over = document.elementFromPoint(heading.left + 5, heading.top + heading.height / 2);
                return over?.closest("h2") !== null && heading.top >= 0 && heading.bottom <= innerHeight;
              }, section),
            )
            .toBe(true);
        });
  });

for (const width of [320, 390, 768, 1024, 1440, 1920])
  test(`at ${width} px a heading that was linked to lands 3rem below the edge`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ reducedMotion: "reduce" });
    for (const address of [
      ...["solutions", "company", "contact"].map((section) => `/#${section}`),
      "/privacy-policy#cookies-and-similar-techniques",
      "/terms-of-service#3-acceptable-use",
    ]) {
      await page.goto("about:blank");
      await page.goto(address);
      const heading = page.locator(`[id="${address.split("#")[1]}"]`).locator("xpath=self::h2|.//h2").first();
      const top = () => heading.evaluate((each) => Math.round(each.getBoundingClientRect().top));
      // The browser scrolls there in a frame that may come after the page.
      await expect.poll(async () => Math.abs((await top()) - 52), address).toBeLessThanOrEqual(8);
    }
  });

test("every page is written for hosts that want a file and for hosts that want a folder", () => {
  const read = (path: string) => readFileSync(join(builtSite("site"), path), "utf8");
  for (const path of pages.slice(1)) expect(read(`${path}.html`)).toBe(read(`${path}/index.html`));
});

test("sitemap and robots name the specified paths", () => {
  const read = (path: string) => readFileSync(join(builtSite("site"), path), "utf8");
  const locations = [...read("sitemap.xml").matchAll(/<loc>([^<]*)<\/loc>/g)].map((match) => match[1]);
  expect(locations.sort()).toEqual(pages.map((path) => siteSetting("url") + path).sort());
  expect(read("robots.txt")).toContain(`${siteSetting("url")}/sitemap.xml`);
  read(".nojekyll");
});

test("the skip link is the first stop and leads to the main content", async ({ page }) => {
  await page.goto("/careers");
  await page.keyboard.press("Tab");
  const skip = page.locator(":focus");
  await expect(skip).toHaveAttribute("href", /^#/);
  await expect(skip).toBeInViewport();
  await page.keyboard.press("Enter");
  await expect(page.locator("main:target")).toHaveCount(1);
});
