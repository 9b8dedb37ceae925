"""The site with photographs: the same ones in the same sizes and formats for every generator.

Each page shows ten photographs of 3,000 by 2,000 pixels above its text, each as WebP and JPEG of four widths. They are cut
from the photographs of Debian's packages of wallpapers, which are downloaded into the work folder: each is another part
of one of them, or the same part mirrored, and none is scaled.

How good the copies are is measured with SSIMULACRA2, by a program that belongs to none of the generators. A copy is
compared with what sharp's Lanczos filter makes of all pixels of the photograph, stored without loss.

AVIF is left out: sitegen writes it only when it was compiled with a feature for it.
"""

import datetime
import json
import os
import random
import re
import shutil
import statistics
import subprocess
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import alike
import corpus
import generators
import machine
from corpus import SEED
from generators import PROJECTS, Generator, Programs, said
from measure import Run, figures, in_turn

HERE = PROJECTS / "photographs"
PACKAGES = ("lomiri-wallpapers-16.04", "lomiri-wallpapers-20.04")
# Real photographs alone, each with its size once it was turned by so many degrees. The others of these packages are
# drawings, or smaller than what is cut from them.
SOURCES = (
    ("picosdeeuropa_by_Aitzol_Berasategi", 0, 3264, 2448),
    ("Kleiber_by_Lukas_Baubkus", 0, 6028, 3391),
    ("seeding_by_Clements_Engelhardt", 0, 5312, 2988),
    ("Dragonfly_by_Bolly", 0, 4224, 3168),
    ("life_by_Aitzol_Berasategi", 0, 3088, 2056),
    ("Bridge_by_Sander_Klootwijk", 0, 4352, 2448),
    ("sunset_by_Aitzol_Berasategi", 0, 4272, 2848),
    ("aitzgorri_by_Aitzol_Berasategi", 0, 3088, 2056),
    ("Wine_by_Jakkub_Mede", 90, 3837, 2560),
    ("friends_by_Aitzol_Berasategi", 90, 3088, 2056),
)
SIZE = (3000, 2000)
WIDTHS = (480, 800, 1200, 1600)
FORMATS = ("webp", "jpeg")
ON_A_PAGE = 10
# The copies whose quality is measured: those of the first photographs, which come from different ones. Their heights are
# whole numbers, so that no generator rounds.
SCORED = 6
SCORED_WIDTHS = (480, 1200)
SCORER = ("ssimulacra2_rs", "0.5.2")
# How often sitegen builds with nothing changed in a round: it takes milliseconds, of which a few matter.
REPEATS = 5
ABOUT = (
    "Ten photographs of 3,000 by 2,000 pixels on a page, each as WebP and JPEG with 480, 800, 1,200 and 1,600 pixels. All "
    "have the quality 80, WebP the effort 4, and JPEG colours at half the resolution, unless it is said below; all are "
    "scaled with a Lanczos filter. The photographs are parts of ten from Debian's packages "
    f"{' and '.join(f'`{package}`' for package in PACKAGES)}. AVIF is not in these tables: sitegen writes it only if it "
    "was compiled with a feature for it. \"sharp in Node\" is a script that makes the "
    "same copies and no pages; Astro and Eleventy scale with sharp too."
)
# The copies of every photograph in an output, by format and width.
Copies = dict[str, dict[str, dict[int, Path]]]


def name(number: int) -> str:
    return f"photo-{number:04}"


def page_name(number: int) -> str:
    return f"gallery-{number:04}"


def cut(programs: Programs, folder: Path, count: int) -> list[Path]:
    """Downloads the packages and cuts `count` photographs, unless they are there."""
    pieces = folder / "pieces"
    files = [pieces / f"{name(number)}.jpg" for number in range(1, count + 1)]
    if all(file.exists() for file in files):
        return files
    sources = folder / "sources"
    if not sources.exists():
        if not (shutil.which("apt-get") and shutil.which("dpkg")):
            raise SystemExit("the photographs come from packages of Debian: this needs apt-get and dpkg, or --photographs 0")
        downloads = folder / "downloads"
        downloads.mkdir(parents=True, exist_ok=True)
        subprocess.run(["apt-get", "download", "--quiet", *PACKAGES], cwd=downloads, check=True, stdout=subprocess.DEVNULL)
        for package in downloads.glob("*.deb"):
            subprocess.run(["dpkg", "-x", package, folder / "unpacking"], check=True)
        (folder / "unpacking").rename(sources)
    pieces.mkdir(exist_ok=True)
    wanted = []
    for number, file in enumerate(files, 1):
        if file.exists():
            continue
        source, turn, width, height = SOURCES[(number - 1) % len(SOURCES)]
        chosen = random.Random(f"{SEED} photograph {number}")
        wanted.append({
            "from": str(sources / f"usr/share/backgrounds/{source}.jpg"),
            "turn": turn,
            "mirror": (number - 1) // len(SOURCES) % 2 == 1,
            "left": chosen.randint(0, width - SIZE[0]),
            "top": chosen.randint(0, height - SIZE[1]),
            "width": SIZE[0],
            "height": SIZE[1],
            "to": str(file),
        })
    node(programs, "cut.mjs", folder / "wanted.json", wanted)
    return files


