"""
What lastuse adds to xDSL's world: its dialects, passes and targets, by name.

Named by the `xdsl.universe` entry point in pyproject.toml, so that stock `xdsl-opt` has them too. Each factory imports
its module when it is first called: a tool that runs one pass loads one pass.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from xdsl.universe import Universe

DIALECTS = {"dnn": ("lastuse.dialect.dnn", "Dnn"), "onednn": ("lastuse.dialect.onednn", "OneDNN")}
PASSES = {
    "alias-pass": ("lastuse.passes.alias", "AliasPass"),
    "liveness-pass": ("lastuse.passes.liveness", "LivenessPass"),
    "specialize-pass": ("lastuse.passes.specialize", "SpecializePass"),
    "quantized-ops-pass": ("lastuse.passes.quantized_ops", "QuantizedOpsPass"),
    "quantized-weights-pass": ("lastuse.passes.quantized_weights", "QuantizedWeightsPass"),
    "refine-pass": ("lastuse.passes.refine", "RefinePass"),
    "widen-floats-pass": ("lastuse.passes.widen_floats", "WidenFloatsPass"),
    "bubble-up-pass": ("lastuse.passes.bubble_up", "BubbleUpPass"),
    "backward-pass": ("lastuse.passes.backward", "BackwardPass"),
    "gru-fusion-pass": ("lastuse.passes.gru_fusion", "GruFusionPass"),
    "weight-reorder-pass": ("lastuse.passes.weight_reorder", "WeightReorderPass"),
    "layout-pass": ("lastuse.passes.layout", "LayoutPass"),
    "post-op-fusion-pass": ("lastuse.passes.post_op_fusion", "PostOpFusionPass"),
    "map-fusion-pass": ("lastuse.passes.map_fusion", "MapFusionPass"),
    "pack-weights-pass": ("lastuse.passes.pack_weights", "PackWeightsPass"),
    "accumulate-pass": ("lastuse.passes.accumulate", "AccumulatePass"),
    "quantize-pass": ("lastuse.passes.quantize", "QuantizePass"),
    "pad-gru-pass": ("lastuse.passes.pad_gru", "PadGruPass"),
    "placement-pass": ("lastuse.passes.placement", "PlacementPass"),
    "fold-producer-pass": ("lastuse.passes.fold_producer", "FoldProducerPass"),
    "schedule-pass": ("lastuse.passes.schedule", "SchedulePass"),
    "call-interface-pass": ("lastuse.passes.call_interface", "CallInterfacePass"),
    "inplace-pass": ("lastuse.passes.inplace", "InplacePass"),
    "memory-plan-pass": ("lastuse.passes.memory_plan", "MemoryPlanPass"),
    "plan-pass": ("lastuse.passes.plan", "PlanPass"),
    "verify-storage-pass": ("lastuse.passes.verify_storage", "VerifyStoragePass"),
    "bufferize-pass": ("lastuse.passes.bufferize", "BufferizePass"),
    "lower-to-onednn-pass": ("lastuse.passes.lower_to_onednn", "LowerToOnednnPass"),
    "verify-lowering-pass": ("lastuse.passes.verify_lowering", "VerifyLoweringPass"),
}
"""The module and the class of each pass, in the order in which `opt-tool --help` lists them."""
FUSE = (
    "gru-fusion-pass,weight-reorder-pass,layout-pass,post-op-fusion-pass,map-fusion-pass,accumulate-pass,"
    "pack-weights-pass"
)
PLAN = "fold-producer-pass,plan-pass,verify-storage-pass{repair=true}"
LOWER = "lower-to-onednn-pass,verify-lowering-pass"
PIPELINES = {"fuse": FUSE, "plan": PLAN, "lower": LOWER, "compile": f"{FUSE},placement-pass,{PLAN},{LOWER}"}
"""Passes that belong together: what `lastuse.compile` runs, and `opt-tool --pipeline`."""
TARGETS = {kind: ("lastuse.tools.visualize.targets", f"{kind.capitalize()}Target") for kind in ("svg", "html", "dot")}


def _factories(table: dict[str, tuple[str, str]]) -> dict[str, Callable[[], Any]]:
    def factory(module: str, name: str) -> Callable[[], Any]:
        return lambda: getattr(import_module(module), name)

    return {key: factory(*entry) for key, entry in table.items()}


UNIVERSE = Universe(
    all_dialects=_factories(DIALECTS),
    all_passes=_factories(PASSES),
    all_targets=_factories(TARGETS),
)
