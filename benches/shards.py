"""Divides a build of many pages and photographs among machines, each a process on this one, that share a cache:

    python3 benches/shards.py target/release/sitegen 8 [pages photographs]

It prints the processor time of each part and that of one machine, and compares the published bytes. The photographs are one of
the starter `portfolio` with another comment in each, so that each is made anew. `CACHE` names the cache instead of a folder.
"""

import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

program, parts = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2])
pages, photographs = (int(number) for number in sys.argv[3:5] or (10_000, 2_000))
root = pathlib.Path(__file__).resolve().parent.parent
photograph = (root / "examples/starters/portfolio/content/assets/photos/sea.jpg").read_bytes()
work = pathlib.Path(tempfile.mkdtemp(dir=os.environ.get("WORK")))
cache = os.environ.get("CACHE", str(work / "cache"))
os.environ.setdefault("SITEGEN_CACHE_KEY", "0123456789abcdef" * 2)

PAGE = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>{{ page.title }}</title><meta name="description" content="A page."></head>
<body><main><h1>{{ page.title }}</h1>{{ page.content }}</main></body>
</html>
"""


def write(folder):
    """Writes the project of one machine."""
    (folder / "templates/pages").mkdir(parents=True)
    (folder / "templates/pages/page.html").write_text(PAGE)
    (folder / "content/assets/photos").mkdir(parents=True)
    (folder / "content/site.yaml").write_text("url: https://www.gallery.test\nlanguage: en\nname: Gallery\n")
    for number in range(photographs):
        comment = f"{number:08}".encode()
        text = photograph[:2] + b"\xff\xfe" + (len(comment) + 2).to_bytes(2, "big") + comment + photograph[2:]
        (folder / f"content/assets/photos/p{number}.jpg").write_bytes(text)
    (folder / "content/pages/all").mkdir(parents=True)
    (folder / "content/pages/index.md").write_text("---\ntitle: Gallery\n---\n\nPhotographs.\n")
    for number in range(pages):
        text = f"---\ntitle: Page {number}\n---\n\n" + "Some words of an ordinary page about a photograph. " * 30
        picture = f"\n\n![Waves at the shore](photos/p{number % photographs}.jpg)\n" if photographs else "\n"
        (folder / f"content/pages/all/p{number}.md").write_text(text + picture)


def run(folder, *arguments):
    """Runs a build. Returns the seconds of processors, and of the clock."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    said = subprocess.run([program, "build", "--root", folder, *arguments], check=True, capture_output=True, text=True).stdout
    taken, after = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    print("   ", said.strip().replace("\n", "; "), flush=True)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, taken


def files(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


write(work / "alone")
whole, _ = run(work / "alone")
unchanged, unchanged_taken = run(work / "alone")
times = []
for part in range(1, parts + 1):
    shutil.copytree(work / "alone/content", work / "part/content", copy_function=os.link)
    shutil.copytree(work / "alone/templates", work / "part/templates")
    times.append(run(work / "part", "--shard", f"{part}/{parts}", "--cache", cache)[0])
    shutil.rmtree(work / "part")
shutil.copytree(work / "alone/content", work / "last/content", copy_function=os.link)
shutil.copytree(work / "alone/templates", work / "last/templates")
last, last_taken = run(work / "last", "--cache", cache)
assert files(work / "alone/dist") == files(work / "last/dist"), "other bytes"
print(f"one machine: {whole:.1f} s of processors; unchanged {unchanged:.2f} s ({unchanged_taken:.2f} s)")
print(f"parts: {', '.join(f'{each:.1f}' for each in times)} s; the longest is {max(times) / whole:.3f} of the whole")
print(f"the last build: {last:.2f} s of processors, {last_taken:.2f} s: {last / unchanged:.2f} times an unchanged one; the same bytes")
shutil.rmtree(work)
