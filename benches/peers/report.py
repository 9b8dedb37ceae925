"""The figures as a table, a chart and a section of the README."""

import json
from html import escape
from pathlib import Path

from photographs import FORMATS, SCORED, SCORED_WIDTHS, Sharp

COPY = "cp -r"
TITLES = {
    "cold": "From nothing",
    "unchanged": "Nothing changed",
    "body": "The text of one page changed",
    "title": "The title of one page changed",
    "template": "The base template changed",
}
NEWS_TITLES = TITLES | {
    "body": "The text of one post changed",
    "title": "The title of one post changed: lists, terms, neighbours and feeds show it",
}
ABOUT_NEWS = (
    "Posts of about 600 words with a date, an author, a kind and three of 500 tags. A page each with its neighbours, lists "
    "of 20 of all posts and for every tag, author and kind, pages with all terms, and three feeds, each as Atom and as "
    "JSON Feed, with summaries."
)
LANGUAGES_TITLES = TITLES | {
    "body": "The text of one translation changed",
    "title": "The title of one translation changed",
}
OPEN = "<!-- benches/peers: written by benches/peers/run -->"
CLOSE = "<!-- /benches/peers -->"


def merged(folder: Path, results: dict) -> dict:
    """The results, with the photographs of an earlier run if this one has none; or an earlier run with new photographs, if
    this one has no pages. That section alone says when and on what it was measured."""
    file = folder / "results.json"
    earlier = json.loads(file.read_text()) if file.exists() else {}
    if earlier and not results["sizes"]:
        return earlier | {"photographs": results["photographs"]}
    if "photographs" in earlier:
        return {"photographs": earlier["photographs"]} | results
    return results


def write(folder: Path, readme: Path, results: dict) -> None:
    (folder / "results.json").write_text(json.dumps(results, indent=2) + "\n")
    (folder / "results.md").write_text(markdown(results))
    (folder / "results.svg").write_text(chart(results))
    text = readme.read_text()
    if OPEN in text:
        before, rest = text.split(OPEN, 1)
        after = rest.split(CLOSE, 1)[1]
        readme.write_text(f"{before}{OPEN}\n\n{summary(results)}\n{CLOSE}{after}")


def markdown(results: dict) -> str:
    parts = ["# sitegen and other generators on the same work", "", made_with(results), ""]
    for size, measured in results["sizes"].items():
        parts += [f"## {int(size):,} pages", ""]
        parts += [*alike_to(measured), ""]
        parts += scenarios(measured, TITLES, results)
    for size, measured in results.get("news", {}).items():
        parts += [f"## A site with news, {int(size):,} posts", "", ABOUT_NEWS, "", *alike_to(measured), ""]
        parts += scenarios(measured, NEWS_TITLES, results)
    for size, measured in results.get("languages", {}).items():
        parts += languages(int(size), measured, results)
    if "small" in results:
        small = results["small"]
        parts += ["## The small site with its islands", "", small["about"], ""]
        for scenario in ("cold", "unchanged"):
            parts += [f"### {TITLES[scenario]}", "", *table(small[scenario], results["versions"] | small["versions"]), ""]
    if "forms" in results:
        many = results["forms"]
        each = many["cold"]["sitegen"]["median"] / many["count"] * 1000
        parts += [f"## {many['count']:,} pages with a form each", "", f"{many['about']} From nothing that is {each:.2f} ms a form.", ""]
        parts += scenarios(many, TITLES, results)
    if "photographs" in results:
        parts += photographs(results["photographs"])
    if results["sizes"]:
        parts += ["## Growth", "", *growth(results), ""]
    start = results["startup"]
    parts += [
        "## Start",
        "",
        f"`sitegen --version` takes {start['median'] * 1000:.1f} ms "
        f"({start['least'] * 1000:.1f} to {start['most'] * 1000:.1f}, {start['runs']} runs); "
        f"the program has {results['binary'] / 1e6:.1f} MB.",
        "",
        "## What each does",
        "",
    ]
    parts += [f"- {name} {does}." for name, does in results["does"].items()]
    parts += [f"- {name} was not on the PATH, and is not in the tables." for name in results["absent"]]
    return "\n".join(parts) + "\n"


