"""
Forms of ops that mean something else in the newest opset, where `onnx.version_converter` leaves them as they are.

`test/unit/frontends/onnx/test_opsets.py` compares every one with what onnxruntime computes for the old form.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from onnx import NodeProto, TensorProto, TypeProto, helper, parser


def refuse(node: NodeProto, version: int) -> str | None:
    """Why a node of an opset has no form in the newest one, None where it has."""
    more_results = any(node.output[1:])
    if node.op_type == "Scan" and version < 9:
        return "Scan of opset 8, which has a batch axis, is not supported"
    if node.op_type == "Dropout" and version < 10 and more_results:
        return f"the mask of Dropout of opset {version}, which is no boolean, is not supported"
    if node.op_type == "BatchNormalization" and version < 14 and more_results:
        return "BatchNormalization in training is not supported"
    return None


def bridge(op_type: str) -> str:
    """The op under whose name the converter changes another one rightly."""
    return "Softmax" if op_type == "Hardmax" else op_type


def repair(
    node: NodeProto,
    version: int,
    template: list[NodeProto],
    type_: TypeProto | None,
    scales: Callable[[NodeProto], Sequence[float]],
) -> list[NodeProto]:
    """
    The converted nodes of `node`, of an old opset, with what the converter leaves out. Inputs are called `i0`, …,
    results `o0`, ….

    `type_` is the type of the first input, `scales` tells the constant scales of a Resize.

    Raises:
        ValueError: there is no such form.
    """
    for new in template:
        if new.op_type == "Softmax" and node.op_type == "Hardmax":
            new.op_type = "Hardmax"
    new = next((new for new in template if new.op_type in (node.op_type, "Resize", "ScatterElements")), None)
    if new is None:
        return template
    if new.op_type == "Resize" and version < 11:
        # A coordinate was divided by the scale, then taken as its floor, or its ceiling where the size shrinks.
        new.attribute.append(helper.make_attribute("coordinate_transformation_mode", "asymmetric"))
        new.attribute.append(helper.make_attribute("nearest_mode", _nearest_mode(node, version, scales)))
    if new.op_type == "Pad":
        # The value of a mode that has none.
        kept = [attribute for attribute in new.attribute if attribute.name != "value"]
        del new.attribute[:]
        new.attribute.extend(kept)
    if new.op_type in ("Clip", "Pad") and version < 11:
        return _like_data(new, template, type_)
    if new.op_type == "GroupNormalization" and version < 21:
        return _group_normalization(new, type_)
    return template


def _nearest_mode(node: NodeProto, version: int, scales: Callable[[NodeProto], Sequence[float]]) -> str:
    mode = next((attribute.s for attribute in node.attribute if attribute.name == "mode"), b"nearest")
    if mode != b"nearest" or node.op_type == "Upsample":
        return "floor"
    known = scales(node)
    if not known:
        raise ValueError("Resize of opset 10 with scales that are no constant is not supported")
    if all(scale >= 1 for scale in known):
        return "floor"
    if all(scale <= 1 for scale in known):
        return "ceil"
    raise ValueError("Resize of opset 10 that shrinks one axis and stretches another is not supported")


def _like_data(new: NodeProto, template: list[NodeProto], type_: TypeProto | None) -> list[NodeProto]:
    """Bounds and values of padding in the element type of the data: attributes were f32 for all types."""
    if type_ is not None and type_.tensor_type.elem_type == TensorProto.FLOAT:
        return template
    casts: list[NodeProto] = []
    floats = {
        other.output[0]
        for other in template
        if other.op_type == "Constant" and other.attribute[0].t.data_type == TensorProto.FLOAT
    }
    for place, name in enumerate(new.input):
        if name in floats:
            casts.append(NodeProto(op_type="CastLike", input=[name, new.input[0]], output=[f"{name}/like"]))
            new.input[place] = f"{name}/like"
    at = template.index(new)
    return [*template[:at], *casts, *template[at:]]


def _group_normalization(new: NodeProto, type_: TypeProto | None) -> list[NodeProto]:
    """Scale and bias were per group, and are per channel."""
    groups = next(attribute.i for attribute in new.attribute if attribute.name == "num_groups")
    if groups < 1:
        raise ValueError(f"GroupNormalization has {groups} groups")
    body = parser.parse_graph(
        f"""per_channel (float[N] i0, float[G] i1, float[G] i2) => (float[C] scale, float[C] bias) {{
            channels = Shape <start = 1, end = 2> (i0)
            groups = Constant <value_ints = [{groups}]> ()
            one = Constant <value_ints = [1]> ()
            column = Constant <value_ints = [-1, 1]> ()
            flat = Constant <value_ints = [-1]> ()
            times = Div (channels, groups)
            rows = Concat <axis = 0> (one, times)
            scale_column = Reshape (i1, column)
            scale_rows = Expand (scale_column, rows)
            scale = Reshape (scale_rows, flat)
            bias_column = Reshape (i2, column)
            bias_rows = Expand (bias_column, rows)
            bias = Reshape (bias_rows, flat)
        }}"""
    )
    plain = NodeProto(op_type=new.op_type, input=["i0", "scale", "bias"], output=new.output)
    plain.attribute.extend(attribute for attribute in new.attribute if attribute.name != "stash_type")
    if type_ is not None and type_.tensor_type.elem_type:
        # It was computed in the type of the data.
        plain.attribute.append(helper.make_attribute("stash_type", type_.tensor_type.elem_type))
    return [*body.node, plain]
