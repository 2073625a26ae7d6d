"""Boxes without those that overlap better ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.irdl import irdl_op_definition, operand_def, opt_attr_def, opt_operand_def, result_def

from lastuse.dialect.dnn.attributes import INTEGER, agreed, integer
from lastuse.dialect.dnn.base import Array, KernelOnlyBase
from lastuse.dialect.dnn.native import NativeBase
from lastuse.dialect.dnn.run_time_sizes import COUNT
from lastuse.dialect.ir.tensor_types import TensorInfo, static_shape
from lastuse.dialect.storage.contract import Contract, Engine, engine_of


@irdl_op_definition
class NonMaxSuppressionOp(NativeBase, KernelOnlyBase):
    """The numbers of boxes with the highest scores that do not overlap each other much, for each class of each image.

    Operands: boxes f32 [batch, boxes, 4]; scores f32 [batch, classes, boxes]; then numbers, tensors of one element:
    max_boxes i64, iou_threshold f32 and, if there is one, score_threshold f32. A box is y1, x1, y2, x2, two opposite
    corners in any order; with `center_point_box` 1 its centre x, y, width and height.

    Of each class, boxes whose score is above the score_threshold are taken from the highest score to the lowest, of
    equal scores the lower number first; NaN is the lowest, and above no threshold. A box is left out whose area in
    common with one that was kept, divided by that of both together, is above the iou_threshold. A box without a
    positive area overlaps none. max_boxes are kept at most, and `most`, which says how many the result has room for
    (default: all). Results: i64 [batch * classes * min(most, boxes), 3], a row of image, class and box for each that is
    kept, image by image and class by class, with 0 in the rows behind them; their number, i64. ONNX NonMaxSuppression,
    with the ties and roundings of onnxruntime.
    """

    name = "dnn.non_max_suppression"
    EXAMPLE: ClassVar = (
        "{most = 2 : i64} : (tensor<1x5x4xf32>, tensor<1x2x5xf32>, tensor<1xi64>, tensor<1xf32>, tensor<1xf32>) "
        "-> (tensor<4x3xi64>, tensor<i64>)"
    )
    boxes = operand_def(TensorType)
    scores = operand_def(TensorType)
    max_boxes = operand_def(TensorType)
    iou_threshold = operand_def(TensorType)
    score_threshold = opt_operand_def(TensorType)
    selected = result_def(TensorType)
    count = result_def(TensorType)
    center_point_box = opt_attr_def(INTEGER)
    most = opt_attr_def(INTEGER)

    def storage(self) -> Contract:
        return Contract(engines=self.kernel_engines())

    def native_numbers(self) -> Sequence[float]:
        boxes = static_shape(self.boxes.type)[1] or 0
        return [self._has_center(), min(integer(self.most, boxes), boxes)]

    def may_take_scratch(self) -> bool:
        return engine_of(self) is not Engine.CPU

    def _has_center(self) -> bool:
        return integer(self.center_point_box, 0) != 0

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        boxes, scores, max_boxes, *thresholds = operands
        if len(boxes.shape) != 3 or len(scores.shape) != 3:
            raise ValueError(f"boxes and scores must have 3 axes, not {len(boxes.shape)} and {len(scores.shape)}")
        if {info.dtype for info in (boxes, scores, *thresholds)} != {"f32"} or max_boxes.dtype != "i64":
            raise ValueError("boxes, scores and thresholds must be f32, max_boxes i64")
        if any(isinstance(info.elements, int) and info.elements != 1 for info in operands[2:]):
            raise ValueError("max_boxes and thresholds must have one element")
        if integer(self.center_point_box, 0) not in (0, 1):
            raise ValueError(f"center_point_box is {integer(self.center_point_box, 0)}, not 0 or 1")
        agreed(boxes.shape[2], 4, "numbers of a box")
        batch = agreed(boxes.shape[0], scores.shape[0], "images")
        count, classes = agreed(boxes.shape[1], scores.shape[2], "boxes"), scores.shape[1]
        most = None if self.most is None else integer(self.most, 0)
        if most is not None and most < 0:
            raise ValueError(f"most is {most}")
        if most is not None and count is not None:
            count = min(most, count) if isinstance(count, int) else None
        if batch is None or classes is None or count is None:
            return TensorInfo((None, 3), "i64"), COUNT
        return TensorInfo((batch * classes * count, 3), "i64"), COUNT

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        (boxes, scores, max_boxes, overlap, *threshold), (selected, count) = operands, results
        limit = max(0, min(int(max_boxes.reshape(())), len(selected) // max(1, scores.shape[0] * scores.shape[1])))
        rows: list[tuple[int, int, int]] = []
        with np.errstate(all="ignore"):
            edges = [_edges(image, self._has_center()) for image in boxes]
            for (image, class_), of in ((at, scores[at]) for at in np.ndindex(*scores.shape[:2])):
                order = np.argsort(-of, kind="stable")
                if threshold:
                    order = order[of[order] > threshold[0].reshape(())]
                kept: list[int] = []
                for box in order.tolist() if limit else ():
                    if not _overlaps(edges[image], box, kept, overlap.reshape(())):
                        kept.append(box)
                        if len(kept) == limit:
                            break
                rows += [(image, class_, box) for box in kept]
        selected[: len(rows)], selected[len(rows) :] = np.array(rows, np.int64).reshape(-1, 3), 0
        count[...] = len(rows)


def _edges(boxes: Array, has_center: bool) -> tuple[Array, Array]:
    """The lower and the higher edges of boxes, [boxes, 2] each."""
    if has_center:
        half = boxes[:, 2:] / np.float32(2)
        return boxes[:, :2] - half, boxes[:, :2] + half
    a, b = boxes[:, :2], boxes[:, 2:]
    return np.where(a >= b, b, a), np.where(a >= b, a, b)


def _overlaps(edges: tuple[Array, Array], box: int, others: Sequence[int], threshold: Array) -> bool:
    """Whether a box overlaps one of the others by more than the threshold."""
    low, high = edges
    sides = np.minimum(high[others], high[box]) - np.maximum(low[others], low[box])
    both, areas = sides[:, 0] * sides[:, 1], np.prod(high[others] - low[others], axis=1)
    area = np.prod(high[box] - low[box])
    either = areas + area - both
    fits = (sides > 0).all(1) & (both > 0) & (areas > 0) & (area > 0) & (either > 0)
    return bool((fits & (both / either > threshold)).any())
