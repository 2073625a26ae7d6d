"""Environments of the other systems that benchmarks compare with, under build/peers, one for each."""

from __future__ import annotations

import shutil
import subprocess
import venv
from collections.abc import Iterable, Mapping
from pathlib import Path

PEERS = Path(__file__).resolve().parent.parent / "build" / "peers"


def install(packages: Mapping[str, Iterable[str]]) -> None:
    """Makes the environments that are not there, with pip; none has to agree with another's numpy.

    Args:
        packages: what pip installs, by the name of the environment.
    """
    for name, wanted in packages.items():
        folder = PEERS / name
        if (folder / "bin" / "python").exists():
            continue
        print(f"installs {name}", flush=True)
        venv.create(folder, with_pip=True)
        done = subprocess.run([folder / "bin" / "python", "-m", "pip", "install", "-q", *wanted], check=False)
        if done.returncode:
            shutil.rmtree(folder)
            print(f"{name} cannot be installed, and is left out")


def interpreter(name: str) -> Path | None:
    """The Python of this environment; None where it is not installed."""
    python = PEERS / name / "bin" / "python"
    return python if python.exists() else None
