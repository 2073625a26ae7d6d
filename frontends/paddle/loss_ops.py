"""Paddle's losses of each row, and their gradients. Defaults of attributes are Paddle's own."""

from __future__ import annotations

from typing import NamedTuple

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, SSAValue

from lastuse.dialect.ir.tensor_types import TensorInfo
from lastuse.frontends.paddle.builder import Handler, PaddleBuilder
from lastuse.frontends.paddle.op_attributes import axis_of, flag, int_attr, integer, ints_attr
from lastuse.frontends.paddle.proto import PaddleOp

_NO_LABEL = -100
"""Rows with this label do not count, if the op does not say another one."""


def _softmax_with_cross_entropy(b: PaddleBuilder, op: PaddleOp, name: str) -> SSAValue:
    """The loss of each row; its gradient is told from the softmax, which is an output too."""
    logits, label = b.input(op, "Logits"), b.input(op, "Label")
    axis, normalises = _class_axis(b, op, logits), flag(op, "use_softmax", True)
    at = {"axis": int_attr(axis)}
    if normalises:
        logs = b.emit("log_softmax", [logits], at, name=f"{name}/logs")
        parts = b.emit("softmax", [logits], at, name=f"{name}/softmax")
    else:
        logs = b.emit("log", [logits], name=f"{name}/logs")
        parts = b.emit("identity", [logits], name=f"{name}/softmax")
    b.bind(op, "Softmax", parts)
    if flag(op, "soft_label", False):
        return _of_distributions(b, logs, label, axis, name)
    return _of_labels(b, logs, Labels.of(b, op, logs, label, axis, name), name)


def _cross_entropy(b: PaddleBuilder, op: PaddleOp, name: str) -> SSAValue:
    """Of rows of probabilities."""
    x, label = b.input(op, "X"), b.input(op, "Label")
    axis = len(b.shape(x)) - 1
    if flag(op, "soft_label", False):
        logs = b.emit("log", [x], name=f"{name}/logs")
        return _of_distributions(b, logs, label, axis, name)
    labels = Labels.of(b, op, x, label, axis, name)
    picked = labels.picked(b, x, f"{name}/picked")
    b.bind(op, "MatchX", picked)
    logs = b.emit("log", [picked], name=f"{name}/log")
    return labels.kept(b, b.emit("neg", [logs], name=f"{name}/losses"), name)


def _of_distributions(b: PaddleBuilder, logs: SSAValue, label: SSAValue, axis: int, name: str) -> SSAValue:
    weighted = b.emit("mul", [label, logs], name=f"{name}/weighted")
    attributes = {"axes": ints_attr([axis]), "keepdims": int_attr(1)}
    return b.emit("neg", [b.emit("reduce_sum", [weighted], attributes, name=f"{name}/sum")], name=name)


class Labels(NamedTuple):
    """Labels that are numbers of classes.

    Attributes:
        axis: the axis of the classes, along which there is one label.
        counts: whether the row of each counts.
        classes: the labels, 0 where the row does not count.
        zero: a number of the element type of the rows.
    """

    axis: int
    counts: SSAValue
    classes: SSAValue
    zero: SSAValue

    @staticmethod
    def of(b: PaddleBuilder, op: PaddleOp, rows: SSAValue, label: SSAValue, axis: int, name: str) -> Labels:
        """The labels of rows."""
        rank = len(b.shape(rows))
        if len(b.shape(label)) == rank - 1:
            label = b.emit("unsqueeze", [label], {"axes": ints_attr([axis])}, name=f"{name}/labels")
        if len(b.shape(label)) != rank or b.shape(label)[axis] != 1:
            raise ValueError(f"labels must have size 1 on axis {axis} of {rank}, or be without it")
        dtype = b.sizes[label].dtype
        if dtype not in ("i32", "i64"):
            raise ValueError(f"labels must be integers, not {dtype}; distributions need soft_label")
        none = b.splat(integer(op, "ignore_index", _NO_LABEL), TensorInfo((), dtype), f"{name}/no_label")
        first = b.splat(0, TensorInfo((), dtype), f"{name}/first_class")
        ignored = b.compared("equal", label, none, f"{name}/ignored")
        counts = b.emit("not", [ignored], name=f"{name}/counts")
        classes = b.emit("where", [counts, label, first], name=f"{name}/classes")
        zero = b.splat(0, TensorInfo((), b.sizes[rows].dtype), f"{name}/zero")
        return Labels(axis, counts, classes, zero)

    def picked(self, b: PaddleBuilder, rows: SSAValue, name: str) -> SSAValue:
        """The element of each row at its label."""
        return b.emit("gather_elements", [rows, self.classes], {"axis": int_attr(self.axis)}, name=name)

    def kept(self, b: PaddleBuilder, values: SSAValue, name: str) -> SSAValue:
        """A value of each row, 0 where that does not count."""
        return b.emit("where", [self.counts, values, self.zero], name=name)

    def added(self, b: PaddleBuilder, rows: SSAValue, values: SSAValue, name: str) -> SSAValue:
        """The rows, each with its value added at its label."""
        attributes: dict[str, Attribute] = {"axis": int_attr(self.axis), "reduction": StringAttr("add")}
        return b.emit("scatter_elements", [rows, self.classes, values], attributes, name=name)


