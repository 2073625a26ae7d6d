"""Paddle's products, tables, normalisations and reductions. Defaults of attributes are Paddle's own."""

from __future__ import annotations

from functools import partial

from xdsl.dialects.builtin import BoolAttr
from xdsl.ir import Attribute, SSAValue

from lastuse.dialect.ir.tensor_types import TensorInfo, product
from lastuse.frontends.paddle.builder import Handler, PaddleBuilder, unary
from lastuse.frontends.paddle.op_attributes import (
    axis_of,
    flag,
    float_attr,
    int_attr,
    integer,
    integers,
    ints_attr,
    number,
    output,
    text,
)
from lastuse.frontends.paddle.proto import PaddleOp


def _lookup_table(b: PaddleBuilder, op: PaddleOp, name: str) -> SSAValue:
    """Rows of W by Ids. lookup_table has ids [..., 1] and drops that axis, lookup_table_v2 has them without."""
    ids, padding = b.input(op, "Ids"), integer(op, "padding_idx", -1)
    shape = b.shape(ids)
    if op.type == "lookup_table":
        if not shape or shape[-1] != 1:
            raise ValueError("the last axis of Ids must have size 1")
        ids = b.reshape(ids, shape[:-1], f"{name}/ids")
    table = b.input(op, "W")
    if padding != -1:  # that row reads as 0
        rows = b.parameter(op, "W")
        if rows is None or not 0 <= padding < len(rows):
            raise ValueError(f"padding_idx {padding} needs W to be a parameter that has such a row")
        rows = rows.copy()
        rows[padding] = 0
        table = b.constant(rows, f"{name}/table")
    attributes = {"axis": int_attr(0), "from_end": BoolAttr.from_bool(False)}
    return b.emit("gather", [table, ids], attributes, name=name)


def _mul(b: PaddleBuilder, op: PaddleOp, name: str) -> SSAValue:
    """X and Y flattened to matrices at x_num_col_dims and y_num_col_dims, then their product."""
    x, y = b.input(op, "X"), b.input(op, "Y")
    return _product(b, x, y, integer(op, "x_num_col_dims", 1), integer(op, "y_num_col_dims", 1), name)


def _product(b: PaddleBuilder, x: SSAValue, y: SSAValue, x_split: int, y_split: int, name: str) -> SSAValue:
    left, right = b.shape(x), b.shape(y)
    if not 0 < x_split < len(left) or not 0 < y_split < len(right):
        raise ValueError(f"inputs of {len(left)} and {len(right)} axes cannot be split at {x_split} and {y_split}")
    shape = [*left[:x_split], *right[y_split:]]
    if len(right) > 2:
        y = b.reshape(y, [product(right[:y_split]), product(right[y_split:])], f"{name}/right")
    if x_split == len(left) - 1 and len(right) == 2:
        return b.emit("matmul", [x, y], name=name)
    if len(left) > 2:
        x = b.reshape(x, [product(left[:x_split]), product(left[x_split:])], f"{name}/left")
    if len(shape) == 2:
        return b.emit("matmul", [x, y], name=name)
    return b.reshape(b.emit("matmul", [x, y], name=f"{name}/matrix"), shape, name)


def _fc(b: PaddleBuilder, op: PaddleOp, name: str) -> SSAValue:
    """The fused form of mul, elementwise_add and relu."""
    x, w, bias = b.input(op, "Input"), b.input(op, "W"), b.optional(op, "Bias")
    activation = text(op, "activation_type", "")
    if activation not in ("", "relu"):
        raise ValueError(f"the activation '{activation}' is not supported")
    if flag(op, "padding_weights", False):
        raise ValueError("padded weights are not supported")
    steps = 1 + (bias is not None) + bool(activation)
    names = iter([*(f"{name}/step{n}" for n in range(steps - 1)), name])
    y = _product(b, x, w, integer(op, "in_num_col_dims", 1), 1, next(names))
    if bias is not None:
        if len(b.shape(bias)) > 1:
            bias = b.reshape(bias, [product(b.shape(bias))], f"{name}/bias")
        y = b.emit("add", [y, bias], name=next(names))
    return b.emit(activation, [y], name=next(names)) if activation else y


def _matmul(b: PaddleBuilder, op: PaddleOp, name: str) -> SSAValue:
    x, y = b.input(op, "X"), b.input(op, "Y")
    one, two = ("trans_x", "trans_y") if op.type == "matmul_v2" else ("transpose_X", "transpose_Y")
    x = _exchanged(b, x, f"{name}/left") if flag(op, one, False) else x
    y = _exchanged(b, y, f"{name}/right") if flag(op, two, False) else y
    alpha = number(op, "alpha", 1.0)
    if alpha == 1.0:
        return b.emit("matmul", [x, y], name=name)
    z = b.emit("matmul", [x, y], name=f"{name}/unscaled")
    return b.emit("scale", [z], {"scale": float_attr(alpha)}, name=name)


def _exchanged(b: PaddleBuilder, value: SSAValue, name: str) -> SSAValue:
    """The last two axes exchanged; one axis stays."""
    rank = len(b.shape(value))
    if rank < 2:
        return value
    return b.emit("transpose", [value], {"perm": ints_attr([*range(rank - 2), rank - 1, rank - 2])}, name=name)


