"""Writes the corpus: the same Markdown files for every generator, the same bytes for the same number of pages and seed.

A page is about 600 words: front matter, headings, paragraphs with emphasis, links and code, lists, a table and a plain
code block. Links lead to other pages, to headings of other pages and to other sites. Nothing in it is a dialect of one
generator: addresses are paths from the root with a slash at the end, and headings are plain words, from which all of
them make the same ids.
"""

import random
from pathlib import Path

SEED = 20251

WORDS = (
    "able about above across again age air almost along always among answer apart area around autumn away back bake "
    "balance band bank barn basin beach beam bear begin bell below bench bend beside birch bird board boat body border "
    "bottle branch bread break bridge bright bring broad brook brown build burn calm candle canvas care carry cart cast "
    "cause cedar centre chain chair chalk change chart cheese cherry circle city clay clean clear cliff climb cloth "
    "cloud coal coast cold collect colour common copper corner cotton count country course cover craft cream crop cross "
    "crowd current curve dark dawn deep degree deliver depth desert detail dew direct distance door draw drift drive dry "
    "dust early earth east easy echo edge eight empty engine enter even evening event every exact fair fall family farm "
    "fast feather fence ferry field figure fill film final find fine fire first fish flat flood floor flour flow flower "
    "follow food forest form forward fresh friend frost fruit full garden gate gather gentle glass gold grain grass "
    "gravel green ground group grow guide half hall hammer hand harbour hard harvest hazel heat heavy hedge height hill "
    "hold hollow honey hour house ice inch inland iron island ivory join journey keep kettle kitchen ladder lake lamp "
    "land lane large late lead leaf leather ledge level library light lime line linen little local long loose low main "
    "make map maple march market marsh meadow measure meet metal middle mile mill mineral mirror mist moor morning moss "
    "mountain move narrow near needle night noon north number oak oat ocean offer open orchard order outer oven paint "
    "paper part pass path pattern pebble pepper petal pine plain plant plate pond porch port post potter pour press "
    "quarry quarter quick quiet rail rain range reach ready record reed rest ridge ripe rise river road rock roof room "
    "root rope round row rush saddle sail salt sand scale season second seed settle seven shade shallow shape shelf "
    "shell shelter shore short side silver simple slate slow small smoke smooth snow soft soil song south space spark "
    "spring square stable stair station steam steel steep step still stone storm straight stream street strong summer "
    "sun supper surface table tall tea thick thin thread three tide tile timber time top tower town track trade trail "
    "train tree turn twelve under upper valley vessel village wall warm watch water wave way weather weave west wheat "
    "wheel white wide willow wind window winter wood wool work yard year yellow"
).split()

SITES = ("www.rfc-editor.org/rfc/rfc3986", "html.spec.whatwg.org/multipage", "www.w3.org/TR/CSP3", "commonmark.org/help")


def name(number: int) -> str:
    return f"page-{number:06}"


def title(number: int) -> str:
    random_of = random.Random(f"{SEED} title {number}")
    return f"{' '.join(random_of.sample(WORDS, 3)).capitalize()} {number}"


def headings(number: int) -> list[str]:
    """The headings of a page, which differ from each other, so that every generator gives each the id of its words."""
    words = random.Random(f"{SEED} headings {number}").sample(WORDS, 12)
    return [" ".join(words[at : at + 2]).capitalize() for at in range(0, 12, 2)]


def identifier(heading: str) -> str:
    return heading.lower().replace(" ", "-")


def keys(number: int, description: str) -> str:
    """The front matter of a page."""
    return f"""title: {title(number)}
description: "{description}"
updated: 2025-{1 + number % 12:02}-{1 + number % 28:02}
weight: {number}"""


def page(number: int, count: int, folder: str = "", name=name, keys=keys) -> str:
    """The Markdown file of a page among `count` pages, numbered from 1. `folder` is where links find the others."""
    chosen = random.Random(f"{SEED} page {number} of {count}")
    own = headings(number)

    def words(least: int, most: int) -> str:
        return " ".join(chosen.choices(WORDS, k=chosen.randint(least, most)))

    def sentence() -> str:
        return f"{words(8, 15)}, {words(3, 7)}.".capitalize()

    def link() -> str:
        other = chosen.randint(1, count)
        target = f"{folder}/{name(other)}/"
        if chosen.random() < 0.5:
            target += f"#{identifier(chosen.choice(headings(other)))}"
        return f"[{words(2, 4)}]({target})"

    def rich() -> str:
        return " ".join(
            [
                sentence(),
                f"The *{words(1, 2)}* is **{words(1, 3)}**, as {link()} says.",
                sentence(),
                f"Write `{chosen.choice(WORDS)}.{chosen.choice(WORDS)}` and \"{words(2, 4)}\".",
                sentence(),
            ]
        )

    def items(marker: str) -> str:
        lines = []
        for at in range(1, 6):
            text = link() if at % 2 else f"**{chosen.choice(WORDS)}**"
            lines.append(f"{marker.format(at)} {text} {words(4, 9)}")
        return "\n".join(lines)

    rows = "\n".join(
        f"| {words(1, 2)} | {chosen.randint(1, 999)} | {words(2, 4)} |" for _ in range(5)
    )
    code = "\n".join(
        f"{chosen.choice(WORDS)} = {chosen.choice(WORDS)}({chosen.randint(0, 99)}) < {chosen.choice(WORDS)}" for _ in range(5)
    )
    return f"""---
{keys(number, sentence())}
---
{rich()}

## {own[0]}

{rich()}

{rich()}

### {own[1]}

{items("-")}

## {own[2]}

{rich()}

| {words(1, 1)} | {words(1, 1)} | {words(1, 1)} |
|---|---|---|
{rows}

{rich()}

### {own[3]}

{items("{}.")}

## {own[4]}

```text
{code}
```

{rich()}

## {own[5]}

> {sentence()} {sentence()}

{rich()} More stands [in the standard](https://{chosen.choice(SITES)}).
"""


def addresses(count: int) -> set[str]:
    """The addresses of all pages: one each, and the home page, which lists them."""
    return {"/", *(f"/{name(number)}" for number in range(1, count + 1))}


def write(folder: Path, count: int) -> int:
    """Writes `count` pages into a folder that is not there yet, and gives their bytes."""
    folder.mkdir(parents=True)
    size = 0
    for number in range(1, count + 1):
        text = page(number, count).encode()
        (folder / f"{name(number)}.md").write_bytes(text)
        size += len(text)
    return size
