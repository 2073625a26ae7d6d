"""Random programs on tensors: their memref forms give their numbers, and keep what is kept."""

from __future__ import annotations

import os
from collections import Counter

import pytest
from arm_programs import ArmProgram
from block_programs import BlockProgram
from cut_programs import CutProgram
from edge_programs import EdgeProgram
from memref_fuzz import verdict
from shape_programs import ShapeProgram
from size_programs import SizeProgram
from start_programs import StartProgram
from tensor_programs import TensorProgram

from support import swept

EFFORT = int(os.environ.get("LASTUSE_EFFORT", "1"))
PROGRAMS = 30
PARTS = {
    TensorProgram: 10,
    StartProgram: 10,
    SizeProgram: 4,
    ShapeProgram: 4,
    CutProgram: 3,
    BlockProgram: 3,
    ArmProgram: 4,
    EdgeProgram: 3,
}


@pytest.mark.parametrize(
    "kind, part",
    swept(((kind, part) for part in range(max(PARTS.values())) for kind in PARTS if part < PARTS[kind]), len(PARTS)),
)
def test_memref_forms_compute_what_their_programs_do(kind: type[TensorProgram], part: int) -> None:
    seen = Counter[str]()
    for number in range(part * PROGRAMS * EFFORT, (part + 1) * PROGRAMS * EFFORT):
        found = verdict(number, kind)
        seen[found.kind] += 1
        assert found.kind != "wrong", f"{number}: {found.what}\n{found.text}"
    assert seen["right"] > PROGRAMS * EFFORT * 3 // 4, seen


FOUND = {
    "memory that a branch carries is not that of another value": (5001079, TensorProgram),
    "a result that the caller passes memory for is written there": (7012, SizeProgram),
    "what is forwarded is not in memory that ends with a block": (6000941, TensorProgram),
    "a loop may give back what it is passed": (970056, TensorProgram),
    "what a branch moves is given back behind that": (242, BlockProgram),
    "a pad has the sizes of a cast that always runs": (9300619, TensorProgram),
    "what is passed on is copied before its memory is written": (8027, SizeProgram),
    "of two memrefs that a loop swaps, one is given back": (20028, StartProgram),
    "of two memrefs that a loop swaps, another loop carries one": (212000245, StartProgram),
}
"""Programs whose forms were wrong once, by what is right."""


@pytest.mark.parametrize("name", FOUND)
def test_forms_that_were_wrong_are_right(name: str) -> None:
    found = verdict(*FOUND[name])
    assert found.kind == "right", found.what
