"""Compares outputs and finds broken links, with Python's own HTML parser.

The parser is not the one of the engine, and it knows nothing of how the pages were made: what it says is a second
opinion on the finished files.
"""

from concurrent.futures import ProcessPoolExecutor
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ORIGIN = "bench.test"


class Reader(HTMLParser):
    def __init__(self):
        super().__init__()
        self.ids, self.links, self.words, self.silent, self.is_redirect = set(), [], 0, 0, False

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                self.ids.add(value)
            elif name in ("href", "src") and value is not None:
                self.links.append(value)
        self.silent += tag in ("script", "style", "title")
        self.is_redirect |= tag == "meta" and ("http-equiv", "refresh") in attributes

    def handle_endtag(self, tag):
        self.silent -= tag in ("script", "style", "title")

    def handle_data(self, data):
        if not self.silent:
            self.words += len(data.split())


def read(file: Path) -> tuple[set, list, int] | None:
    reader = Reader()
    reader.feed(file.read_text())
    reader.close()
    return None if reader.is_redirect else (reader.ids, reader.links, reader.words)


class Output:
    """What a folder of pages holds."""

    def __init__(self, folder: Path, origin: str = ORIGIN):
        files = sorted(folder.rglob("*.html"))
        self.folder, self.origin = folder, origin
        self.bytes = sum(file.stat().st_size for file in files)
        self.files = {"/" + str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}
        with ProcessPoolExecutor() as pool:
            found = list(pool.map(read, files, chunksize=64))
        names = [str(file.relative_to(folder)) for file in files]
        # The page for unknown paths is not one that a visitor asks for, nor is a page that leads to another at once.
        self.pages = {route_of(name): each for name, each in zip(names, found) if name != "404.html" and each}
        self.words = sum(words for _, _, words in self.pages.values())

    def broken(self) -> list[str]:
        """Every broken link to a page, a file or a section of this site."""
        wrong = []
        for page, (_, links, _) in self.pages.items():
            for link in links:
                parts = urlsplit(link)
                if parts.scheme not in ("", "http", "https") or parts.netloc not in ("", self.origin):
                    continue
                path = unquote(parts.path) or page
                target = path.rstrip("/") or "/"
                if target in self.pages:
                    if parts.fragment and unquote(parts.fragment) not in self.pages[target][0] | {"top"}:
                        wrong.append(f"{page}: no section {link}")
                elif path not in self.files:
                    wrong.append(f"{page}: no page {link}")
        return wrong


def route_of(name: str) -> str:
    for ending in ("/index.html", "index.html", ".html"):
        if name.endswith(ending):
            return "/" + name.removesuffix(ending) if name != "index.html" else "/"
    return "/" + name


def unlike(ours: Output, theirs: Output, name: str, sizes: tuple[str, ...] = ("bytes", "words")) -> list[str]:
    """The differences between two outputs, in pages, links and the sizes named."""
    wrong = []
    if ours.pages.keys() != theirs.pages.keys():
        missing, extra = ours.pages.keys() - theirs.pages.keys(), theirs.pages.keys() - ours.pages.keys()
        wrong.append(f"{name}: {len(missing)} pages missing, {len(extra)} more: {sorted(missing | extra)[:3]}")
    for what in sizes:
        ratio = getattr(theirs, what) / getattr(ours, what)
        # Indentation in tables and the policy in our pages are what the bytes may differ by; words have no excuse.
        if abs(ratio - 1) > (0.15 if what == "bytes" else 0.005):
            wrong.append(f"{name}: {ratio:.3f} times our {what}")
    wrong.extend(f"{name}: {each}" for each in theirs.broken()[:5])
    return wrong
