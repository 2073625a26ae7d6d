"""`--shape` and `--value`: what the command line says of a model's inputs."""

from __future__ import annotations

import argparse
import re

import numpy as np

from lastuse.frontends.bindings import Bindings

SHAPE, VALUE = "--shape", "--value"
DIGITS = 9
"""Of a size at most."""


def add_input_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds both options, which may be given several times."""
    parser.add_argument(
        SHAPE,
        dest="shapes",
        action="append",
        type=_shape,
        default=[],
        metavar="NAME=1x3x320x320",
        help="the shape of an input whose sizes are not known; repeatable",
    )
    parser.add_argument(
        VALUE,
        dest="values",
        action="append",
        type=_value,
        default=[],
        metavar="NAME=16000",
        help="the elements of an input that shapes or branches depend on, with commas between them; repeatable",
    )


def bindings_of(options: argparse.Namespace) -> Bindings:
    """What the options say."""
    return Bindings(shapes=dict(options.shapes), values=dict(options.values))


def _split(text: str) -> tuple[str, str]:
    name, _, rest = text.rpartition("=")
    if not name:
        raise argparse.ArgumentTypeError(f"'{text}' has no name: NAME=…")
    return name, rest


def _shape(text: str) -> tuple[str, tuple[int, ...]]:
    name, sizes = _split(text)
    if not re.fullmatch(rf"(\d{{1,{DIGITS}}}(x\d{{1,{DIGITS}}})*)?", sizes, re.ASCII):
        raise argparse.ArgumentTypeError(f"'{sizes}' is no shape: sizes with x between them, 1x3x320x320")
    return name, tuple(int(size) for size in sizes.split("x") if size)


def _value(text: str) -> tuple[str, np.ndarray]:
    name, numbers = _split(text)
    elements = [_number(number.strip()) for number in numbers.strip("[]").split(",")]
    return name, np.array(elements if "," in numbers or "[" in numbers else elements[0])


def _number(text: str) -> int | float | bool:
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    raise argparse.ArgumentTypeError(f"'{text}' is no number")
