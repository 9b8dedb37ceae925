/** Markdown without a template language in it, typographic quotes, and the ids that the other generators give. */
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
  return { markdownTemplateEngine: false, dir: { input: "content", includes: "../_includes" } };
}
