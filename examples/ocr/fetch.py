"""
Gets three networks of PP-OCR (Apache-2.0) from the package index and keeps them in a cache: files of the package
`rapidocr-onnxruntime==1.4.4`, whose code is never imported.

    python examples/ocr/fetch.py        prints the paths of the models
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import fetch_package
from fetch_package import FetchError

RELEASE = "rapidocr-onnxruntime==1.4.4"
INSIDE = "rapidocr_onnxruntime/models"
FILES = {
    "detector": f"{INSIDE}/ch_PP-OCRv4_det_infer.onnx",
    "classifier": f"{INSIDE}/ch_ppocr_mobile_v2.0_cls_infer.onnx",
    "recogniser": f"{INSIDE}/ch_PP-OCRv4_rec_infer.onnx",
}
SHA256 = {
    "detector": "d2a7720d45a54257208b1e13e36a8479894cb74155a5efe29462512d42f49da9",
    "classifier": "e47acedf663230f8863ff1ab0e64dd2d82b838fceb5957146dab185a89d6215c",
    "recogniser": "48fc40f24f6d2a207a2b1091d3437eb3cc3eb6b676dc3ef9c37384005483683b",
}


def fetch() -> dict[str, Path]:
    """The path of each model; downloads them the first time.

    Raises:
        FetchError: there is no network, or a file is not what it was.
    """
    paths = fetch_package.fetch(RELEASE, {FILES[name]: digest for name, digest in SHA256.items()})
    return {name: paths[file] for name, file in FILES.items()}


if __name__ == "__main__":
    try:
        print(*fetch().values(), sep="\n")
    except FetchError as error:
        sys.exit(f"error: {error}")
