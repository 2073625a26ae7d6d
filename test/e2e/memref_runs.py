"""Programs on memrefs, run by LLVM: many in one module, called with arguments that the names of programs determine."""

from __future__ import annotations

import re
import shutil
import subprocess
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute
from xdsl.parser import Parser
from xdsl.universe import Universe

OPT, RUNNER = shutil.which("mlir-opt-19"), shutil.which("mlir-cpu-runner-19")
LIBRARIES = Path("/usr/lib/llvm-19/lib")
RUNNER_LIBRARIES = [LIBRARIES / f"libmlir_{name}.so" for name in ("runner_utils", "c_runner_utils")]
LOWERING = [
    *("--scf-forall-to-for", "--convert-linalg-to-loops", "--expand-strided-metadata", "--lower-affine"),
    *("--convert-scf-to-cf", "--memref-expand", "--convert-vector-to-scf", "--lower-affine"),
    *("--convert-scf-to-cf", "--convert-vector-to-llvm", "--finalize-memref-to-llvm"),
    *("--convert-math-to-llvm", "--convert-math-to-libm", "--convert-arith-to-llvm"),
    *("--convert-index-to-llvm", "--convert-func-to-llvm", "--convert-cf-to-llvm", "--reconcile-unrealized-casts"),
]
PEER = (
    "--one-shot-bufferize=allow-return-allocs-from-loops bufferize-function-boundaries "
    "function-boundary-type-conversion=identity-layout-map"
)
SIZES = {1: 24, 2: 24, 3: 8}
"""What `?` is in an argument of each rank."""
INDICES = {"lo": 0, "hi": 4, "st": 1, "n": 6, "m": 3, "k": 2, "i": 1, "j": 1, "at": 2, "s1": 4, "s2": 4}
"""Arguments of type `index`, by name."""
_PRINTERS = {"f32": "F32", "f64": "F64", "i32": "I32", "i64": "I64"}
HEADER = "\n".join(f"func.func private @printMemref{p}(memref<*x{t}>)" for t, p in _PRINTERS.items())


class Called(NamedTuple):
    """A function on memrefs and how to call it.

    Attributes:
        name: of the function.
        seed: the name of the program, which determines the arguments.
        func: its signature.
        names: of its arguments, as far as they have some.
        results: shapes of results that it writes, behind the inputs; empty where it returns them.
        indices: what arguments of type `index` are, beyond `INDICES`.
    """

    name: str
    seed: str
    func: FuncOp
    names: Sequence[str]
    results: Sequence[tuple[int, ...]] = ()
    indices: Mapping[str, int] = {}


def reader() -> Context:
    """A context with every dialect of xDSL."""
    ctx = Context(allow_unregistered=True)
    for name, dialect in Universe.get_multiverse().all_dialects.items():
        ctx.register_dialect(name, dialect)
    return ctx


def functions_in(text: str) -> dict[str, FuncOp]:
    """The functions that a module in text has."""
    module = Parser(reader(), text).parse_module()
    return {op.sym_name.data: op for op in module.ops if isinstance(op, FuncOp)}


def body_of(text: str) -> str:
    """The ops of a module in text without the module around them, behind the attribute aliases."""
    aliases = [line for line in text.splitlines() if line.startswith("#")]
    rest = "\n".join(line for line in text.splitlines() if not line.startswith("#")).strip()
    return "\n".join([*aliases, rest[rest.index("{") + 1 : rest.rindex("}")] if "module" in rest[:20] else rest])


def renamed(text: str, prefix: str) -> str:
    """The text with another name for each symbol and attribute alias."""
    text = re.sub(r"@(?!printMemref)([A-Za-z_]\w*)", rf"@{prefix}_\1", text)
    text = re.sub(r'(sym_name = ")', rf"\1{prefix}_", text)
    return re.sub(r"#(map\w*)", rf"#{prefix}_\1", text)


def _element(type_: Attribute) -> str:
    return str(type_.element_type) if isinstance(type_, MemRefType) else str(type_)


