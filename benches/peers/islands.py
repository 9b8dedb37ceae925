"""The shipped site with its islands, beside the same forms in Hugo, with `js.Build`, and in Astro.

Both peers get the components of `islands/` as they are, with the props that our own pages carry, and the texts of the
pages. They leave out most of the markup, and all of the styles.

Besides, many pages with nothing but a form each, all with other props: sitegen, a script for Node that calls
`react-dom/server`, and Astro.
"""

import copy
import json
import re
import shutil
from pathlib import Path

from alike import HTMLParser
from generators import PROJECTS, Astro, Generator, Hugo, Programs, Sitegen
from measure import figures, timed

ABOUT = (
    "Four pages and two forms in React. sitegen prerenders the forms, checks everything, and makes styles, a policy, "
    "SVGs and a sitemap; each page is written twice (`routes: both`). Hugo bundles the forms with `js.Build` and "
    "leaves their rendering to the browser; Astro prerenders them. Both have a plain base template and no styles. "
    "Memory is that of the largest process, esbuild included."
)
COPY = "cp -r"


class Calls(HTMLParser):
    """The islands of a page and its text."""

    def __init__(self):
        super().__init__()
        self.islands = []

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        if "data-island" in found:
            self.islands.append({"component": found["data-island"], "props": found["data-props"]})


class OwnSite(Sitegen):
    def install(self, root: Path) -> None:
        for name in ("content", "templates", "islands"):
            shutil.copytree(root / name, self.folder / name)
        for name in ("package.json", "package-lock.json", "tsconfig.json"):
            shutil.copyfile(root / name, self.folder / name)
        shutil.copytree(self.programs.folder / "site/node_modules", self.folder / "node_modules", symlinks=True)


class Form:
    """What Hugo and Astro have in common here: pages with a title, a text and perhaps an island."""

    def pages(self, root: Path, ours: Path) -> list[dict]:
        pages = []
        for file in sorted((root / "content/pages").iterdir()):
            head, _, body = file.read_text().removeprefix("---\n").partition("\n---\n")
            key = lambda name: re.search(rf"(?m)^{name}: (.+)$", head)[1].strip("\"'")
            calls = Calls()
            calls.feed((ours / f"{file.stem}.html").read_text())
            pages.append({
                "name": file.stem,
                "title": key("title"),
                "description": key("description"),
                # References like {{ site.name }} are ours alone.
                "body": re.sub(r"\{\{ *([\w.]+) *\}\}", r"\1", body if file.suffix == ".md" else ""),
                "island": calls.islands[0] if calls.islands else None,
            })
        return pages


class HugoForm(Form, Hugo):
    def install(self, root: Path, ours: Path) -> None:
        shutil.copytree(PROJECTS / "islands/hugo", self.folder)
        self.programs.packages("islands", self.folder)
        shutil.copytree(root / "islands", self.folder / "assets/islands")
        (self.folder / "content").mkdir()
        for page in self.pages(root, ours):
            keys = {"title": page["title"], "description": page["description"]}
            if page["island"]:
                keys["island"] = page["island"]
                name = page["island"]["component"]
                (self.folder / f"assets/islands/{name}.entry.tsx").write_text(
                    'import { createRoot } from "react-dom/client";\n'
                    f'import Island from "./{name}";\n\n'
                    'const at = document.getElementById("island")!;\n'
                    "createRoot(at).render(<Island {...JSON.parse(at.dataset.props!)} />);\n"
                )
            # JSON is front matter too.
            file = "_index.md" if page["name"] == "index" else f"{page['name']}.md"
            (self.folder / "content" / file).write_text(f"{json.dumps(keys, indent=1)}\n\n{page['body']}")


class AstroForm(Form, Astro):
    def install(self, root: Path, ours: Path) -> None:
        shutil.copytree(PROJECTS / "islands/astro", self.folder)
        shutil.copyfile(PROJECTS / "islands/package.json", self.folder / "package.json")
        self.programs.packages("islands", self.folder)
        shutil.copytree(root / "islands", self.folder / "src/islands")
        for page in self.pages(root, ours):
            title, description = json.dumps(page["title"]), json.dumps(page["description"])
            target = self.folder / "src/pages" / page["name"]
            target.parent.mkdir(exist_ok=True)
            if not page["island"]:
                head = f"layout: ../layouts/Page.astro\ntitle: {title}\ndescription: {description}"
                target.with_suffix(".md").write_text(f"---\n{head}\n---\n{page['body']}")
                continue
            name = page["island"]["component"]
            target.with_suffix(".astro").write_text(
                f'---\nimport Page from "../layouts/Page.astro";\nimport Island from "../islands/{name}";\n'
                f"const props = {page['island']['props']};\n---\n"
                f"<Page title={{{title}}} description={{{description}}}>\n"
                "<Island client:visible {...props} />\n</Page>\n"
            )


