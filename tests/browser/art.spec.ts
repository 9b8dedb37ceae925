// The pictures: nothing in them floats, and nothing that belongs in them is cut off.
import { expect, test } from "./site.ts";

test.beforeEach(async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.setViewportSize({ width: 1440, height: 900 });
});

for (const [path, count] of [
  ["/", 15],
  ["/careers", 4],
] as const)
  test(`no tree of ${path} floats: what lies before it covers its foot`, async ({ page }) => {
    await page.goto(path);
    const { trees, floating } = await page.locator("svg.art").evaluateAll((all) => {
      /** The corners of each polygon of a path, or nothing if the path has curves. */
      const polygons = (path: SVGPathElement): DOMPoint[][] => {
        const data = path.getAttribute("d")!;
        if (/[^MmLlz\d\s.,-]/.test(data)) return [];
        const found: DOMPoint[][] = [];
        let command = "";
        let at = new DOMPoint();
        for (const [token, x, y] of data.matchAll(/[MmLlz]|(-?[\d.]+)[\s,]*(-?[\d.]+)/g)) {
          if (token === "z") at = found.at(-1)![0]!;
          if (x === undefined) {
            command = token;
            continue;
          }
          const relative = command === command.toLowerCase();
          at = new DOMPoint(Number(x) + (relative ? at.x : 0), Number(y) + (relative ? at.y : 0));
          if (/m/i.test(command)) {
            found.push([at]);
            command = command === "m" ? "l" : "L";
          } else found.at(-1)!.push(at);
        }
        return found;
      };
      let trees = 0;
      const floating: string[] = [];
      for (const svg of all) {
        const shapes = [...svg.querySelectorAll<SVGGeometryElement>("path, circle, rect")];
        for (const [index, shape] of shapes.entries())
          for (const tree of shape.matches("path.moss-4") ? polygons(shape as SVGPathElement) : []) {
            trees += 1;
            const ground = Math.max(...tree.map((corner) => corner.y));
            for (const corner of tree.filter(({ y }) => y === ground))
              if (!shapes.slice(index + 1).some((each) => each.isPointInFill(corner) || each.isPointInStroke(corner)))
                floating.push(`${svg.getAttribute("class")}: ${corner.x} ${corner.y}`);
          }
      }
      return { trees, floating };
    });
    expect(trees).toBe(count);
    expect(floating).toEqual([]);
  });

test("no stop is cropped by the edge of its picture", async ({ page }) => {
  for (const path of ["/", "/careers"]) {
    await page.goto(path);
    const cropped = await page.locator("svg.art .stop circle, svg.art circle.stop").evaluateAll((all) =>
      (all as unknown as SVGCircleElement[])
        .filter((circle) => {
          const { x, y, width, height } = circle.ownerSVGElement!.viewBox.baseVal;
          const [cx, cy] = [circle.cx.baseVal.value, circle.cy.baseVal.value];
          const radius = circle.r.baseVal.value + parseFloat(getComputedStyle(circle).strokeWidth) / 2;
          return cx - radius < x || cx + radius > x + width || cy - radius < y || cy + radius > y + height;
        })
        .map((each) => each.ownerSVGElement!.getAttribute("class")),
    );
    expect(cropped).toEqual([]);
  }
});

test("the signpost stands on its line", async ({ page }) => {
  await page.goto("/");
  const { post, line, below } = await page.locator(".with-form__art").evaluate((svg) => {
    const line = svg.querySelector<SVGPathElement>(".route")!.getBBox().y;
    const post = svg.querySelector<SVGPathElement>(".ink-line")!.getBBox();
    const shapes = [...svg.querySelectorAll<SVGGraphicsElement>("[class^=moss]")];
    return { post: post.y + post.height, line, below: shapes.filter((each) => each.getBBox().y + each.getBBox().height > line).length };
  });
  expect(post).toBe(line);
  expect(below, "shapes that show below the line").toBe(0);
});

test("the train runs on its line", async ({ page }) => {
  await page.goto("/");
  const gap = await page.locator(".platform-card--development > svg").evaluate((svg) => {
    const line = [...svg.querySelectorAll<SVGPathElement>(":scope > .route-plan")].at(-1)!;
    const train = svg.querySelector<SVGPathElement>("path.paper")!.getBBox();
    return line.getBBox().y - parseFloat(getComputedStyle(line).strokeWidth) / 2 - train.y - train.height;
  });
  expect(Math.abs(gap)).toBeLessThan(1);
});

test("the lines of the icons begin with the texts below them, and the icons stand on them", async ({ page }) => {
  await page.goto("/");
  const icons = await page.locator(".value-card").evaluateAll((cards) =>
    cards.map((card) => {
      const line = card.querySelector<SVGPathElement>(".route")!;
      const matrix = line.getScreenCTM()!;
      const half = parseFloat(getComputedStyle(line).strokeWidth) / 2;
      const box = line.getBBox();
      const shapes = [...card.querySelectorAll<SVGGraphicsElement>(".ink-line")].map((each) => each.getBBox());
      return {
        left: new DOMPoint(box.x - half, 0).matrixTransform(matrix).x - card.querySelector("h4")!.getBoundingClientRect().left,
        above: box.y - half - Math.max(...shapes.map((each) => each.y + each.height + 2.5)),
      };
    }),
  );
  expect(icons).toHaveLength(3);
  for (const { left, above } of icons) {
    expect(Math.abs(left)).toBeLessThan(1);
    expect(above).toBeLessThanOrEqual(0);
  }
});

test("the favicon is a sign with a stop in it, large enough to be one at 16 px", async ({ page }) => {
  await page.goto("/");
  const address = await page.locator('link[rel=icon][type="image/svg+xml"]').getAttribute("href");
  const { sign, ring, hole, shapes } = await page.evaluate(async (href) => {
    const image = new Image();
    image.src = href!;
    await image.decode();
    const canvas = new OffscreenCanvas(16, 16).getContext("2d")!;
    canvas.drawImage(image, 0, 0, 16, 16);
    const { data } = canvas.getImageData(0, 0, 16, 16);
    const count = (fits: (red: number, green: number, blue: number, alpha: number) => boolean) =>
      Array.from({ length: 256 }, (_, i) => data.slice(4 * i, 4 * i + 4)).filter(([r, g, b, a]) => fits(r!, g!, b!, a!)).length;
    // Areas of one kind that hang together: letters would make more of them.
    const dark = new Set(Array.from({ length: 256 }, (_, i) => i).filter((i) => data[4 * i + 3]! > 200 && data[4 * i]! < 90));
    let shapes = 0;
    while (dark.size) {
      shapes += 1;
      const reach = [[...dark][0]!];
      for (let next; (next = reach.pop()) !== undefined; )
        if (dark.delete(next)) reach.push(next - 1, next + 1, next - 16, next + 16, next - 17, next - 15, next + 15, next + 17);
    }
    return {
      sign: count((r, g, b, a) => a > 200 && r > 230 && g > 170 && b < 90),
      ring: count((r, _, __, a) => a > 200 && r < 90),
      hole: count((r, g, b, a) => a > 200 && r > 230 && g > 230 && b > 200),
      shapes,
    };
  }, address);
  expect(shapes).toBe(1);
  expect(sign).toBeGreaterThan(60);
  expect(ring).toBeGreaterThan(15);
  expect(hole).toBeGreaterThanOrEqual(4);
});
