"""
Three networks of PP-OCR read a picture in one array: where the text is, which way up it stands, what it says.

    python examples/ocr/read_text.py       prints the text of a picture that it draws, and the memory
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx

import lastuse
from lastuse.dialect.storage.layout import ALIGNMENT

Array = np.ndarray
Network = Callable[[Array], Array]
"""f32 [1, 3, height, width] to what the network says of it."""
HEIGHT, WIDTH = 192, 320
"""Of the picture; multiples of 32."""
SHAPES = {"detector": (1, 3, HEIGHT, WIDTH), "classifier": (1, 3, 48, 192), "recogniser": (1, 3, 48, 320)}
INK, TEXT, TURNED, MARGIN = 0.3, 0.5, 0.9, 1.6
"""Above which value a pixel belongs to text, the mean of a box makes it one, and a line is turned; and how far a line
reaches beyond what the detector marks, as a share of area / perimeter."""


@dataclass(frozen=True)
class TextLine:
    """A line of the picture: its text, how sure the recogniser is, its box (top, left, bottom, right), whether it was
    upside down."""

    text: str
    score: float
    box: tuple[int, int, int, int]
    is_turned: bool


class Reader:
    """Reads pictures of HEIGHT x WIDTH with any three networks, by name as in SHAPES."""

    def __init__(self, networks: Mapping[str, Network], characters: list[str]) -> None:
        self.networks, self.characters = networks, characters

    def __call__(self, picture: Array) -> list[TextLine]:
        """The lines of a picture, uint8 [HEIGHT, WIDTH], from its top to its bottom."""
        chances = self.networks["detector"](pixels(picture, SHAPES["detector"]))[0, 0]
        return [self._line(picture, box) for box in boxes(chances)]

    def _line(self, picture: Array, box: tuple[int, int, int, int]) -> TextLine:
        top, left, bottom, right = box
        line = picture[top:bottom, left:right]
        turned = float(self.networks["classifier"](pixels(line, SHAPES["classifier"]))[0, 1]) > TURNED
        line = line[::-1, ::-1] if turned else line
        text, score = decode(self.networks["recogniser"](pixels(line, SHAPES["recogniser"]))[0], self.characters)
        return TextLine(text, score, box, turned)


def programs(models: Mapping[str, Path]) -> dict[str, lastuse.Program]:
    """The networks compiled, by name."""
    return {name: lastuse.compile(models[name], threads=1) for name in SHAPES}


def in_one_array(compiled: Mapping[str, lastuse.Program]) -> tuple[dict[str, Network], Array]:
    """The networks, and the array that all of them run in: as large as the largest needs, before any has run."""
    most = max(program.memory_for(x=SHAPES[name]).arena_bytes for name, program in compiled.items())
    arena = np.empty(most + ALIGNMENT, np.uint8)
    return {name: program.context(arena) for name, program in compiled.items()}, arena  # pyright: ignore[reportReturnType]


def characters_of(model: Path) -> list[str]:
    """What the recogniser's classes stand for: nothing, the characters that its metadata lists, a space."""
    metadata = {entry.key: entry.value for entry in onnx.load(model, load_external_data=False).metadata_props}
    return ["", *metadata["character"].splitlines(), " "]


def pixels(picture: Array, shape: tuple[int, ...]) -> Array:
    """A gray picture as a network takes it: -1 to 1, scaled to the shape's height, with zeros at its right."""
    _, channels, height, width = shape
    used = min(width, -(-height * picture.shape[1] // picture.shape[0]))
    out = np.zeros(shape, np.float32)
    out[:, :, :, :used] = np.broadcast_to(scaled(picture, height, used) / 127.5 - 1, (channels, height, used))
    return out


def scaled(picture: Array, height: int, width: int) -> Array:
    """The picture in another size; between pixels it is linear."""
    rows, columns = _between(height, picture.shape[0]), _between(width, picture.shape[1])
    return rows @ picture.astype(np.float64) @ columns.T


def _between(count: int, source: int) -> Array:
    """[count, source]: the share of each pixel of `source` in each of `count`."""
    place = np.clip((np.arange(count) + 0.5) * source / count - 0.5, 0, source - 1)
    return np.maximum(0, 1 - np.abs(place[:, None] - np.arange(source)))


def boxes(chances: Array) -> list[tuple[int, int, int, int]]:
    """Boxes around what the detector marks, f32 [height, width], from top to bottom."""
    lines: list[tuple[int, int, int, int]] = []
    labels = components(chances > INK)
    for label in np.unique(labels[labels > 0]):
        rows, columns = np.nonzero(labels == label)
        top, left, bottom, right = rows.min(), columns.min(), rows.max() + 1, columns.max() + 1
        if min(bottom - top, right - left) < 3 or chances[top:bottom, left:right].mean() < TEXT:
            continue
        more = round(MARGIN * (bottom - top) * (right - left) / (2 * (bottom - top + right - left)))
        end = min(bottom + more, chances.shape[0]), min(right + more, chances.shape[1])
        lines.append((int(max(top - more, 0)), int(max(left - more, 0)), int(end[0]), int(end[1])))
    return sorted(lines)


def components(mask: Array) -> Array:
    """A number above 0 for each connected part of `mask`, the same for all its pixels; 0 outside."""
    labels = np.where(mask, np.arange(1, mask.size + 1).reshape(mask.shape), 0)
    while True:
        padded = np.pad(labels, 1)
        sides = padded[:-2, 1:-1], padded[2:, 1:-1], padded[1:-1, :-2], padded[1:-1, 2:]
        spread = np.where(mask, np.maximum.reduce([labels, *sides]), 0)
        if np.array_equal(spread, labels):
            return labels
        labels = spread


def decode(chances: Array, characters: list[str]) -> tuple[str, float]:
    """The text of [steps, characters], the likeliest one of each step (CTC): repeated ones count once, 0 is none."""
    best = chances.argmax(axis=1)
    kept = (best != 0) & (np.diff(best, prepend=-1) != 0)
    score = float(chances.max(axis=1)[kept].mean()) if kept.any() else 0.0
    return "".join(characters[number] for number in best[kept]), score


def main() -> None:
    sys.path.insert(0, str(Path(__file__).parent))
    from fetch import FetchError, fetch
    from picture import LINES, draw

    try:
        models = fetch()
    except FetchError as error:
        sys.exit(f"error: {error}")
    compiled = programs(models)
    networks, arena = in_one_array(compiled)
    for line in Reader(networks, characters_of(models["recogniser"]))(draw(HEIGHT, WIDTH, LINES)):
        print(f"{line.text:16} {line.score:.2f}{'  upside down' if line.is_turned else ''}")
    memory = {name: program.memory for name, program in compiled.items()}
    for name, network in memory.items():
        print(f"{name:12} arena {network.arena_bytes:9,} bytes; if nothing were shared {network.naive_bytes:11,}")
    apart = sum(network.arena_bytes for network in memory.values())
    print(f"{'one array':12} {arena.nbytes:15,} bytes; three arenas {apart:16,}")


if __name__ == "__main__":
    main()
