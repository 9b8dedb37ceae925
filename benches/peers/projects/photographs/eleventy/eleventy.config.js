import Image from "@11ty/eleventy-img";
import { join } from "node:path";

/** What the plain project has, and a shortcode for the photographs of a page. */
export default function (eleventy) {
  eleventy.amendLibrary("md", (markdown) => {
    markdown.set({ html: false, typographer: true });
    markdown.core.ruler.push("ids", ({ tokens }) => {
      tokens.forEach((token, at) => {
        if (token.type === "heading_open") {
          token.attrSet("id", tokens[at + 1].content.toLowerCase().replaceAll(" ", "-"));
        }
      });
    });
  });
  eleventy.addAsyncShortcode("photographs", async (names) => {
    const pictures = names.map((name) =>
      Image(`photographs/${name}.jpg`, {
        widths: [480, 800, 1200, 1600],
        formats: ["webp", "jpeg"],
        sharpWebpOptions: { quality: 80, effort: 4 },
        sharpJpegOptions: { quality: 80 },
        outputDir: join(eleventy.directories.output, "img"),
        urlPath: "/img/",
        returnType: "html",
        htmlOptions: {
          imgAttributes: { alt: `The photograph ${name}`, sizes: "100vw", loading: "lazy", decoding: "async" },
        },
      }),
    );
    return (await Promise.all(pictures)).join("\n");
  });
  return { markdownTemplateEngine: false, dir: { input: "content", includes: "../_includes" } };
}
