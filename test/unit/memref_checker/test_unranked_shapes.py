"""Memrefs of unknown rank: which forms of their programs are proved, and which are not."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import ModuleOp

from lastuse.compiler.driver import context
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.memref_checker import check_form

U, M = "tensor<*xf32>", "memref<*xf32>"
ANY = "memref<?x3xf32, strided<[?, ?], offset: ?>>"
PROGRAM = f"""
    %c0 = arith.constant 0 : index
    %r = tensor.cast %u : {U} to tensor<?x3xf32>
    %p = tensor.insert %v into %r[%i, %i] : tensor<?x3xf32>
    %w = tensor.cast %p : tensor<?x3xf32> to {U}
    %d = tensor.dim %r, %c0 : tensor<?x3xf32>
    %n = "tensor.rank"(%o) : ({U}) -> index
    func.return %w, %d, %n : {U}, index, index"""
CAST = f'"memref.cast"(%u) : ({M}) -> {ANY}'
STORE = f"memref.store %v, %r[%i, %i] : {ANY}"
BACK = f'%w = "memref.cast"(%r) : ({ANY}) -> {M}'
DIM = f"memref.dim %r, %c0 : {ANY}"
RANK = f'"memref.rank"(%o) : ({M}) -> index'


def module(
    cast: str = CAST, store: str = STORE, back: str = BACK, dim: str = DIM, rank: str = RANK, result: str = "%w"
) -> ModuleOp:
    """A function that writes its first argument and asks for sizes, and a form of it as the arguments say."""
    return parse(
        context(),
        f"""builtin.module {{
  func.func @main(%u: {M}, %o: {M}, %v: f32, %i: index) -> ({M}, index, index) {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = {cast}
    {store}
    {back}
    %d = {dim}
    %n = {rank}
    func.return {result}, %d, %n : {M}, index, index
  }}
  builtin.module @lastuse.source {{
    func.func @main(%u: {U} {{dnn.donated}}, %o: {U}, %v: f32, %i: index) -> ({U}, index, index) {{{PROGRAM}
    }}
  }}
}}""",
        "form.mlir",
    )


def _check(form: ModuleOp) -> None:
    check_form(next(op for op in form.ops if isinstance(op, ModuleOp)), form)


@pytest.mark.parametrize(
    "form",
    [
        module(),
        module(result="%u"),
        module(back=f'%s = "memref.cast"(%u) : ({M}) -> {ANY}\n %w = "memref.cast"(%s) : ({ANY}) -> {M}'),
        module(dim=f"memref.dim %u, %c0 : {M}"),
        module(dim=f"memref.dim %w, %c0 : {M}"),
        module(store=STORE + f'\n %t = "memref.cast"(%r) : ({ANY}) -> {M}'),
    ],
)
def test_the_same_memory_under_any_cast_is_proved(form: ModuleOp) -> None:
    _check(form)


@pytest.mark.parametrize(
    ("form", "reason"),
    [
        (module(store=""), "result 0 is not %w"),
        (module(result="%o"), "result 0 is not %w|sizes are not known to be equal"),
        (module(cast=CAST.replace("%u", "%o")), "not known to be equal"),
        (module(store=STORE.replace("%v", "%f").join(["%f = arith.negf %v : f32\n", ""])), "result 0 is not %w"),
        (module(dim=f"memref.dim %u, %c1 : {M}"), "%d is another value"),
        (module(dim=f"memref.dim %o, %c0 : {M}"), "%d is another value"),
        (module(rank=RANK.replace("%o", "%u")), "%n is another value"),
        (module(*(part.replace("?x3x", "?x4x") for part in (CAST, STORE, BACK, DIM))), "not known to be equal"),
        (module(store=STORE + f"\n memref.dealloc %u : {M}"), "is given back, which is not there to be given back"),
        (module(back=f"{BACK}\n memref.store %v, %r[%c0, %c0] : {ANY}"), "result 0 is not %w"),
    ],
)
def test_other_memory_or_sizes_are_not_proved(form: ModuleOp, reason: str) -> None:
    with pytest.raises(LastuseError, match=reason):
        _check(form)
