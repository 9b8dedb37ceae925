"""Prints the licences of the syntaxes that colour code: `syntaxes.py FILE`, the `acknowledgements_full.bin` of two-face.

The file is what `two_face::acknowledgement::listing()` returns, as `syntect` stores it: bincode 1 (integers little-endian,
lengths of 8 bytes, variants of 4), compressed with zlib. The themes after the syntaxes are not in the program.
"""

import pathlib
import sys
import zlib

# `LicenseType`, in its order.
KINDS = ["Sublime", "MIT", "BSD-2-Clause", "BSD-2-Clause (FreeBSD)", "Unlicense", "BSD-3-Clause", "Apache-2.0", "WTFPL"]


def read(stored: bytes) -> list[tuple[str, str, str]]:
    """The path, the kind and the text of each licence of a syntax."""
    data, at = zlib.decompress(stored), 0

    def number(length: int) -> int:
        nonlocal at
        at += length
        assert at <= len(data), "the file ends too early"
        return int.from_bytes(data[at - length : at], "little")

    def text() -> str:
        nonlocal at
        length = number(8)
        at += length
        assert at <= len(data), "the file ends too early"
        return data[at - length : at].decode()

    def licences() -> list[tuple[str, str, str]]:
        found = []
        for _ in range(number(8)):
            kind, words = KINDS[number(4)], text()
            found.append((text(), kind, words))
        return found

    syntaxes, _themes = licences(), licences()
    assert at == len(data), "the file has more than syntaxes and themes"
    return syntaxes


if __name__ == "__main__":
    for path, kind, words in read(pathlib.Path(sys.argv[1]).read_bytes()):
        print("\n" + "=" * 80, f"{path} ({kind})", "-" * 80, words.strip(), sep="\n")
