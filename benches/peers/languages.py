"""A site in four languages, beside the same number of pages in one.

Each page has a file in each language, with the same text but for its links, which lead to the pages of the language. A
page names its translations twice: with `hreflang` in its head, and in a list of links for visitors.
"""

import re
from pathlib import Path

import corpus
import generators

# Not French: its quotation marks have spaces inside, which only one of the generators writes.
TAGS = ("en", "de", "es", "it")
NAMES = {"en": "English", "de": "Deutsch", "es": "Español", "it": "Italiano"}


def folder(tag: str) -> str:
    """The folder of a language in addresses."""
    return "" if tag == TAGS[0] else f"/{tag}"


def texts(count: int) -> int:
    """How many pages each language has of `count`."""
    if count % len(TAGS):
        raise SystemExit(f"--languages: {count} pages are not the same number in each of {len(TAGS)} languages")
    return count // len(TAGS)


def addresses(count: int) -> set[str]:
    """The addresses of all pages: one each, and in each language the home page, which lists them."""
    pages = {f"{folder(tag)}/{corpus.name(number)}" for tag in TAGS for number in range(1, texts(count) + 1)}
    return pages | {folder(tag) or "/" for tag in TAGS}


def write(target: Path, count: int) -> None:
    """Writes `count` pages into a folder that is not there yet."""
    target.mkdir(parents=True)
    for number in range(1, texts(count) + 1):
        for tag in TAGS:
            end = "" if tag == TAGS[0] else f".{tag}"
            (target / f"{corpus.name(number)}{end}.md").write_text(corpus.page(number, texts(count), folder(tag)))


def wrong(out: Path, count: int) -> list[str]:
    """Says which of the first pages lacks a translation in its head or in its list of links."""
    mistakes = []
    for tag in TAGS:
        page = f"/{corpus.name(1)}"
        html = (out / f"{folder(tag)}{page}/index.html".lstrip("/")).read_text()
        for other in TAGS:
            found = [
                attributes
                for attributes in re.findall(r"<(?:link|a) [^>]*>", html)
                if re.search(rf'hreflang="?{other}\b', attributes) and re.search(rf"[\"=t]{folder(other)}{page}[/\" ]", attributes)
            ]
            if len(found) != 2:
                mistakes.append(f"{folder(tag)}{page} names its translation in `{other}` {len(found)} times")
    return mistakes


class Several:
    """What the generators have in common here. One translation is edited."""

    projects = generators.PROJECTS / "languages"
    file_name = staticmethod(lambda number: f"{corpus.name(number)}.de")


class Sitegen(Several, generators.Sitegen):
    pass


class Hugo(Several, generators.Hugo):
    pass


ALL = {each.name.lower(): each for each in (Sitegen, Hugo)}
