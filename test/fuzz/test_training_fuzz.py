"""Random steps of training, each with an optimizer or without: decided right, with the interpreter's results and the
bits of the step without decisions; and gradients that are slopes of the loss.

`run_fuzz.py N --training` looks at as many as asked for.
"""

from __future__ import annotations

import fuzz_slopes
import pytest
from fuzz_execute import Wrong
from run_fuzz import training_failure

from lastuse.dialect.dnn.elementwise import ScaleOp
from support import swept

PROGRAMS, PIECES = 120, 4
"""Steps, and in how many tests."""


@pytest.mark.parametrize("piece", swept(range(PIECES)))
def test_random_steps_of_training_are_right(piece: int) -> None:
    for seed in range(1000 * piece, 1000 * piece + PROGRAMS // PIECES):
        wrong = training_failure(seed, extreme=False)
        assert wrong is None, f"seed {wrong.seed}, {wrong.case}: {wrong.words}\n{wrong.module!s}"


def test_most_gradients_are_compared() -> None:
    assert sum(fuzz_slopes.compared_slopes(seed) for seed in range(20)) > 20


def test_wrong_gradient_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every loss is scaled at the end; the factor is missing in its gradient."""
    monkeypatch.setattr(ScaleOp, "gradient", lambda op, results, builder: results)  # pyright: ignore
    with pytest.raises(Wrong, match="a gradient is no slope"):
        for seed in range(10):
            fuzz_slopes.compared_slopes(seed)
