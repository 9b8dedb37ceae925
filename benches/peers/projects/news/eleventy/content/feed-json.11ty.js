const site = "https://bench.test";

/** A JSON Feed of each list that has one. */
export default class {
  data() {
    return {
      pagination: { data: "collections.feeds", size: 1, alias: "list" },
      permalink: ({ list }) => `${list.feed}feed.json`,
    };
  }

  render({ list, authors }) {
    return JSON.stringify({
      version: "https://jsonfeed.org/version/1.1",
      title: list.title,
      home_page_url: site + list.feed,
      feed_url: `${site}${list.feed}feed.json`,
      items: list.posts.map(({ url, date, data }) => ({
        id: site + url,
        url: site + url,
        title: data.title,
        summary: data.description,
        date_published: date.toISOString(),
        authors: [{ name: authors[data.author].name }],
        tags: data.tags,
      })),
    });
  }
}
