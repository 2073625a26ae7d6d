"""
Paddle's gradient ops. Defaults of attributes are Paddle's own.

A gradient op reads what its slots name. Where they have the operands of the forward op, the forward op's dnn ops are
found again, by value, and each gives its own gradient, which reads no more of it than its contract says: a maximum pool
the numbers of elements, a sum nothing. Where the slots have its result alone, the gradient is one dnn op.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from xdsl.builder import Builder
from xdsl.dialects.builtin import ArrayAttr, BoolAttr, StringAttr
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.rewriter import InsertPoint

from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.ir.diagnostics import LastuseError, NeedsValuesError, locations
from lastuse.dialect.storage import attrs
from lastuse.frontends.paddle import elementwise_ops, loss_ops, shapes, tensor_ops, window_ops
from lastuse.frontends.paddle.builder import GRADIENT, NOT_WANTED, Handler, PaddleBuilder, output_slot
from lastuse.frontends.paddle.op_attributes import float_attr, int_attr, integer, integers, ints_attr, number
from lastuse.frontends.paddle.proto import PaddleOp

FORWARD = elementwise_ops.HANDLERS | shapes.HANDLERS | tensor_ops.HANDLERS | window_ops.HANDLERS | loss_ops.HANDLERS


def _by_value(kind: str) -> Handler:
    """The gradient of the op `kind` from those of its dnn ops, by all of its inputs that the op wants."""

    def handler(b: PaddleBuilder, op: PaddleOp, name: str) -> SSAValue:
        slot = output_slot(kind)
        dy = b.input(op, slot + GRADIENT)
        wanted = {
            source: names
            for source, names in ((s.removesuffix(GRADIENT), names) for s, names in op.outputs.items())
            if names != [NOT_WANTED]
        }
        for source, names in wanted.items():
            if len(op.inputs.get(source, [])) != len(names):
                raise ValueError(f"the input {source} has {len(op.inputs.get(source, []))} variables, not {len(names)}")
        inputs = _distinct({s: names for s, names in op.inputs.items() if not s.endswith(GRADIENT)}, b, name)
        forward = PaddleOp(op.index, kind, inputs, {slot: [f"{name}/forward"]}, op.attrs)
        last = b.body.last_op
        with b.again() as trail:
            y = FORWARD[kind](b, forward, f"{name}/forward")
        if b.shape(dy) != b.shape(y):
            raise ValueError(f"the input {slot}{GRADIENT} has the shape of another value than {slot}")
        sources = [b.value(name) for source in wanted for name in inputs[source]]
        gradients = _pulled_back(b, list(dict.fromkeys(trail)), sources, y, dy)
        bound: set[SSAValue] = set()
        for source, names in wanted.items():
            for variable, forward_name in zip(names, inputs[source], strict=True):
                if variable == NOT_WANTED:
                    continue
                value = b.value(forward_name)
                gradient = gradients.get(value)
                if gradient is None:
                    gradient = b.zeros(b.shape(value), b.sizes[value].dtype, variable)
                _name(gradient, variable)
                b.assign(variable, gradient)
                bound.add(gradient)
        _erase_unused(b, last, bound)
        return dy

    return handler


def _distinct(inputs: Mapping[str, list[str]], b: PaddleBuilder, name: str) -> dict[str, list[str]]:
    """The inputs, a value that stands in two places under another name: each place has a gradient of its own."""
    seen: set[SSAValue] = set()
    result: dict[str, list[str]] = {}
    for slot, names in inputs.items():
        result[slot] = []
        for variable in names:
            alias = variable
            if b.has_value(variable):
                value = b.value(variable)
                if value in seen:
                    alias = f"{name}/{slot}{len(result[slot])}"
                    b.assign(alias, b.emit("identity", [value], name=alias))
                seen.add(value)
            result[slot].append(alias)
    return result


def _pulled_back(
    b: PaddleBuilder, trail: Sequence[Operation], sources: Sequence[SSAValue], y: SSAValue, dy: SSAValue
) -> dict[SSAValue, SSAValue]:
    """The gradients of the sources that `y` was computed from by the ops of the trail, from `dy`, its own.

    Raises:
        NeedsValuesError: sizes are needed that are unknown.
        ValueError: an op has no gradient.
    """
    gradients, last = {y: dy}, b.body.last_op
    adder = gradient_builder(b)
    moved = set(sources)
    for op in trail:
        if any(operand in moved for operand in op.operands):
            moved.update(op.results)
    try:
        for op in reversed(trail):
            results = [gradients.get(result) for result in op.results]
            if not isinstance(op, DnnOp) or all(gradient is None for gradient in results):
                continue
            adder.origin = op
            for operand, gradient in zip(op.operands, op.gradient(results, adder), strict=True):
                if gradient is not None and operand in moved:
                    known = gradients.get(operand)
                    gradients[operand] = gradient if known is None else adder.emit("add", known, gradient)
    except LastuseError as error:
        missing = b.needs_sizes(error)
        if isinstance(missing, NeedsValuesError):
            raise missing from error
        raise ValueError(error.message) from error
    for op in _behind(b, last):
        locations[op] = b.location
    return gradients


def gradient_builder(b: PaddleBuilder) -> GradientBuilder:
    """Adds ops at the end of the main block; the sizes of their results are known to `b`."""
    result = GradientBuilder(Builder(InsertPoint.at_end(b.body)), b.module)
    result.sizes = b.sizes
    return result


def _behind(b: PaddleBuilder, last: Operation | None) -> list[Operation]:
    """The ops of the main block behind `last`."""
    ops: list[Operation] = []
    op = b.body.first_op if last is None else last.next_op
    while op is not None:
        ops.append(op)
        op = op.next_op
    return ops


def _name(value: SSAValue, name: str) -> None:
    """Gives the only result of an op its name in the source."""
    if isinstance(value, OpResult) and attrs.NAMES not in value.op.attributes:
        names = ["" if result is not value else name for result in value.op.results]
        value.op.attributes[attrs.NAMES] = ArrayAttr([StringAttr(n) for n in names])
        value.name_hint = None


def _erase_unused(b: PaddleBuilder, last: Operation | None, bound: set[SSAValue]) -> None:
    """Erases the ops behind `last` that nothing reads: forward ops that were made again, gradients without a use."""
    for op in reversed(_behind(b, last)):
        if not any(result.first_use is not None or result in bound for result in op.results):
            op.detach()
            op.erase()


def _from_result(kind: str, attributes: Callable[[PaddleOp], dict[str, Attribute]] = lambda op: {}) -> Handler:
    """The gradient of an op that its result tells: `dnn.<kind>` on the result and its gradient."""

    def handler(b: PaddleBuilder, op: PaddleOp, name: str) -> SSAValue:
        dx = b.emit(kind, [b.input(op, "Out"), b.input(op, "Out@GRAD")], attributes(op), name=name)
        b.bind(op, "X@GRAD", dx)
        return dx

    return handler


def _of_view(b: PaddleBuilder, op: PaddleOp, name: str) -> SSAValue:
    """The gradient of an op that gives its input another shape, which is all that is kept of it."""
    dx = b.reshape(b.input(op, "Out@GRAD"), b.shape_of(op), name)
    b.bind(op, "X@GRAD", dx)
    return dx


def _of_transpose(b: PaddleBuilder, op: PaddleOp, name: str) -> SSAValue:
    axes = integers(op, "axis")
    if sorted(axes) != list(range(len(axes))):
        raise ValueError(f"the axes {axes} are no permutation")
    perm = [axes.index(axis) for axis in range(len(axes))]
    dx = b.emit("transpose", [b.input(op, "Out@GRAD")], {"perm": ints_attr(perm)}, name=name)
    b.bind(op, "X@GRAD", dx)
    return dx


def _of_square_root(b: PaddleBuilder, op: PaddleOp, name: str) -> SSAValue:
    half = b.emit("scale", [b.input(op, "Out@GRAD")], {"scale": float_attr(0.5)}, name=f"{name}/half")
    dx = b.emit("div", [half, b.input(op, "Out")], name=name)
    b.bind(op, "X@GRAD", dx)
    return dx


def _of_batch_norm(b: PaddleBuilder, op: PaddleOp, name: str) -> SSAValue:
    """From x and the statistics that normalised it: its own, which the forward op saved, or fixed ones."""
    fixed = tensor_ops.has_fixed_statistics(op)
    slots = ("MeanOut", "VarianceOut") if fixed else ("SavedMean", "SavedVariance")
    mean, variance = (b.input(op, slot) for slot in slots)
    epsilon = number(op, "epsilon", 1e-5)
    if not fixed:
        variance = b.saved.get(op.inputs["SavedVariance"][0]) or _variance(b, variance, epsilon, name)
    operands = [b.input(op, "X"), b.input(op, "Scale"), mean, variance, b.input(op, "Y@GRAD")]
    attributes: dict[str, Attribute] = {"epsilon": float_attr(epsilon), **tensor_ops.channel_order(b, op, operands[0])}
    if fixed:
        attributes["fixed"] = BoolAttr.from_bool(True)
    slots = ("X", "Scale", "Bias")
    names = [next(iter(op.outputs.get(f"{slot}@GRAD", [])), f"{name}/{slot}") for slot in slots]
    results = b.emit_all("batch_norm_grad", operands, attributes, names=names)
    for slot, value in zip(slots, results, strict=True):
        b.bind(op, f"{slot}@GRAD", value)
    return results[0]


def _variance(b: PaddleBuilder, inverse: SSAValue, epsilon: float, name: str) -> SSAValue:
    """The variance, of what Paddle saves of it: 1 / sqrt(variance + epsilon)."""
    square = b.emit("mul", [inverse, inverse], name=f"{name}/square")
    attributes = {"bias": float_attr(-epsilon)}
    return b.emit("scale", [b.emit("reciprocal", [square], name=f"{name}/wide")], attributes, name=f"{name}/variance")


def _axis(op: PaddleOp) -> dict[str, Attribute]:
    return {"axis": int_attr(integer(op, "axis", -1))}


_BY_VALUE = (
    *("elementwise_add", "elementwise_sub", "elementwise_mul", "elementwise_div", "elementwise_pow"),
    *("elementwise_max", "elementwise_min", "abs", "gelu", "silu", "swish", "square", "pow", "clip", "leaky_relu"),
    *("mul", "matmul", "matmul_v2", "fc", "layer_norm", "mean", "reduce_mean", "reduce_sum", "lookup_table"),
    *("lookup_table_v2", "concat", "conv2d", "depthwise_conv2d", "pool2d", "cross_entropy", "elu", "cast", "scale"),
)
_OF_VIEWS = ("reshape2", "flatten2", "flatten_contiguous_range", "squeeze2", "unsqueeze2")

HANDLERS: dict[str, Handler] = {
    **{f"{kind}_grad": _by_value(kind) for kind in _BY_VALUE},
    **dict.fromkeys((f"{kind}_grad" for kind in _OF_VIEWS), _of_view),
    **{f"{kind}_grad": _from_result(f"{kind}_grad") for kind in ("relu", "sigmoid", "tanh")},
    **{f"{kind}_grad": _from_result(f"{kind}_grad", _axis) for kind in ("softmax", "log_softmax")},
    "relu6_grad": _from_result(
        "clip_grad", lambda op: {"min": float_attr(0), "max": float_attr(number(op, "threshold", 6.0))}
    ),
    "exp_grad": _from_result("mul"),
    "sqrt_grad": _of_square_root,
    "transpose2_grad": _of_transpose,
    "batch_norm_grad": _of_batch_norm,
}