def _of_labels(b: PaddleBuilder, logs: SSAValue, labels: Labels, name: str) -> SSAValue:
    picked = labels.picked(b, logs, f"{name}/picked")
    return labels.kept(b, b.emit("neg", [picked], name=f"{name}/losses"), name)


def _class_axis(b: PaddleBuilder, op: PaddleOp, rows: SSAValue) -> int:
    return axis_of(integer(op, "axis", -1), len(b.shape(rows)))


def _softmax_with_cross_entropy_grad(b: PaddleBuilder, op: PaddleOp, name: str) -> SSAValue:
    parts, label, dloss = b.input(op, "Softmax"), b.input(op, "Label"), b.input(op, "Loss@GRAD")
    axis = _class_axis(b, op, parts)
    if flag(op, "soft_label", False):
        if not flag(op, "use_softmax", True):
            raise ValueError("the gradient of soft labels without softmax is not supported")
        far = b.emit("sub", [parts, label], name=f"{name}/far")
        dx = b.emit("mul", [far, dloss], name=name)
    else:
        with b.again():
            labels = Labels.of(b, op, parts, label, axis, name)
        share = labels.kept(b, dloss, f"{name}/share")
        dx = _logits_gradient(b, op, parts, labels, share, name)
    b.bind(op, "Logits@GRAD", dx)
    return dx


def _logits_gradient(
    b: PaddleBuilder, op: PaddleOp, parts: SSAValue, labels: Labels, share: SSAValue, name: str
) -> SSAValue:
    if flag(op, "use_softmax", True):
        spread = b.emit("mul", [parts, share], name=f"{name}/spread")
        return labels.added(b, spread, b.emit("neg", [share], name=f"{name}/less"), name)
    picked = labels.picked(b, parts, f"{name}/picked")
    slope = b.emit("div", [b.emit("neg", [share], name=f"{name}/less"), picked], name=f"{name}/slope")
    return labels.added(b, b.zeros(b.shape(parts), b.sizes[parts].dtype, f"{name}/zeros"), slope, name)


def _cross_entropy2_grad(b: PaddleBuilder, op: PaddleOp, name: str) -> SSAValue:
    picked, label, dy = b.input(op, "MatchX"), b.input(op, "Label"), b.input(op, "Y@GRAD")
    shape = b.shape_of(op)
    axis = len(shape) - 1
    rows = b.zeros(shape, b.sizes[dy].dtype, f"{name}/zeros")
    with b.again():
        labels = Labels.of(b, op, rows, label, axis, name)
    less = b.emit("neg", [labels.kept(b, dy, f"{name}/share")], name=f"{name}/less")
    dx = labels.added(b, rows, b.emit("div", [less, picked], name=f"{name}/slope"), name)
    b.bind(op, "X@GRAD", dx)
    return dx


HANDLERS: dict[str, Handler] = {
    "softmax_with_cross_entropy": _softmax_with_cross_entropy,
    **dict.fromkeys(("cross_entropy", "cross_entropy2"), _cross_entropy),
    "softmax_with_cross_entropy_grad": _softmax_with_cross_entropy_grad,
    "cross_entropy2_grad": _cross_entropy2_grad,
}
