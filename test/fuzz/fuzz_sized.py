"""Programs with unknown sizes, ragged rows or large values, compiled with options that are crossed at random, and run
at several sizes one after the other: each result is held against the interpreter, which sees the program as drawn."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from fuzz_check import PIPELINES, THREADS, Case, decide, module_of, refuse
from fuzz_execute import (
    BF16,
    compiled,
    executed,
    hold_against,
    promise_of,
    protected_constants,
    right_results,
    same_results,
    twice,
)
from fuzz_inputs import Arrays, array
from generate.sized import LargeBuilder, OpenBuilder, RowBuilder, Sized, ragged_ends, random_sized_program
from xdsl.dialects.builtin import ModuleOp, TensorType

from lastuse.compiler.module_utils import clone, erase_uncalled
from lastuse.dialect.ir.flow_graphs import functions_of, main_function
from lastuse.dialect.storage.argument_names import argument_name
from lastuse.dialect.storage.specialization import specialize, unknown_sizes
from lastuse.passes.inplace_analysis.policies import STRATEGIES

BUILDERS: dict[str, type[OpenBuilder]] = {
    "unknown sizes": OpenBuilder,
    "ragged rows": RowBuilder,
    "large": LargeBuilder,
}
SMALL_SIZES = (0, 0, 1, 1, 2, 3, 5, 7, 8)
LARGE_SIZES = (16, 33, 64, 100, 129, 257)


class Crossing(NamedTuple):
    """How a program is compiled and run.

    Attributes:
        options: of `lastuse.compile`.
        sizes: what the unknown sizes are, for each run; some come again.
        text: the program goes through text before.
        extreme: some inputs are NaN, infinite, denormal or nearly too large.
        naive: bits are compared with those of the program without decisions, compiled with the same other options.
        pipeline: passes decide while sizes are unknown, by number; None for the compiler.
    """

    options: Mapping[str, object]
    sizes: Sequence[Mapping[str, int]]
    text: bool
    extreme: bool
    naive: bool
    pipeline: int | None = None


def family_of(seed: int) -> str:
    """Which family a program of unknown sizes or large values is of."""
    return random.Random(f"{seed} family").choice(["unknown sizes", "unknown sizes", "ragged rows", "large"])


def sized_program(seed: int) -> Sized:
    """Program `seed` of its family."""
    return random_sized_program(seed, BUILDERS[family_of(seed)])


def crossing_of(seed: int, symbols: set[str]) -> Crossing:
    """What is tried on program `seed`."""
    chance, family = random.Random(f"{seed} options"), family_of(seed)
    options: dict[str, object] = {
        "threads": chance.choice(THREADS),
        "strategy": chance.choice(["optimal", *STRATEGIES]),
        "inplace": chance.random() < 0.9,
        "plan": chance.random() < 0.85,
        "schedule": chance.random() < 0.7,
        "fuse": chance.random() < 0.7,
        "types": "bf16" if chance.random() < 0.15 else "f32",
        "kept_sizes": chance.choice([1, 2, 16]),
        "round_sizes": chance.random() < (0.6 if family == "ragged rows" else 0.2),
    }
    count = 3 if symbols else 1
    sizes: list[dict[str, int]] = []
    for _ in range(count):
        one = {name: chance.choice(SMALL_SIZES if chance.random() < 0.75 else LARGE_SIZES) for name in sorted(symbols)}
        if "e" in one:  # offsets: no sequence has rows only where there are none
            one["e"] = max(1 if one.get("n", 0) == 0 else 2, min(one["e"], 9))
        sizes.append(one)
    if symbols:
        sizes.append(chance.choice(sizes[:2]))
    naive = chance.random() < 0.3
    text, extreme = chance.random() < 0.4, chance.random() < 0.25
    decided_open = family == "unknown sizes" and chance.random() < 0.25
    pipeline = chance.randrange(len(PIPELINES)) if decided_open else None
    return Crossing(options, sizes, text, extreme, naive, pipeline)


def inputs_at(module: ModuleOp, sized: Sized, sizes: Mapping[str, int], seed: int, extreme: bool) -> Arrays:
    """Arrays for every argument, by name."""
    shapes, inputs = sized.input_shapes(sizes), Arrays()
    for index, argument in enumerate(main_function(module).args):
        name = argument_name(argument)
        shape = shapes.get(name) if isinstance(argument.type, TensorType) else None
        if name == sized.ends:
            inputs[name] = ragged_ends(np.random.default_rng(seed), sizes["n"], sizes["e"])
        else:
            inputs[name] = array(f"{index} {sizes}", argument.type, seed, extreme, shape)
    return inputs


def check_crossing(
    sized: Sized, seed: int, crossing: Crossing, figures: Counter[str], module: ModuleOp | None = None
) -> None:
    """One program, by default the drawn one, at all its sizes; raises `Wrong`."""
    module = sized.module if module is None else module
    options = dict(crossing.options)
    given = module_of(str(module)) if crossing.text else clone(module)
    if crossing.pipeline is not None:
        check_passes(sized, seed, crossing, given, figures)
        return
    what = "compiled with options"
    narrow = BF16 if options["types"] == "bf16" else 0.0
    with protected_constants():
        program, promise = compiled(what, given, options)
        naive = None
        if crossing.naive:
            naive, _ = compiled("naive", clone(module), {**options, "inplace": False, "plan": False})
        for turn, sizes in enumerate(crossing.sizes):
            inputs = inputs_at(module, sized, sizes, seed, crossing.extreme)
            want = right_results(module, list(inputs.values()), narrow)
            got = twice(what, program, inputs, promise)
            hold_against(what, want, got, promise, figures)
            figures["results held against the interpreter"] += len(want.expected)
            figures["runs at sizes that came before"] += sizes in crossing.sizes[:turn]
            if naive is not None:
                same_results(what, twice("naive", naive, inputs, promise), got)
                figures["bits compared with the naive program"] += 1


def check_passes(sized: Sized, seed: int, crossing: Crossing, module: ModuleOp, figures: Counter[str]) -> None:
    """Passes decide while sizes are unknown; then sizes are bound, and it runs. Raises `Wrong`."""
    assert crossing.pipeline is not None
    for func in functions_of(module).values():
        func.res_attrs = None  # that a result and the argument it is tied to have one size is not known yet
    drawn, what = clone(module), f"pipeline {crossing.pipeline} at unknown sizes"
    erase_uncalled(module)
    decide(module, Case(crossing.pipeline))
    threads = crossing.options["threads"]
    assert isinstance(threads, int)
    for sizes in crossing.sizes[:3]:
        inputs = inputs_at(drawn, sized, sizes, seed, crossing.extreme)
        want = right_results(drawn, list(inputs.values()))
        bound = clone(module)
        arrays = list(inputs.values())
        known = {name: arrays[index].shape[axis] for name, (index, axis) in unknown_sizes(main_function(bound)).items()}
        specialize(bound, {main_function(bound): known})
        refuse(bound, f"{what}, bound")
        promise = promise_of(bound)
        hold_against(what, want, executed(what, bound, inputs, threads), promise, figures)
        figures["results held against the interpreter"] += len(want.expected)