def values_for(shape: tuple[int, ...], element: str, seed: str) -> np.ndarray:
    """The content of an argument."""
    rng = np.random.default_rng(zlib.crc32(seed.encode()))
    if element.startswith("i"):
        return rng.integers(0, 5, shape)
    return (rng.integers(-8, 9, shape) / 4).astype(np.float32)


def flag_for(seed: str) -> bool:
    """What an argument of type i1 is."""
    return zlib.crc32(seed.encode()) % 2 == 1


def _dense(array: np.ndarray) -> str:
    return np.array2string(array, separator=", ", threshold=1 << 30, max_line_width=1 << 30).replace("\n", "")


class _Main:
    """The text of a function that calls others and prints their results."""

    def __init__(self) -> None:
        self.globals: list[str] = []
        self.lines: list[str] = []
        self.count = 0

    def new(self, text: str) -> str:
        self.count += 1
        self.lines.append(f"  %v{self.count} = {text}")
        return f"%v{self.count}"

    def memory(self, shape: tuple[int, ...], element: str, seed: str | None) -> tuple[str, str]:
        """Memory with the argument's values, or with bytes that no result has."""
        type_ = f"memref<{''.join(f'{n}x' for n in shape)}{element}>"
        made = self.new(f"memref.alloc() {{alignment = 64 : i64}} : {type_}")
        if seed is None:
            poison = self.new(f"arith.constant {'-77.0' if element.startswith('f') else '-77'} : {element}")
            self.lines.append(f"  linalg.fill ins({poison} : {element}) outs({made} : {type_})")
            return made, type_
        name = f"given_{len(self.globals)}"
        content = _dense(values_for(shape, element, seed))
        self.globals.append(f"memref.global constant @{name} : {type_} = dense<{content}>")
        given = self.new(f"memref.get_global @{name} : {type_}")
        self.lines.append(f"  memref.copy {given}, {made} : {type_} to {type_}")
        return made, type_

    def cast(self, made: str, have: str, want: str) -> str:
        return made if have == want else self.new(f"memref.cast {made} : {have} to {want}")

    def call(self, called: Called) -> None:
        types = [str(t) for t in called.func.function_type.inputs]
        inputs = list(called.func.function_type.inputs)
        outs: list[tuple[str, str]] = []
        arguments: list[str] = []
        for number, type_ in enumerate(inputs):
            name = called.names[number] if number < len(called.names) else ""
            behind = number - len(called.names)
            if not isinstance(type_, MemRefType):
                arguments.append(self.scalar(str(type_), name, called))
            elif behind >= 0:
                shape = called.results[behind] if behind < len(called.results) else type_.get_shape()
                made, have = self.memory(tuple(shape), _element(type_), None)
                arguments.append(self.cast(made, have, types[number]))
                if behind < len(called.results):
                    outs.append((made, have))
            else:
                sizes = called.indices.get("?", SIZES.get(len(type_.get_shape()), 4))
                shape = tuple(sizes if n < 0 else n for n in type_.get_shape())
                made, have = self.memory(shape, _element(type_), f"{called.seed}.{number}")
                arguments.append(self.cast(made, have, types[number]))
        results = list(called.func.function_type.outputs)
        signature = f"({', '.join(types)}) -> ({', '.join(map(str, results))})"
        self.count += 1
        value, wide = f"%v{self.count}", f":{len(results)}"
        equals = f"{value}{wide if results else ''} = " if results else ""
        self.lines.append(f"  {equals}func.call @{called.name}({', '.join(arguments)}) : {signature}")
        self.mark(called.seed)
        for number, type_ in enumerate(results):
            self.print(f"{value}#{number}", type_)
        for made, have in outs:
            self.print_memref(made, have, have[have.rindex("x") + 1 : -1] if "x" in have else have[7:-1])

    def scalar(self, type_: str, name: str, called: Called) -> str:
        if type_ == "index":
            return self.new(f"arith.constant {called.indices.get(name, INDICES.get(name, 1))} : index")
        if type_ == "i1":
            return self.new(f"arith.constant {'true' if flag_for(called.seed) else 'false'}")
        if type_.startswith("vector"):
            return self.new(f"arith.constant dense<0.5> : {type_}")
        return self.new(f"arith.constant {'0.5' if type_.startswith('f') else '3'} : {type_}")

    def mark(self, seed: str) -> None:
        """A line that says whose results come now: a number of its own."""
        made, _ = self.memory((1,), "i64", None)
        zero, number = self.new("arith.constant 0 : index"), self.new(f"arith.constant {mark_of(seed)} : i64")
        self.lines.append(f"  memref.store {number}, {made}[{zero}] : memref<1xi64>")
        self.print_memref(made, "memref<1xi64>", "i64")

    def print(self, value: str, type_: Attribute) -> None:
        if isinstance(type_, MemRefType):
            self.print_memref(value, str(type_), _element(type_))
            return
        if str(type_) == "i1":
            value, text = self.new(f"arith.extui {value} : i1 to i32"), "i32"
        elif str(type_) == "index":
            value, text = self.new(f"arith.index_cast {value} : index to i64"), "i64"
        elif str(type_).startswith("vector"):
            count = str(type_)[7:-1].split("x")[0]
            zero = self.new("arith.constant 0 : index")
            made, have = self.memory((int(count),), "f32", None)
            self.lines.append(f"  vector.store {value}, {made}[{zero}] : {have}, {type_}")
            self.print_memref(made, have, "f32")
            return
        else:
            text = str(type_)
        made, have = self.memory((1,), text, None)
        zero = self.new("arith.constant 0 : index")
        self.lines.append(f"  memref.store {value}, {made}[{zero}] : {have}")
        self.print_memref(made, have, text)

    def print_memref(self, made: str, have: str, element: str) -> None:
        unranked = self.cast(made, have, f"memref<*x{element}>")
        self.lines.append(f"  func.call @printMemref{_PRINTERS[element]}({unranked}) : (memref<*x{element}>) -> ()")


