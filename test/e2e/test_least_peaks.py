"""Small ONNX models of packages have the order of ops whose live peak is proved to be the least."""

from __future__ import annotations

import pytest
from packaged_models import fetched, model_table

import lastuse
from lastuse.compiler.driver import context

MOST_STEPS = 60
UNPROVED = "proved = false"
"""What `--plan-pass` says where its search for an order stopped."""
KEPT = "ops keep their order"
SMALL = (
    *("akiki-vad", "dfn3-enc", "dfn3-erb_dec", "dfn3-df_dec", "nsnet2-48k", "nsnet2-16k"),
    *("silero-vad", "silero-vad-16k-op15", "silero-vad-16k-sequence", "silero-vad-half"),
    "silero-vad-openvino-16k",
)
"""Models of at most so many steps, at the sizes that they are measured with."""


@pytest.mark.parametrize("name", SMALL)
def test_the_live_peak_is_proved_to_be_the_least(name: str) -> None:
    (model,) = (model for model in model_table.MODELS if model.name == name)
    path, ctx = fetched(model), context()
    ctx.wants_remarks = True
    program = lastuse.compile(path, inputs=model.inputs(model.sizes), threads=1, ctx=ctx)
    assert sum(program.latest.engines.values()) <= MOST_STEPS
    said = [str(remark) for remark in ctx.remarks]
    assert said and not any(UNPROVED in text or KEPT in text for text in said)
