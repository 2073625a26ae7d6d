"""Lines of ops (see `op_cases.build`) made from the classes' examples: other sizes and element types, which `infer`
accepts or not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from math import prod

from op_cases import build, named, operands_for
from xdsl.utils.exceptions import VerifyException

from lastuse.dialect.dnn import OPERATIONS
from lastuse.dialect.dnn.base import Array, DnnOp
from lastuse.dialect.dnn.constants import OpaqueOp
from lastuse.dialect.dnn.example import example_of
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.tensor_types import TensorInfo

DTYPES = ("f32", "f64", "f16", "bf16", "i64", "i32", "i8", "ui8", "ui64", "i1")
RUNNABLE = [cls for cls in OPERATIONS.values() if cls is not OpaqueOp]
"""The classes whose ops have a meaning."""


def text_of(types: Iterable[TensorInfo]) -> str:
    """The types as a line has them: `2x3xf32, i64`."""
    return ", ".join("x".join((*map(str, t.shape), t.dtype)) for t in types)


def types_of(line: str) -> list[list[str]]:
    """The types of a line's operands, and of its results, as text."""
    match = re.fullmatch(r"\w+\(([^)]*)\) *(?:\{.*\})? *-> *(.*)", line)
    assert match
    return [[part for part in re.split(", *", text) if part] for text in match.groups()]


def sizes_of(line: str) -> set[int]:
    """The sizes in the shapes of a line."""
    return {int(size) for side in types_of(line) for type_ in side for size in type_.split("x")[:-1]}


def resized(line: str, sizes: dict[int, int]) -> str:
    """The line with each size replaced by that which `sizes` gives for it, if any."""
    head, attributes, results = _parts(line)

    def other(match: re.Match[str]) -> str:
        return str(sizes.get(int(match[0]), match[0]))

    size = re.compile(r"(?<![\w.])\d+(?=x)|(?<=\dx)\d+(?=x)")
    return f"{size.sub(other, head)} {attributes} -> {size.sub(other, results)}"


def retyped(line: str, dtype: str) -> str:
    """The line with `dtype` for f32 in the types of operands and results."""
    head, attributes, results = _parts(line)
    f32 = re.compile(r"(?:\b|(?<=x))f32\b")
    return f"{f32.sub(dtype, head)} {attributes} -> {f32.sub(dtype, results)}"


def _parts(line: str) -> tuple[str, str, str]:
    match = re.fullmatch(r"(\w+\([^)]*\)) *(\{.*\})? *-> *(.*)", line)
    assert match, line
    return match[1], match[2] or "", match[3]


def accepted(line: str) -> str | None:
    """The line with the results that its operands make; None if the op does not accept them."""
    try:
        op = build(line, verify=False)
        results = op.infer([op.operand_type(k) for k in range(len(op.operands))])
        try:
            op.verify()
        except VerifyException:
            line = f"{line.rsplit('->', 1)[0]}-> {text_of(results)}"
            build(line)
    except (ValueError, VerifyException):
        return None
    return line if len(results) == len(op.results) else None


def example_line(cls: type[DnnOp]) -> str:
    """The example of a class as a line."""
    op = example_of(cls)
    operands = text_of(op.operand_type(k) for k in range(len(op.operands)))
    results = text_of(op.result_type(k) for k in range(len(op.results)))
    return f"{cls.name[4:]}({operands}) {cls.EXAMPLE.rsplit(': (', 1)[0].strip()} -> {results}"


def large_line(cls: type[DnnOp], factor: int = 100, most: int = 120_000) -> str | None:
    """The example of a class with `factor` times its sizes; None if the op does not accept these, or a value would have
    more than `most` elements."""
    line = example_line(cls)
    line = resized(line, {size: factor * size for size in sizes_of(line)})
    counts = (prod(map(int, type_.split("x")[:-1])) for side in types_of(line) for type_ in side)
    return accepted(line) if max(counts) <= most else None


def _with_operands(line: str, types: Iterable[str]) -> str:
    _, attributes, results = _parts(line)
    return f"{named(line)}({', '.join(types)}) {attributes} -> {results}"


def _other_shapes(line: str) -> Iterator[str]:
    """The line with one size 0, one axis of an operand 1, scalars, and operands that all have the first one's type."""
    operands, _ = types_of(line)
    for size in sorted(sizes_of(line)):
        yield resized(line, {size: 0})
    for k, type_ in enumerate(operands):
        for axis in re.finditer(r"\d+(?=x)", type_):
            narrow = f"{type_[: axis.start()]}1{type_[axis.end() :]}"
            yield _with_operands(line, [*operands[:k], narrow, *operands[k + 1 :]])
    yield re.sub(r"(?<![\w.])(\d+x)+(?=[a-z]+\d+[,) ]|[a-z]+\d+$)", "", line)
    yield _with_operands(line, operands[:1] * len(operands))


def runnable_operands(op: DnnOp) -> list[Array] | None:
    """Operands that the op can run on; None where no index fits an axis of size 0, or no offsets the rows."""
    try:
        operands = operands_for(op)
        op.reference(*operands)
    except (ValueError, LastuseError):
        return None
    return operands


@cache
def lines_of(cls: type[DnnOp]) -> tuple[str, ...]:
    """Lines of an op, from its class alone: the example, at large sizes too, in every element type that the op accepts,
    and the example in other shapes."""
    if cls is OpaqueOp:
        return ()
    example = example_line(cls)
    lines = [retyped(line, dtype) for line in (example, large_line(cls)) if line is not None for dtype in DTYPES]
    found = [line for line in map(accepted, lines) if line is not None]
    others = (accepted(retyped(line, dtype)) for line in _other_shapes(example) for dtype in ("f32", "i64"))
    found += [line for line in others if line is not None and runnable_operands(build(line)) is not None]
    return tuple(dict.fromkeys(found))