def alike_to(measured: dict) -> list[str]:
    """What the outputs have, and how little they differ."""
    ours = measured["outputs"]["sitegen"]
    others = [
        f"{name} {each['bytes'] / ours['bytes']:.2f} and {each['words'] / ours['words']:.3f}"
        for name, each in measured["outputs"].items()
        if name != "sitegen"
    ]
    if not others:
        return [f"{ours['words']:,} words, {ours['bytes'] / 1e6:.1f} MB of HTML."]
    return [
        f"{ours['words']:,} words on {ours['pages']:,} pages; our HTML has {ours['bytes'] / 1e6:.1f} MB. Bytes and words "
        f"of the others, relative to ours: {', '.join(others)}."
    ]


def scenarios(measured: dict, titles: dict, results: dict) -> list[str]:
    parts = []
    for scenario, title in titles.items():
        if scenario in measured:
            parts += [f"### {title}", "", *table(measured[scenario], results["versions"]), ""]
    return parts


def languages(size: int, measured: dict, results: dict) -> list[str]:
    """The site in several languages, and what it costs more than the same number of pages in one."""
    one, several = measured["one"], measured["several"]
    parts = [
        f"## {size:,} pages in four languages",
        "",
        f"{size // 4:,} pages of the same texts in each of four languages; each page names its translations in its head and in a "
        "list of links. Hugo writes no sitemap; that of sitegen names the translations of each page.",
        "",
        *alike_to(several),
        "",
        *scenarios(several, LANGUAGES_TITLES, results),
        "### Beside the same number of pages in one language, from nothing",
        "",
        "| | Processor time, one | Four | Ratio | Memory, one | Four | Ratio | Bytes of HTML, ratio |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for name, own in several["cold"].items():
        if (other := one["cold"].get(name)) and name != COPY:
            html = several["outputs"][name]["bytes"] / one["outputs"][name]["bytes"]
            parts.append(
                f"| {name} {results['versions'][name]} | {seconds(other['cpu'])} | {seconds(own['cpu'])} | {own['cpu'] / other['cpu']:.2f} "
                f"| {other['memory']:.0f} MB | {own['memory']:.0f} MB | {own['memory'] / other['memory']:.2f} | {html:.2f} |"
            )
    return [*parts, ""]


def machine(measured: dict) -> str:
    on = measured["machine"]
    return f"{on['processor']}, {on['cores']} cores, {on['memory_gb']} GB, {on['system']}, {on['file_system']}"


def made_with(results: dict) -> str:
    versions = ", ".join(f"{name} {version}" for name, version in results["versions"].items())
    return (
        f"Measured on {results['date']}: {versions}; {machine(results)}. "
        f"Medians of {results['rounds']} rounds, in which the programs took turns; the range is that of all rounds. "
        "Ratios to `cp -r` compare with copying our finished output in the same rounds. Memory is that of the largest process. Highlighting and minification are off; "
        "feeds and taxonomies are on for the site with news only."
    )


def table(measured: dict, versions: dict) -> list[str]:
    copy = measured[COPY]["median"]
    ours = measured["sitegen"]["median"]
    lines = [
        "| | Median | Range | Processor time | To `cp -r` | To sitegen | Memory |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for name, each in sorted(measured.items(), key=lambda pair: pair[1]["median"]):
        lines.append(
            f"| {f'`{COPY}`' if name == COPY else f'{name} {versions.get(name, str())}'.strip()} | {seconds(each['median'])} "
            f"| {seconds(each['least'])}–{seconds(each['most'])} | {seconds(each['cpu'])} "
            f"| {each['median'] / copy:.2f} | {each['median'] / ours:.2f} | {each['memory']:.0f} MB |"
        )
    return lines


def photographs(measured: dict) -> list[str]:
    """The site with photographs. Processor time and memory are compared with those of sharp alone."""
    count, scored = measured["count"], min(measured["count"], SCORED)
    cold, unchanged, plain, more = (measured[scenario] for scenario in ("cold", "unchanged", "plain", "more"))
    names = sorted(cold, key=lambda name: cold[name]["cpu"])
    label = lambda name: f"{name} {measured['versions'][name]}"
    sharp = cold[Sharp.name]
    parts = [
        f"## {count:,} photographs",
        "",
        f"{measured['about']} Measured on {measured['date']}: {machine(measured)}. Medians of {measured['rounds']} rounds, "
        "the most of memory.",
        "",
        f"### {TITLES['cold']}",
        "",
        "| | Median | Range | Processor time | To sharp | Memory | To sharp |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for name in names:
        each = cold[name]
        parts.append(
            f"| {label(name)} | {seconds(each['median'])} | {seconds(each['least'])}–{seconds(each['most'])} "
            f"| {seconds(each['cpu'])} | {each['cpu'] / sharp['cpu']:.2f} "
            f"| {each['memory']:.0f} MB | {each['memory'] / sharp['memory']:.2f} |"
        )
    parts += [
        "",
        "### Bytes and quality of the copies",
        "",
        f"The score is SSIMULACRA2, by {measured['scorer']}: 100 is the picture itself, and from 90 on nobody sees a "
        f"difference. It is the mean of {scored * len(SCORED_WIDTHS)} copies of {scored} photographs.",
        "",
        "| | WebP | To sharp | Score | JPEG | To sharp | Score |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for name in names:
        cells = []
        for each in FORMATS:
            size = measured["bytes"][name][each]
            cells += [
                f"{size / 1e6:.2f} MB",
                f"{size / measured['bytes'][Sharp.name][each]:.3f}",
                f"{measured['scores'][name][each]:.2f}",
            ]
        parts.append(f"| {label(name)} | {' | '.join(cells)} |")
    parts += [
        "",
        "### Nothing changed, and one photograph more",
        "",
        "The same site without photographs shows what they cost when nothing changed. What one more costs stands beside the "
        "mean of all from nothing, both in processor time.",
        "",
        "| | Nothing changed | Without photographs | One more | Its processor time | A photograph from nothing | Memory |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for name in names:
        without = plain.get(name)
        start = without["cpu"] if without else unchanged[name]["cpu"]
        parts.append(
            f"| {label(name)} | {seconds(unchanged[name]['median'])} | {seconds(without['median']) if without else '–'} "
            f"| {seconds(more[name]['median'])} | {seconds(more[name]['cpu'] - unchanged[name]['cpu'])} "
            f"| {seconds((cold[name]['cpu'] - start) / count)} | {more[name]['memory']:.0f} MB |"
        )
    return [*parts, "", *(f"- {name} {does}." for name, does in measured["does"].items()), ""]


def growth(results: dict) -> list[str]:
    lines = [
        "| Pages | From nothing | A page | `cp -r` a page | Memory | Memory a page |",
        "|---:|---:|---:|---:|---:|---:|",
    ]
    for size, measured in results["sizes"].items():
        ours, copy = measured["cold"]["sitegen"], measured["cold"][COPY]
        count = int(size)
        lines.append(
            f"| {count:,} | {seconds(ours['median'])} | {ours['median'] / count * 1e6:.0f} µs "
            f"| {copy['median'] / count * 1e6:.0f} µs "
            f"| {ours['memory']:.0f} MB | {ours['memory'] / count * 1000:.1f} KB |"
        )
    return lines


def seconds(value: float) -> str:
    if value < 0.1:
        return f"{value * 1000:.1f} ms"
    return f"{value * 1000:.0f} ms" if value < 1 else f"{value:.2f} s"


def with_peers(results: dict) -> str | None:
    """The largest size at which other generators were measured."""
    sizes = [size for size, measured in results["sizes"].items() if len(measured["outputs"]) > 1]
    return max(sizes, key=int, default=None)


def summary(results: dict) -> str:
    size = with_peers(results) or max(results["sizes"], key=int)
    lines = [
        f"{int(size):,} Markdown pages of about 600 words through a base and a page template, with an index of all; "
        "sitegen with all of its checks on.",
        "",
        *overview(results["sizes"][size], [name for name in TITLES if name != "title"], results),
        "",
        '![Seconds for each generator, from nothing](benches/peers/results.svg)',
        "",
    ]
    lines += [
        f"Medians of {results['rounds']} rounds in which the programs took turns, measured on {results['date']} ({machine(results)}).",
        "The outputs were compared first: the same pages and words, and no broken links. Memory is that of the largest process.",
        "[results.md](benches/peers/results.md) has the ranges, the growth and other sites; `benches/peers/run` measures again.",
        "",
    ]
    return "\n".join(lines)


def overview(measured: dict, scenarios: list[str], results: dict) -> list[str]:
    """The medians of all generators, a column for each scenario."""
    columns = [name for name in scenarios if name in measured]
    lines = [
        "| | " + " | ".join(TITLES[name] for name in columns) + " | Memory |",
        "|---|" + "---:|" * (len(columns) + 1),
    ]
    for name in sorted(measured["cold"], key=lambda name: measured["cold"][name]["median"]):
        cells = [seconds(measured[scenario][name]["median"]) for scenario in columns]
        label = "`cp -r` of the output" if name == COPY else f"{name} {results['versions'].get(name, '')}".strip()
        lines.append(f"| {label} | {' | '.join(cells)} | {measured['cold'][name]['memory']:.0f} MB |")
    return lines


def chart(results: dict) -> str:
    """Bars of the time from nothing, readable on light and dark backgrounds and by screen readers."""
    size = with_peers(results) or max(results["sizes"], key=int)
    measured = results["sizes"][size]["cold"]
    bars = sorted(((name, each["median"]) for name, each in measured.items()), key=lambda bar: bar[1])
    row, left, right, width, top = 34, 150, 90, 720, 46
    height = top + row * len(bars) + 14
    most = max(value for _, value in bars)
    described = "; ".join(f"{name} {seconds(value)}" for name, value in bars)
    title = f"{int(size):,} pages from nothing"
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'role="img" aria-labelledby="title description">',
        f'<title id="title">{escape(title)}: time of each generator</title>',
        f'<desc id="description">{escape(described)}. Shorter is better.</desc>',
        "<style>text{font:15px system-ui,sans-serif;fill:#1f2328}.own{font-weight:700}.bar{fill:#7d8590}"
        ".bar.own{fill:#1a7f37}.quiet{fill:#57606a;font-size:13px}"
        "@media(prefers-color-scheme:dark){text{fill:#e6edf3}.bar{fill:#8b949e}.bar.own{fill:#3fb950}.quiet{fill:#9198a1}}"
        "</style>",
        f'<text x="8" y="24" class="own">{escape(title)}</text>',
        f'<text x="{width - 8}" y="24" text-anchor="end" class="quiet">median, shorter is better</text>',
    ]
    for at, (name, value) in enumerate(bars):
        y = top + at * row
        own = " own" if name == "sitegen" else ""
        long = max(2, (width - left - right) * value / most)
        out += [
            f'<text x="{left - 10}" y="{y + 19}" text-anchor="end" class="{own.strip() or "name"}">{escape(name)}</text>',
            f'<rect x="{left}" y="{y + 3}" width="{long:.1f}" height="{row - 12}" rx="3" class="bar{own}"/>',
            f'<text x="{left + long + 8:.1f}" y="{y + 19}">{seconds(value)}</text>',
        ]
    out.append("</svg>")
    return "\n".join(out) + "\n"
