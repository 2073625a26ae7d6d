"""Short text for programs in tests, and the plans that come in two forms, right and broken."""

from __future__ import annotations

import re
from typing import NamedTuple

from xdsl.context import Context
from xdsl.dialects import arith, builtin, cf, func, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.parser import Parser

from lastuse.dialect.dnn import Dnn
from lastuse.dialect.ir.diagnostics import Location, locations, op_name
from lastuse.passes.checker import ViolationKind

TYPES = {
    "T": "tensor<16xf32>",  # 64 bytes
    "M": "tensor<2x16xf32>",
    "C": "tensor<2x1xf32>",
    "D": "tensor<2x32xf32>",
    "R": "tensor<1x16xf32>",
    "H": "tensor<8xf32>",
    "W": "tensor<32xf32>",
    "I": "tensor<16xi32>",
    "S": "tensor<1xf32>",
    "Z": "tensor<0xf32>",
    "U": "tensor<?x16xf32>",
}
_DECISION = {"inplace": "i32", "reuse": "i32", "parts": "i32", "offset": "i64", "donate": "i32", "forward": "i32"}


def parse(text: str) -> ModuleOp:
    """The module of a text in which types are letters, decisions are `inplace[0]`, and `= relu(` is `= "dnn.relu"(`."""
    for name, element in _DECISION.items():
        text = re.sub(rf"(?<![.\w]){name}\[([^\]]*)\]", rf"dnn.{name} = array<{element}: \1>", text)
    text = re.sub(r"= ([a-z_]+)\(", r'= "dnn.\1"(', text)
    text = re.sub(r"(?<![\w%@\"<])([A-Z])(?![\w\"])", lambda m: TYPES.get(m[1], m[1]), text)
    context = Context(allow_unregistered=True)
    for dialect in (builtin.Builtin, func.Func, scf.Scf, cf.Cf, arith.Arith, Dnn):
        context.load_dialect(dialect)
    module = Parser(context, text).parse_module()
    module.verify()
    for line, op in enumerate(module.walk()):
        locations[op] = Location("plan.mlir", line + 1)
    return module


def main(module: ModuleOp) -> FuncOp:
    """The function `main`."""
    return next(op for op in module.walk() if isinstance(op, FuncOp) and op.sym_name.data == "main")


def both(text: str) -> tuple[FuncOp, FuncOp]:
    """The right and the broken plan of a text with `<<right|broken>>` in it."""
    right = re.sub(r"<<(.*?)\|(.*?)>>", r"\1", text, flags=re.S)
    broken = re.sub(r"<<(.*?)\|(.*?)>>", r"\2", text, flags=re.S)
    assert right != broken
    return main(parse(right)), main(parse(broken))


def named(value: SSAValue | None) -> str | None:
    """The name of a value in the text."""
    return value.name_hint if value is not None else None


def label(op: Operation) -> str:
    """An op by its first result's name in the text, or by its own name."""
    return (op.results[0].name_hint if op.results else None) or op_name(op)


class Broken(NamedTuple):
    """A plan as text with `<<right|broken>>`, and what is wrong with the broken one."""

    name: str
    text: str
    kind: ViolationKind
    reader: str
    value: str | None
    bytes: tuple[int, int] | None
    destroyer: str | None
    path: str = ""


def pair(right: str, broken: str) -> str:
    """Two texts as one."""
    return f"<<{right}|{broken}>>"


ONE = "{dim = 0 : i64, start = %d : i64, end = %d : i64, step = 1 : i64"


def part(start: int, end: int) -> str:
    """The attributes of a slice or a scatter, without the closing brace."""
    return ONE % (start, end)
