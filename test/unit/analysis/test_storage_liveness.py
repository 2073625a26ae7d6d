"""Liveness of storages: one is needed exactly while some value in it is."""

from __future__ import annotations

import pytest
from generate import random_program
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, Region

from lastuse.compiler.driver import context
from lastuse.compiler.module_utils import main_function
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.analysis.alias import alias_classes
from lastuse.passes.analysis.liveness import liveness

CONTEXT = context()
BRANCHES = """
func.func @main(%x: tensor<4xf32>, %c: i1) -> tensor<2x2xf32> {
  %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %v = "dnn.reshape"(%a) : (tensor<4xf32>) -> tensor<2x2xf32>
  %b = "dnn.neg"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  cf.cond_br %c, ^more, ^end(%v : tensor<2x2xf32>)
^more:
  %d = "dnn.tanh"(%b) : (tensor<4xf32>) -> tensor<4xf32>
  %w = "dnn.reshape"(%d) : (tensor<4xf32>) -> tensor<2x2xf32>
  cf.br ^end(%w : tensor<2x2xf32>)
^end(%r: tensor<2x2xf32>):
  func.return %r : tensor<2x2xf32>
}"""


def function(text: str) -> FuncOp:
    return main_function(parse(CONTEXT, text, "test.mlir"))


def test_a_view_keeps_its_storage_alive() -> None:
    func = function(BRANCHES)
    classes = alias_classes(func).number
    found = liveness(func.body)
    live: dict[Operation, tuple[frozenset[int], frozenset[int]]] = {}
    for block in func.body.blocks:
        live |= {op: (before, after) for op, before, after in found.storages(block, classes)}
    a, b = next(iter(func.body.blocks[0].ops)), next(op for op in func.walk() if op.name == "dnn.neg")
    x_, a_, b_ = classes[func.args[0]], classes[a.results[0]], classes[b.results[0]]
    assert live[a] == ({x_}, {x_, a_})
    assert live[b] == ({x_, a_}, {a_, b_})
    first = func.body.blocks[0].last_op
    assert first is not None and live[first] == ({a_, b_}, {b_})  # the branch is the last to read the view
    assert live[next(iter(func.body.blocks[1].ops))][0] == {b_}


@pytest.mark.parametrize("seed", range(20))
def test_is_what_the_values_say(seed: int) -> None:
    func = main_function(random_program(seed).module)
    classes, found = alias_classes(func).number, liveness(func.body)

    def compare(region: Region) -> None:
        for block in region.blocks:
            pairs = zip(found.walk(block), found.storages(block, classes), strict=True)
            for (op, *values), (again, *storages) in pairs:
                assert op is again
                assert [{classes[v] for v in side if v in classes} for side in values] == storages
                for inner in op.regions:
                    if inner.blocks.first in found.block_out:
                        compare(inner)

    compare(func.body)
