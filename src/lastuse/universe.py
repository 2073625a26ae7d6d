"""
What lastuse adds to xDSL's world: its dialects, passes and targets, by name.

Named by the `xdsl.universe` entry point in pyproject.toml, so that stock `xdsl-opt` has them too. Each factory imports
its module when it is first asked for: a tool that runs one pass loads one pass.
"""

from __future__ import annotations

from xdsl.ir import Dialect
from xdsl.passes import ModulePass
from xdsl.universe import Universe
from xdsl.utils.target import Target


def get_dnn() -> Dialect:
    from lastuse.dialect.dnn import Dnn

    return Dnn


def get_onednn() -> Dialect:
    from lastuse.dialect.onednn import OneDNN

    return OneDNN


def get_alias_pass() -> type[ModulePass]:
    from lastuse.passes.alias import AliasPass

    return AliasPass


def get_liveness_pass() -> type[ModulePass]:
    from lastuse.passes.liveness import LivenessPass

    return LivenessPass


def get_specialize_pass() -> type[ModulePass]:
    from lastuse.passes.specialize import SpecializePass

    return SpecializePass


def get_gru_fusion_pass() -> type[ModulePass]:
    from lastuse.passes.gru_fusion import GruFusionPass

    return GruFusionPass


def get_weight_reorder_pass() -> type[ModulePass]:
    from lastuse.passes.weight_reorder import WeightReorderPass

    return WeightReorderPass


def get_quantize_pass() -> type[ModulePass]:
    from lastuse.passes.quantize import QuantizePass

    return QuantizePass


def get_pad_gru_pass() -> type[ModulePass]:
    from lastuse.passes.pad_gru import PadGruPass

    return PadGruPass


def get_placement_pass() -> type[ModulePass]:
    from lastuse.passes.placement import PlacementPass

    return PlacementPass


def get_inplace_pass() -> type[ModulePass]:
    from lastuse.passes.inplace import InplacePass

    return InplacePass


def get_memory_plan_pass() -> type[ModulePass]:
    from lastuse.passes.memory_plan import MemoryPlanPass

    return MemoryPlanPass


def get_schedule_pass() -> type[ModulePass]:
    from lastuse.passes.schedule import SchedulePass

    return SchedulePass


def get_plan_pass() -> type[ModulePass]:
    from lastuse.passes.plan import PlanPass

    return PlanPass


def get_verify_storage_pass() -> type[ModulePass]:
    from lastuse.passes.verify_storage import VerifyStoragePass

    return VerifyStoragePass


def get_lower_to_onednn_pass() -> type[ModulePass]:
    from lastuse.passes.lower_to_onednn import LowerToOnednnPass

    return LowerToOnednnPass


def get_verify_lowering_pass() -> type[ModulePass]:
    from lastuse.passes.verify_lowering import VerifyLoweringPass

    return VerifyLoweringPass


def get_svg_target() -> type[Target]:
    from lastuse.tools.visualize.targets import SvgTarget

    return SvgTarget


def get_html_target() -> type[Target]:
    from lastuse.tools.visualize.targets import HtmlTarget

    return HtmlTarget


def get_dot_target() -> type[Target]:
    from lastuse.tools.visualize.targets import DotTarget

    return DotTarget


UNIVERSE = Universe(
    all_dialects={"dnn": get_dnn, "onednn": get_onednn},
    all_passes={
        "alias-pass": get_alias_pass,
        "liveness-pass": get_liveness_pass,
        "specialize-pass": get_specialize_pass,
        "gru-fusion-pass": get_gru_fusion_pass,
        "weight-reorder-pass": get_weight_reorder_pass,
        "quantize-pass": get_quantize_pass,
        "pad-gru-pass": get_pad_gru_pass,
        "placement-pass": get_placement_pass,
        "schedule-pass": get_schedule_pass,
        "inplace-pass": get_inplace_pass,
        "memory-plan-pass": get_memory_plan_pass,
        "plan-pass": get_plan_pass,
        "verify-storage-pass": get_verify_storage_pass,
        "lower-to-onednn-pass": get_lower_to_onednn_pass,
        "verify-lowering-pass": get_verify_lowering_pass,
    },
    all_targets={"svg": get_svg_target, "html": get_html_target, "dot": get_dot_target},
)
