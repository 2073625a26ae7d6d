"""`--bufferize-pass` and its checker ask each op once for what it declares; the work grows with the number of ops."""

from __future__ import annotations

import pytest
from counted_calls import calls
from xdsl.dialects.builtin import ModuleOp

from bench.bufferize_scaling import Writer
from lastuse.compiler.driver import context
from lastuse.dialect.foreign import linalg
from lastuse.dialect.ir import linalg_loops
from lastuse.dialect.ir.flow_graphs import listed_ops
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.contract import contract_of
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.bufferization.least_copies import MOST_OPS
from lastuse.passes.bufferize import BufferizePass
from lastuse.passes.checker import apart
from lastuse.passes.inplace import InplacePass
from lastuse.passes.inplace_analysis.alias_sets import AliasSets
from lastuse.passes.verify_storage import VerifyStoragePass


def kernels(count: int, slices: bool = False) -> ModuleOp:
    """A function of so many ops, and what its bodies have; too many for trials."""
    module = parse(context(), Writer(0, slices).text(count), "kernels.mlir")
    assert len(listed_ops(module)) > MOST_OPS
    return module


def test_contract_of_an_op_is_computed_once_for_the_pass_and_once_for_the_checker() -> None:
    module = kernels(200)
    ops = listed_ops(module)
    code = contract_of.__wrapped__.__code__  # pyright: ignore
    asked = calls(module, lambda frame: frame.f_locals["op"] if frame.f_code is code else None)
    assert asked.keys() <= set(ops)
    assert len(asked) > 100
    assert set(asked.values()) <= {1, 2}


def test_contracts_and_loops_are_derived_once_for_ops_that_are_alike() -> None:
    module = kernels(200)
    codes = {linalg._structured.__code__: "contract", linalg_loops._loops.__code__: "loops"}  # pyright: ignore
    derived = calls(module, lambda frame: codes.get(frame.f_code))
    assert 0 < derived["contract"] < 50
    assert derived["loops"] < 50


@pytest.mark.parametrize("count", [200])
def test_work_grows_with_the_number_of_ops(count: int) -> None:
    few, many = (calls(kernels(n), lambda _: True).total() for n in (count, 3 * count))
    assert many < 3.4 * few
    assert many < 3 * count * 1_750


def test_a_part_has_only_the_values_placed_that_may_enter_it() -> None:
    """The last op of this function, an insertion, has its source computed in its part."""
    module = parse(context(), Writer(6, False).text(400), "kernels.mlir")
    code = AliasSets.assign.__code__
    placed = calls(module, lambda frame: frame.f_code is code or None, InplacePass())
    assert any(attrs.PARTS in op.attributes for op in listed_ops(module))
    assert 0 < sum(placed.values()) < 100


def many_results(count: int) -> ModuleOp:
    """A function of so many results, each the second op of its own on the argument."""
    type_, names = "tensor<8xf32>", [f"%b{n}" for n in range(count)]
    body = [f"%a{n} = math.exp %x : {type_}\n{b} = math.absf %a{n} : {type_}" for n, b in enumerate(names)]
    types = ", ".join([type_] * count)
    head = f"func.func @main(%x: {type_}) -> ({types}) {{"
    return parse(context(), "\n".join([head, *body, f"func.return {', '.join(names)} : {types}", "}"]), "results.mlir")


def test_work_grows_with_the_number_of_results() -> None:
    few, many = (calls(many_results(n), lambda _: True).total() for n in (160, 480))
    assert many < 3.2 * few


def blocks(count: int, ways: int, type_: str = "tensor<8xf32>") -> ModuleOp:
    """A function of so many blocks that compute, one behind the other; with two ways each may be left out."""
    size = "(%d)" if "?" in type_ else "()"
    lines, last = [f"func.func @main(%x: {type_}, %d: index, %c: i1) -> {type_} {{"], "%x"
    for n in range(count):
        begin = f"cf.cond_br %c, ^b{n}, ^e{n}({last} : {type_})" if ways == 2 else f"cf.br ^b{n}"
        lines += [
            begin,
            f"^b{n}:",
            f"%e{n} = tensor.empty{size} : {type_}",
            f"%r{n} = linalg.add ins({last}, %x : {type_}, {type_}) outs(%e{n} : {type_}) -> {type_}",
            f"cf.br ^e{n}(%r{n} : {type_})",
            f"^e{n}(%v{n}: {type_}):",
        ]
        last = f"%v{n}"
    return parse(context(), "\n".join([*lines, f"func.return {last} : {type_}", "}"]), "blocks.mlir")


