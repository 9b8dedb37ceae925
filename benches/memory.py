"""Measures how much memory a build takes for each page, by the number of pages.

    cargo build --release
    python3 benches/memory.py target/release/sitegen 10000 100000 1000000

Each site is generated: some two kilobytes of Markdown a page in folders of a hundred and more, links between pages, and a template
that extends another one. It is built from nothing, unchanged, and with another title on one page. The table says how much memory each
build took at most, and how much that is a page. Sites are written below the folder for temporary files, or the one in TMPDIR, and
removed again; a million pages take 13 GB and some minutes.
"""

import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

WORDS = (
    "grow simple round white fruit where the quiet river turns and harbour sleeps in morning light over old stone bridges while "
    "market sellers arrange baskets of bread cheese apples honey candles"
).split()

BASE = """<!doctype html>
<html lang="{{ page.language }}">
<head>
<meta charset="utf-8">
<title>{{ page.title }} – {{ site.name }}</title>
<meta name="description" content="{{ page.lead }}">
</head>
<body>
<header><nav aria-label="Main"><ul><li><a href="/">Home</a></li><li><a href="/part-000/item-0">First</a></li></ul></nav></header>
<main><h1>{{ page.title }}</h1>{% block main %}{% endblock %}</main>
<footer><p>{{ site.name }}</p></footer>
</body>
</html>
"""


def sentence() -> str:
    return " ".join(random.choices(WORDS, k=12)).capitalize() + "."


def page(number: int, pages: int, folders: int) -> str:
    other = (number * 7 + folders) % pages
    text = f"---\ntitle: Item {number}\nlead: {sentence()}\n---\n"
    for section in range(3):
        address = f"/part-{other % folders:03}/item-{other}#section-{section}-of-{other}"
        text += f"\n## Section {section} of {number}\n\n{' '.join(sentence() for _ in range(4))} *simple* and **round**.\n"
        text += f"\nSee [the next one]({address}), `code {number}` and this:\n\n- {sentence()}\n- {sentence()}\n"
    return text


def write_site(root: Path, pages: int) -> None:
    random.seed(7)
    folders = min(1000, max(1, pages // 100))
    files = {
        "content/site.yaml": "url: https://www.harbour.test\nlanguage: en\nname: Harbour archive\n",
        "templates/base.html": BASE,
        "templates/pages/page.html": '{% extends "base.html" %}{% block main %}<p>{{ page.lead }}</p>{{ page.content }}{% endblock %}\n',
        "content/pages/index.md": "---\ntitle: Home\nlead: Everything\n---\n\n"
        + "".join(f"- [Part {number}](part-{number:03}/item-{number}.md)\n" for number in range(folders)),
    }
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    for number in range(folders):
        (root / f"content/pages/part-{number:03}").mkdir()
    for number in range(pages):
        (root / f"content/pages/part-{number % folders:03}/item-{number}.md").write_text(page(number, pages, folders))


def build(program: str, root: Path) -> tuple[int, float]:
    """Builds the site, and returns the most memory that the process had, in kilobytes, and the seconds that it took."""
    start = time.monotonic()
    process = subprocess.Popen([program, "build", "--quiet", "--root", str(root)])
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{program} has failed")
    return usage.ru_maxrss, time.monotonic() - start


def main() -> None:
    program, counts = str(Path(sys.argv[1]).resolve()), [int(count) for count in sys.argv[2:]]
    print("| Pages | Build | Memory | A page | Time |\n|---|---|---|---|---|")
    for count in counts:
        root = Path(tempfile.mkdtemp(prefix="memory-"))
        try:
            write_site(root, count)
            changed = root / "content/pages/part-000/item-0.md"
            for name in ["from nothing", "unchanged", "another title"]:
                if name == "another title":
                    changed.write_text(changed.read_text().replace("title: Item 0", "title: Another"))
                memory, seconds = build(program, root)
                print(f"| {count:,} | {name} | {memory / 1000:,.0f} MB | {memory / count:.1f} KB | {seconds:.1f} s |", flush=True)
        finally:
            shutil.rmtree(root)


if __name__ == "__main__":
    main()
