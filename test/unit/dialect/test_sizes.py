"""Every op at sizes 0 and 1: each byte of its results is written, with what the op means, by every engine."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pytest
from good_ops import LINES
from op_cases import build, module, named, operands_for, run
from test_ops import RUNNABLE, assert_close
from xdsl.utils.exceptions import VerifyException

import lastuse
from lastuse.dialect.dnn.base import Array, DnnOp
from lastuse.dialect.ir.dtypes import numpy_dtype
from lastuse.dialect.storage.contract import contract_of
from lastuse.testing import same_bits

PATTERNS = (0x5A, 0xC3)
"""What results are full of beforehand. A byte that is not written differs between two runs."""
DTYPES = ("f64", "f16", "bf16", "i32")
"""Lines of these are the same kernels as those of f32 and i64."""


def types_of(line: str) -> list[list[str]]:
    """The shapes of a line's operands, and of its results, as text."""
    match = re.fullmatch(r"\w+\(([^)]*)\) *(?:\{.*\})? *-> *(.*)", line)
    assert match
    return [[part for part in re.split(", *", text) if part] for text in match.groups()]


def sizes_of(line: str) -> set[str]:
    """The sizes that stand in the shapes of a line."""
    return {size for side in types_of(line) for type_ in side for size in type_.split("x")[:-1]}


def resized(line: str, old: str, new: int) -> str:
    """The line with `new` for each size `old` of its shapes."""
    head, attributes, results = re.fullmatch(r"(\w+\([^)]*\)) *(\{.*\})? *-> *(.*)", line).groups()  # pyright: ignore
    size = re.compile(rf"(?<![\w.]){old}(?=x)|(?<=\dx){old}(?=x)")
    return f"{size.sub(str(new), head)} {attributes or ''} -> {size.sub(str(new), results)}"


def inferred(line: str) -> DnnOp | None:
    """The op of the line, its results as its operands make them where the line says otherwise; None if none fits."""
    try:
        op = build(line, verify=False)
        made = op.infer([op.operand_type(k) for k in range(len(op.operands))])
        shown = ", ".join("x".join((*map(str, t.shape), t.dtype)) for t in made)
        try:
            op.verify()
        except VerifyException:
            op = build(f"{line.rsplit('->', 1)[0]}-> {shown}")
    except (ValueError, VerifyException):
        return None
    return op if len(made) == len(op.results) else None


def line_of(op: DnnOp, line: str) -> str:
    """The line with the result types that the op has."""
    made = ["x".join((*map(str, op.result_type(k).shape), op.result_type(k).dtype)) for k in range(len(op.results))]
    return f"{line.rsplit('->', 1)[0]}-> {', '.join(made)}"


def variants(name: str, new: int) -> Iterator[str]:
    """Lines of the op `name` where one size, everywhere, is `new`."""
    seen = set[str]()
    for line in LINES:
        if named(line) != name or any(re.search(rf"x{dtype}\b", line) for dtype in DTYPES):
            continue
        if line.count("700") or line.count("9000") or line.count("600"):
            continue
        for old in sorted(sizes_of(line)):
            found = resized(line, old, new) if int(old) != new else line
            op = inferred(found)
            if op is not None and (text := line_of(op, found)) not in seen:
                seen.add(text)
                yield text


def filled(op: DnnOp, pattern: int) -> list[Array]:
    """Arrays for the results, every byte `pattern` (of i1: every element true or false)."""
    arrays: list[Array] = []
    for k in range(len(op.results)):
        type_ = op.result_type(k)
        shape = [d for d in type_.shape if isinstance(d, int)]
        dtype = numpy_dtype(type_.dtype)
        array = np.empty(shape, dtype)
        array.reshape(-1).view(np.uint8)[...] = pattern & 1 if dtype == np.bool_ else pattern
        arrays.append(array)
    return arrays


def operands(op: DnnOp) -> list[Array] | None:
    """Operands that the op can run on; None where no index fits an axis of size 0, or no offsets that size."""
    try:
        found = operands_for(op)
        op.reference(*found)
    except ValueError:
        return None
    return found


def check_kernel(op: DnnOp, given: list[Array]) -> None:
    wanted, runs = op.reference(*given), [filled(op, pattern) for pattern in PATTERNS]
    for results in runs:
        run(op, given, results)
    for first, second, want in zip(*runs, wanted, strict=True):
        assert same_bits(first, second), "some byte is not written"
        assert_close(first, want)


def check_program(line: str, op: DnnOp, given: list[Array], engine: str) -> None:
    wanted = op.reference(*given)
    program = lastuse.compile(module(line, engine), poison=True)
    runs = [{f"y{k}": a for k, a in enumerate(filled(op, pattern))} for pattern in PATTERNS]
    for out in runs:
        program.run({f"x{k}": a.copy() for k, a in enumerate(given)}, out)
    for name, want in zip(runs[0], wanted, strict=True):
        assert same_bits(runs[0][name], runs[1][name]), f"{engine}: some byte of {name} is not written"
        assert_close(runs[0][name], want)


@pytest.mark.parametrize("size", [0, 1])
@pytest.mark.parametrize("name", [cls.name.partition(".")[2] for cls in RUNNABLE if cls.EXAMPLE.find("x") >= 0])
def test_every_byte_of_the_results_is_written(name: str, size: int) -> None:
    for line in variants(name, size):
        op = build(line)
        given = operands(op)
        if given is None:
            continue
        try:
            check_kernel(op, given)
            for engine in sorted(e.value for e in contract_of(op).engines):
                check_program(line, op, given, engine)
        except AssertionError as error:
            raise AssertionError(f"{line}: {error}") from error


def test_ops_have_lines_of_sizes_0_and_1() -> None:
    """All but those that name one shape alone."""
    for size in (0, 1):
        without = {cls.name for cls in RUNNABLE if not any(variants(cls.name.partition(".")[2], size))}
        assert without <= {"dnn.constant"}, size