def node(programs: Programs, script: str, file: Path, wanted) -> None:
    """Runs a script of the tools with what is wanted in a file, where sharp is installed."""
    file.write_text(json.dumps(wanted))
    command = [programs.node, HERE / "tools" / script, file]
    subprocess.run(command, cwd=programs.folder / "photographs", check=True)


def write(folder: Path, count: int) -> None:
    """Writes the pages for `count` photographs into a folder that is not there yet."""
    folder.mkdir(parents=True)
    pages = -(-count // ON_A_PAGE)
    for number in range(1, pages + 1):
        shown = range((number - 1) * ON_A_PAGE + 1, min(number * ON_A_PAGE, count) + 1)
        photographs = f"photographs: [{', '.join(map(name, shown))}]"
        keys = lambda number, description: f"{corpus.keys(number, description)}\n{photographs}"
        (folder / f"{page_name(number)}.md").write_text(corpus.page(number, pages, "", page_name, keys))


class Photographs:
    """What the generators have in common here: the project of the plain pages, with some files replaced."""

    # Where the generator expects the photographs.
    photographs = "photographs"

    def install(self, markdown: Path, photographs: list[Path]) -> None:
        super().install(markdown)
        shutil.copytree(HERE / type(self).__name__.lower(), self.folder, dirs_exist_ok=True)
        (self.folder / self.photographs).mkdir(parents=True)
        for file in photographs:
            self.place(file)

    def place(self, photograph: Path) -> None:
        shutil.copyfile(photograph, self.folder / self.photographs / photograph.name)

    def without(self) -> None:
        """Makes this the same site without photographs."""
        for file in (self.folder / self.content).glob("gallery-*.md"):
            file.write_text(re.sub(r"(?m)photographs: \[.*\]$", "photographs: []", file.read_text()))

    def add(self, photograph: Path) -> None:
        """What an author does for one more photograph, on the first page."""
        self.place(photograph)
        page = self.folder / self.content / f"{page_name(1)}.md"
        page.write_text(re.sub(r"(?m)(photographs: \[.*)\]$", rf"\1, {photograph.stem}]", page.read_text()))

    def copies(self, out: Path) -> Copies:
        """The copies that the pages of an output show."""
        reader = Pictures()
        for file in sorted(out.glob("gallery-*/index.html")):
            reader.feed(file.read_text())
        files = lambda by_width: {width: out / address.lstrip("/") for width, address in by_width.items()}
        return {name: {each: files(by) for each, by in formats.items()} for name, formats in reader.found.items()}


class Sitegen(Photographs, generators.Sitegen):
    photographs = "content/assets/photographs"
    does = f"writes progressive JPEG; decodes every photograph once for all of its copies; {generators.Sitegen.does}"


class Hugo(Photographs, generators.Hugo):
    photographs = "assets/photographs"
    does = "scales and writes JPEG in Go, and has libwebp as WebAssembly, with its preset for photographs"


class Eleventy(Photographs, generators.Eleventy):
    modules = "photographs"
    does = "scales with @11ty/eleventy-img, which is sharp; its copies are looked for in the output of the last build"


class Astro(Photographs, generators.Astro):
    modules = "photographs"
    photographs = "src/photographs"
    does = "scales with sharp, as its `<Picture>` does without settings of the service"


class Zola(Photographs, generators.Zola):
    memory = ("static/processed_images",)
    does = "decodes the photograph for each copy; its JPEG has colours at full resolution, which cannot be chosen"

    def install(self, markdown: Path, photographs: list[Path]) -> None:
        super().install(markdown, photographs)
        for file in (self.folder / self.content).glob("gallery-*.md"):
            # Keys of one's own are in a table of their own.
            file.write_text(re.sub(r"(?m)^photographs: ", "extra:\n  photographs: ", file.read_text()))


class Sharp(Photographs, Generator):
    """A script for Node: the copies, and no pages."""

    name = "sharp in Node"
    # It has no project of plain pages, and does not read the pages that it gets.
    projects = HERE
    modules = "photographs"
    does = "makes no pages; makes as many copies at a time as there are processors, and leaves those that are there"

    def command(self, out: Path) -> list[str]:
        return [str(self.programs.node), "build.mjs", str(out)]

    def version(self) -> str:
        return self.programs.package_version(self.modules, "sharp")

    def copies(self, out: Path) -> Copies:
        found = {}
        for file in out.iterdir():
            photograph, _, width = file.stem.rpartition("-")
            found.setdefault(photograph, {}).setdefault(file.suffix[1:], {})[int(width)] = file
        return found


ALL = {each.__name__.lower(): each for each in (Sitegen, Hugo, Eleventy, Astro, Zola, Sharp)}


class Pictures(HTMLParser):
    """The pictures of a page: the text of each, with the addresses of its copies by format and width."""

    def __init__(self):
        super().__init__()
        self.found, self.open = {}, None

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag == "picture":
            self.open = {}
        elif tag in ("source", "img") and self.open is not None:
            for candidate in filter(None, re.split(r",\s+", values.get("srcset") or "")):
                address, width = candidate.split()
                path = unquote(urlsplit(address).path)
                ending = path.rpartition(".")[2].replace("jpg", "jpeg")
                self.open.setdefault(ending, {})[int(width.removesuffix("w"))] = path
            if tag == "img":
                self.found[values["alt"].removeprefix("The photograph ")] = self.open

    def handle_endtag(self, tag):
        if tag == "picture":
            self.open = None


def wrong(out: Path, found: Copies, count: int) -> list[str]:
    """What is wrong with the copies of an output."""
    mistakes = []
    if sorted(found) != [name(number) for number in range(1, count + 1)]:
        mistakes.append(f"{len(found)} photographs are shown, not {count}")
    seen = set()
    for photograph, formats in found.items():
        for each in FORMATS:
            by_width = formats.get(each, {})
            if tuple(sorted(by_width)) != WIDTHS:
                mistakes.append(f"{photograph} has other {each} than {WIDTHS}: {sorted(by_width)}")
            for width, file in by_width.items():
                seen.add(file)
                height = width * SIZE[1] / SIZE[0]
                size = size_of(file) if file.is_file() else None
                # Zola rounds heights down.
                if size is None or size[0] != width or abs(size[1] - height) >= 1:
                    mistakes.append(f"{file.name} is {size}, not {width} by {height:.0f}")
        if extra := formats.keys() - set(FORMATS):
            mistakes.append(f"{photograph} is also {extra}")
    published = {file for file in out.rglob("*") if file.suffix in (".jpg", ".jpeg", ".webp", ".png", ".avif")}
    if others := published - seen:
        mistakes.append(f"{len(others)} more pictures are published: {sorted(file.name for file in others)[:3]}")
    return mistakes[:5]


def size_of(file: Path) -> tuple[int, int] | None:
    """Width and height of a JPEG or a lossy WebP, as the file says them."""
    data = file.read_bytes()
    if data[:4] == b"RIFF" and data[12:16] == b"VP8 ":
        return int.from_bytes(data[26:28], "little") & 0x3FFF, int.from_bytes(data[28:30], "little") & 0x3FFF
    if data[:2] == b"\xff\xd8":
        at = 2
        while at < len(data):
            marker, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4])
            # The frames: all of 0xC0 to 0xCF but the tables and the extension among them.
            if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
                return int.from_bytes(data[at + 7 : at + 9]), int.from_bytes(data[at + 5 : at + 7])
            at += 2 + length
    return None


