"""What analyses say of ops is kept while no op changes, and no longer."""

from __future__ import annotations

import gc
import weakref
from threading import Thread

import pytest
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Operation

from lastuse.compiler.driver import context
from lastuse.dialect.ir.flow_graphs import main_function, ops_within
from lastuse.dialect.ir.remembered import Answers, changing_ops, remembered, unchanged_ops
from lastuse.dialect.storage.contract import contract_of
from lastuse.dialect.storage.shape_inference import infer_shapes
from lastuse.dialect.storage.specialization import specialize
from lastuse.frontends.text.mlir_parser import parse

asked: list[Operation] = []

TEXT = """
func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %y = "dnn.relu"(%x) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  func.return %y : tensor<?x4xf32>
}
"""


@remembered
def name_of(op: Operation) -> str:
    asked.append(op)
    return op.name


@pytest.fixture(autouse=True)
def nothing_asked() -> None:
    asked.clear()


def test_answer_is_computed_once_inside_alone() -> None:
    op = ModuleOp([])
    with unchanged_ops():
        assert [name_of(op) for _ in range(3)] == ["builtin.module"] * 3
        with unchanged_ops():
            name_of(op)
        name_of(op)
        assert len(asked) == 1
    name_of(op)
    name_of(op)
    assert len(asked) == 3


def test_given_answers_stay_from_block_to_block() -> None:
    op, answers = ModuleOp([]), Answers()
    for _ in range(2):
        with unchanged_ops(answers):
            name_of(op)
    with unchanged_ops(answers), unchanged_ops():
        name_of(op)
    assert len(asked) == 1
    with unchanged_ops():
        with unchanged_ops(answers):
            name_of(op)
        name_of(op)
        name_of(op)
    assert len(asked) == 2
    name_of(op)
    assert len(asked) == 3


def test_every_op_has_its_own_answer() -> None:
    one, two = ModuleOp([]), ModuleOp([])
    with unchanged_ops():
        name_of(one)
        name_of(two)
    assert asked == [one, two]


def test_nothing_lives_on() -> None:
    op = ModuleOp([])
    alive = weakref.ref(op)
    with pytest.raises(ValueError, match="stop"), unchanged_ops():
        name_of(op)
        raise ValueError("stop")
    asked.clear()
    del op
    gc.collect()
    assert alive() is None


def test_threads_keep_their_own() -> None:
    op = ModuleOp([])
    with unchanged_ops():
        name_of(op)
        other = Thread(target=lambda: [name_of(op), name_of(op)])
        other.start()
        other.join()
        assert len(asked) == 3


def test_change_forgets() -> None:
    op = ModuleOp([])
    with unchanged_ops():
        name_of(op)
        with changing_ops():
            name_of(op)
            name_of(op)
        name_of(op)
        name_of(op)
    assert len(asked) == 4


def test_listings_are_kept_where_no_op_is_added() -> None:
    op = ModuleOp([])
    with unchanged_ops():
        listed = ops_within(op)
        name_of(op)
        with changing_ops(listing=False):
            assert ops_within(op) is not listed
        assert ops_within(op) is listed
        name_of(op)
        with changing_ops():
            pass
        assert ops_within(op) is not listed
    assert len(asked) == 2


def test_sizes_of_a_specialized_function_are_its_own() -> None:
    module = parse(context(), TEXT, "test.mlir")
    func = main_function(module)
    with unchanged_ops():
        before = infer_shapes(func)
        assert [str(size) for size in before[func.args[0]].known] == ["x", "4"]
        specialize(module, {func: {"x": 8}})
        assert infer_shapes(func)[func.args[0]].known == (8, 4)


def test_engine_counts_again_outside() -> None:
    func = main_function(parse(context(), TEXT, "test.mlir"))
    relu = ops_within(func)[1]
    with unchanged_ops():
        either = contract_of(relu)
    relu.attributes["dnn.engine"] = StringAttr("cpu")
    with unchanged_ops():
        assert contract_of(relu).engines < either.engines
