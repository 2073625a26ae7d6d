"""What lowering makes is accepted, whatever was decided.

`LASTUSE_LOWERED=25000 pytest test/unit/lowering_checker/test_right_programs.py` tries more programs than `make check`
does; of four programs about three run, the others have foreign ops. `LASTUSE_LOWERED_FROM` is the first one's number.
"""

from __future__ import annotations

import os

from lowered_programs import programs

from lastuse.passes.lowering_checker import check

PROGRAMS = int(os.environ.get("LASTUSE_LOWERED", "90"))
FIRST = int(os.environ.get("LASTUSE_LOWERED_FROM", "0"))


def test_random_programs_are_accepted() -> None:
    count = 0
    for _, module in programs(range(FIRST, FIRST + PROGRAMS)):
        check(module)  # raises where it refuses
        count += 1
    assert count > PROGRAMS // 2
