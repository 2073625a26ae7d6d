"""Contracts of ops of other dialects: imported on first use, replaced by the user's own, and right."""

from __future__ import annotations

import runpy
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects import arith, get_all_dialects
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.parser import Parser

from lastuse.dialect.storage import contract
from lastuse.dialect.storage.contract import FOREIGN, Contract, InPlace, contract_of, is_region_op
from lastuse.dialect.storage.layout import Strided
from lastuse.dialect.storage.registration import register_contract
from support import ROOT


def ops(text: str) -> list[Operation]:
    """The ops of a function's only block, the return left out."""
    context = Context(allow_unregistered=True)
    for name, factory in get_all_dialects().items():
        context.register_dialect(name, factory)
    module = Parser(context, text).parse_module()
    module.verify()
    func = next(iter(module.body.block.ops))
    return list(func.regions[0].blocks[0].ops)[:-1]


def test_contracts_of_a_dialect_are_imported_on_first_use() -> None:
    code = """
import sys, lastuse
from lastuse.passes.inplace import InplacePass
met = [m for m in sys.modules if m.startswith("lastuse.dialect.foreign") or m == "xdsl.dialects.linalg"]
assert not met, met
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr


def test_registered_contract_wins_over_the_shipped_one(monkeypatch: pytest.MonkeyPatch) -> None:
    import_module("lastuse.dialect.foreign.arith")  # for the tests behind this one: it is imported once
    monkeypatch.setattr(contract, "_registered", {})
    monkeypatch.setattr(contract, "_met", set())
    monkeypatch.delitem(sys.modules, "lastuse.dialect.foreign.arith", raising=False)
    (negated, added) = ops("""
      func.func @f(%x: tensor<4xf32>) {
        %a = arith.negf %x : tensor<4xf32>
        %b = arith.addf %a, %a : tensor<4xf32>
        func.return
      }""")
    mine = Contract(scratch=64)
    register_contract(arith.NegfOp, mine)
    assert contract_of(added).over == (InPlace(0, 0, allow_same_operand=True), InPlace(0, 1, allow_same_operand=True))
    assert contract_of(negated) == mine
    register_contract(arith.AddfOp, lambda _: mine)
    assert contract_of(added) == mine


def test_scalars_have_no_bytes() -> None:
    (added,) = ops("func.func @f(%i: index) { %j = arith.addi %i, %i : index func.return }")
    assert contract_of(added) == FOREIGN


def test_an_op_of_a_shipped_dialect_without_contract_is_foreign() -> None:
    (reshaped,) = ops("""
      func.func @f(%x: tensor<4xf32>, %shape: tensor<2xindex>) {
        %a = tensor.reshape %x(%shape) : (tensor<4xf32>, tensor<2xindex>) -> tensor<2x2xf32>
        func.return
      }""")
    assert contract_of(reshaped) == FOREIGN


SLICES = [
    ((8, 4), (2, 0), (4, 4), (1, 1), (4, 4)),
    ((8, 4), (1, 1), (3, 2), (2, 2), (3, 2)),
    ((2, 8), (1, 0), (1, 4), (1, 2), (4,)),
    ((2, 1, 6), (1, 0, 3), (1, 1, 2), (1, 1, 1), (1, 2)),
    ((4,), (2,), (1,), (1,), ()),
    ((4, 4), (4, 0), (0, 4), (1, 1), (0, 4)),
]


@pytest.mark.parametrize(("whole", "offsets", "sizes", "strides", "part"), SLICES)
def test_slices_name_the_bytes_that_numpy_takes(
    whole: Sequence[int], offsets: Sequence[int], sizes: Sequence[int], strides: Sequence[int], part: Sequence[int]
) -> None:
    def type_(shape: Sequence[int]) -> str:
        return f"tensor<{'x'.join([*map(str, shape), 'f32'])}>"

    numbers = f"{list(offsets)} {list(sizes)} {list(strides)}"
    extract, insert = ops(f"""
      func.func @f(%x: {type_(whole)}) {{
        %s = tensor.extract_slice %x{numbers} : {type_(whole)} to {type_(part)}
        %y = tensor.insert_slice %s into %x{numbers} : {type_(part)} into {type_(whole)}
        func.return
      }}""")
    window = tuple(slice(o, o + n * step, step) for o, n, step in zip(offsets, sizes, strides, strict=True))
    at = np.arange(np.prod(whole)).reshape(whole)[window].reshape(part)
    dense = Strided.dense(whole, 4)
    (view,) = contract_of(extract).views
    base, source = contract_of(insert).contributions
    assert (base.operand, base.complement, source.operand, source.complement) == (1, True, 0, False)
    for map_ in (view.map, base.into, source.into):
        found = map_(dense)
        assert found is not None and found.sizes == tuple(part)
        np.testing.assert_array_equal(found.bytes()[::4] // 4, at.reshape(-1))


@pytest.mark.parametrize("numbers", ["[6] [4] [1]", "[-1] [4] [1]", "[%i] [4] [-1]", "[0] [4] [0]"])
def test_slices_of_unknown_geometry_are_foreign(numbers: str) -> None:
    extract, insert = ops(f"""
      func.func @f(%x: tensor<8xf32>, %i: index) {{
        %s = tensor.extract_slice %x{numbers} : tensor<8xf32> to tensor<4xf32>
        %y = tensor.insert_slice %s into %x{numbers} : tensor<4xf32> into tensor<8xf32>
        func.return
      }}""")
    assert contract_of(extract) == contract_of(insert)._replace(copies=frozenset(), same_shape=()) == FOREIGN


GENERIC = """
  func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) {{
    %r = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["{kind}"]}}
        ins(%x : tensor<4xf32>) outs(%y : {result}) {{
    ^bb0(%p: f32, %o: f32):
      %s = arith.addf %p, {read} : f32
      linalg.yield %s : f32
    }} -> {result}
    func.return
  }}"""
LINE = "affine_map<(d0) -> (d0)>"


def generic(read: str = "%p", kind: str = "parallel", out: str = LINE, result: str = "tensor<4xf32>") -> Operation:
    text = GENERIC.format(maps=f"{LINE}, {out}", kind=kind, read=read, result=result)
    return ops(text.replace("%y: tensor<4xf32>", f"%y: {result}"))[0]


def test_contracts_of_structured_ops_follow_their_maps() -> None:
    plain = contract_of(generic())
    assert plain.over == (
        InPlace(0, 0, allow_same_operand=True),
        InPlace(0, 1, allow_same_operand=True),
    ) and plain.metadata_only == {1}
    adding = contract_of(generic(read="%o"))
    assert adding.over == plain.over and not adding.metadata_only
    total = contract_of(generic("%o", "reduction", "affine_map<(d0) -> ()>", "tensor<f32>"))
    assert total.over == (InPlace(0, 1),) and not total.metadata_only
    assert not is_region_op(generic())


NAMED = """
  func.func @f(%x: tensor<{n}xf32>, %y: tensor<{n}xf32>, %o: tensor<{n}xf32>) {{
    %r = "linalg.{name}"(%x, %y, %o) <{{operandSegmentSizes = array<i32: 2, 1>}}> ({{{body}}})
        : (tensor<{n}xf32>, tensor<{n}xf32>, tensor<{n}xf32>) -> tensor<{n}xf32>
    func.return
  }}"""

BODY = '^bb0(%a: f32, %b: f32, %c: f32): "linalg.yield"(%a) : (f32) -> ()'


@pytest.mark.parametrize("n", [0, 1, 5])
def test_structured_ops_without_a_class_go_over_their_destinations(n: int) -> None:
    names = ("div", "vecmat", "of_none")
    (divided,), (product,), (unknown,) = (ops(NAMED.format(n=n, name=name, body=BODY)) for name in names)
    assert [o.operand for o in contract_of(divided).over] == [0, 1, 2]
    for other in (product, unknown):
        assert [o.operand for o in contract_of(other).over] == [2] and not contract_of(other).metadata_only
    (unsaid,) = ops(NAMED.format(n=n, name="of_none", body=""))
    assert contract_of(unsaid).over == contract_of(unknown).over
    other = BODY.replace(", %c: f32", "")
    (wrong,) = ops(NAMED.format(n=n, name="div", body=other))
    assert contract_of(wrong) == FOREIGN


def test_a_mapped_op_reads_no_element_of_its_destination() -> None:
    (mapped,) = ops("""
      func.func @f(%x: tensor<4xf32>, %o: tensor<4xf32>) {
        %r = "linalg.map"(%x, %o) ({
        ^bb0(%p: f32):
          "linalg.yield"(%p) : (f32) -> ()
        }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
        func.return
      }""")
    assert [o.operand for o in contract_of(mapped).over] == [0, 1] and contract_of(mapped).metadata_only == {1}


def test_a_pooling_reads_what_it_adds_to() -> None:
    (_, pooled) = ops("""
func.func @f(%x: tensor<1x1x4x4xf32>, %o: tensor<1x1x2x2xf32>) -> tensor<1x1x2x2xf32> {
  %k = tensor.empty() : tensor<2x2xf32>
  %p = linalg.pooling_nchw_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
    ins(%x, %k : tensor<1x1x4x4xf32>, tensor<2x2xf32>) outs(%o : tensor<1x1x2x2xf32>) -> tensor<1x1x2x2xf32>
  func.return %p : tensor<1x1x2x2xf32>
}""")
    assert not contract_of(pooled).metadata_only


def test_kernels_with_tensors_inside_are_foreign() -> None:
    (op,) = ops(f"""
      func.func @f(%x: tensor<f32>, %y: tensor<4xf32>) {{
        %r = linalg.generic {{indexing_maps = [{LINE}], iterator_types = ["parallel"]}} outs(%y : tensor<4xf32>) {{
        ^bb0(%o: f32):
          %s = tensor.extract %x[] : tensor<f32>
          linalg.yield %s : f32
        }} -> tensor<4xf32>
        func.return
      }}""")
    assert contract_of(op) == FOREIGN and is_region_op(op)


def test_example_of_an_own_op_is_decided_in_place() -> None:
    module = runpy.run_path(str(ROOT / "examples" / "own-op" / "scale.py"))["decided"]()
    assert isinstance(module, ModuleOp)
    decided = [op.results[0].name_hint for op in module.walk() if "dnn.inplace" in op.attributes]
    assert decided == ["c", "y"]