def weigh(found: Copies) -> dict[str, int]:
    """The bytes of all copies, by format."""
    return {each: sum(file.stat().st_size for by in found.values() for file in by[each].values()) for each in FORMATS}


def scorer(programs: Programs) -> Path:
    """The program that measures quality, installed once."""
    crate, version = SCORER
    folder = programs.folder / f"{crate}-{version}"
    program = folder / "bin" / crate
    if not program.exists():
        cargo = ["cargo", "install", "--quiet", "--locked", "--no-default-features", "--root", str(folder)]
        subprocess.run([*cargo, "--version", version, crate], check=True)
    return program


def score(
    program: Path, programs: Programs, folder: Path, photographs: list[Path], outputs: dict[str, Copies]
) -> dict[str, dict]:
    """The mean score of a sample of copies, by generator and format."""
    folder.mkdir()
    references, decoded, pairs = [], [], []
    for photograph in photographs[:SCORED]:
        for width in SCORED_WIDTHS:
            reference = folder / f"{photograph.stem}-{width}.png"
            height = width * SIZE[1] // SIZE[0]
            references.append({"from": str(photograph), "width": width, "height": height, "to": str(reference)})
            for at, (generator, found) in enumerate(outputs.items()):
                for each in FORMATS:
                    # Decoded by what browsers decode with, libjpeg and libwebp, and not by the decoders of the metric.
                    png = folder / f"{photograph.stem}-{width}-{at}-{each}.png"
                    decoded.append({"from": str(found[photograph.stem][each][width]), "to": str(png)})
                    pairs.append((generator, each, reference, png))
    node(programs, "score.mjs", folder / "wanted.json", {"references": references, "copies": decoded})

    def compare(pair) -> float:
        text = said([str(program), "image", str(pair[2]), str(pair[3])])
        return float(re.search(r"-?\d+\.\d+", text)[0])

    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        scores = list(pool.map(compare, pairs))
    of = lambda *wanted: round(statistics.mean(value for pair, value in zip(pairs, scores) if pair[:2] == wanted), 2)
    return {generator: {each: of(generator, each) for each in FORMATS} for generator in outputs}