MANY = 2000
ABOUT_MANY = (
    "Pages with one form in React each, every one with other props: the form is prerendered for each page. sitegen proves "
    "besides that it is the same for every visitor, and checks everything as always. Node is a script that bundles with "
    "esbuild, calls `renderToString` of `react-dom/server` for each page and writes the files."
)
FORM = "ContactForm"


class Many:
    """What the generators have in common here: a file of pages, each with a title and the props of its form."""

    def install(self, root: Path, pages: list[dict]) -> None:
        shutil.copytree(PROJECTS / "islands" / self.project, self.folder)
        self.place(root, pages)

    def link(self, installed: str) -> None:
        shutil.copytree(self.programs.folder / installed / "node_modules", self.folder / "node_modules", symlinks=True)


class OwnMany(Many, Sitegen):
    project = "many-sitegen"

    def place(self, root: Path, pages: list[dict]) -> None:
        # Without the stylesheets, which the components do not import and which need those of the site.
        shutil.copytree(root / "islands", self.folder / "islands", ignore=shutil.ignore_patterns("*.css"))
        for name in ("package.json", "package-lock.json", "tsconfig.json"):
            shutil.copyfile(root / name, self.folder / name)
        self.link("site")
        for page in pages:
            keys = {"title": page["title"], "description": page["title"], "template": "pages/form.html", "props": page["props"]}
            # JSON is YAML too.
            (self.folder / "content/pages" / f"{page['name']}.yaml").write_text(json.dumps(keys, indent=1) + "\n")


class NodeMany(Many, Generator):
    name = "react-dom/server in Node"
    project = "many-node"

    def place(self, root: Path, pages: list[dict]) -> None:
        shutil.copytree(root / "islands", self.folder / "islands")
        self.link("site")
        (self.folder / "pages.json").write_text(json.dumps(pages))

    def command(self, out: Path) -> list[str]:
        return [str(self.programs.node), "build.mjs", str(out)]


class AstroMany(Many, Astro):
    project = "many-astro"

    def place(self, root: Path, pages: list[dict]) -> None:
        shutil.copytree(root / "islands", self.folder / "src/islands")
        shutil.copyfile(PROJECTS / "islands/astro/astro.config.mjs", self.folder / "astro.config.mjs")
        shutil.copyfile(PROJECTS / "islands/package.json", self.folder / "package.json")
        self.link("islands")
        (self.folder / "src/pages.json").write_text(json.dumps(pages))


class Forms(HTMLParser):
    """The controls and the words of a page's main part."""

    def __init__(self):
        super().__init__()
        self.seen, self.depth, self.silent = [], 0, 0

    def handle_starttag(self, tag, attributes):
        self.depth += tag == "main"
        self.silent += tag in ("script", "style")
        if self.depth and tag in ("form", "input", "textarea", "button", "label"):
            self.seen.append((tag, dict(attributes).get("name")))

    def handle_endtag(self, tag):
        self.depth -= tag == "main"
        self.silent -= tag in ("script", "style")

    def handle_data(self, data):
        if self.depth and not self.silent:
            self.seen += data.split()


def forms(out: Path) -> dict[str, list]:
    """What every page of an output shows, by its folder."""
    found = {}
    for file in out.glob("*/index.html"):
        reader = Forms()
        reader.feed(file.read_text())
        found[file.parent.name] = reader.seen
    return found


