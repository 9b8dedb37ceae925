"""The news site: the same posts, lists, terms and feeds for every generator.

Each post has a title, a description, a date, an author, a kind and three of 500 tags. The site has a page for each post,
with its neighbours, its author and its tags; lists of 20 of all posts and for every tag, author and kind; a page with the
terms of each; the newest posts on the home page; and three feeds of 20 posts, each as Atom and as JSON Feed: of all posts
and of each kind. No two posts have the same date, so every generator lists them in the same order.
"""

import json
import random
import xml.etree.ElementTree as xml
from datetime import date, timedelta
from pathlib import Path

import corpus
import generators
from corpus import SEED, WORDS
from generators import PROJECTS

ON_A_PAGE = 20
NEWEST = date(2025, 9, 30)
TAGS = sorted(f"{first}-{second}" for first, second in zip(random.Random(f"{SEED} tags").sample(WORDS, 250) * 2,
                                                            random.Random(f"{SEED} more tags").choices(WORDS, k=500)))
AUTHORS = {
    f"{first}-{last}": {"name": f"{first.title()} {last.title()}"}
    for first, last in zip(
        "ada bea cora dora edda fay gus hal ida jan kai lea mia ned ola pia rex sam tom una".split(),
        random.Random(f"{SEED} authors").sample(WORDS, 20),
    )
}
KINDS = ("event", "report")
FEEDS = ("news", "kind/event", "kind/report")
TERMS = ("author", "kind", "tags")
ATOM = "{http://www.w3.org/2005/Atom}"


def name(number: int) -> str:
    return f"post-{number:06}"


class Post:
    """What a post has besides its text, among `count` posts, numbered from 1."""

    def __init__(self, number: int, count: int):
        chosen = random.Random(f"{SEED} post {number}")
        # The order of the dates is not that of the files.
        step = next(step for step in range(count // 3 + 1, count + 2) if coprime(step, count))
        self.number, self.date = number, NEWEST - timedelta(days=number * step % count)
        self.author = chosen.choice(sorted(AUTHORS))
        self.kind = chosen.choices(KINDS, (3, 7))[0]
        self.tags = sorted(chosen.sample(TAGS, 3))

    def keys(self, description: str) -> str:
        return f"""title: {corpus.title(self.number)}
description: "{description}"
date: {self.date}
author: {self.author}
kind: {self.kind}
tags: [{", ".join(self.tags)}]"""


def coprime(a: int, b: int) -> bool:
    while b:
        a, b = b, a % b
    return a == 1


def write(folder: Path, count: int) -> None:
    """Writes `count` posts into a folder that is not there yet."""
    folder.mkdir(parents=True)
    for number in range(1, count + 1):
        keys = Post(number, count).keys
        text = corpus.page(number, count, "/news", name, lambda _, description: keys(description))
        (folder / f"{name(number)}.md").write_text(text)


def addresses(count: int) -> set[str]:
    """The addresses of all pages."""
    posts = [Post(number, count) for number in range(1, count + 1)]
    lists: dict[str, int] = {"/news": count}
    for post in posts:
        for term in (f"/author/{post.author}", f"/kind/{post.kind}", *(f"/tags/{tag}" for tag in post.tags)):
            lists[term] = lists.get(term, 0) + 1
    pages = {"/", *(f"/{term}" for term in TERMS), *(f"/news/{name(post.number)}" for post in posts)}
    for first, size in lists.items():
        pages.add(first)
        pages.update(f"{first}/page/{number}" for number in range(2, -(-size // ON_A_PAGE) + 1))
    return pages


def feeds(folder: Path) -> dict[str, list]:
    """The entries of every feed: address, title and day, in their order."""
    found = {}
    for feed in FEEDS:
        atom = xml.parse(folder / feed / "feed.xml").getroot()
        link = lambda entry: next(each.get("href") for each in entry.findall(f"{ATOM}link") if each.get("rel") in (None, "alternate"))
        text = lambda entry, key: entry.findtext(f"{ATOM}{key}")
        found[f"{feed}/feed.xml"] = [
            (link(entry).rstrip("/"), text(entry, "title"), text(entry, "published")[:10], text(entry, "summary"))
            for entry in atom.findall(f"{ATOM}entry")
        ]
        found[f"{feed}/feed.json"] = [
            (item["url"].rstrip("/"), item["title"], item["date_published"][:10], item["summary"])
            for item in json.loads((folder / feed / "feed.json").read_text())["items"]
        ]
    return found


def wrong(folder: Path, count: int) -> list[str]:
    """What is wrong with the feeds of an output."""
    newest = sorted((Post(number, count) for number in range(1, count + 1)), key=lambda post: post.date, reverse=True)
    found, mistakes = feeds(folder), []
    for feed, items in found.items():
        kind = feed.split("/")[1] if feed.startswith("kind/") else None
        wanted = [post for post in newest if kind in (None, post.kind)][:ON_A_PAGE]
        wanted = [(f"https://bench.test/news/{name(post.number)}", corpus.title(post.number), str(post.date)) for post in wanted]
        if [item[:3] for item in items] != wanted:
            mistakes.append(f"{feed} has other entries than the {len(wanted)} newest posts")
        if not all(item[3] for item in items):
            mistakes.append(f"{feed} has entries without a summary")
    return mistakes


class News:
    """What the generators have in common here."""

    content = "content/news"
    projects = PROJECTS / "news"
    file_name = staticmethod(name)

    def install(self, markdown: Path) -> None:
        super().install(markdown)
        if self.authors:
            file = self.folder / self.authors
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(AUTHORS, indent=1))

    # Where the generator expects the names of the authors.
    authors = ""


class Sitegen(News, generators.Sitegen):
    def install(self, markdown: Path) -> None:
        super().install(markdown)
        folder = self.folder / "content/authors"
        folder.mkdir()
        for slug, author in AUTHORS.items():
            (folder / f"{slug}.yaml").write_text(f"name: {author['name']}\n")


class Hugo(News, generators.Hugo):
    authors = "data/authors.json"


class Eleventy(News, generators.Eleventy):
    authors = "content/_data/authors.json"


class Astro(News, generators.Astro):
    authors = "src/authors.json"


class IncrementalAstro(Astro):
    name = "Astro, incremental"
    does = f"is Astro with `experimental.incrementalBuild`, and a key of what it shows for every page; {Astro.does}"

    def environment(self) -> dict[str, str]:
        return {**super().environment(), "INCREMENTAL": "1"}


class Zola(News, generators.Zola):
    authors = "authors.json"

    def install(self, markdown: Path) -> None:
        super().install(markdown)
        for file in (self.folder / self.content).glob("post-*.md"):
            head, body = file.read_text().split("\n---\n", 1)
            lines = head.split("\n")
            # Its terms are in a table of their own.
            terms = {key: value for key, _, value in (line.partition(": ") for line in lines) if key in TERMS}
            values = {key: value if value.startswith("[") else f"[{value}]" for key, value in terms.items()}
            kept = [line for line in lines if line.partition(": ")[0] not in TERMS]
            table = ["taxonomies:", *(f"  {key}: {value}" for key, value in values.items())]
            file.write_text("\n".join([*kept, *table]) + "\n---\n" + body)


ALL = {
    "sitegen": Sitegen,
    "hugo": Hugo,
    "eleventy": Eleventy,
    "astro": Astro,
    "astro-incremental": IncrementalAstro,
    "zola": Zola,
}
