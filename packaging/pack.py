"""Puts one binary into the packages for which no kept tool is at hand, and the same bytes give the same package.

`pack.py COMMAND TARGET BINARY SHARE OUT` writes into the folder OUT; SHARE has the licences and the list of components.
Commands: archive, npm, oci. `pack.py npm-main OUT` writes the npm package that chooses one of the others, and
`pack.py homebrew OUT ADDRESS` the formula for the archives in OUT, which will be found below ADDRESS.
"""

import gzip
import hashlib
import io
import json
import os
import sys
import tarfile
import tomllib
import zipfile
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = tomllib.loads((ROOT / "Cargo.toml").read_text())["package"]
NAME, VERSION = PACKAGE["name"], PACKAGE["version"]
LICENCES = [ROOT / "LICENSE-APACHE", ROOT / "LICENSE-MIT"]
TIME = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))


@dataclass
class System:
    """Names of a target in the formats: npm's `platform-architecture`, the architecture of OCI, the blocks of Homebrew."""

    npm: str
    oci: str | None = None
    brew: tuple[str, str] | None = None

    @property
    def program(self) -> str:
        return "sitegen.exe" if self.npm.startswith("win32") else "sitegen"


SYSTEMS = {
    "x86_64-unknown-linux-gnu": System("linux-x64", "amd64", ("linux", "intel")),
    "aarch64-unknown-linux-gnu": System("linux-arm64", "arm64", ("linux", "arm")),
    "x86_64-apple-darwin": System("darwin-x64", None, ("macos", "intel")),
    "aarch64-apple-darwin": System("darwin-arm64", None, ("macos", "arm")),
    "x86_64-pc-windows-msvc": System("win32-x64"),
}

# Path in a package: bytes, and whether it is a program.
Files = dict[str, tuple[bytes, bool]]


def documents(share: Path) -> Files:
    """The files that go with every binary: how to use it, and under which licences."""
    paths = [ROOT / "README.md", ROOT / "CHANGELOG.md", *LICENCES, *sorted(share.iterdir())]
    return {path.name: (path.read_bytes(), False) for path in paths}


def tar(files: Files) -> bytes:
    """A tar archive with names in order, the folders they are in, one owner and one time."""
    folders = {str(parent) for name in files for parent in Path(name).parents if str(parent) != "."}
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name in sorted(folders | files.keys()):
            entry = tarfile.TarInfo(name)
            entry.mtime = TIME
            if name in folders:
                entry.type, entry.mode = tarfile.DIRTYPE, 0o755
                archive.addfile(entry)
            else:
                data, is_program = files[name]
                entry.size, entry.mode = len(data), 0o755 if is_program else 0o644
                archive.addfile(entry, io.BytesIO(data))
    return out.getvalue()


def zipped(files: Files) -> bytes:
    out = io.BytesIO()
    moment = datetime.fromtimestamp(max(TIME, 315532800), timezone.utc).timetuple()[:6]
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            archive.writestr(zipfile.ZipInfo(name, moment), files[name][0], zipfile.ZIP_DEFLATED)
    return out.getvalue()


def compressed(data: bytes) -> bytes:
    return gzip.compress(data, 9, mtime=0)


