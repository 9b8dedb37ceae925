"""Runs a program and measures it.

Nothing is deleted between runs: on some file systems creating files is many times slower for minutes after thousands
were deleted. So every cold build writes into its own folder, and a generator's cache is moved aside.
Written data is flushed before each run, so that no run pays for the one before it.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass
class Run:
    """Seconds on the clock and on the processors, and the memory of the largest process in megabytes of 1,000,000 bytes."""

    seconds: float
    cpu: float
    memory: float


def timed(command: list[str], folder: Path, environment: dict[str, str] | None = None) -> Run:
    log = Path(tempfile.gettempdir()) / f"sitegen-peers-{os.getpid()}.log"
    os.sync()
    launcher = [sys.executable, "-I", "-S", str(Path(__file__).with_name("launcher.py"))]
    output = subprocess.run(
        [*launcher, str(log), str(folder), *command],
        capture_output=True, text=True, check=True, env={**os.environ, **(environment or {})},
    )
    result = json.loads(output.stdout)
    text = log.read_text(errors="replace")
    log.unlink()
    if result.pop("status") != 0:
        raise SystemExit(f"failed: {' '.join(command)}\n{text[-4000:]}")
    return Run(**result)


@dataclass
class Figures:
    """What several runs of the same gave."""

    median: float
    least: float
    most: float
    cpu: float
    memory: float
    runs: int

    @classmethod
    def of(cls, runs: list[Run]) -> "Figures":
        seconds = [run.seconds for run in runs]
        return cls(
            statistics.median(seconds), min(seconds), max(seconds),
            statistics.median(run.cpu for run in runs), max(run.memory for run in runs), len(runs),
        )

    def to_json(self) -> dict:
        return {key: round(value, 4) for key, value in asdict(self).items()}


def figures(runs: dict[str, dict[str, list[Run]]]) -> dict[str, dict[str, dict]]:
    """The figures of every scenario that was measured, by name."""
    return {scenario: {name: Figures.of(each).to_json() for name, each in by.items()} for scenario, by in runs.items() if by}


def in_turn(names: Iterable[str], turn: int) -> list[str]:
    """The names in the order of a round: in each, the next is the first."""
    names = list(names)
    first = turn % len(names)
    return names[first:] + names[:first]
