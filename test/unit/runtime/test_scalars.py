"""Scalars and control in the core: arithmetic against Python's integers and numpy's floats, and what is refused."""

from __future__ import annotations

import math
import operator
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from lastuse.compiler.driver import context
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.runtime import _core
from lastuse.runtime.program import Executable

WIDTHS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "index": 64}


def signed(value: int, width: int) -> int:
    cut = value & ((1 << width) - 1)
    return cut - (1 << width) if cut >> (width - 1) else cut


def unsigned(value: int, width: int) -> int:
    return value & ((1 << width) - 1)


def truncated(a: int, b: int) -> int:
    """Division towards zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


SIGNED: dict[str, Callable[[int, int], int]] = {
    "addi": operator.add,
    "subi": operator.sub,
    "muli": operator.mul,
    "divsi": truncated,
    "remsi": lambda a, b: a - truncated(a, b) * b,
    "floordivsi": operator.floordiv,
    "ceildivsi": lambda a, b: -(-a // b),
    "andi": operator.and_,
    "ori": operator.or_,
    "xori": operator.xor,
    "minsi": min,
    "maxsi": max,
}
UNSIGNED: dict[str, Callable[[int, int], int]] = {
    "divui": operator.floordiv,
    "remui": operator.mod,
    "ceildivui": lambda a, b: -(-a // b),
    "minui": min,
    "maxui": max,
}
COMPARED = {name: getattr(operator, name) for name in ("eq", "ne", "lt", "le", "gt", "ge")}


@given(st.sampled_from(list(WIDTHS)), st.integers(-(2**63), 2**63 - 1), st.integers(-(2**63), 2**63 - 1))
def test_integer_ops_wrap_and_divide_as_in_mlir(type_: str, a: int, b: int) -> None:
    width = WIDTHS[type_]
    a, b = signed(a, width), signed(b, width)
    for table, view in ((SIGNED, signed), (UNSIGNED, unsigned)):
        for name, meaning in table.items():
            scalar = _core.scalar(name, type_, type_)
            if ("div" in name or "rem" in name) and not b:
                with pytest.raises(_core.Error, match="division by zero"):
                    scalar(a, b)
                continue
            assert scalar(a, b) == signed(meaning(view(a, width), view(b, width)), width), (name, type_)
    for name, meaning in COMPARED.items():
        kinds = [("", signed)] if name in ("eq", "ne") else [("s", signed), ("u", unsigned)]
        for prefix, view in kinds:
            found = _core.scalar(f"cmpi.{prefix}{name}", type_, "i1")(a, b)
            assert found == -int(meaning(view(a, width), view(b, width))), (name, prefix, type_)


@given(st.sampled_from(["i8", "i32", "i64"]), st.integers(-(2**63), 2**63 - 1), st.integers(-1, 70))
def test_shift_by_the_width_or_more_leaves_the_sign(type_: str, a: int, by: int) -> None:
    width = WIDTHS[type_]
    a, out = signed(a, width), not 0 <= by < width
    assert _core.scalar("shli", type_, type_)(a, by) == (0 if out else signed(a << by, width))
    assert _core.scalar("shrui", type_, type_)(a, by) == (0 if out else signed(unsigned(a, width) >> by, width))
    assert _core.scalar("shrsi", type_, type_)(a, by) == (a >> 63 if out else a >> by)


@given(st.integers(-(2**31), 2**31 - 1))
def test_integer_casts_truncate_and_extend(a: int) -> None:
    assert _core.scalar("trunci", "i32", "i8")(a) == signed(a, 8)
    assert _core.scalar("extsi", "i32", "i64")(a) == a
    assert _core.scalar("extui", "i32", "i64")(a) == unsigned(a, 32)
    assert _core.scalar("index_cast", "i32", "index")(a) == a
    assert _core.scalar("index_cast", "index", "i8")(a) == signed(a, 8)
    assert _core.scalar("select", "i32", "i32")(-1, a, 7) == a and _core.scalar("select", "i32", "i32")(0, 7, a) == a


def bits(value: float, type_: str) -> int:
    if type_ == "f32":
        return int(np.float32(value).view(np.uint32))
    return int(np.float64(value).view(np.int64))


def number(word: int, type_: str) -> float:
    if type_ == "f32":
        return float(np.uint32(word).view(np.float32))
    return float(np.int64(word).view(np.float64))


FLOATS = {"addf": np.add, "subf": np.subtract, "mulf": np.multiply, "divf": np.divide}
ORDERED = {"eq": operator.eq, "gt": operator.gt, "ge": operator.ge, "lt": operator.lt, "le": operator.le}


@given(st.sampled_from(["f32", "f64"]), st.floats(width=32), st.floats(width=32))
def test_float_ops_equal_those_of_numpy(type_: str, a: float, b: float) -> None:
    dtype = np.float32 if type_ == "f32" else np.float64
    with np.errstate(all="ignore"):
        for name, meaning in FLOATS.items():
            found = number(_core.scalar(name, type_, type_)(bits(a, type_), bits(b, type_)), type_)
            np.testing.assert_equal(found, float(meaning(dtype(a), dtype(b))), err_msg=name)
    either = math.isnan(a) or math.isnan(b)
    for name, choose in (("minimumf", min), ("maximumf", max)):
        found = number(_core.scalar(name, type_, type_)(bits(a, type_), bits(b, type_)), type_)
        # A NaN wins, and -0 is below +0.
        want = math.nan if either else choose(a, b, key=lambda v: (v, math.copysign(1.0, v)))
        np.testing.assert_equal(found, float(want), err_msg=name)
    for name, meaning in ORDERED.items():
        words = bits(a, type_), bits(b, type_)
        assert _core.scalar(f"cmpf.o{name}", type_, "i1")(*words) == -int(meaning(a, b) and not either)
        assert _core.scalar(f"cmpf.u{name}", type_, "i1")(*words) == -int(meaning(a, b) or either)
    assert _core.scalar("cmpf.uno", type_, "i1")(bits(a, type_), bits(b, type_)) == -int(either)
    assert number(_core.scalar("negf", type_, type_)(bits(a, type_)), type_) == -a or math.isnan(a)


@given(st.floats(width=32))
def test_floats_to_integers_stay_in_range(a: float) -> None:
    found = _core.scalar("fptosi", "f32", "i32")(bits(a, "f32"))
    want = 0 if math.isnan(a) else int(min(max(a, -(2.0**31)), 2.0**31 - 1)) if math.isfinite(a) else None
    low, high = -(2**31), 2**31 - 1
    assert found == (want if want is not None else high if a > 0 else low)
    natural = _core.scalar("fptoui", "f32", "i8")(bits(a, "f32"))
    assert unsigned(natural, 8) == (0 if not a > 0 else 255 if a >= 256 else int(a))


@given(st.integers(-(2**31), 2**31 - 1))
def test_integers_are_converted_to_the_nearest_float(a: int) -> None:
    assert number(_core.scalar("sitofp", "i32", "f32")(a), "f32") == float(np.float32(a))
    assert number(_core.scalar("uitofp", "i32", "f64")(a), "f64") == unsigned(a, 32)
    wide = _core.scalar("extf", "f32", "f64")(bits(1.1, "f32"))
    assert number(wide, "f64") == float(np.float32(1.1))
    assert number(_core.scalar("truncf", "f64", "f32")(bits(1.1, "f64")), "f32") == float(np.float32(1.1))
    assert _core.scalar("bitcast", "f32", "i32")(bits(-1.0, "f32")) == signed(bits(-1.0, "f32"), 32)
    assert _core.scalar("bitcast", "i32", "f32")(signed(bits(-1.0, "f32"), 32)) == bits(-1.0, "f32")


@pytest.mark.parametrize("given_", [("addi", "f32", "f32"), ("addf", "bf16", "bf16"), ("nothing", "i32", "i32")])
def test_unknown_scalar_ops_are_rejected(given_: tuple[str, str, str]) -> None:
    with pytest.raises(_core.Error, match=f"no scalar '{given_[0]}' from"):
        _core.scalar(*given_)


def test_unbound_labels_and_unknown_registers_are_refused() -> None:
    program = _core.StepProgram(64, 1)
    with pytest.raises(_core.Error, match="there is no register 0"):
        program.add_set(0, 1)
    register, label = program.add_register(), program.add_label()
    with pytest.raises(_core.Error, match="there is no label 7"):
        program.add_jump(7)
    with pytest.raises(_core.Error, match="the label of the function is not bound yet"):
        program.add_function_call("call", label, [])
    program.add_branch("if", register, label, label)
    with pytest.raises(_core.Error, match="a label is not bound"):
        _core.Context(program)
    program.bind_label(label)
    with pytest.raises(_core.Error, match="is bound already"):
        program.bind_label(label)
    view = program.add_view(_core.StepProgram.ARENA, 0, np.dtype(np.float32), [4], [1])
    with pytest.raises(_core.Error, match="an index for each axis"):
        program.add_load("load", view, [], register)
    with pytest.raises(_core.Error, match="a view without axes"):
        program.add_store(register, view)
    short = program.add_parameter(32)
    with pytest.raises(_core.Error, match="an argument of 16 bytes, the parameter has 32"):
        program.add_function_call("call", label, [(short, view)])
    _core.Context(program).run([])


def parse(text: str) -> ModuleOp:
    module = Parser(context(), text).parse_module()
    module.verify()
    return module


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("%y = arith.addf %x, %x : f16", "f16 is no memref"),
        ("%y = arith.addi %x, %x : i32 func.return %y : i32 }", None),
    ],
)
def test_unsupported_scalar_types_are_rejected(body: str, message: str | None) -> None:
    type_ = "f16" if "f16" in body else "i32"
    end = "" if "return" in body else f"func.return %y : {type_} }}"
    text = f'func.func @main(%x: {type_} {{dnn.name = "x"}}) -> ({type_} {{onednn.result = "y"}}) {{ {body} {end}'
    if message is None:
        assert Executable(parse(text)).run({"x": 2**30})["y"] == -(2**31)
    else:
        with pytest.raises(LastuseError, match=message):
            Executable(parse(text))


def test_writes_through_a_call_need_a_writable_argument() -> None:
    text = """
    func.func @f(%y: memref<4xf32>) {
      onednn.eltwise "exp" ins(%y : memref<4xf32>) outs(%y : memref<4xf32>)
      func.return
    }
    func.func @main(%x: memref<4xf32> {dnn.name = "x"}) {
      func.call @f(%x) : (memref<4xf32>) -> ()
      func.return
    }"""
    with pytest.raises(LastuseError, match="writes to read-only memory of x"):
        Executable(parse(text))
    program = Executable(parse(text.replace('"x"}', '"x", dnn.donated}')))
    x = np.zeros(4, np.float32)
    program.run({"x": x})
    np.testing.assert_array_equal(x, 1)


def test_memory_as_a_value_of_control_flow_is_rejected() -> None:
    text = """
    func.func @main(%x: memref<4xf32> {dnn.name = "x"}, %c: i1 {dnn.name = "c"}) {
      %y = "scf.if"(%c) ({ scf.yield %x : memref<4xf32> }, { scf.yield %x : memref<4xf32> }) : (i1) -> memref<4xf32>
      func.return
    }"""
    with pytest.raises(LastuseError, match="memory, which is no value of control flow"):
        Executable(parse(text))


def test_ctrl_c_ends_an_endless_loop() -> None:
    code = """
        import signal
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it otherwise
        from xdsl.parser import Parser
        from lastuse.compiler import context
        from lastuse.runtime.program import Executable
        program = Executable(Parser(context(), '''
            func.func @main() {
              cf.br ^again
            ^again:
              cf.br ^again
            }''').parse_module())
        print("running", flush=True)
        program.run({})
    """
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None and process.stdout.readline() == "running\n"
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=20)
    finally:
        process.kill()
    assert "KeyboardInterrupt" in error
