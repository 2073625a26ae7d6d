"""Resizing: elements of other sizes, by the nearest element or by interpolation."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import DenseArrayBase, StringAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import base, irdl_op_definition, opt_attr_def

from lastuse.dialect.dnn.attributes import (
    INTEGER,
    INTEGERS,
    NUMBER,
    all_f32,
    axis_of,
    engines,
    integer,
    integers,
    moved_axes,
    number,
    on_cpu_alone,
    scalar,
    word,
)
from lastuse.dialect.dnn.axis_moves import STRETCHES, stretches, whole_stretch
from lastuse.dialect.dnn.base import Array, OneOperandBase, TransposedForm
from lastuse.dialect.dnn.differentiable import DifferentiableBase
from lastuse.dialect.dnn.elementwise import READS_NOTHING
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.native import NativeBase
from lastuse.dialect.dnn.spatial.interpolation import interpolated, weights_of
from lastuse.dialect.ir.tensor_types import Dim, TensorInfo, static_shape
from lastuse.dialect.onednn.primitives.base import Primitive
from lastuse.dialect.onednn.primitives.coordinates import (
    COORDINATES,
    CROP,
    MODES,
    NEAREST,
    POLICIES,
    ROUNDINGS,
    STRETCH,
    ResizeRule,
)
from lastuse.dialect.onednn.primitives.resampling import ResamplingPrimitive
from lastuse.dialect.storage.contract import Contract, Engine, engine_of

INTERPOLATE = "interpolate"
"""The runtime's kernel."""


