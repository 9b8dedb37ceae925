"""The shipped site with its islands, beside the same forms in Hugo, with `js.Build`, and in Astro.

Both peers get the components of `islands/` as they are, with the props that our own pages carry, and the texts of the
pages. They leave out most of the markup, and all of the styles.
"""

import json
import re
import shutil
from pathlib import Path

from alike import HTMLParser
from generators import PROJECTS, Astro, Generator, Hugo, Programs, Sitegen
from measure import Figures, timed

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
        **{scenario: {name: Figures.of(each).to_json() for name, each in by.items()} for scenario, by in runs.items()},
    }


def check(out: Path, name: str) -> None:
    """Four pages, of which two have their form's props, and React in a script."""
    pages = [file.read_text() for file in out.rglob("*.html")]
    forms = sum(" data-props=" in page or " props=" in page for page in pages)
    has_react = any("react.dev/errors" in file.read_text() for file in out.rglob("*.js"))
    if len(pages) != 4 or forms != 2 or not has_react:
        raise SystemExit(f"the small site of {name} has {len(pages)} pages, {forms} forms, and React: {has_react}")