def measure(programs: Programs, wanted: list[str], folder: Path, rounds: int, count: int, say) -> dict:
    """Measures a site with so many photographs, and the same one without."""
    folder.mkdir(parents=True)
    rounds = min(rounds, 3)
    program = scorer(programs)
    say(f"{count} photographs: cutting them")
    every = cut(programs, programs.folder.parent / "photographs", count + rounds)
    photographs, more = every[:count], every[count:]
    write(folder / "corpus", count)
    made: dict[str, Photographs] = {}
    plain: dict[str, Photographs] = {}
    for key in ["sitegen", *(key for key in wanted if key in ALL), "sharp"]:
        made[key] = ALL[key](programs, folder / "projects" / key)
        made[key].install(folder / "corpus", photographs)
        if key != "sharp":
            plain[key] = ALL[key](programs, folder / "plain" / key)
            plain[key].install(folder / "corpus", [])
            plain[key].without()
            plain[key].build(folder / "plain-out" / key)

    runs: dict[str, dict[str, list[Run]]] = {"cold": {}, "unchanged": {}, "plain": {}, "more": {}}

    def note(scenario: str, generator: Generator, out: Path) -> None:
        run = generator.build(out)
        runs[scenario].setdefault(generator.name, []).append(run)
        say(
            f"{count} photographs, {scenario}, {generator.name}: "
            f"{run.seconds:.3f} s, {run.cpu:.3f} s of processors, {run.memory:.0f} MB"
        )

    outputs: dict[str, Copies] = {}
    for turn in range(rounds):
        out = folder / f"round-{turn}"
        out.mkdir()
        order = in_turn(made, turn)
        for key in order:
            made[key].forget(folder / "aside" / f"{key}-{turn}")
            note("cold", made[key], out / key)
        if turn == 0:
            outputs = {each.name: each.copies(out / key) for key, each in made.items()}
            check(made, outputs, out, count)
            weights = {generator: weigh(found) for generator, found in outputs.items()}
        for key in order:
            for _ in range(REPEATS if key == "sitegen" else 1):
                note("unchanged", made[key], out / key)
                if key in plain:
                    note("plain", plain[key], folder / "plain-out" / key)
        for key in order:
            made[key].add(more[turn])
            note("more", made[key], out / key)
            if mistakes := wrong(out / key, made[key].copies(out / key), count + turn + 1):
                raise SystemExit(f"{made[key].name}, one more photograph: " + "\n".join(mistakes))
    say(f"{count} photographs: measuring the quality of their copies")
    scores = score(program, programs, folder / "scores", photographs, outputs)
    return {
        "about": ABOUT,
        "date": datetime.date.today().isoformat(),
        "machine": machine.describe(folder),
        "versions": {each.name: each.version() for each in made.values()},
        "does": {each.name: each.does for each in made.values()},
        "scorer": " ".join(SCORER),
        "count": count,
        "rounds": rounds,
        "bytes": weights,
        "scores": scores,
        **figures(runs),
    }


def check(made: dict[str, Photographs], outputs: dict[str, Copies], out: Path, count: int) -> None:
    """All outputs have the same pages and words, and all copies."""
    mistakes = []
    ours = alike.Output(out / "sitegen")
    for key, generator in made.items():
        mistakes += [f"{generator.name}: {each}" for each in wrong(out / key, outputs[generator.name], count)]
        if key not in ("sitegen", "sharp"):
            # The markup of pictures has other bytes everywhere.
            mistakes += alike.unlike(ours, alike.Output(out / key), generator.name, ("words",))
    if mistakes:
        raise SystemExit("the sites with photographs are not alike:\n" + "\n".join(mistakes))
