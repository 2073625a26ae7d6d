"""Every case of the four systems that decide about memory: as the system decides, accepted by the checker, and
`optimal` reaches the best count that is known."""

from __future__ import annotations

import pytest

from .corpus import cases, runner


@pytest.mark.parametrize("system", ["paddle_onednn_inplace", "nntrainer_inplace", "torch_fx_reinplace"])
def test_decides_as_the_system_does(system: str) -> None:
    run = runner()
    found = dict(run.run_inplace([c for c in cases(system) if run.runnable(c)], "opt-tool"))
    assert len(found) > 40
    assert {name: problems for name, problems in found.items() if problems} == {}


def test_liveness_cases_of_the_memory_transpiler_hold() -> None:
    found = dict(runner().run_liveness(cases("paddle_memory_liveness"), "opt-tool"))
    assert len(found) > 40
    assert {name: problems for name, problems in found.items() if problems} == {}
