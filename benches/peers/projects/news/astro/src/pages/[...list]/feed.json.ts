import type { APIRoute } from "astro";
import { address, feeds, nameOf } from "../../news";

const SITE = "https://bench.test";

export const getStaticPaths = () =>
  feeds().map(({ list, title, posts }) => ({ params: { list }, props: { list, title, posts } }));

export const GET: APIRoute = ({ props: { list, title, posts } }) =>
  new Response(
    JSON.stringify({
      version: "https://jsonfeed.org/version/1.1",
      title,
      home_page_url: `${SITE}/${list}/`,
      feed_url: `${SITE}/${list}/feed.json`,
      items: posts.map((post) => ({
        id: SITE + address(post),
        url: SITE + address(post),
        title: post.data.title,
        summary: post.data.description,
        date_published: post.data.date.toISOString(),
        authors: [{ name: nameOf(post.data.author) }],
        tags: post.data.tags,
      })),
    }),
  );
