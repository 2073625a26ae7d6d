"""oneDNN's convolution backward by weights."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from xdsl.irdl import irdl_op_definition
from xdsl.utils.exceptions import VerifyException

from lastuse.dialect.onednn.primitives.base import Primitive, StepBuilder
from lastuse.dialect.onednn.primitives.convolution import (
    ConvolutionPrimitive,
    WindowedBase,
    movement_attributes,
    takes_rank,
)
from lastuse.dialect.onednn.primitives.spatial_layout import (
    MOST_AXES,
    SPATIAL,
    channels_second,
    kept_axes,
    with_axes,
    with_spatial,
)
from lastuse.dialect.onednn.primitives.window import WindowRule


@irdl_op_definition
class OneDnnConvolutionWeightsGradOp(WindowedBase):
    """diff_weights[o, i, k] = the sum over n, p of diff_dst[n, o, p] * src[n, i, strides * p + dilations * k - begins].

    ins: src [N, C, spatial…], diff_dst [N, O, places…]; out: diff_weights [O, I, spatial…] or, by groups,
    [G, O/G, I/G, spatial…]. Not in place.
    """

    name = "onednn.convolution_weights_grad"

    def multiplications(self) -> int:
        diff_dst, weights = self.in_memories[1].shape, self.out_memories[0].shape
        return diff_dst[0] * prod(diff_dst[SPATIAL:]) * prod(weights)

    def verify_primitive(self) -> None:
        self.expect(2, 1)
        (src, diff_dst), (weights,) = self.in_memories, self.out_memories
        grouped = len(weights.shape) - len(src.shape)
        message = f"no {self.name} makes {weights} of {src} and {diff_dst}"
        if grouped not in (0, 1) or not 0 < len(src.shape) - SPATIAL <= MOST_AXES:
            raise VerifyException(message)
        groups = weights.shape[0] if grouped else 1
        outputs, inputs = (groups * size for size in weights.shape[grouped : grouped + 2])
        sizes = (src.shape[1], diff_dst.shape[:2])
        if sizes != (inputs, (src.shape[0], outputs)) or not src.dtype == weights.dtype == diff_dst.dtype:
            raise VerifyException(message)
        self.verify_movement(weights.shape[grouped + 2 :], src, diff_dst)


@dataclass(frozen=True)
class ConvolutionWeightsGradPrimitive(Primitive):
    """The gradient of a convolution's weights [O, C/G, spatial…] from x and dy; `rule` says how the window moves.

    `group`: how many groups the channels have. `channels_last`: x and dy are [N, spatial…, C].
    """

    group: int
    channels_last: bool
    rule: WindowRule

    def emit(self, steps: StepBuilder) -> bool:
        src, diff_dst = (channels_second(v, self.channels_last) for v in steps.ins)
        weights = channels_second(steps.outs[0], channels_last=False)
        if src is None or diff_dst is None or weights is None or not takes_rank(src):
            return False
        sizes = src.shape[SPATIAL:]
        window = self.rule.window(sizes)
        axes = kept_axes(window, sizes, diff_dst.shape[SPATIAL:])
        weights = ConvolutionPrimitive(self.group, self.channels_last, self.rule).weights(weights)
        out = with_spatial(weights, len(weights.shape) - len(window.kernel), axes)
        ins = [with_spatial(v, SPATIAL, axes) for v in (src, diff_dst)]
        steps.step(OneDnnConvolutionWeightsGradOp, ins, [out], movement_attributes(with_axes(window, axes)))
        return True
