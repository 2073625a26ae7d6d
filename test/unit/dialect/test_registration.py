"""User contracts: impossible ones are rejected; import paths of earlier documentation still work."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from typing import Any

import pytest
from contract_ops import OptionalOp, PairOp, VariadicOp, pair, values
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, TensorType, f32, i64
from xdsl.ir import Operation

import lastuse
from lastuse import Backward, Contract, Contribution, Engine, InPlace, LastuseError, View, register_contract
from lastuse.dialect.storage import contract as storage_contract
from lastuse.dialect.storage.contract import contract_of
from lastuse.dialect.storage.layout import Strided, identical, sliced

pytestmark = pytest.mark.usefixtures("registered_contracts")

WRONG: dict[str, tuple[Any, Any, str]] = {
    "no class": ("toy.scale", Contract(), "'toy.scale' is no class of operations"),
    "a class of something else": (int, Contract(), "int is no class of operations"),
    "an op": (Operation, Contract(), "Operation is no class of operations"),
    "no contract": (PairOp, InPlace(0, 0), "registered.pair: InPlace(result=0"),
    "operand 5 of 2": (PairOp, Contract(over=(InPlace(0, 5),)), "registered.pair: the contract names operand 5, of 2"),
    "result 1 of 1": (PairOp, Contract(over=(InPlace(1, 0),)), "the contract names result 1, of 1"),
    "a view of operand 2 of 2": (PairOp, Contract(views=(View(0, 2, identical),)), "names operand 2, of 2"),
    "a view that is result 3": (PairOp, Contract(views=(View(3, 0, identical),)), "names result 3, of 1"),
    "operand 2 contributes": (PairOp, Contract(contributions=(Contribution(2, identical),)), "names operand 2, of 2"),
    "metadata 9": (PairOp, Contract(metadata_only=frozenset({9})), "names operand 9, of 2"),
    "backward of operand 2": (PairOp, Contract(backward=Backward(frozenset({2}))), "names operand 2, of 2"),
    "backward of result 1": (PairOp, Contract(backward=Backward(results=frozenset({1}))), "names result 1, of 1"),
    "operand -1": (PairOp, Contract(over=(InPlace(0, -1),)), "an operand is a number from 0 on, not -1"),
    "operand 'x'": (PairOp, Contract(over=(InPlace(0, "x"),)), "an operand is a number from 0 on"),  # pyright: ignore
    "over is a list": (PairOp, Contract(over=[InPlace(0, 0)]), "over is a tuple of InPlace"),  # pyright: ignore
    "over alone": (PairOp, Contract(over=InPlace(0, 0)), "over holds 0, which is no InPlace"),  # pyright: ignore
    "a pair in over": (PairOp, Contract(over=((0, 0),)), "over holds (0, 0), which is no InPlace"),  # pyright: ignore
    "twice": (PairOp, Contract(over=(InPlace(0, 0), InPlace(0, 0, True))), "one operand twice"),
    "two views of one": (PairOp, Contract(views=(View(0, 0, identical), View(0, 1, identical))), "one result twice"),
    "a map that is none": (PairOp, Contract(views=(View(0, 0, (2, 4)),)), "a function from a layout"),  # pyright: ignore
    "engines by name": (PairOp, Contract(engines=frozenset({"cpu"})), "engines is a frozenset of Engine"),  # pyright: ignore
    "engine of one": (PairOp, Contract(engines=Engine.CPU), "engines is a frozenset of Engine"),  # pyright: ignore
    "engines of a permission": (PairOp, Contract(over=(InPlace(0, 0, engines=["cpu"]),)), "frozenset of Engine"),  # pyright: ignore
    "metadata in a set": (PairOp, Contract(metadata_only={0}), "metadata_only is a frozenset"),  # pyright: ignore
    "scratch below 0": (PairOp, Contract(scratch=-64), "scratch is a number of bytes, not -64"),
    "scratch in words": (PairOp, Contract(scratch="64B"), "scratch is a number of bytes"),  # pyright: ignore
    "foreign in place": (PairOp, Contract(foreign=True, over=(InPlace(0, 0),)), "what is foreign declares nothing"),
}


@pytest.mark.parametrize("name", WRONG)
def test_impossible_contract_is_rejected_at_registration(name: str) -> None:
    op_class, contract, message = WRONG[name]
    before = dict(storage_contract._registered)  # pyright: ignore[reportPrivateUsage]
    with pytest.raises(LastuseError) as error:
        register_contract(op_class, contract)
    assert message in error.value.message
    assert storage_contract._registered == before  # pyright: ignore[reportPrivateUsage]


WRONG_AT_THE_OP: dict[str, tuple[Contract | Callable[[Operation], Any], PairOp, str]] = {
    "of a function: operand 5": (lambda _: Contract(over=(InPlace(0, 5),)), pair([4], [4], [4]), "operand 5, of 2"),
    "of a function: no contract": (lambda _: None, pair([4], [4], [4]), "None is no Contract"),
    "a view of another shape": (
        Contract(views=(View(0, 0, identical),)),
        pair([4], [4], [2, 2]),
        "has the shape 4 of 4 bytes, its type 2x2 of 4 bytes",
    ),
    "a view beyond the operand": (
        Contract(views=(View(0, 0, lambda m: m.shifted(4)),)),
        pair([4], [4], [4]),
        "has bytes 4 to 20, of 16",
    ),
    "a view with a byte twice": (
        Contract(views=(View(0, 0, lambda m: Strided(0, (4,), (0,), 4)),)),
        pair([4], [4], [4]),
        "says injective",
    ),
    "a view that is not whole": (
        Contract(views=(View(0, 0, sliced(0, 0, 2, 1), whole=True),)),
        pair([4], [4], [2]),
        "says whole",
    ),
    "a view whose map gives no layout": (
        Contract(views=(View(0, 0, lambda m: m.sizes),)),  # pyright: ignore
        pair([4], [4], [4]),
        "for a layout",
    ),
    "a part of another shape": (
        Contract(contributions=(Contribution(0, sliced(0, 0, 4, 1)), Contribution(1, sliced(0, 3, 4, 1)))),
        pair([4], [3], [7]),
        "operand 1 in its part of result 0 has the shape 4 of 4 bytes, its type 3 of 4 bytes",
    ),
    "a base of another shape": (
        Contract(contributions=(Contribution(0, identical, complement=True),)),
        pair([4], [4], [5]),
        "has other sizes than the result",
    ),
}


@pytest.mark.parametrize("name", WRONG_AT_THE_OP)
def test_contract_that_contradicts_an_op_is_rejected_at_the_op(name: str) -> None:
    contract, op, message = WRONG_AT_THE_OP[name]
    register_contract(PairOp, contract)
    with pytest.raises(LastuseError) as error:
        contract_of(op)
    assert error.value.message.startswith("the contract of 'registered.pair'") and message in error.value.message


def test_operand_numbers_of_variadic_ops_are_checked_at_the_op() -> None:
    register_contract(VariadicOp, Contract(over=(InPlace(1, 2),)))
    register_contract(OptionalOp, Contract(over=(InPlace(0, 1),)))
    types = [TensorType(f32, [4])]
    count = {"count": IntegerAttr(2, i64)}
    assert contract_of(VariadicOp(operands=[values([4], [4], [4])], result_types=[types * 2], attributes=count)).over
    with pytest.raises(LastuseError, match="names operand 2, of 2"):
        contract_of(VariadicOp(operands=[values([4], [4])], result_types=[types * 2], attributes=count))
    with pytest.raises(LastuseError, match="names operand 1, of 1"):
        contract_of(OptionalOp(operands=[values([4]), []], result_types=types))


def test_right_contracts_are_registered() -> None:
    half = Contract(
        views=(View(0, 0, sliced(0, 0, 2, 1)),), metadata_only=frozenset({1}), engines=frozenset(), strided=True
    )
    register_contract(PairOp, half)
    assert contract_of(pair([4], [4], [2])) == half
    assert contract_of(PairOp(operands=values([DYNAMIC_INDEX], [4]), result_types=[TensorType(f32, [2])])) == half, (
        "not known"
    )
    copy = Contract(views=(View(0, 0, lambda _: None),))
    register_contract(PairOp, copy)
    assert contract_of(pair([4], [4], [9])).views == copy.views, "it has to be a copy"


def test_import_paths_of_earlier_documentation_work_and_warn() -> None:
    with pytest.warns(DeprecationWarning, match=r"lastuse\.InPlace"):
        from lastuse.dialect.storage import Contract as OldContract
        from lastuse.dialect.storage import Over  # pyright: ignore
    old = Over(result=0, operand=0)  # pyright: ignore[reportUnknownVariableType]
    assert old == InPlace(0, 0)
    assert Over(0, 1, repeats=True, swap=True) == InPlace(0, 1, True, True)  # pyright: ignore[reportUnknownVariableType]
    assert OldContract is Contract
    lastuse.register_contract(PairOp, OldContract(over=(old,)))  # pyright: ignore[reportUnknownArgumentType]
    assert contract_of(pair([4], [4], [4])).over == (InPlace(0, 0),)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        from lastuse.dialect.storage import View as OldView
    assert OldView is View
    with pytest.warns(DeprecationWarning, match=r"lastuse\.dialect\.ir\.diagnostics"):
        sys.modules.pop("lastuse.dialect.diagnostics", None)
        from lastuse.dialect.diagnostics import LastuseError  # pyright: ignore
    assert LastuseError is lastuse.LastuseError
    own = LastuseError.__module__  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
    assert sys.modules[own].__spec__.name == own  # pyright: ignore[reportOptionalMemberAccess]
    with pytest.raises(ImportError):
        from lastuse.dialect.storage import Carry  # noqa: F401 # pyright: ignore