def _layer_norm(b: PaddleBuilder, op: PaddleOp, name: str) -> SSAValue:
    """Normalises everything from begin_norm_axis on, as one axis; Scale and Bias are flat."""
    x = b.input(op, "X")
    shape, dtype = b.shape(x), b.sizes[x].dtype
    begin = integer(op, "begin_norm_axis", 1)
    if not 0 < begin < len(shape):
        raise ValueError(f"begin_norm_axis {begin} leaves nothing of {len(shape)} axes")
    width = product(shape[begin:])
    scale, bias = b.optional(op, "Scale"), b.optional(op, "Bias")
    if scale is None or bias is None:
        if not isinstance(width, int):
            raise ValueError("without Scale and Bias the normalised size must be known")
        scale = scale or b.splat(1, TensorInfo((width,), dtype), f"{name}/scale")
        bias = bias or b.splat(0, TensorInfo((width,), dtype), f"{name}/bias")
    attributes = {"axis": int_attr(-1), "epsilon": float_attr(number(op, "epsilon", 1e-5))}
    trains = b.differentiates("layer_norm")
    if begin == len(shape) - 1:
        return b.with_saved_results(b.emit("layer_norm", [x, scale, bias], attributes, name=name), trains)[0]
    flat = b.reshape(x, [*shape[:begin], width], f"{name}/flat")
    y = b.emit("layer_norm", [flat, scale, bias], attributes, name=f"{name}/normal")
    return b.reshape(b.with_saved_results(y, trains)[0], shape, name)


def _batch_norm(b: PaddleBuilder, op: PaddleOp, name: str) -> SSAValue:
    """In training the statistics are those of x, and the running ones are updated."""
    x = b.input(op, "X")
    b.refuse_inputs(op, "MomentumTensor")
    operands = [x, *(b.input(op, slot) for slot in ("Scale", "Bias", "Mean", "Variance"))]
    epsilon = number(op, "epsilon", 1e-5)
    attributes = {"epsilon": float_attr(epsilon), **channel_order(b, op, x)}
    if has_fixed_statistics(op):
        return b.emit("batch_norm", operands, attributes, name=name)
    slots = ("MeanOut", "VarianceOut", "SavedMean", "SavedVariance")
    names = [name, *(next(iter(op.outputs.get(slot, [])), f"{name}/{slot}") for slot in slots)]
    attributes |= {"momentum": float_attr(number(op, "momentum", 0.9)), "training_mode": int_attr(1)}
    y, *statistics = b.emit_all("batch_norm", operands, attributes, names=[*names[:4], f"{name}/variance"])
    for slot, value in zip(slots[:3], statistics, strict=False):
        b.bind(op, slot, value)
    b.saved[names[4]] = statistics[3]
    if b.is_read(names[4], "batch_norm_grad"):  # as Paddle has it: the inverse of the deviation
        shifted = b.emit("scale", [statistics[3]], {"bias": float_attr(epsilon)}, name=f"{name}/shifted")
        deviation = b.emit("sqrt", [shifted], name=f"{name}/deviation")
        b.bind(op, slots[3], b.emit("reciprocal", [deviation], name=names[4]))
    else:
        b.bind(op, slots[3], statistics[3])
    return y


def has_fixed_statistics(op: PaddleOp) -> bool:
    """Whether a batch normalisation takes the statistics that are its operands, and leaves them as they are."""
    return flag(op, "is_test", False) or flag(op, "use_global_stats", False)


def channel_order(b: PaddleBuilder, op: PaddleOp, x: SSAValue) -> dict[str, Attribute]:
    """The attribute of a batch normalisation that says which axis of x has the channels."""
    last = text(op, "data_layout", "NCHW") == "NHWC" and len(b.shape(x)) > 2
    return {"channels_last": BoolAttr.from_bool(True)} if last else {}


def _reduce(kind: str, b: PaddleBuilder, op: PaddleOp, name: str) -> SSAValue:
    x = b.input(op, "X")
    rank = len(b.shape(x))
    stated = integers(op, "dim", [0])
    everything = op.type == "mean" or flag(op, "reduce_all", False) or not stated
    axes = list(range(rank)) if everything else sorted({axis_of(a, rank) for a in stated})
    keep = flag(op, "keep_dim", False)
    # Paddle 1.x has no value without axes: what is left of all axes has one, and the program says so.
    var = b.program.vars.get(name)
    one_axis = not keep and len(axes) == rank and var is not None and var.tensor is not None and var.tensor.dims == (1,)
    attributes = {"axes": ints_attr(axes), "keepdims": int_attr(int(keep))}
    y = b.emit(kind, [x], attributes, name=f"{name}/scalar" if one_axis else name)
    return b.reshape(y, [1], name) if one_axis else y


def _top_k(b: PaddleBuilder, op: PaddleOp, name: str) -> SSAValue:
    b.refuse_inputs(op, "K")
    x = b.input(op, "X")
    attributes = {
        "k": int_attr(integer(op, "k", 1)),
        "axis": int_attr(integer(op, "axis", -1)),
        "largest": int_attr(int(flag(op, "largest", True))),
        "sorted": int_attr(int(flag(op, "sorted", True))),
    }
    values, indices = b.emit_all("top_k", [x], attributes, names=[name, output(op, "Indices")])
    b.bind(op, "Indices", indices)
    return values


HANDLERS: dict[str, Handler] = {
    **dict.fromkeys(("lookup_table", "lookup_table_v2"), _lookup_table),
    "mul": _mul,
    "fc": _fc,
    **dict.fromkeys(("matmul", "matmul_v2"), _matmul),
    **{k: unary(k, lambda op: {"axis": int_attr(integer(op, "axis", -1))}) for k in ("softmax", "log_softmax")},
    "layer_norm": _layer_norm,
    "batch_norm": _batch_norm,
    **dict.fromkeys(("mean", "reduce_mean"), partial(_reduce, "reduce_mean")),
    "reduce_sum": partial(_reduce, "reduce_sum"),
    **dict.fromkeys(("top_k", "top_k_v2"), _top_k),
}
