#!/usr/bin/env python3
"""Measures the time from saving a file until its change is served. Run by hand:

    cargo build --release
    python3 benches/serve.py [--edits 20] [--pages 1000,10000] [--news 10000] [--rebuilds 10000] [target/release/sitegen]

The shipped site and sites of generated pages are copied to a folder of their own, `sitegen serve` is started there, and
files are saved at random moments. The time ends when an answer with the change has been read. The server is asked on one
connection as a browser asks again, with the tag of what it has, and after pauses of a fifth of a millisecond: asked
without any, it would have one core of two for building. Generated sites have an index that lists the title of every page. The site
with news is that of `benches/peers/news.py`: a title is in lists, terms, neighbours and feeds, and a tag moves a post from
one list to another.
"""
import argparse, http.client, os, pathlib, random, re, shutil, statistics, subprocess, sys, tempfile, time

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(REPOSITORY / "benches/peers"))
sys.dont_write_bytecode = True
import generators, news
BASE = """<!doctype html>
<html lang="{{ site.language }}">
<head>
<meta charset="utf-8">
<title>{{ page.title }}</title>
</head>
<body>
<main>
<h1>{{ page.title }}</h1>
{%- block main %}{{ page.content | default(value="") }}{% endblock %}
</main>
</body>
</html>
"""
INDEX = """{% extends "base.html" %}
{%- block main %}<ul>{% for each in pages %}<li><a href="{{ url(path=each.route) }}">{{ each.title }}</a></li>
{% endfor %}</ul>{% endblock %}
"""


def generated(root, count):
    for folder in ("content/pages/p", "templates/pages"):
        (root / folder).mkdir(parents=True)
    (root / "content/site.yaml").write_text("url: https://www.example.com\nlanguage: en\nname: Example\n")
    (root / "content/pages/index.yaml").write_text("title: Home\ntemplate: pages/index.html\n")
    (root / "templates/base.html").write_text(BASE)
    (root / "templates/pages/page.html").write_text('{% extends "base.html" %}\n')
    (root / "templates/pages/index.html").write_text(INDEX)
    text = "\n\n".join(f"## Section {n}\n\n" + "Some *text* with `code` and a [link](/). " * 8 for n in range(1, 9))
    for n in range(count):
        (root / f"content/pages/p/{n}.md").write_text(f"---\ntitle: Page {n}\n---\n\n{text}\n\nEnd of edit-0.\n")