@irdl_op_definition
class ResizeOp(NativeBase, OneOperandBase, DifferentiableBase):
    """x with other sizes along `axes`, by the nearest element or by linear or cubic interpolation (`mode`).

    Either `scales`, factors of the sizes, or `sizes`, those of the result, one for each of `axes` (default all).
    `keep_aspect_ratio_policy`, `coordinate_transformation_mode` (default half_pixel), `nearest_mode`, `cubic_coeff_a`,
    `exclude_outside`, `antialias`, `roi` (with tf_crop_and_resize) and `extrapolation_value` as in ONNX Resize. Any
    element type; integers are truncated where they are interpolated.
    """

    name = "dnn.resize"
    EXAMPLE: ClassVar = (
        '{coordinate_transformation_mode = "asymmetric", mode = "nearest", nearest_mode = "floor", '
        "scales = array<f32: 1.0, 1.0, 2.0, 2.0>} : (tensor<2x3x4x5xf32>) -> tensor<2x3x8x10xf32>"
    )
    ALONG_AXES: ClassVar = frozenset({"scales", "sizes", "roi"})
    mode = opt_attr_def(base(StringAttr))
    scales = opt_attr_def(base(DenseArrayBase))
    sizes = opt_attr_def(INTEGERS)
    axes = opt_attr_def(INTEGERS)
    roi = opt_attr_def(base(DenseArrayBase))
    coordinates = opt_attr_def(base(StringAttr), attr_name="coordinate_transformation_mode")
    nearest_mode = opt_attr_def(base(StringAttr))
    policy = opt_attr_def(base(StringAttr), attr_name="keep_aspect_ratio_policy")
    cubic_coeff_a = opt_attr_def(NUMBER)
    exclude_outside = opt_attr_def(INTEGER)
    antialias = opt_attr_def(INTEGER)
    extrapolation_value = opt_attr_def(NUMBER)

    def storage(self) -> Contract:
        runs = self.kernel_engines() if self.takes_native() else engines(self)
        strided = on_cpu_alone(self) and self.native_kernel() != INTERPOLATE
        return Contract(strided=strided, engines=runs, backward=READS_NOTHING)

    def takes_native(self) -> bool:
        """The kernel of stretches selects elements of any type, that of interpolation computes f32: both also where
        oneDNN's primitive has other positions."""
        rule = self.rule(len(self.operand_type().shape))
        return all_f32(self) if rule.mode != NEAREST else rule.coordinates != CROP

    def may_take_scratch(self) -> bool:
        return super().may_take_scratch() or (self.native_kernel() == INTERPOLATE and engine_of(self) is not Engine.CPU)

    def native_name(self) -> str:
        return STRETCHES if self.rule(len(self.operand_type().shape)).mode == NEAREST else INTERPOLATE

    def native_numbers(self) -> Sequence[float]:
        x, y = ([size or 0 for size in static_shape(value.type)] for value in (self.x, self.y))
        if 0 in y:
            return []
        sources, rule = [whole_stretch(size) for size in x], self.rule(len(x))
        if rule.mode != NEAREST:
            return weights_of(rule, rule.maps(x, y), float(number(self.extrapolation_value, 0)))
        for of in rule.maps(x, y):
            sources[of.axis] = stretches(rule.nearest(rule.positions(of), of.source))
        return [n for axis in sources for n in axis]

    def rule(self, rank: int) -> ResizeRule:
        """What the attributes say for an operand of so many axes.

        Raises:
            ValueError: they contradict each other.
        """
        axes = range(rank) if self.axes is None else [axis_of(axis, rank) for axis in integers(self.axes)]
        if len(set(axes)) < len(axes):
            raise ValueError(f"axes {list(axes)} name one twice")
        scales = None if self.scales is None else _floats(self.scales)
        sizes = None if self.sizes is None else integers(self.sizes)
        if (scales is None) == (sizes is None):
            raise ValueError("needs either scales or sizes")
        for entries, what in ((scales, "scales"), (sizes, "sizes")):
            if entries is not None and len(entries) != len(axes):
                raise ValueError(f"{what} must have {len(axes)} entries, not {len(entries)}")
        if not all(0 < scale < math.inf for scale in scales or ()) or min(sizes or (0,)) < 0:
            raise ValueError("scales must be above 0 and finite, and sizes 0 or more")
        roi = None if self.roi is None else _floats(self.roi)
        rule = ResizeRule(
            word(self.mode, NEAREST),
            word(self.coordinates, "half_pixel"),
            word(self.nearest_mode, "round_prefer_floor"),
            tuple(axes),
            scales,
            sizes,
            word(self.policy, STRETCH),
            roi,
            float(number(self.cubic_coeff_a, -0.75)),
            bool(integer(self.exclude_outside, 0)),
            bool(integer(self.antialias, 0)),
        )
        words = (
            (rule.mode, MODES, "mode"),
            (rule.coordinates, COORDINATES, "coordinate_transformation_mode"),
            (rule.rounding, ROUNDINGS, "nearest_mode"),
            (rule.policy, POLICIES, "keep_aspect_ratio_policy"),
        )
        for value, known, what in words:
            if value not in known:
                raise ValueError(f"{what} must be one of {', '.join(known)}, not {value}")
        if rule.coordinates == CROP and (roi is None or len(roi) != 2 * len(axes)):
            raise ValueError(f"{CROP} needs a roi of {2 * len(axes)} numbers")
        if rule.antialias and rule.mode == NEAREST:
            raise ValueError("antialias goes with linear and cubic interpolation")
        return rule

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        x = operands[0]
        rule = self.rule(len(x.shape))
        scalar(number(self.extrapolation_value, 0), x.dtype)
        outputs = rule.outputs(x.shape)
        if any(have == 0 and want != 0 for have, want in zip(x.shape, outputs, strict=True)):
            raise ValueError("an axis without elements stays so")
        return (TensorInfo(outputs, x.dtype),)

    def transposed_form(self, perm: Sequence[int]) -> TransposedForm | None:
        axes = range(len(perm)) if self.axes is None else integers(self.axes)
        return TransposedForm({**self.attributes, "axes": moved_axes(axes, perm)}, frozenset({0}))

    @classmethod
    def infer_dynamic(
        cls, attributes: Mapping[str, Attribute], operands: Sequence[TensorInfo], values: Mapping[str, TensorInfo]
    ) -> tuple[TensorInfo, ...]:
        content = values["sizes"].content if "sizes" in values and len(values) == 1 else None
        policy = attributes.get("keep_aspect_ratio_policy")
        if content is None or (isinstance(policy, StringAttr) and policy.data != STRETCH):
            return super().infer_dynamic(attributes, operands, values)
        x, stated = operands[0], attributes.get("axes")
        axes = range(len(x.shape)) if stated is None else [axis_of(axis, len(x.shape)) for axis in integers(stated)]
        shape: list[Dim | None] = list(x.shape)
        for axis, size in zip(axes, content, strict=True):
            shape[axis] = None if isinstance(size, float) else size
        return (TensorInfo(tuple(shape), x.dtype),)

    def reference(self, *operands: Array) -> tuple[Array, ...]:
        x = operands[0]
        rule = self.rule(x.ndim)
        outputs = [size for size in rule.outputs(x.shape) if isinstance(size, int)]
        if 0 in outputs:
            return (np.empty(outputs, x.dtype),)
        extrapolated = float(number(self.extrapolation_value, 0))
        with np.errstate(all="ignore"):
            return (interpolated(x, rule, rule.maps(x.shape, outputs), extrapolated),)

    def differentiate(self, dy: SSAValue, builder: GradientBuilder) -> Sequence[SSAValue | None]:
        """Along each axis that is resized every element of the result is a weighted sum of elements of x: dy times the
        weights, axis after axis."""
        shape, outputs = builder.known_shape(self.x), builder.known_shape(self.y)
        rule, rank = self.rule(len(shape)), len(shape)
        for of in rule.maps(shape, outputs):
            weights = interpolated(np.eye(of.source), rule, [of._replace(axis=0)], 0.0)
            order = [*(k for k in range(rank) if k != of.axis), of.axis]
            turned = builder.emit("transpose", dy, perm=order)
            summed = builder.emit("matmul", turned, builder.numbers(weights, builder.info(dy).dtype))
            dy = builder.emit("transpose", summed, perm=[order.index(k) for k in range(rank)])
        return (dy,)

    def primitive(self) -> Primitive | None:
        if not all_f32(self):
            return None
        rule = self.rule(len(self.operand_type().shape))
        return ResamplingPrimitive(rule) if rule.mode in ("nearest", "linear") and rule.coordinates != CROP else None


def _floats(attribute: Attribute) -> tuple[float, ...]:
    assert isinstance(attribute, DenseArrayBase)
    return tuple(float(value) for value in attribute.get_values())
