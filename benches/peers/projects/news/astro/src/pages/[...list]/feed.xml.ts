import type { APIRoute } from "astro";
import { address, feeds, nameOf } from "../../news";

const SITE = "https://bench.test";
const SIGNS: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const text = (value: string) => value.replace(/[&<>"]/g, (sign) => SIGNS[sign]);

export const getStaticPaths = () =>
  feeds().map(({ list, title, posts }) => ({ params: { list }, props: { list, title, posts } }));

export const GET: APIRoute = ({ props: { list, title, posts } }) => {
  const entries = posts.map((post) => {
    const { title, description, date, author, tags } = post.data;
    return `<entry>
<id>${SITE}${address(post)}</id>
<title>${text(title)}</title>
<link href="${SITE}${address(post)}"/>
<published>${date.toISOString()}</published>
<updated>${date.toISOString()}</updated>
<author><name>${text(nameOf(author))}</name></author>
${tags.map((tag) => `<category term="${text(tag)}"/>`).join("\n")}
<summary>${text(description)}</summary>
</entry>`;
  });
  return new Response(`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<id>${SITE}/${list}/</id>
<title>${text(title)}</title>
<updated>${posts[0].data.date.toISOString()}</updated>
<author><name>News</name></author>
<link rel="self" href="${SITE}/${list}/feed.xml"/>
<link rel="alternate" href="${SITE}/${list}/"/>
${entries.join("\n")}
</feed>
`);
};
