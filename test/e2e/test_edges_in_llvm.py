"""Programs whose blocks have several branches to them, run by LLVM: every way of their memref form gives the
interpreter's numbers.

`LASTUSE_EFFORT=20` runs more programs.
"""

from __future__ import annotations

import os
import random
from itertools import product

import pytest
from edge_programs import EdgeProgram
from interpreted_forms import ARENAS, check_forms, needs_llvm

from lastuse.passes.bufferize import BufferizePass
from support import swept

EFFORT = int(os.environ.get("LASTUSE_EFFORT", "1"))
PROGRAMS = 12


@needs_llvm
@pytest.mark.parametrize("results, part", swept([*product(["return", "out"], range(EFFORT))]))
def test_memref_forms_give_the_numbers_of_the_interpreter(results: str, part: int) -> None:
    numbers = range(PROGRAMS * part, PROGRAMS * part + PROGRAMS)
    programs = {f"edges_{n}": EdgeProgram(random.Random(n)).text for n in numbers}
    ways = [BufferizePass(arena=arena, results=results, layouts="identity") for arena in ARENAS]
    assert check_forms(programs, ways) >= PROGRAMS