def measure_many(root: Path, programs: Programs, wanted: list[str], folder: Path, rounds: int, count: int, say) -> dict:
    """Measures pages with a form each. The props are those of the shipped site, with another label on each page."""
    folder.mkdir(parents=True)
    programs.npm("site", root, ["--omit=dev"])
    own = OwnSite(programs, folder / "shipped")
    own.install(root)
    own.build(folder / "shipped-out")
    calls = Calls()
    for file in sorted((folder / "shipped-out").glob("*.html")):
        calls.feed(file.read_text())
    props = next(json.loads(call["props"]) for call in calls.islands if call["component"] == FORM)
    pages = []
    for number in range(1, count + 1):
        own_props = copy.deepcopy(props)
        own_props["form"]["fields"]["name"]["label"] += f" {number}"
        pages.append({"name": f"form-{number:05}", "title": f"Form {number}", "props": own_props})
    kinds = [("sitegen", OwnMany), ("node", NodeMany), ("astro", AstroMany)]
    made: dict[str, Generator] = {}
    shown: dict[str, dict] = {}
    for name, kind in kinds:
        if name not in ("sitegen", *wanted) and not (name == "node" and programs.node):
            continue
        made[name] = kind(programs, folder / name)
        made[name].install(root, pages)
        out = folder / f"first-{name}"
        made[name].build(out)
        shown[name] = forms(out)
        if len(shown[name]) != count or shown[name] != shown["sitegen"]:
            different = [page for page, seen in shown["sitegen"].items() if shown[name].get(page) != seen]
            raise SystemExit(f"the forms of {kind.name} are others than ours: {len(shown[name])} pages, {different[:3]}")
        if not all("label" in [seen[0] for seen in page if isinstance(seen, tuple)] for page in shown[name].values()):
            raise SystemExit(f"{kind.name} has pages without a form")
    runs: dict[str, dict[str, list]] = {"cold": {}, "unchanged": {}}
    for turn in range(rounds):
        for name, generator in made.items():
            generator.forget(folder / f"aside-{name}-{turn}")
            for scenario in runs:
                run = generator.build(folder / f"out-{turn}-{name}")
                runs[scenario].setdefault(generator.name, []).append(run)
                say(f"{count} forms, {scenario}, {generator.name}: {run.seconds:.3f} s, {run.memory:.0f} MB")
                if name == "sitegen":
                    copied = ["cp", "-r", str(folder / f"out-{turn}-sitegen"), str(folder / f"copy-{turn}-{scenario}")]
                    runs[scenario].setdefault(COPY, []).append(timed(copied, folder))
    return {
        "about": ABOUT_MANY,
        "count": count,
        **figures(runs),
    }


def measure(root: Path, programs: Programs, wanted: list[str], folder: Path, rounds: int, say) -> dict:
    folder.mkdir(parents=True)
    programs.npm("site", root, ["--omit=dev"])
    own = OwnSite(programs, folder / "sitegen")
    own.install(root)
    ours = folder / "ours"
    own.build(ours)
    made: dict[str, Generator] = {"sitegen": own}
    for name, kind in (("hugo", HugoForm), ("astro", AstroForm)):
        if name in wanted:
            made[name] = kind(programs, folder / name)
            made[name].install(root, ours)
            out = folder / f"first-{name}"
            made[name].build(out)
            check(out, kind.name)
    runs: dict[str, dict[str, list]] = {"cold": {}, "unchanged": {}}
    for turn in range(max(rounds, 5)):
        for name, generator in made.items():
            generator.forget(folder / f"aside-{name}-{turn}")
            for scenario in runs:
                run = generator.build(folder / f"out-{turn}-{name}")
                runs[scenario].setdefault(generator.name, []).append(run)
                say(f"small site, {scenario}, {generator.name}: {run.seconds:.3f} s, {run.memory:.0f} MB")
                if name == "sitegen":
                    copy = ["cp", "-r", str(folder / f"out-{turn}-sitegen"), str(folder / f"copy-{turn}-{scenario}")]
                    runs[scenario].setdefault(COPY, []).append(timed(copy, folder))
    return {
        "about": ABOUT,
        "versions": {},
        **figures(runs),
    }


def check(out: Path, name: str) -> None:
    """Four pages, of which two have their form's props, and React in a script."""
    pages = [file.read_text() for file in out.rglob("*.html")]
    forms = sum(" data-props=" in page or " props=" in page for page in pages)
    has_react = any("react.dev/errors" in file.read_text() for file in out.rglob("*.js"))
    if len(pages) != 4 or forms != 2 or not has_react:
        raise SystemExit(f"the small site of {name} has {len(pages)} pages, {forms} forms, and React: {has_react}")
