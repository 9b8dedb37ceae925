const SIZE = 20;

/** The pages of a list of posts. */
function parts(address, title, description, posts, hasFeed) {
  const count = Math.ceil(posts.length / SIZE);
  const route = (number) => (number === 1 ? address : `${address}page/${number}/`);
  return Array.from({ length: count }, (_, at) => ({
    address: route(at + 1),
    title,
    description,
    number: at + 1,
    count,
    posts: posts.slice(at * SIZE, (at + 1) * SIZE),
    previous: at > 0 && route(at),
    next: at + 1 < count && route(at + 2),
    feed: hasFeed && at === 0 ? address : "",
  }));
}

/** Markdown without a template language in it, typographic quotes, the ids that the other generators give, and lists. */
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

  // The posts and what is made of them, once for all collections. Neighbours are put into the posts: the filters for
  // them go through all posts for each.
  let made;
  const all = (api) => {
    const posts = api.getFilteredByGlob("content/news/*.md");
    if (made?.posts.length === posts.length && made.posts[0].data === posts[0]?.data) return made;
    const sorted = [...posts].sort((a, b) => b.date - a.date);
    sorted.forEach((post, at) => {
      post.data.newer = sorted[at - 1];
      post.data.older = sorted[at + 1];
    });
    const terms = ["author", "kind", "tags"].map((name) => {
      const byName = Map.groupBy(
        sorted.flatMap((post) => [post.data[name]].flat().map((term) => ({ term, post }))),
        ({ term }) => term,
      );
      const named = [...byName].map(([term, uses]) => ({ name: term, posts: uses.map(({ post }) => post) }));
      return { name, terms: named.sort((a, b) => (a.name < b.name ? -1 : 1)) };
    });
    const lists = [
      ...parts("/news/", "All posts", "Every post, the newest first.", sorted, true),
      ...terms.flatMap(({ name, terms }) =>
        terms.flatMap((term) =>
          parts(`/${name}/${term.name}/`, `Posts: ${term.name}`, `Posts: ${term.name}.`, term.posts, name === "kind"),
        ),
      ),
    ];
    made = { posts, sorted, terms, lists };
    return made;
  };
  eleventy.addCollection("newest", (api) => all(api).sorted.slice(0, SIZE));
  eleventy.addCollection("lists", (api) => all(api).lists);
  eleventy.addCollection("feeds", (api) => all(api).lists.filter((list) => list.feed));
  eleventy.addCollection("terms", (api) => all(api).terms);
  return { markdownTemplateEngine: false, dir: { input: "content", includes: "../_includes" } };
}
