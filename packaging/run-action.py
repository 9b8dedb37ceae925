"""Runs the shell steps of `action.yml` as a runner of GitHub does: `run-action.py ACTION PACKAGES WORKSPACE`.

The release that the action downloads is the folder PACKAGES behind a server of this process. Steps that use another
action are printed and passed over. The project is `site` in WORKSPACE.
"""

import functools
import http.server
import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import yaml

action, packages, workspace = sys.argv[1:]
steps = yaml.safe_load(Path(action).read_text())
inputs = {name: str(each.get("default", "")) for name, each in steps["inputs"].items()} | {"root": "site"}


class Releases(http.server.SimpleHTTPRequestHandler):
    def translate_path(self, path: str) -> str:
        assert re.fullmatch(rf"/owner/sitegen/releases/download/v{inputs['version']}/[^/]+", path), path
        return str(Path(packages) / Path(path).name)

    def log_message(self, *_) -> None:
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Releases)
threading.Thread(target=server.serve_forever, daemon=True).start()
machine = {"x86_64": "X64", "aarch64": "ARM64"}[os.uname().machine]
values = {f"inputs.{name}": value for name, value in inputs.items()} | {
    "github.server_url": f"http://127.0.0.1:{server.server_port}",
    "github.action_repository": "owner/sitegen",
    "runner.os": "Linux",
    "runner.arch": machine,
}
replaced = functools.partial(re.sub, r"\$\{\{ *([\w.-]+) *\}\}", lambda match: values[match[1]])
for index, step in enumerate(steps["runs"]["steps"]):
    if "run" not in step:
        print("passed over:", step["uses"])
        continue
    print("step:", step["name"])
    output = Path(workspace) / f"output-{index}"
    output.touch()
    given = {name: replaced(value) for name, value in step.get("env", {}).items()}
    runner = {"GITHUB_OUTPUT": str(output), "RUNNER_TEMP": workspace, "GITHUB_ACTIONS": "true"}
    script = replaced(step["run"])
    assert script == step["run"], "a script takes its values from the environment"
    subprocess.run(["bash", "-e", "-c", script], cwd=workspace, check=True, env=os.environ | given | runner)
    for line in output.read_text().splitlines():
        name, value = line.split("=", 1)
        values[f"steps.{step['id']}.outputs.{name}"] = value
folder = replaced(steps["outputs"]["folder"]["value"])
assert (Path(workspace) / folder / "index.html").exists(), folder
print("built:", folder)
