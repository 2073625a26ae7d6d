"""Random programs, decided in every way, verified and lowered."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from fuzz_check import CONTEXT, PIPELINES, decide_earlier
from generate import random_program
from generate.flow import has_foreign, random_flow_program
from xdsl.dialects.builtin import ModuleOp

from lastuse.compiler.module_utils import clone
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.passes.lower_to_onednn import LowerToOnednnPass
from lastuse.passes.verify_storage import VerifyStoragePass


def decided(seed: int) -> ModuleOp | None:
    """Program `seed` with decisions that the storage checker accepts: of a pipeline of the fuzzer, or none. None for a
    program with ops that nothing runs."""
    straight = seed % 3 == 0
    if not straight and has_foreign(seed):
        return None
    module = (random_program if straight else random_flow_program)(seed).module
    chance = random.Random(seed)
    case = chance.randrange(len(PIPELINES) + 1)
    if chance.random() < 0.3:
        decide_earlier(module, seed)
    for given in PIPELINES[case] if case < len(PIPELINES) else ():
        given.apply(CONTEXT, module)
    VerifyStoragePass(repair=True).apply(CONTEXT, module)
    return module


def lowered(module: ModuleOp) -> ModuleOp | None:
    """A decided module in steps; None where an op in it does not run."""
    made = clone(module)
    try:
        LowerToOnednnPass(verify=False).apply(CONTEXT, made)
    except LastuseError:
        return None
    return made


def programs(seeds: Sequence[int]) -> Iterator[tuple[int, ModuleOp]]:
    """Those of these programs that run, lowered."""
    for seed in seeds:
        module = decided(seed)
        made = None if module is None else lowered(module)
        if made is not None:
            yield seed, made
