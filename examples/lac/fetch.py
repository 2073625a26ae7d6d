"""
Gets LAC, Baidu's model of Chinese lexical analysis (Apache-2.0), from the package index and keeps it in a cache.

Only the models and dictionaries of the source distribution `LAC==2.1.2` are used; its code is never imported. pip
checks the archive's hash before anything in it runs, and every file is compared with SHA256SUMS each time it is asked
for. The cache is `$XDG_CACHE_HOME/lastuse` (`~/.cache/lastuse`).

    python examples/lac/fetch.py        prints the folder that holds lac_model/ and seg_model/
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

RELEASE = "LAC==2.1.2"
ARCHIVE_SHA256 = "22fcde0d5082d2044205ea6f6a7a9cd1f0d63e7b21b2dd5c9c73f27e7c0a3ef1"
INSIDE = "LAC-2.1.2/LAC"
"""Where the files of SHA256SUMS stand in the archive."""
MEGABYTES = 65
CONSTRAINT = "setuptools<75\n"
"""What pip needs to read the archive's metadata: newer versions refuse its setup.py."""


class FetchError(RuntimeError):
    """The model could not be had; the message says why and what to do."""


def cache() -> Path:
    """The folder the model is kept in."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "lastuse" / RELEASE.replace("==", "-")


def checksums() -> dict[str, str]:
    """SHA-256 by file, relative to the folder `fetch` returns."""
    lines = (Path(__file__).parent / "SHA256SUMS").read_text().splitlines()
    return {name: digest for digest, name in (line.split(maxsplit=1) for line in lines)}


def fetch(quiet: bool = False) -> Path:
    """
    The folder that holds `lac_model` and `seg_model`, each with `model/` and `conf/`; downloads them the first time.

    Raises:
        FetchError: there is no network, or a file is not what it was.
    """
    folder = cache()
    if folder.is_dir() and not (wrong := _wrong(folder)):
        return folder
    if folder.is_dir():
        _say(
            f"The copy of {RELEASE} in {folder} is damaged ({wrong[0]}): it is fetched again.",
            quiet,
        )
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        _say(f"Downloading {RELEASE} ({MEGABYTES} MB, once) …", quiet)
        archive = _download(Path(scratch))
        fresh = Path(scratch) / "files"
        _unpack(archive, fresh)
        if wrong := _wrong(fresh):
            raise FetchError(f"{RELEASE} holds another {wrong[0]} than the one this example was written for")
        shutil.rmtree(folder, ignore_errors=True)
        try:
            fresh.rename(folder)
        except OSError:
            if _wrong(folder):  # else another process was faster, and its copy is as good
                raise
    _say(f"Kept in {folder}", quiet)
    return folder


def _say(text: str, quiet: bool) -> None:
    if not quiet:
        print(text, file=sys.stderr, flush=True)


def _wrong(folder: Path) -> list[str]:
    """The files that are missing or differ from SHA256SUMS."""
    return [name for name, digest in checksums().items() if _sha256(folder / name) != digest]


def _sha256(file: Path) -> str | None:
    try:
        return hashlib.sha256(file.read_bytes()).hexdigest()
    except OSError:
        return None


def _download(folder: Path) -> Path:
    constraint, requirement = folder / "constraint.txt", folder / "requirement.txt"
    constraint.write_text(CONSTRAINT)
    requirement.write_text(f"{RELEASE} --hash=sha256:{ARCHIVE_SHA256}\n")
    command = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
    ]
    command += [
        "--no-binary",
        ":all:",
        "--retries",
        "1",
        "-r",
        str(requirement),
        "-d",
        str(folder),
    ]
    done = subprocess.run(
        command,
        env={**os.environ, "PIP_CONSTRAINT": str(constraint)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        said = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        reason = next(
            (line for line in said if line.startswith("ERROR")),
            said[-1] if said else "pip said nothing",
        )
        raise FetchError(
            f"{RELEASE} could not be downloaded. It needs the network once; after that it is kept in {cache()}.\n"
            f"pip: {reason}"
        )
    return next(folder.glob("*.tar.gz"))


def _unpack(archive: Path, folder: Path) -> None:
    """Writes the files of SHA256SUMS, and nothing else of the archive, into `folder`."""
    try:
        with tarfile.open(archive) as tar:
            for name in checksums():
                source = tar.extractfile(f"{INSIDE}/{name}")
                if source is None:
                    raise FetchError(f"{name} in {RELEASE} is not a file")
                target = folder / name
                target.parent.mkdir(parents=True, exist_ok=True)
                with source, target.open("wb") as out:
                    shutil.copyfileobj(source, out)
    except (tarfile.TarError, KeyError) as error:
        raise FetchError(f"{RELEASE} is not the archive this example was written for: {error}") from None


if __name__ == "__main__":
    try:
        print(fetch())
    except FetchError as error:
        sys.exit(f"error: {error}")
