"""Random programs on tensors against their memref forms:  python test/fuzz/run_memref_fuzz.py --programs 20000

Programs are numbered; a number is a program and the way its form takes memory. One that is wrong is printed, and the
exit status is 1.
"""

from __future__ import annotations

import argparse
import sys
import traceback
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from arm_programs import ArmProgram  # noqa: E402
from block_programs import BlockProgram  # noqa: E402
from cut_programs import CutProgram  # noqa: E402
from edge_programs import EdgeProgram  # noqa: E402
from memref_fuzz import Verdict, verdict  # noqa: E402
from shape_programs import ShapeProgram  # noqa: E402
from size_programs import SizeProgram  # noqa: E402
from start_programs import StartProgram  # noqa: E402
from tensor_programs import TensorProgram  # noqa: E402

KINDS = {
    "tensors": TensorProgram,
    "starts": StartProgram,
    "sizes": SizeProgram,
    "shapes": ShapeProgram,
    "cuts": CutProgram,
    "blocks": BlockProgram,
    "arms": ArmProgram,
    "edges": EdgeProgram,
}
"""What is drawn: slices of `tensor` (a third each also pads and shapes, regions and threads), slices at starts that
tensors hold, sizes that differ and blocks too, pads and shapes, slices in steps of run time and under other axes, loops
of blocks whose tensors grow, branches that compute over slices of one tensor, or branches to blocks that others go to
as well."""


def _numbered(number: int, kind: str) -> tuple[int, Verdict]:
    try:
        return number, verdict(number, KINDS[kind])
    except Exception:  # a mistake of ours, of whatever kind: the other programs are run all the same
        return number, Verdict("wrong", traceback.format_exc())


def main() -> int:
    """Runs the programs, and prints what became of them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--programs", type=int, default=1000, help="how many")
    parser.add_argument("--first", type=int, default=0, help="the number of the first")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--refusals", action="store_true", help="print what is refused too")
    parser.add_argument("--kind", choices=KINDS, default="tensors", help="what programs are drawn")
    given = parser.parse_args()
    seen, refusals = Counter[str](), Counter[str]()
    with ProcessPoolExecutor(given.jobs) as pool:
        numbers = range(given.first, given.first + given.programs)
        for number, found in pool.map(_numbered, numbers, repeat(given.kind), chunksize=20):
            seen[found.kind] += 1
            if found.kind == "wrong":
                print(f"{number}: {found.what}\n{found.text}", flush=True)
            elif found.kind == "refused":
                if given.refusals:
                    print(f"{number} is refused: {found.what}", flush=True)
                refusals[found.what.partition(": error: ")[2].partition("%")[0] or found.what] += 1
    print(dict(seen), *(f"\n  {count} refused: {what}" for what, count in refusals.most_common()), sep="")
    return 1 if seen["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
