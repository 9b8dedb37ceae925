"""Works on content files as Weblate does, with the library beneath it, translate-toolkit.

    texts.py rewrite FILE…
        reads files and writes them, without a change
    texts.py translate ORIGINAL TRANSLATION TEXTS
        writes the texts of an original that a JSON object translates into a file beside it

The options are those that docs/content/pages/guides/translating.md names: of front matter, only values are texts.
"""

import json
import pathlib
import sys

from translate.storage.markdown import MarkdownFile
from translate.storage.yaml import YAMLFile


def markdown(path, translated):
    store = MarkdownFile(callback=translated, max_line_length=None, frontmatter_translate_values=True)
    store.parse(path.read_bytes())
    return store


def rewrite(path):
    if path.suffix == ".md":
        written = markdown(path, lambda text: text).filesrc.encode()
    else:
        written = bytes(YAMLFile.parsestring(path.read_bytes()))
    path.write_bytes(written)


def translate(original, translation, texts):
    if original.suffix == ".md":
        store = markdown(original, lambda text: texts.get(text, text))
        translation.write_text(store.filesrc)
        return [unit.source for unit in store.units]
    store = YAMLFile.parsestring(translation.read_bytes() if translation.exists() else b"")
    known = {unit.getid(): unit for unit in store.units}
    units = YAMLFile.parsestring(original.read_bytes()).units
    for unit in units:
        if unit.target not in texts:
            continue
        own = known.get(unit.getid())
        if own is None:
            own = store.UnitClass()
            own.setid(unit.getid())
            store.addunit(own)
        own.target = texts[unit.target]
    translation.write_bytes(bytes(store))
    return [unit.target for unit in units]


command, *arguments = sys.argv[1:]
if command == "rewrite":
    for path in arguments:
        rewrite(pathlib.Path(path))
else:
    original, translation = map(pathlib.Path, arguments[:2])
    print(json.dumps(translate(original, translation, json.loads(arguments[2])), ensure_ascii=False))
