"""A picture with lines of text, drawn from a font of 5 x 7 dots; a line can stand on its head."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

ROWS, COLUMNS = 7, 5
"""Dots of a character."""
FONT = {
    "A": "0e11111f111111",
    "B": "1e11111e11111e",
    "C": "0e11101010110e",
    "D": "1c12111111121c",
    "E": "1f10101e10101f",
    "F": "1f10101e101010",
    "G": "0e11101711110f",
    "H": "1111111f111111",
    "I": "0e04040404040e",
    "J": "0702020202120c",
    "K": "11121418141211",
    "L": "1010101010101f",
    "M": "111b1515111111",
    "N": "11111915131111",
    "O": "0e11111111110e",
    "P": "1e11111e101010",
    "Q": "0e11111115120d",
    "R": "1e11111e141211",
    "S": "0f10100e01011e",
    "T": "1f040404040404",
    "U": "1111111111110e",
    "V": "11111111110a04",
    "W": "1111111515150a",
    "X": "11110a040a1111",
    "Y": "1111110a040404",
    "Z": "1f01020408101f",
    "0": "0e11131519110e",
    "1": "040c040404040e",
    "2": "0e11010204081f",
    "3": "1f02040201110e",
    "4": "02060a121f0202",
    "5": "1f101e0101110e",
    "6": "0608101e11110e",
    "7": "1f010204080808",
    "8": "0e11110e11110e",
    "9": "0e11110f01020c",
    ".": "00000000000c0c",
    "-": "0000001f000000",
    " ": "00000000000000",
}
"""For each character its rows from the top, two hexadecimal digits a row, whose lowest bit is the dot at the right."""


@dataclass(frozen=True)
class Line:
    """
    A line of text in the picture.

    Attributes:
        text: characters of `FONT`.
        top, left: its first pixel.
        dot: pixels of a dot's side.
        is_turned: the line is turned by 180 degrees, in its place.
    """

    text: str
    top: int
    left: int
    dot: int = 4
    is_turned: bool = False


LINES = (
    Line("LAST USE", 20, 30),
    Line("TOTAL 1849.50", 80, 12, dot=3),
    Line("2024-10-31", 136, 60, dot=3, is_turned=True),
)
"""What the example reads."""


def draw(height: int, width: int, lines: Sequence[Line]) -> np.ndarray:
    """Dark lines on light paper: uint8 [height, width]."""
    picture = np.full((height, width), 245, np.float64)
    for line in lines:
        ink = _ink(line.text, line.dot)
        if line.is_turned:
            ink = ink[::-1, ::-1]
        place = picture[line.top : line.top + ink.shape[0], line.left : line.left + ink.shape[1]]
        if place.shape != ink.shape:
            raise ValueError(f"'{line.text}' does not fit into a picture of {height} x {width}")
        place -= 215 * ink
    return picture.round().astype(np.uint8)


def _ink(text: str, dot: int) -> np.ndarray:
    """How dark each pixel of a line is, 0 to 1, with soft edges."""
    dots = np.zeros((ROWS + 2, (COLUMNS + 1) * len(text) + 2))
    for number, character in enumerate(text):
        rows = np.frombuffer(bytes.fromhex(FONT[character]), np.uint8)
        left = 1 + (COLUMNS + 1) * number
        dots[1:-1, left : left + COLUMNS] = rows[:, None] >> np.arange(COLUMNS)[::-1] & 1
    ink = np.kron(dots, np.ones((dot, dot)))
    for axis in (0, 1):
        ink = (np.roll(ink, 1, axis) + 2 * ink + np.roll(ink, -1, axis)) / 4
    return ink
