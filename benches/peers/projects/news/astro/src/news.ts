import { type CollectionEntry, getCollection } from "astro:content";
import authors from "./authors.json";

export type Post = CollectionEntry<"news">;

export const SIZE = 20;
export const KEYS = ["author", "kind", "tags"] as const;
export const posts = (await getCollection("news")).sort((a, b) => +b.data.date - +a.data.date);

export const day = (post: Post) => post.data.date.toISOString().slice(0, 10);
export const address = (post: Post) => `/news/${post.id}/`;
export const nameOf = (author: string) => (authors as Record<string, { name: string }>)[author].name;

/** The terms of a key with their posts, by name. */
export function termsOf(key: (typeof KEYS)[number]) {
  const uses = posts.flatMap((post) => [post.data[key]].flat().map((term) => ({ term, post })));
  const byTerm = [...Map.groupBy(uses, ({ term }) => term)];
  return byTerm
    .map(([name, uses]) => ({ name, posts: uses.map(({ post }) => post) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** What lists show of posts: a page with the same is the same. */
const shown = (posts: Post[]) => posts.map((post) => [post.id, post.data.title, day(post), post.data.description]);

/** The pages of a list: what `paginate` makes, with `page/` before the numbers. */
export function parts(first: string, title: string, description: string, all: Post[], hasFeed = false) {
  const count = Math.ceil(all.length / SIZE);
  const route = (number: number) => (number === 1 ? first : `${first}page/${number}/`);
  return Array.from({ length: count }, (_, at) => {
    const posts = all.slice(at * SIZE, (at + 1) * SIZE);
    const previous = at > 0 ? route(at) : undefined;
    const next = at + 1 < count ? route(at + 2) : undefined;
    const feed = hasFeed && at === 0 ? first : undefined;
    return {
      page: at === 0 ? undefined : `page/${at + 1}`,
      props: { title, description, posts, number: at + 1, count, previous, next, feed },
      cacheKey: JSON.stringify([title, at, count, shown(posts)]),
    };
  });
}

/** The lists with a feed. */
export const feeds = () => [
  { list: "news", title: "All posts", posts: posts.slice(0, SIZE) },
  ...termsOf("kind").map(({ name, posts }) => ({
    list: `kind/${name}`,
    title: `Posts: ${name}`,
    posts: posts.slice(0, SIZE),
  })),
];
