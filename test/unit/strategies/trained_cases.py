"""The cases of nntrainer's in-place modes as steps of training: every layer has its real gradient."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from lastuse.compiler.driver import context
from lastuse.dialect.dnn.constants import OpaqueOp
from lastuse.dialect.storage import verifier
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.backward import BackwardPass

CONTEXT = context()


def trained(text: str, trained_scales: bool = False) -> ModuleOp:
    """The step of a case, without an optimizer: its results, the loss and the gradients of the weights.

    Layers that are opaque are products with weights. The loss is the sum of the squares of the results.

    Args:
        trained_scales: those of batch normalisations are trained, too, so that their gradients read their operands.
    """
    module = parse(CONTEXT, _with_weights(text, trained_scales), "case.mlir")
    verifier.verify(module)
    BackwardPass().apply(CONTEXT, module)
    return module


def layers(module: ModuleOp) -> dict[str, Operation]:
    """The layers of a step by their names in the case."""
    return {op.attributes["case.op"].data: op for op in module.walk() if "case.op" in op.attributes}  # pyright: ignore


def _with_weights(text: str, trained_scales: bool) -> str:
    module = parse(CONTEXT, text, "case.mlir")
    func = next(op for op in module.walk() if isinstance(op, FuncOp))
    lines: list[str] = []
    for number, value in enumerate(result for op in func.walk() for result in op.results):
        value.name_hint = f"v{number}"  # a number behind an underscore would go
    arguments = [f"%{a.name_hint}: {a.type}" for a in func.args]
    for op in func.body.block.ops:
        if isinstance(op, OpaqueOp):
            weight = f"%w{len(arguments)}"
            arguments.append(f"{weight}: tensor<{_last(op)}x{_last(op)}xf32> {{dnn.trainable}}")
            lines += _product(op, weight)
        elif op.name == "dnn.batch_norm" and trained_scales:
            scale = f"%s{len(arguments)}"
            arguments.append(f"{scale}: {op.operands[1].type} {{dnn.trainable}}")
            lines.append(str(op).replace(_name(op.operands[1]), scale, 1))
        elif op.name != "func.return":
            lines.append(str(op).replace("dense<0.0", "dense<0.7"))  # statistics that leave something of the operand
    last = func.body.block.last_op
    assert last is not None
    results = list(last.operands)
    for number, value in enumerate(results):
        lines.append(f'%q{number} = "dnn.reduce_sum_square"({_name(value)}) : ({value.type}) -> tensor<f32>')
    names = [f"%q{number}" for number in range(len(results))]
    lines.append(f'%loss = "dnn.sum"({", ".join(names)}) : ({", ".join(["tensor<f32>"] * len(names))}) -> tensor<f32>')
    body = "\n".join(lines)
    return (
        f"func.func @main({', '.join(arguments)}) -> (tensor<f32> {{dnn.loss}}) {{\n{body}\n"
        "func.return %loss : tensor<f32>\n}"
    )


def _product(op: OpaqueOp, weight: str) -> list[str]:
    """Lines of an opaque layer: the product with a weight, in the shape of the result."""
    operand, result, size = op.operands[0], op.results[0], _last(op)
    types = f"({operand.type}, tensor<{size}x{size}xf32>) -> {operand.type}"
    label = f"case.op = {op.attributes['case.op']}"
    if operand.type == result.type:
        return [f'{_name(result)} = "dnn.matmul"({_name(operand)}, {weight}) {{{label}}} : {types}']
    return [
        f'{_name(result)}_product = "dnn.matmul"({_name(operand)}, {weight}) : {types}',
        f'{_name(result)} = "dnn.reshape"({_name(result)}_product) {{{label}}} : ({operand.type}) -> {result.type}',
    ]


def _last(op: Operation) -> int:
    """The last size of the first operand."""
    type_ = op.operands[0].type
    assert isinstance(type_, TensorType)
    return type_.get_shape()[-1]


def _name(value: SSAValue) -> str:
    return f"%{value.name_hint}"