class Server:
    def __init__(self, sitegen, root):
        self.tags = {}
        self.process = subprocess.Popen([sitegen, "serve", "--port", "0", "--root", root], stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True, bufsize=1)
        for line in self.process.stdout:
            if found := re.match(r"serving at http://([\d.]+):(\d+)", line):
                self.connection = http.client.HTTPConnection(found[1], int(found[2]))
                break
        # Nobody else reads its output.
        import threading
        threading.Thread(target=self.process.stdout.read, daemon=True).start()

    def get(self, path):
        """The body, or nothing if it is unchanged since the last request."""
        self.connection.request("GET", path, headers={"If-None-Match": self.tags[path]} if path in self.tags else {})
        answer = self.connection.getresponse()
        # A page with an error to report has none.
        self.tags.pop(path, None)
        if tag := answer.getheader("ETag"):
            self.tags[path] = tag
        return answer.read()

    def until(self, path, needle):
        while needle not in self.get(path):
            time.sleep(0.0002)

    def resident(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1000

    def end(self):
        self.process.kill()
        self.process.wait()


def timed(server, edits, save, path):
    """Saves several times at random moments, alternately in place and by renaming, and returns the times in ms. `path` is
    where the change is seen, or gives that for each time."""
    times = []
    for number in range(1, edits + 1):
        file, text, needle = save(number)
        time.sleep(random.uniform(0.2, 0.6))
        start = time.perf_counter()
        if number % 2:
            file.write_text(text)
        else:
            beside = file.with_name(file.name + ".tmp")
            beside.write_text(text)
            os.replace(beside, file)
        server.until(path(number) if callable(path) else path, needle.encode())
        times.append((time.perf_counter() - start) * 1000)
    return times


def tell(what, times):
    print(f"{what:52} median {statistics.median(times):7.1f} ms, {min(times):.1f} to {max(times):.1f}", flush=True)


def of_news(root, sitegen, count, edits):
    root.mkdir()
    news.write(root / "posts", count)
    news.Sitegen(generators.Programs(root, pathlib.Path(sitegen)), root / "site").install(root / "posts")
    posts = {number: news.Post(number, count) for number in range(1, count + 1)}
    number = count // 2
    place = sorted(posts, key=lambda each: posts[each].date, reverse=True).index(number) // news.ON_A_PAGE + 1
    listed = "/news/" if place == 1 else f"/news/page/{place}/"
    post = root / f"site/content/news/{news.name(number)}.md"
    text = post.read_text()
    server = Server(sitegen, root / "site")
    save = lambda n: (post, f"{text}\nedit-{n}.\n", f"edit-{n}.")
    tell(f"news, {count} posts, text of a post", timed(server, edits, save, f"/news/{news.name(number)}/"))
    save = lambda n: (post, re.sub("(?m)^title: .*", f"title: Title {n}.", text), f">Title {n}.<")
    tell(f"news, {count} posts, title of a post, in a list", timed(server, edits, save, listed))
    # The newest post of a tag is on the first page of its list; this one is put there by its date.
    used = sorted({tag for each in posts.values() for tag in each.tags} - set(posts[number].tags))
    newest = re.sub("(?m)^date: .*", f"date: {news.NEWEST}", text)
    post.write_text(newest)
    server.until("/news/", f"/news/{news.name(number)}".encode())
    other = lambda n: used[n % len(used)]
    save = lambda n: (post, re.sub("(?m)^tags: .*", f"tags: [{other(n)}, {other(n + 1)}]", newest), f"/news/{news.name(number)}/")
    tell(f"news, {count} posts, tags of a post, in a term", timed(server, edits, save, lambda n: f"/tags/{other(n + 1)}/"))
    print(f"news, {count} posts, memory {server.resident():.0f} MB", flush=True)
    server.end()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("sitegen", nargs="?", default=str(REPOSITORY / "target/release/sitegen"))
    parser.add_argument("--edits", type=int, default=20)
    parser.add_argument("--pages", default="1000,10000")
    parser.add_argument("--news", default="10000", help="posts of the site with news, or nothing")
    parser.add_argument("--rebuilds", type=int, default=10_000)
    given = parser.parse_args()
    sitegen = str(pathlib.Path(given.sitegen).resolve())
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder) / "shipped"
        for part in ("content", "templates", "islands"):
            shutil.copytree(REPOSITORY / part, root / part)
        for part in ("package.json", "package-lock.json", "tsconfig.json"):
            shutil.copy(REPOSITORY / part, root)
        (root / "node_modules").symlink_to(REPOSITORY / "node_modules")
        server = Server(sitegen, root)
        file = root / "content/pages/privacy-policy.md"
        text = file.read_text()
        tell("shipped site, Markdown", timed(server, given.edits, lambda n: (file, f"{text}\nedit-{n}.\n", f"edit-{n}."), "/privacy-policy"))
        yaml = root / "content/pages/careers.yaml"
        before = yaml.read_text()
        save = lambda n: (yaml, re.sub(r"(?m)^title: .*", f"title: Careers {n}.", before), f"<title>Careers {n}.")
        tell("shipped site, YAML", timed(server, given.edits, save, "/careers"))
        css = root / "templates/styles/main.css"
        rules = css.read_text()
        save = lambda n: (css, f"{rules}\n.edit-{n} {{ color: red }}\n", f".edit-{n}{{")
        tell("shipped site, stylesheet", timed(server, given.edits, save, "/careers"))
        server.end()

        for count in map(int, filter(None, given.news.split(","))):
            of_news(pathlib.Path(folder) / f"news-{count}", sitegen, count, given.edits)

        for count in map(int, filter(None, given.pages.split(","))):
            root = pathlib.Path(folder) / str(count)
            generated(root, count)
            server = Server(sitegen, root)
            page = root / f"content/pages/p/{count // 2}.md"
            text = page.read_text()
            path = f"/p/{count // 2}"
            save = lambda n: (page, text.replace("edit-0.", f"edit-{n}."), f"edit-{n}.")
            tell(f"{count} pages, text of a page", timed(server, given.edits, save, path))
            save = lambda n: (page, re.sub(r"title: .*", f"title: Title {n}.", text), f"Title {n}.<")
            tell(f"{count} pages, title of a page, in the index", timed(server, given.edits, save, "/"))
            base = root / "templates/base.html"
            save = lambda n: (base, BASE.replace("<main>", f"<main>\n<p>edit-{n}.</p>"), f"edit-{n}.")
            tell(f"{count} pages, base template", timed(server, given.edits, save, path))
            print(f"{count} pages, memory {server.resident():.0f} MB", flush=True)
            server.end()

        if given.rebuilds:
            root = pathlib.Path(folder) / "memory"
            generated(root, 100)
            server = Server(sitegen, root)
            page = root / "content/pages/p/50.md"
            text = page.read_text()
            for number in range(1, given.rebuilds + 1):
                page.write_text(text.replace("edit-0.", f"edit-{number}."))
                server.until("/p/50", f"edit-{number}.".encode())
                if number in (100, 1000) or number % 2500 == 0:
                    print(f"100 pages, memory after {number} rebuilds {server.resident():.1f} MB", flush=True)
            server.end()


main()
