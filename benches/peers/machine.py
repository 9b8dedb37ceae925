"""What the figures were measured on."""

import os
import platform
import subprocess
from pathlib import Path


def describe(folder: Path) -> dict:
    folder.mkdir(parents=True, exist_ok=True)
    model = next(
        (line.split(":", 1)[1].strip() for line in lines("/proc/cpuinfo") if line.startswith("model name")),
        platform.processor() or platform.machine(),
    )
    memory = next((int(line.split()[1]) for line in lines("/proc/meminfo") if line.startswith("MemTotal")), 0)
    stat = subprocess.run(["stat", "-f", "-c", "%T", folder], capture_output=True, text=True)
    mounted = subprocess.run(["findmnt", "-n", "-o", "FSTYPE", "-T", folder], capture_output=True, text=True)
    return {
        "processor": model,
        "cores": len(os.sched_getaffinity(0)),
        "memory_gb": round(memory / 1e6),
        "system": f"{platform.system()} {'.'.join(platform.release().split('.')[:2])}",
        "file_system": mounted.stdout.strip() or stat.stdout.strip(),
    }


def lines(file: str) -> list[str]:
    path = Path(file)
    return path.read_text().splitlines() if path.exists() else []
