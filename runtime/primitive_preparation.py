"""From an `onednn` op to the prepared primitive that does it, one function a primitive.

A primitive depends on the types and attributes of its op alone, so one that was prepared to measure its scratch is the
one that the program runs.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache, singledispatch

import numpy as np

from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.tensor_types import numpy_dtype
from lastuse.dialect.onednn.buffers import PackedType
from lastuse.dialect.onednn.kernel_call import KernelCallOp
from lastuse.dialect.onednn.memory import MemRefLayout, alike
from lastuse.dialect.onednn.primitives.batch_norm import OneDnnBatchNormOp
from lastuse.dialect.onednn.primitives.batch_norm_training import (
    OneDnnBatchNormBackwardOp,
    OneDnnBatchNormTrainingOp,
    OneDnnRunningStatisticOp,
)
from lastuse.dialect.onednn.primitives.binary import OneDnnBinaryOp
from lastuse.dialect.onednn.primitives.convolution import (
    OneDnnConvolutionOp,
    OneDnnDeconvolutionOp,
    WeightedBase,
    WindowedBase,
)
from lastuse.dialect.onednn.primitives.convolution_weights_grad import OneDnnConvolutionWeightsGradOp
from lastuse.dialect.onednn.primitives.data_reorder import OneDnnReorderOp
from lastuse.dialect.onednn.primitives.eltwise import OneDnnEltwiseOp
from lastuse.dialect.onednn.primitives.eltwise_backward import OneDnnEltwiseBackwardOp
from lastuse.dialect.onednn.primitives.gru import OneDnnGruOp
from lastuse.dialect.onednn.primitives.layer_norm import OneDnnLayerNormOp
from lastuse.dialect.onednn.primitives.layer_norm_backward import OneDnnLayerNormBackwardOp
from lastuse.dialect.onednn.primitives.lrn import OneDnnLrnOp
from lastuse.dialect.onednn.primitives.matmul import OneDnnMatmulOp
from lastuse.dialect.onednn.primitives.pooling import OneDnnPoolingOp
from lastuse.dialect.onednn.primitives.pooling_backward import OneDnnMaxPoolingOp, OneDnnPoolingBackwardOp
from lastuse.dialect.onednn.primitives.post_ops import SUM, PostOpStepBase
from lastuse.dialect.onednn.primitives.reduction import OneDnnReductionOp
from lastuse.dialect.onednn.primitives.resampling import OneDnnResamplingOp
from lastuse.dialect.onednn.primitives.softmax import OneDnnSoftmaxOp
from lastuse.dialect.onednn.primitives.softmax_backward import OneDnnSoftmaxBackwardOp
from lastuse.dialect.onednn.primitives.sum import OneDnnSumOp
from lastuse.dialect.onednn.step import PrimitiveBase, Work
from lastuse.dialect.storage.contract import contract_of
from lastuse.runtime import _core
from lastuse.runtime.engines import own_width
from lastuse.runtime.primitive_recipes import PRIMITIVES, Layout, PostOpPart, Recipe, WindowRecipe, primitive_from

SERIAL_WORK = 1 << 16
"""A primitive of less `work` than this runs on one thread: the others would take longer to begin and to end than they
would save."""


def layout_of(memory: MemRefLayout) -> Layout:
    """The layout of a memref as oneDNN sees it."""
    return Layout(numpy_dtype(memory.dtype), tuple(memory.shape), tuple(memory.element_strides))


def any_layout(memory: MemRefLayout) -> Layout:
    """The same elements in a layout that the primitive chooses."""
    return Layout(numpy_dtype(memory.dtype), tuple(memory.shape), None)


def primitive_of(step: PrimitiveBase, threads: int = 0) -> _core.Primitive:
    """The primitive of `step` in a program of so many threads (0: as many as OpenMP gives), for as many or, of little
    work, for one; packed weights in a layout it chooses.

    Raises:
        LastuseError: oneDNN has no such primitive; with the step's place.
    """
    used = threads_for(step.work(), threads)
    attributes = frozenset((name, value) for name, value in step.attributes.items() if "." not in name)
    types = tuple(value.type for value in (*step.ins, *step.outs))
    told = _told((step.name, attributes, types, len(step.ins), used))
    try:
        if not told:
            told.append(_recipe(step, used))
        return primitive_from(told[0])
    except _core.Error as error:
        raise LastuseError(f"{step.name}: {error}", step) from error


def recipe_of(step: PrimitiveBase, threads: int = 0) -> Recipe:
    """What `primitive_of` makes the primitive from."""
    return _recipe(step, threads_for(step.work(), threads))


def threads_for(work: Work, threads: int) -> int:
    """The threads of a primitive of so much work in a program of `threads` (0: as many as OpenMP gives)."""
    return 1 if work.total < SERIAL_WORK else threads or _core.get_threads()


@lru_cache(maxsize=PRIMITIVES)
def _told(key: Hashable) -> list[Recipe]:
    """Where the recipe of steps of this key is kept once it is told. It holds no primitive."""
    return []


@singledispatch
def _recipe(step: PrimitiveBase, threads: int) -> Recipe:
    raise NotImplementedError(f"no primitive is known for {step.name}")


def _descs(step: PrimitiveBase) -> tuple[list[Layout], list[Layout]]:
    return [layout_of(m) for m in step.in_memories], [layout_of(m) for m in step.out_memories]


@_recipe.register
def _(step: OneDnnEltwiseOp, threads: int) -> Recipe:
    (src,), (dst,) = _descs(step)
    return Recipe.of("eltwise", step.alg.data, *step.parameters, src, dst, threads)


@_recipe.register
def _(step: OneDnnEltwiseBackwardOp, threads: int) -> Recipe:
    (data, diff_dst), (diff_src,) = _descs(step)
    alg, from_dst = step.alg.data, step.reads_result
    return Recipe.of("eltwise_backward", alg, from_dst, *step.parameters, data, diff_dst, diff_src, threads)


@_recipe.register
def _(step: OneDnnBinaryOp, threads: int) -> Recipe:
    (src0, src1), (dst,) = _descs(step)
    return Recipe.of("binary", step.alg.data, src0, src1, dst, threads)


@_recipe.register
def _(step: OneDnnSumOp, threads: int) -> Recipe:
    srcs, (dst,) = _descs(step)
    return Recipe.of("sum", [s.value.data for s in step.scales.data], srcs, dst, threads)


@_recipe.register
def _(step: OneDnnSoftmaxOp, threads: int) -> Recipe:
    (src,), (dst,) = _descs(step)
    return Recipe.of("softmax", step.axis.value.data, step.is_log, src, dst, threads)


@_recipe.register
def _(step: OneDnnSoftmaxBackwardOp, threads: int) -> Recipe:
    (dst, diff_dst), (diff_src,) = _descs(step)
    return Recipe.of("softmax_backward", step.axis.value.data, step.is_log, dst, diff_dst, diff_src, threads)


@_recipe.register
def _(step: OneDnnLayerNormOp, threads: int) -> Recipe:
    (src, *_), (dst, *stats) = _descs(step)
    return Recipe.of("layer_norm", step.epsilon.value.data, src, dst, stats[0] if stats else None, threads)


@_recipe.register
def _(step: OneDnnBatchNormOp, threads: int) -> Recipe:
    src, dst = _exact(step.in_memories[0]), _exact(step.out_memories[0])
    return Recipe.of("batch_norm", step.epsilon.value.data, src, dst, threads)


@_recipe.register
def _(step: OneDnnBatchNormTrainingOp, threads: int) -> Recipe:
    src, dst = _exact(step.in_memories[0]), _exact(step.out_memories[0])
    return Recipe.of("batch_norm_training", step.epsilon.value.data, src, dst, threads)


@_recipe.register
def _(step: OneDnnRunningStatisticOp, threads: int) -> Recipe:
    srcs, (dst,) = _descs(step)
    share = np.float32(step.momentum.value.data)
    return Recipe.of("sum", [float(share), float(np.float32(1) - share)], srcs, dst, threads)


@_recipe.register
def _(step: OneDnnBatchNormBackwardOp, threads: int) -> Recipe:
    src, diff_dst, diff_src = map(_exact, (step.in_memories[0], step.in_memories[4], step.out_memories[0]))
    return Recipe.of("batch_norm_backward", step.epsilon.value.data, step.is_fixed, src, diff_dst, diff_src, threads)


@_recipe.register
def _(step: OneDnnLayerNormBackwardOp, threads: int) -> Recipe:
    (src, mean, _, _, diff_dst, _), (diff_src, *_) = _descs(step)
    return Recipe.of("layer_norm_backward", step.epsilon.value.data, src, mean, diff_dst, diff_src, threads)


@_recipe.register
def _(step: OneDnnMatmulOp, threads: int) -> Recipe:
    weights = step.in_memories[1]
    packed = isinstance(step.ins[1].type, PackedType)
    return _with_weights(step, any_layout(weights) if packed else layout_of(weights), threads)


@_recipe.register
def _(step: WeightedBase, threads: int) -> Recipe:
    weights = step.in_memories[1]
    recipe = _with_weights(step, any_layout(weights), threads)
    if isinstance(step.ins[1].type, PackedType):
        return recipe
    # Weights that are no constant are packed in scratch, anew in each run.
    return recipe.converted("with_operand", 1, _exact(weights))


@singledispatch
def _with_weights(step: PrimitiveBase, weights: Layout, threads: int) -> Recipe:
    """The recipe of `step`, whose in 1 are weights, with these in that layout."""
    raise NotImplementedError(f"{step.name} has no weights")


@_with_weights.register
def _(step: OneDnnMatmulOp, weights: Layout, threads: int) -> Recipe:
    src, _, *rest = step.in_memories
    bias = layout_of(rest[0]) if step.has_bias else None
    dst = layout_of(step.out_memories[0])
    return Recipe.of("matmul", layout_of(src), weights, bias, dst, *step.parameters, _post_ops(step, dst), threads)


@_with_weights.register
def _(step: OneDnnConvolutionOp, weights: Layout, threads: int) -> Recipe:
    operands = _weighted(step, weights)
    any_size = step.any_size is not None
    return Recipe.of("convolution", *operands, _window(step), _post_ops(step, operands[-1]), any_size, threads)


@_with_weights.register
def _(step: OneDnnDeconvolutionOp, weights: Layout, threads: int) -> Recipe:
    operands = _weighted(step, weights)
    return Recipe.of("deconvolution", *operands, _window(step), _post_ops(step, operands[-1]), threads)


def _weighted(step: WeightedBase, weights: Layout) -> tuple[Layout, Layout, Layout | None, Layout]:
    """Layouts of src, weights, bias if any, and dst."""
    memories, bias = step.in_memories, step.bias_in
    row = None if bias is None else layout_of(memories[bias])
    return _exact(memories[0]), weights, row, _exact(step.out_memories[0])


def _post_ops(step: PostOpStepBase, dst: Layout) -> list[PostOpPart]:
    """The post-ops of a step whose result has this layout. An operand of the result's layout has the strides of `dst`
    at axes of one element too: oneDNN compares them."""
    memories, whole = step.in_memories, step.out_memories[0].layout
    operands = (
        None
        if number is None or post_op.kind == SUM
        else (dst if alike(memories[number].layout, whole) else layout_of(memories[number]))
        for post_op, number in step.post_op_ins()
    )
    return [PostOpPart(*post_op, operand) for post_op, operand in zip(step.stated_post_ops, operands, strict=True)]


def _window(step: WindowedBase) -> WindowRecipe:
    return WindowRecipe(*map(tuple, step.movement))


def _exact(memory: MemRefLayout) -> Layout:
    """`memory_desc` with the strides of axes of one element too: oneDNN tells by them whether channels are last."""
    return layout_of(memory)._replace(exact=True)


@_recipe.register
def _(step: OneDnnConvolutionWeightsGradOp, threads: int) -> Recipe:
    src, diff_dst, weights = map(_exact, (*step.in_memories, *step.out_memories))
    chosen = any_layout(step.out_memories[0])
    recipe = Recipe.of("convolution_backward_weights", src, diff_dst, chosen, _window(step), threads)
    return recipe.converted("with_result", 0, weights)


@_recipe.register
def _(step: OneDnnPoolingOp, threads: int) -> Recipe:
    src, dst = _exact(step.in_memories[0]), _exact(step.out_memories[0])
    return Recipe.of("pooling", step.alg.data, src, dst, tuple(step.window_sizes), _window(step), threads)


@_recipe.register
def _(step: OneDnnMaxPoolingOp, threads: int) -> Recipe:
    src, dst, chosen = map(_exact, (*step.in_memories, *step.out_memories))
    return Recipe.of("max_pooling_training", src, dst, chosen, tuple(step.window_sizes), _window(step), threads)


@_recipe.register
def _(step: OneDnnPoolingBackwardOp, threads: int) -> Recipe:
    (diff_dst, *chosen), diff_src = map(_exact, step.in_memories), _exact(step.out_memories[0])
    numbers = chosen[0] if chosen else None
    return Recipe.of(
        "pooling_backward", step.alg.data, diff_dst, numbers, diff_src, tuple(step.window_sizes), _window(step), threads
    )


@_recipe.register
def _(step: OneDnnResamplingOp, threads: int) -> Recipe:
    return Recipe.of("resampling", step.alg.data, _exact(step.in_memories[0]), _exact(step.out_memories[0]), threads)


@_recipe.register
def _(step: OneDnnReductionOp, threads: int) -> Recipe:
    (src,), (dst,) = _descs(step)
    return Recipe.of("reduction", step.alg.data, src, dst, threads)


@_recipe.register
def _(step: OneDnnLrnOp, threads: int) -> Recipe:
    (src,), (dst,) = _descs(step)
    return Recipe.of("lrn", step.size.value.data, *step.numbers, src, dst, threads)


@_recipe.register
def _(step: OneDnnReorderOp, threads: int) -> Recipe:
    (src,), (dst,) = _descs(step)
    return Recipe.of("reorder", src, dst, threads)


def gru_scratch(step: OneDnnGruOp, threads: int = 0) -> _core.GruRoom:
    """The scratch of `step` with so many threads (0: as many as OpenMP gives), whatever the lengths.

    Raises:
        LastuseError: oneDNN has no such GRU; with the step's place.
    """
    x, *_, offsets = step.in_memories
    rows, sequences = x.shape[0], offsets.shape[0] - 1
    try:
        used = threads or _core.get_threads()
        sizes, kind = tuple(step.sizes()), step.kind
        own, packs = own_width(step), not step.is_packed
        return _gru_scratch(sizes, len(step.directions), rows, sequences, used, kind, own, packs)
    except _core.Error as error:
        raise LastuseError(f"{step.name}: {error}", step) from error


def native_scratch(step: KernelCallOp, threads: int) -> int:
    """Bytes of scratch of a kernel that is called, with so many threads."""
    op = step.op()
    declared, name = contract_of(op).scratch, op.native_kernel()
    if step.native is None or name is None:
        return declared
    shapes = [memory.shape for memory in step.in_memories]
    return max(declared, _core.native_scratch(name, op.name, op.native_numbers(), shapes, threads))


@lru_cache(maxsize=256)
def _gru_scratch(
    layers: tuple[tuple[int, int], ...],
    directions: int,
    rows: int,
    sequences: int,
    threads: int,
    kind: str,
    own: int,
    packs: bool,
) -> _core.GruRoom:
    # Asked when scratch is measured and again when the program is built; oneDNN answers for each width by itself.
    return _core.GruRoom(layers, directions, rows, sequences, threads, kind, own, packs)