@pytest.mark.parametrize("ways", [1, 2])
def test_work_grows_with_the_number_of_blocks(ways: int) -> None:
    """That of the checker too, which goes over blocks once where none goes back."""
    few, many = (calls(blocks(n, ways), lambda frame: "memref_checker" in frame.f_code.co_filename) for n in (40, 240))
    assert 0 < many[True] < 6.2 * few[True]
    assert many.total() < 6.8 * few.total()


def test_blocks_whose_tensors_change_their_size_are_joined_at_once() -> None:
    few, many = (calls(blocks(n, 1, "tensor<?xf32>"), lambda _: True).total() for n in (40, 240))
    assert many < 6.4 * few


def test_search_among_slices_is_a_few_times_the_work_of_the_rest() -> None:
    assert calls(kernels(600, slices=True), lambda _: True).total() < 600 * 4_700


@pytest.mark.parametrize("seed", [120, 300, 9120, 9200])
def test_forms_of_kernels_and_slices_are_proved(seed: int) -> None:
    """A checker that gives up early is fast, and proves nothing."""
    module = parse(context(), Writer(seed, slices=True).text(seed % 1000), "kernels.mlir")
    BufferizePass(layouts="identity", unproved="error").apply(context(), module)


def test_module_is_listed_once() -> None:
    """Walks that change nothing share one list of its ops, those of the decisions too."""
    code = listed_ops.__code__
    listed = calls(kernels(200), lambda frame: frame.f_locals["op"].name if frame.f_code is code else None)
    assert listed["builtin.module"] == 0  # the list of the function is in that of the module
    assert listed["func.func"] == 1


def chained_slices(count: int, place: str = "%i{k}") -> ModuleOp:
    """A function that changes one slice after the other, each 8 elements behind the one before."""
    lines = [
        "func.func @main(%x0: tensor<4096xf32>, %i0: index) -> tensor<4096xf32> {",
        "%c = arith.constant 8 : index",
    ]
    for k in range(count):
        at = place.format(k=k, at=8 * k)
        lines += [
            f"%s{k} = tensor.extract_slice %x{k}[{at}] [8] [1] : tensor<4096xf32> to tensor<8xf32>",
            f"%t{k} = linalg.exp ins(%s{k} : tensor<8xf32>) outs(%s{k} : tensor<8xf32>) -> tensor<8xf32>",
            f"%x{k + 1} = tensor.insert_slice %t{k} into %x{k}[{at}] [8] [1] : tensor<8xf32> into tensor<4096xf32>",
            f"%i{k + 1} = arith.addi %i{k}, %c : index",
        ]
    lines += [f"func.return %x{count} : tensor<4096xf32>", "}"]
    return parse(context(), "\n".join(lines), "slices.mlir")


@pytest.mark.parametrize("at", ["%i{k}", "{at}"])
def test_work_grows_with_the_number_of_slices(at: str) -> None:
    """Slices at offsets that are known, and at those that are not, are not compared with each other one. A program of
    fewer ops is changed on trial."""
    few, many = (calls(chained_slices(n, at), lambda _: True).total() for n in (80, 160))
    assert many < 2.4 * few


def test_offsets_are_added_up_once() -> None:
    """The storage checker compares each slice with each other one; offsets are sums of as many terms as slices."""
    code = apart._added.__code__  # pyright: ignore
    count = 80
    module = chained_slices(count)
    InplacePass(forward=True).apply(context(), module)
    added = calls(module, lambda frame: frame.f_code is code or None, VerifyStoragePass())
    assert 0 < sum(added.values()) < 20 * count
