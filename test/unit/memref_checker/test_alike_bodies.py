"""Ops whose bodies are compared in one walk: with other operands, in other numbers, and with ops that nothing reads."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.linalg.ops import FillOp, GenericOp
from xdsl.ir.affine import AffineMap

from lastuse.compiler.driver import context
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.linalg_loops import loops_of
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.memref_checker import check_form
from lastuse.passes.memref_checker.alike_bodies import AlikeBodies

T, M = "tensor<4x4xf32>", "memref<4x4xf32>"
SAME, TURNED = "affine_map<(i, j) -> (i, j)>", "affine_map<(i, j) -> (j, i)>"
LESS = "%s = arith.subf %a, %b : f32\n linalg.yield %s : f32"


def generic(type_: str, ins: str, out: str, body: str, maps: str, args: str) -> str:
    """An op over two loops; `ins`, `maps` and `args` are lists of words."""
    results = f" -> {type_}" if type_ == T else ""
    types = ", ".join([type_] * len(ins.split()))
    given = ", ".join(f"%{name}: f32" for name in args.split())
    said = ", ".join({"same": SAME, "turned": TURNED}[word] for word in maps.split())
    return f"""linalg.generic {{indexing_maps = [{said}], iterator_types = ["parallel", "parallel"]}}
      ins({", ".join(ins.split())} : {types}) outs({out} : {type_}) {{
    ^bb0({given}):
      {body}
    }}{results}"""


def module(ins: str, body: str, maps: str = "same same same", args: str = "a b c") -> ModuleOp:
    """A function that computes `%x` less `%y` over `%y`, and a form of it whose op is as the arguments say."""
    return parse(
        context(),
        f"""builtin.module {{
  func.func @main(%x: {M}, %y: {M}, %z: {M}) -> {M} {{
    {generic(M, ins, "%y", body, maps, args)}
    func.return %y : {M}
  }}
  builtin.module @lastuse.source {{
    func.func @main(%x: {T}, %y: {T} {{dnn.donated}}, %z: {T}) -> {T} {{
      %r = {generic(T, "%x", "%y", LESS, "same same", "a b")}
      func.return %r : {T}
    }}
  }}
}}""",
        "form.mlir",
    )


@pytest.mark.parametrize(
    ("ins", "body", "args"),
    [
        ("%x", LESS, "a b"),
        ("%x %y", LESS, "a b c"),
        ("%x %z", LESS.replace("%b", "%c"), "a b c"),
        ("%y %x", LESS, "b a c"),
        ("%x %z", f"%d = arith.addf %a, %c : f32\n {LESS}".replace("%b", "%c"), "a b c"),
    ],
)
def test_the_same_of_other_operands_is_proved(ins: str, body: str, args: str) -> None:
    form = module(ins, body, " ".join(["same"] * (len(ins.split()) + 1)), args)
    check_form(next(op for op in form.ops if isinstance(op, ModuleOp)), form)


@pytest.mark.parametrize(
    ("ins", "body", "maps", "args", "reason"),
    [
        ("%x %z", LESS, "same same same", "a b c", "it does not read %y"),
        ("%y %x", LESS, "same same same", "a b c", "it does not read %x"),
        ("%x", LESS.replace("subf", "addf"), "same same", "a b", "it computes something else"),
        ("%x", LESS.replace("%s : f32", "%a : f32"), "same same", "a b", "it computes something else"),
        ("%x", LESS.replace("%a, %b", "%a, %a"), "same same", "a b", "it does not read %y"),
        ("%x", LESS, "turned same", "a b", "it reads other elements"),
        ("%x %y", LESS, "same turned same", "a b c", "it reads other elements"),
        ("%x", LESS, "same turned", "a b", "it does not compute what"),
    ],
)
def test_what_is_computed_of_others_is_refused(ins: str, body: str, maps: str, args: str, reason: str) -> None:
    form = module(ins, body, maps, args)
    with pytest.raises(LastuseError, match=re.escape(reason)):
        check_form(next(op for op in form.ops if isinstance(op, ModuleOp)), form)


def test_reads_are_pairs_in_the_order_of_the_body() -> None:
    form, source = (op for op in module("%x %y", LESS).walk() if isinstance(op, GenericOp))
    alike = AlikeBodies().loops(form, source)
    assert alike is not None
    assert [*alike.reads] == [(0, 0), (1, 1)]
    assert alike.whole


def test_what_nothing_reads_is_not_read() -> None:
    form, source = (op for op in module("%z %x", LESS, args="c a b").walk() if isinstance(op, GenericOp))
    alike = AlikeBodies().loops(form, source)
    assert alike is not None
    assert [*alike.reads] == [(0, 1), (1, 2)]


def test_loops_are_those_that_each_two_ops_say() -> None:
    bodies, found = AlikeBodies(), list[Sequence[AffineMap]]()
    for maps in ("same same same", "same turned same", "same same same"):
        form, source = (op for op in module("%x %y", LESS, maps).walk() if isinstance(op, GenericOp))
        for one, two in ((form, form), (source, source)):
            alike = bodies.loops(one, two)
            assert alike is not None
            assert alike.pair.ours is alike.pair.theirs
            found.append(alike.pair.ours.maps)
        assert found[-2:] == [loops_of(form).maps, loops_of(source).maps]
    assert len(set(map(id, found))) == 3


FILLS = """func.func @main(%c: f32, %a: tensor<2xf32>, %b: tensor<2x2xf32>) {
  %x = linalg.fill ins(%c : f32) outs(%a : tensor<2xf32>) -> tensor<2xf32>
  %y = linalg.fill ins(%c : f32) outs(%b : tensor<2x2xf32>) -> tensor<2x2xf32>
  %z = linalg.fill ins(%c : f32) outs(%a : tensor<2xf32>) -> tensor<2xf32>
  func.return
}"""


def test_loops_of_named_ops_are_those_of_their_types() -> None:
    bodies = AlikeBodies()
    one, two, again = (op for op in parse(context(), FILLS, "fills.mlir").walk() if isinstance(op, FillOp))
    for op in (one, two, again):
        alike = bodies.loops(op, op)
        assert alike is not None
        assert alike.pair.ours == loops_of(op)
    assert bodies.loops(one, two) is None
    alike = bodies.loops(again, one)
    assert alike is not None
    assert [*alike.reads] == [(0, 0)]
