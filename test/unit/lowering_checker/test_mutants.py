"""Changed modules are refused, or compute the same.

`LASTUSE_MUTANTS=1 pytest -s test/unit/lowering_checker/test_mutants.py` also runs those that are refused, and says how
many of them compute something else.
"""

from __future__ import annotations

import os
from collections import Counter
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from fuzz_inputs import array
from mutant_programs import PROGRAMS
from mutant_runs import computed, computed_apart
from step_mutants import Mutant, mutants, mutated
from xdsl.dialects.builtin import Float32Type, ModuleOp

from lastuse.compiler.driver import context
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.flow_graphs import main_function
from lastuse.dialect.storage import verifier
from lastuse.dialect.storage.argument_names import argument_name
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.lower_to_onednn import LowerToOnednnPass
from lastuse.passes.lowering_checker import check
from lastuse.passes.plan import PlanPass

KINDS = (
    *("offset", "order", "swapped operands", "dropped step", "view", "branch operand", "scratch"),
    *("attribute", "constant", "name", "axes", "alias"),
)


def made(name: str) -> tuple[ModuleOp, dict[str, np.ndarray]]:
    """A program, planned and lowered, and arrays to run it on: numbers that are all different."""
    ctx = context()
    module = parse(ctx, PROGRAMS[name], name)
    inputs: dict[str, np.ndarray] = {}
    for argument in main_function(module).args:
        is_float = isinstance(argument.type, Float32Type)
        given = np.array(20, "f") if is_float else array(argument_name(argument), argument.type, 1)
        if given.dtype.kind == "f" and given.ndim:
            given = given + np.linspace(0, 0.1, given.size, dtype=given.dtype).reshape(given.shape)
        inputs[argument_name(argument)] = np.asarray(_in_range(argument_name(argument), given))
    PlanPass().apply(ctx, module)
    LowerToOnednnPass().apply(ctx, module)
    verifier.verify(module)
    check(module)
    return module, inputs


def _in_range(name: str, given: np.ndarray) -> np.ndarray:
    """Indices and offsets that the programs take."""
    if name == "lod":
        return np.array([0, 2, 5], given.dtype)
    if given.dtype == np.int64 and given.ndim:
        return np.abs(given) % 4
    return np.array(2, given.dtype) if given.dtype.kind == "i" else given


def sorted_out(module: ModuleOp, one_in: int = 1) -> tuple[list[Mutant], list[Mutant]]:
    """Changes that the checker refuses, and those that it accepts; what the verifier refuses is in neither. `one_in`:
    of so many one is tried."""
    refused: list[Mutant] = []
    accepted: list[Mutant] = []
    for mutant in islice(mutants(module), 0, None, one_in):
        changed = mutated(module, mutant)
        try:
            verifier.verify(changed)
        except LastuseError:
            continue
        try:
            check(changed)
        except LastuseError:
            refused.append(mutant)
        else:
            accepted.append(mutant)
    return refused, accepted


ONE_IN = {} if "LASTUSE_MUTANTS" in os.environ else {name: 7 for name in PROGRAMS if name.endswith("trained")}
"""Steps of training have many changes, most of which are like those of other programs: so many in one are tried."""
COUNTED: Counter[str] = Counter()


@pytest.mark.parametrize("name", PROGRAMS)
def test_accepted_mutant_computes_the_same_result(name: str, tmp_path: Path) -> None:
    module, inputs = made(name)
    want = computed(module, inputs)
    refused, accepted = sorted_out(module, ONE_IN.get(name, 1))
    for mutant in accepted:
        assert computed(mutated(module, mutant), inputs) == want, f"{mutant.kind} of {mutant.of}"
    assert len(refused) > len(accepted)
    COUNTED.update(mutant.kind for mutant in refused)
    if "LASTUSE_MUTANTS" in os.environ:
        found = computed_apart(tmp_path, [mutated(module, mutant) for mutant in refused], inputs)
        other = Counter(mutant.kind for mutant, is_ in zip(refused, found, strict=True) if is_ != want)
        print(f"\n{name}: {len(refused)} refused, of which {other.total()} compute something else: {dict(other)}")


def test_many_mutants_of_each_kind_are_rejected() -> None:
    """Counted over all programs of the tests before."""
    if len(COUNTED) < len(KINDS):  # this test alone
        for name in PROGRAMS:
            COUNTED.update(mutant.kind for mutant in sorted_out(made(name)[0], ONE_IN.get(name, 1))[0])
    assert COUNTED.total() >= 300
    assert set(COUNTED) == set(KINDS)
