"""docs/performance.md: the op at the peak of each model, and no step of a reference implementation."""

from __future__ import annotations

import re
import sys

from packaged_models import EVERY_MODEL, fetched, model_table

import lastuse
from support import ROOT

sys.path.insert(0, str(ROOT))

from bench.peaks import measured

ROW = re.compile(r"\| ([\w-]+) \| ([\d,]+) \| `(.+?)` \| (.*) \|")
ROWS = {
    match[1]: match for match in map(ROW.match, (ROOT / "docs" / "performance.md").read_text().splitlines()) if match
}


def test_every_model_has_a_row() -> None:
    assert list(ROWS) == [model.name for model in model_table.MODELS]


@EVERY_MODEL
def test_the_row_is_the_peak_of_the_model(model: model_table.Model) -> None:
    """Scratch differs between machines: only rows without it say bytes that hold everywhere."""
    fetched(model)
    peak = measured(model)
    assert peak is not None
    _, arena, node, held = ROWS[model.name].groups()
    if "scratch" not in held and not any(one.is_scratch for one in peak.held):
        assert (f"{peak.arena:,}", peak.node) == (arena, node)
        first = peak.held[0]
        assert held.startswith(f"{first.nbytes:,} `{first.made}` to `{first.read}`, {first.peak_without:,}")


@EVERY_MODEL
def test_no_step_is_numpys_or_of_the_reference(model: model_table.Model) -> None:
    path, inputs = fetched(model), model.inputs(model.sizes)
    program = lastuse.compile(path, inputs=inputs, threads=1, profile=True)
    program.run(inputs)
    slow = {
        (step.kernel, step.name.rpartition(" ")[2])
        for step in program.profile()
        if step.engine == "cpu" or step.kernel.startswith("ref")
    }
    assert not slow