def write(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    print(path.name)


def archive(target: str, binary: Path, share: Path, out: Path) -> None:
    system = SYSTEMS[target]
    files = documents(share) | {system.program: (binary.read_bytes(), True)}
    for folder in ("completions", "man"):
        for path in (ROOT / "packaging" / folder).iterdir():
            files[f"{folder}/{path.name}"] = (path.read_bytes(), False)
    top = f"{NAME}-{VERSION}-{target}"
    files = {f"{top}/{name}": file for name, file in files.items()}
    if system.program.endswith(".exe"):
        write(out / f"{top}.zip", zipped(files))
    else:
        write(out / f"{top}.tar.gz", compressed(tar(files)))


def npm_package(manifest: dict, files: Files, path: Path) -> None:
    common = {key: PACKAGE[key] for key in ("version", "description", "license")}
    text = json.dumps({"name": manifest["name"], **common, **manifest}, indent=2) + "\n"
    files = files | {"package.json": (text.encode(), False)}
    write(path, compressed(tar({f"package/{name}": file for name, file in files.items()})))


def npm(target: str, binary: Path, share: Path, out: Path) -> None:
    """The package of one system: npm installs only that whose `os` and `cpu` are its own."""
    system = SYSTEMS[target]
    platform, cpu = system.npm.split("-")
    manifest = {"name": f"@{NAME}/{system.npm}", "os": [platform], "cpu": [cpu], "preferUnplugged": True}
    files = documents(share) | {f"bin/{system.program}": (binary.read_bytes(), True)}
    npm_package(manifest, files, out / f"{NAME}-{system.npm}-{VERSION}.tgz")


def npm_main(out: Path) -> None:
    manifest = {
        "name": NAME,
        "bin": {"sitegen": "bin/sitegen.js"},
        "engines": {"node": ">=18"},
        "optionalDependencies": {f"@{NAME}/{system.npm}": VERSION for system in SYSTEMS.values()},
    }
    files: Files = {"bin/sitegen.js": ((ROOT / "packaging/npm/sitegen.js").read_bytes(), True)}
    for path in [ROOT / "README.md", *LICENCES]:
        files[path.name] = (path.read_bytes(), False)
    npm_package(manifest, files, out / f"{NAME}-{VERSION}.tgz")


def oci(target: str, binary: Path, share: Path, out: Path) -> None:
    """An image of the program and the licences of what is in it, as a layout in a tar archive (OCI Image Format 1.1)."""
    architecture = SYSTEMS[target].oci
    assert architecture, f"{target} has no images"
    notices = {f"usr/share/doc/{NAME}/{name}": file for name, file in documents(share).items() if name != "README.md"}
    layer = tar(notices | {"usr/bin/sitegen": (binary.read_bytes(), True)})
    blobs: Files = {}

    def blob(data: bytes, kind: str) -> dict:
        digest = hashlib.sha256(data).hexdigest()
        blobs[f"blobs/sha256/{digest}"] = (data, False)
        return {"mediaType": f"application/vnd.oci.image.{kind}", "digest": f"sha256:{digest}", "size": len(data)}

    created = datetime.fromtimestamp(TIME, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    config = {
        "created": created,
        "architecture": architecture,
        "os": "linux",
        "config": {"Entrypoint": ["/usr/bin/sitegen"], "WorkingDir": "/site"},
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{hashlib.sha256(layer).hexdigest()}"]},
        "history": [{"created": created, "created_by": "packaging/build"}],
    }
    manifest = {
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": blob(json.dumps(config).encode(), "config.v1+json"),
        "layers": [blob(compressed(layer), "layer.v1.tar+gzip")],
        "annotations": {
            "org.opencontainers.image.title": "sitegen",
            "org.opencontainers.image.version": VERSION,
            "org.opencontainers.image.licenses": PACKAGE["license"],
            "org.opencontainers.image.description": PACKAGE["description"],
        },
    }
    index = {
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.index.v1+json",
        "manifests": [
            blob(json.dumps(manifest).encode(), "manifest.v1+json")
            | {
                "platform": {"architecture": architecture, "os": "linux"},
                "annotations": {"org.opencontainers.image.ref.name": VERSION},
            }
        ],
    }
    blobs["index.json"] = (json.dumps(index).encode(), False)
    blobs["oci-layout"] = (b'{"imageLayoutVersion": "1.0.0"}', False)
    write(out / f"{NAME}-{VERSION}-linux-{architecture}.oci.tar", tar(blobs))


def homebrew(out: Path, address: str) -> None:
    """The formula: it installs the program of the archive for the reader's system."""
    blocks = []
    for system in ("macos", "linux"):
        inner = []
        for target, names in SYSTEMS.items():
            path = out / f"{NAME}-{VERSION}-{target}.tar.gz"
            if names.brew and names.brew[0] == system and path.exists():
                digest = hashlib.sha256(path.read_bytes()).hexdigest()
                url = f"{address.rstrip('/')}/{path.name}"
                inner.append(f'    on_{names.brew[1]} do\n      url "{url}"\n      sha256 "{digest}"\n    end\n')
        if inner:
            blocks.append(f"  on_{system} do\n{''.join(inner)}  end\n")
    description = "Static site compiler that publishes a verified site or changes nothing"
    text = f"""\
class {NAME.capitalize()} < Formula
  desc "{description}"
  homepage "{address.split("/releases/")[0]}"
  version "{VERSION}"
  license any_of: ["MIT", "Apache-2.0"]

{"".join(blocks)}
  def install
    bin.install "sitegen"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/sitegen.bash" => "sitegen"
    zsh_completion.install "completions/_sitegen"
    fish_completion.install "completions/sitegen.fish"
    doc.install Dir["THIRD-PARTY-LICENSES.txt", "*.cdx.json"]
  end

  test do
    system bin/"sitegen", "new", "site", "--starter", "minimal"
    system bin/"sitegen", "build", "--root", "site"
    system bin/"sitegen", "verify", "site/dist"
  end
end
"""
    write(out / f"{NAME}.rb", text.encode())


def main() -> None:
    match sys.argv[1:]:
        case [("archive" | "npm" | "oci") as command, target, binary, share, out]:
            {"archive": archive, "npm": npm, "oci": oci}[command](target, Path(binary), Path(share), Path(out))
        case ["npm-main", out]:
            npm_main(Path(out))
        case ["homebrew", out, address]:
            homebrew(Path(out), address)
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
