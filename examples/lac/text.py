"""
Chinese text to the ids LAC's models take, and the tags they give back to words.

The dictionaries beside a model: `word.dic` (id TAB word), `q2b.dic` (character TAB the one it is looked up as: full
width to half, traditional to simplified), `tag.dic` (id TAB tag; of an id named twice the last line counts),
`small_seg.dic` (word SPACE count).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log
from pathlib import Path

import numpy as np

_ALPHANUMERIC = re.compile("[a-zA-Z0-9]")
_OUT_OF_VOCABULARY = "OOV"
_POSITIONS = ("B", "I", "E", "S")


@dataclass(frozen=True)
class Batch:
    """
    Sentences as a model takes them.

    Attributes:
        ids: int64 [T, 1], the ids of all sentences back to back.
        lod: int64 [sentences + 1], where each sentence starts; the last entry is T.
        sentences: the text.
        lengths: int64 [T], how many characters of the text each id stands for.
    """

    ids: np.ndarray
    lod: np.ndarray
    sentences: list[str]
    lengths: np.ndarray


class Dictionary:
    """The dictionaries of one model."""

    def __init__(self, folder: Path, by_word: bool = True) -> None:
        """
        Reads the dictionaries in `folder` (a model's `conf`). `by_word`: the text is first cut into words, and a word
        with an id of its own is one id (lac_model); else every character is one (seg_model).
        """
        self.ids = {word: int(number) for number, word in _pairs(folder / "word.dic", "\t")}
        self.replaced = dict(_pairs(folder / "q2b.dic", "\t"))
        self.tags = {int(number): tag for number, tag in _pairs(folder / "tag.dic", "\t")}
        self.unknown = self.ids[_OUT_OF_VOCABULARY]
        self.cutter = Cutter(folder / "small_seg.dic") if by_word else None

    def encode(self, sentences: Sequence[str]) -> Batch:
        """The ids of some sentences. An empty sentence is an empty sequence."""
        ids: list[int] = []
        lengths: list[int] = []
        lod = [0]
        for sentence in sentences:
            for piece in sentence if self.cutter is None else self.cutter.cut(sentence):
                # Whether a piece has an id is asked of it as it stands; only then are characters replaced.
                parts = [piece] if piece in self.ids else piece
                ids += [self.ids.get(self.replaced.get(part, part), self.unknown) for part in parts]
                lengths += [len(part) for part in parts]
            lod.append(len(ids))
        return Batch(
            np.array(ids, np.int64).reshape(-1, 1),
            np.array(lod, np.int64),
            list(sentences),
            np.array(lengths, np.int64),
        )

    def decode(self, batch: Batch, tags: np.ndarray) -> list[list[tuple[str, str]]]:
        """(word, tag) of each sentence of `batch`, from the model's output int64 [T, 1]."""
        spans = [slice(a, b) for a, b in zip(batch.lod[:-1], batch.lod[1:], strict=True)]
        return [
            self._words(sentence, batch.lengths[span].tolist(), tags[span, 0].tolist())
            for sentence, span in zip(batch.sentences, spans, strict=True)
        ]

    def _words(self, sentence: str, lengths: Iterable[int], tags: Iterable[int]) -> list[tuple[str, str]]:
        words: list[tuple[str, str]] = []
        characters = iter(sentence)
        for length, number in zip(lengths, tags, strict=True):
            kind, position = _split(self.tags[number])
            for count in range(length):
                character = next(characters)
                starts = count == 0 and position in ("B", "S")
                if starts or not words:
                    words.append((character, kind))
                else:  # a word's tag is that of its last character
                    words[-1] = (words[-1][0] + character, kind)
        return words


def _split(tag: str) -> tuple[str, str]:
    """`n-B` as `n`, `B`; `O`, which says nothing of the position, as `O` and nothing."""
    kind, dash, position = tag.rpartition("-")
    return (kind, position) if dash and position in _POSITIONS else (tag, "")


class Cutter:
    """Cuts text into the words of a dictionary, the likeliest way."""

    def __init__(self, file: Path) -> None:
        counts = {word: int(count) for word, count in _pairs(file, " ")}
        self.words = frozenset(counts)
        self.longest = max(map(len, counts), default=1)
        self.log_total = log(sum(counts.values()) or 1)

    def cut(self, text: str) -> list[str]:
        """
        The pieces of `text`, in order: those with the largest sum of log(length) - log(sum of all counts), where a
        character that is no word counts as length 1; of equal ones that with the longer first piece. Single ASCII
        letters and digits in a row become one piece.
        """
        size = len(text)
        best = [(0.0, 0)] * (size + 1)  # best score of text[start:], and where its first piece ends
        for start in range(size - 1, -1, -1):
            ends = [start + 1]
            ends += [e for e in range(start + 2, min(start + self.longest, size) + 1) if text[start:e] in self.words]
            best[start] = max((log(e - start) - self.log_total + best[e][0], e) for e in ends)
        pieces: list[str] = []
        start, glued = 0, False
        while start < size:
            end = best[start][1]
            piece = text[start:end]
            alphanumeric = len(piece) == 1 and _ALPHANUMERIC.match(piece) is not None
            if alphanumeric and glued:
                pieces[-1] += piece
            else:
                pieces.append(piece)
            start, glued = end, alphanumeric
        return pieces


def _pairs(file: Path, separator: str) -> list[tuple[str, str]]:
    """The lines of `file` that have two fields."""
    fields = (line.split(separator) for line in file.read_text("utf-8").split("\n"))
    return [(line[0], line[1]) for line in fields if len(line) == 2]
