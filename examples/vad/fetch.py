"""
Gets Silero VAD (MIT), a model that says whether there is speech in 32 ms of sound, from the package index and keeps it
in a cache: one file of the package `silero-vad==6.2.3`, whose code is never imported.

    python examples/vad/fetch.py        prints the path of the model
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import fetch_package
from fetch_package import FetchError

RELEASE = "silero-vad==6.2.3"
INSIDE = "silero_vad/data/silero_vad_16k_op15.onnx"
SHA256 = "7ed98ddbad84ccac4cd0aeb3099049280713df825c610a8ed34543318f1b2c49"


def fetch() -> Path:
    """The path of the model; downloads it the first time.

    Raises:
        FetchError: there is no network, or the file is not what it was.
    """
    return fetch_package.fetch(RELEASE, {INSIDE: SHA256})[INSIDE]


if __name__ == "__main__":
    try:
        print(fetch())
    except FetchError as error:
        sys.exit(f"error: {error}")