def mark_of(seed: str) -> int:
    """The number that stands before the results of a program."""
    return zlib.crc32(seed.encode()) + (1 << 40)


class Printed(NamedTuple):
    """A result that was printed: its sizes, and its elements as text."""

    sizes: tuple[int, ...]
    data: str


def run(text: str, called: Sequence[Called]) -> dict[str, list[Printed]]:
    """What each function of a module on memrefs returns or writes, by the seeds of the calls."""
    main = _Main()
    for one in called:
        main.call(one)
    body = "\n".join(main.lines)
    whole = f"{HEADER}\n{text}\n{chr(10).join(main.globals)}\nfunc.func @main() {{\n{body}\n  return\n}}\n"
    assert OPT is not None and RUNNER is not None
    lowered = _piped([OPT, *LOWERING], whole)
    libraries = ",".join(map(str, RUNNER_LIBRARIES))
    printed = _piped([RUNNER, "-e", "main", "-entry-point-result=void", f"-shared-libs={libraries}"], lowered)
    return _split(printed, {mark_of(one.seed): one.seed for one in called})


def _piped(command: list[str], text: str) -> str:
    """The output of a command. Memory that is allocated holds no zeros."""
    environment = {"PATH": "/usr/bin:/bin", "MALLOC_PERTURB_": "165"}
    done = subprocess.run(command, input=text, capture_output=True, text=True, env=environment, timeout=30)
    assert done.returncode == 0, f"{command[0]}: {done.stderr[:3000]}"
    return done.stdout


def _split(printed: str, seeds: Mapping[int, str]) -> dict[str, list[Printed]]:
    results: dict[str, list[Printed]] = {}
    seed = ""
    for part in printed.split("Unranked Memref ")[1:]:
        sizes = re.search(r"sizes = \[([^]]*)\]", part)
        assert sizes is not None
        data = part.partition("data =")[2].strip()
        number = re.fullmatch(r"\[(\d{13,})\]", data)
        if number is not None and int(number[1]) in seeds:
            seed = seeds[int(number[1])]
            results[seed] = []
            continue
        results[seed].append(Printed(tuple(int(n) for n in sizes[1].split(",") if n.strip()), data))
    return results


def bufferized_by_peer(text: str) -> str:
    """A module on tensors, made one on memrefs by MLIR's own pass."""
    assert OPT is not None
    return _piped([OPT, PEER, "--mlir-print-op-generic"], text)
