"""The C++ runtime: programs of prepared oneDNN primitives over explicit memory.

Views and buffers are small integers of the `StepProgram` that made them. Strides are in elements, offsets in bytes.
"""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, overload

import numpy as np

_Array = np.ndarray[Any, Any]
_DType = np.dtype[Any]
_Region = tuple[int, int, int, tuple[tuple[int, int], ...]]
"""Bytes of a buffer: its number, offset, bytes of an element, size and stride in bytes of each axis. Axes of one
element are left out, and those that run on are merged: equal ones are the same bytes in the same order of elements."""

class Error(RuntimeError):
    """An error in building or running a program; the message names the step."""

def eltwise_algorithms() -> list[str]: ...
def binary_algorithms() -> list[str]: ...
def reduction_algorithms() -> list[str]: ...
def has_data_type(dtype: _DType) -> bool:
    """Whether oneDNN computes with elements of `dtype`."""

def set_threads(count: int) -> None:
    """Sets the number of OpenMP threads of the calling thread; existing programs keep theirs."""

def get_threads() -> int: ...
def onednn_version() -> tuple[int, int, int]: ...
def isa() -> int:
    """The instruction set in use, as oneDNN's `dnnl_cpu_isa_t`."""

class Desc:
    """A memory layout of oneDNN: element type, sizes, strides in elements or a blocked layout."""

    def __init__(self, dtype: _DType, shape: Sequence[int], strides: Sequence[int], exact: bool = False) -> None:
        """`exact`: the strides of axes of one element are kept too; else they become those of a row-major layout."""

    @staticmethod
    def any_layout(dtype: _DType, shape: Sequence[int]) -> Desc:
        """No fixed layout: the primitive chooses it (oneDNN's `format_tag::any`)."""
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def nbytes(self) -> int: ...
    @property
    def text(self) -> str:
        """All that tells a blocked layout from others: equal texts are equal layouts. Empty for a layout that oneDNN
        does not disclose, or that holds bytes besides its elements."""
    def __eq__(self, other: object) -> bool: ...

class Primitive:
    """A prepared oneDNN primitive, with the layouts of its operands and results and the scratch that it needs."""

    @property
    def kind(self) -> str: ...
    @property
    def ins(self) -> list[Desc]: ...
    @property
    def outs(self) -> list[Desc]: ...
    @property
    def implementation(self) -> str: ...
    @property
    def threads(self) -> int: ...
    @property
    def scratch_bytes(self) -> int: ...
    def with_operand(self, number: int, layout: Desc) -> Primitive:
        """The same primitive in a step that has this operand in another layout: each run converts it to the one that
        the primitive takes, in scratch.

        Raises:
            Error: there is no such operand, or oneDNN has no such reorder.
        """
    def with_result(self, number: int, layout: Desc) -> Primitive:
        """As `with_operand`, for a result: each run converts what the primitive wrote to scratch."""

class PendingPrimitive:
    """A primitive that is yet to be made. Each maker of the module (`matmul`) is a static method too, with the same
    arguments, which returns one."""

    def with_operand(self, number: int, layout: Desc) -> PendingPrimitive: ...
    def with_result(self, number: int, layout: Desc) -> PendingPrimitive: ...

def make_all(pending: Sequence[PendingPrimitive], threads: int) -> list[Primitive]:
    """Makes primitives on up to `threads` threads at the same time, without the GIL.

    Raises:
        Error: oneDNN has no such primitive: what the maker of the first one of these raises.
    """

def eltwise(alg: str, alpha: float, beta: float, src: Desc, dst: Desc, threads: int = 0) -> Primitive: ...
def binary(alg: str, src0: Desc, src1: Desc, dst: Desc, threads: int = 0) -> Primitive: ...
def sum(scales: Sequence[float], srcs: Sequence[Desc], dst: Desc, threads: int = 0) -> Primitive: ...
def softmax(axis: int, log: bool, src: Desc, dst: Desc, threads: int = 0) -> Primitive: ...
def layer_norm(epsilon: float, src: Desc, dst: Desc, stats: Desc | None = None, threads: int = 0) -> Primitive:
    """ins: src, scale, shift; outs: dst and, with `stats`, mean and variance."""

def batch_norm(epsilon: float, src: Desc, dst: Desc, threads: int = 0) -> Primitive:
    """ins: src, scale, shift, mean, variance; outs: dst."""

class PostOp:
    """What a primitive makes of each element of its result before it writes it: "eltwise" with alpha and beta, "binary"
    with the element of `operand` at the same place (a size of 1 is repeated), "sum" with what dst held."""

    def __init__(
        self, kind: str, alg: str = "", alpha: float = 0.0, beta: float = 0.0, operand: Desc | None = None
    ) -> None: ...

def matmul(
    src: Desc,
    weights: Desc,
    bias: Desc | None,
    dst: Desc,
    alpha: float = 1.0,
    beta: float = 0.0,
    post_ops: Sequence[PostOp] = (),
    threads: int = 0,
) -> Primitive:
    """dst = alpha * (src @ weights + bias) + beta * dst, then the post-ops. ins: src, weights, bias if any, operands of
    post-ops; outs: dst."""

def reduction(alg: str, src: Desc, dst: Desc, threads: int = 0) -> Primitive:
    """Axes that dst has with size 1, and src with another one, are reduced."""

def lrn(size: int, alpha: float, beta: float, bias: float, src: Desc, dst: Desc, threads: int = 0) -> Primitive:
    """Local response normalization over `size` channels (axis 1) around each, an odd number of them."""

def reorder(src: Desc, dst: Desc, threads: int = 0) -> Primitive: ...

class Window:
    """How a window moves over the spatial axes, one entry for each: strides and dilations (1 and more), and how far it
    reaches beyond the first element (`begins`) and the last (`ends`; negative: so many elements are left out)."""

    def __init__(
        self, strides: Sequence[int], dilations: Sequence[int], begins: Sequence[int], ends: Sequence[int]
    ) -> None: ...

def convolution(
    src: Desc,
    weights: Desc,
    bias: Desc | None,
    dst: Desc,
    window: Window,
    post_ops: Sequence[PostOp] = (),
    any_size: bool = False,
    threads: int = 0,
) -> Primitive:
    """src, dst: [N, C, spatial…]; weights: [O, I, spatial…], or [G, O/G, I/G, spatial…] of groups. ins: src, weights,
    bias if any, operands of post-ops; outs: dst. `any_size`: by an implementation, if there is one, whose code does not
    stay in the process."""

def deconvolution(
    src: Desc,
    weights: Desc,
    bias: Desc | None,
    dst: Desc,
    window: Window,
    post_ops: Sequence[PostOp] = (),
    threads: int = 0,
) -> Primitive:
    """The transpose of `convolution`: an element of src is spread over a window of dst."""

def pooling(alg: str, src: Desc, dst: Desc, kernel: Sequence[int], window: Window, threads: int = 0) -> Primitive:
    """`alg`: "max", "avg_include_padding" or "avg_exclude_padding"."""

def resampling(alg: str, src: Desc, dst: Desc, threads: int = 0) -> Primitive:
    """Between the spatial sizes of src and dst, by "nearest" or "linear"."""

def eltwise_backward(
    alg: str,
    from_dst: bool,
    alpha: float,
    beta: float,
    data: Desc,
    diff_dst: Desc,
    diff_src: Desc,
    threads: int = 0,
) -> Primitive:
    """data is dst with `from_dst`, else src. ins: data, diff_dst; outs: diff_src."""

def softmax_backward(
    axis: int, log: bool, dst: Desc, diff_dst: Desc, diff_src: Desc, threads: int = 0
) -> Primitive: ...
def batch_norm_training(epsilon: float, src: Desc, dst: Desc, threads: int = 0) -> Primitive:
    """ins: src, scale, shift; outs: dst, mean, variance."""

def batch_norm_backward(
    epsilon: float, fixed: bool, src: Desc, diff_dst: Desc, diff_src: Desc, threads: int = 0
) -> Primitive:
    """`fixed`: the statistics do not depend on src. ins: src, mean, variance, scale, diff_dst; outs: diff_src,
    diff_scale, diff_shift."""

def layer_norm_backward(
    epsilon: float, src: Desc, stats: Desc, diff_dst: Desc, diff_src: Desc, threads: int = 0
) -> Primitive:
    """ins and outs as of `batch_norm_backward`, and behind the ins a row that is not read."""

def convolution_backward_weights(
    src: Desc, diff_dst: Desc, diff_weights: Desc, window: Window, threads: int = 0
) -> Primitive:
    """outs: diff_weights, in a layout that the primitive chose where it was free."""

def max_pooling_training(
    src: Desc, dst: Desc, chosen: Desc, kernel: Sequence[int], window: Window, threads: int = 0
) -> Primitive:
    """outs: dst, and for each element of it the number of the element of the window that is the largest."""

def pooling_backward(
    alg: str,
    diff_dst: Desc,
    chosen: Desc | None,
    diff_src: Desc,
    kernel: Sequence[int],
    window: Window,
    threads: int = 0,
) -> Primitive:
    """`chosen`: what `max_pooling_training` says, of max. ins: diff_dst, chosen if any; outs: diff_src."""

def resampling_backward(alg: str, diff_dst: Desc, diff_src: Desc, threads: int = 0) -> Primitive: ...
def pack(source: _Array, packed: Desc) -> _Array:
    """Read-only bytes for `add_packed`: the elements of `source`, which has any positive strides, in the layout
    `packed`."""

class RecurrentShape:
    """One direction of a recurrent layer on the runtime's own kernels."""

    def __init__(self, cell: str, input: int, hidden: int, peephole: bool = False) -> None:
        """`cell`: lstm, lbr_gru, gru, rnn_tanh, rnn_relu, rnn_logistic or rnn; only an lstm has peepholes."""

    @property
    def layout(self) -> str:
        """What tells packed weights of this layout from all others."""

    @property
    def packed_bytes(self) -> int: ...
    def scratch_bytes(self, steps: int, width: int, threads: int, packs: bool = False) -> int:
        """Of a run of so many steps of `width` sequences; `packs`: which packs the weights."""

    def pack(self, w: _Array, r: _Array, bias: _Array | None = None, peephole: _Array | None = None) -> _Array:
        """Read-only bytes for `add_recurrent`: dense f32 weights in ONNX's order of gates, w [gates * hidden, input],
        r [gates * hidden, hidden], bias [2 * gates * hidden], peephole [3 * hidden]."""

class RecurrentFormula:
    """What a cell passes its sums through."""

    def __init__(
        self, cell: str, functions: Sequence[str], numbers: Sequence[float], limit: float, ties_forget: bool
    ) -> None:
        """`functions`: names of ONNX's activations, of an lstm f, g and h, of a GRU f and g, none for those that the
        cell's name says; `numbers`: alpha and beta of each; `limit`: of what goes into f and g; `ties_forget`: the
        forget gate of an lstm is 1 - i."""

class RecurrentGiven:
    """Which operands of a recurrent layer there are that may be left out."""

    def __init__(self, state: bool, cells: bool, lengths: bool, bias: bool) -> None: ...

class OffsetsError(Error):
    """Offsets that do not cut the rows into sequences: they must ascend from 0 to the number of rows."""

class IndicesError(Error):
    """Indices that are outside of an axis."""

class GruCache:
    """GRU primitives by sizes, steps and width of their run, with least-recently-used eviction. Any number of programs
    and threads may share it."""

    def __init__(self, capacity: int) -> None: ...
    @property
    def statistics(self) -> tuple[int, int, int, int]:
        """Hits, misses, entries, capacity."""

class GruWeights:
    """Weights of one direction, packed once for runs of all lengths. Keeps the arrays alive."""

    @overload
    def __init__(self, layer: _Array, iter: _Array, bias: _Array, own: int = -1) -> None:
        """Dense f32, gates u, r, c: [input, 3 * channels], [channels, 3, channels], 3 * channels elements; or, without
        `own`, weights that are the bits of bf16, uint16.

        Args:
            own: the most sequences of a run that the runtime's own kernels compute; oneDNN computes wider ones. -1 for
                the default of this processor.
        """

    @overload
    def __init__(
        self,
        layer: _Array,
        iter: _Array,
        bias: _Array,
        layer_scale: _Array,
        iter_scale: _Array,
        layer_data: tuple[float, float],
        iter_data: tuple[float, float],
    ) -> None:
        """Weights of int8, round(w * scale) by column; inputs (layer) and states (iter) become
        round(v * data[0] + data[1]), 0 to 255. Bias and scales f32, 3 * channels elements."""

    @property
    def packed_bytes(self) -> int:
        """Bytes besides the arrays."""

class Gru:
    """h' = u * h + (1 - u) * c over ragged rows, in one or more directions (True: reverse). Their results are side by
    side in the columns or, with `sum`, added up."""

    def __init__(self, directions: Sequence[tuple[GruWeights, bool]], sum: bool, cache: GruCache) -> None: ...

class GruRoom:
    """The scratch of GRU layers, (inputs, channels) each, for a number of rows and sequences of any lengths."""

    def __init__(
        self,
        layers: Sequence[tuple[int, int]],
        directions: int,
        rows: int,
        sequences: int,
        threads: int = 0,
        kind: str = "f32",
        own: int = -1,
        packs: bool = False,
    ) -> None:
        """`kind`: type of the weights, f32, bf16 or i8; `own` as of `GruWeights`; `packs`: each run packs the weights,
        in the scratch (`add_unpacked_gru`)."""

    @property
    def nbytes(self) -> int: ...

def call_native(
    kernel: str,
    op: str,
    numbers: Sequence[float],
    ins: Sequence[_Array],
    outs: Sequence[_Array],
    scratch: _Array,
    threads: int,
) -> None:
    """Calls the kernel of that name on an op's operands and results, on at most `threads` threads, without the GIL.
    `op`: the op's name, for messages; `numbers`: what its attributes say. Raises `OffsetsError`, `IndicesError`, and
    `Error` for operands that the kernel does not take."""

def map_instructions() -> list[str]: ...
def native_scratch(
    kernel: str, op: str, numbers: Sequence[float], shapes: Sequence[Sequence[int]], threads: int
) -> int:
    """Bytes of scratch of `call_native` with operands of these sizes, where the kernel alone knows them, else 0. Raises
    `Error` for sizes that the kernel does not take."""

def gru_plan(
    offsets: _Array, rows: int, parts: int, run_rows: int, steps: int, width: int, weights: float = 0.0
) -> list[list[tuple[tuple[int, ...], int, int]]]:
    """The runs of each part of a batch: (sequences, first step, steps). `run_rows`, `steps` and `width` limit a run.
    `weights`: the time to read the weights, in units of the time of a row's products. Raises `OffsetsError`."""

def gru_own_width(kind: str) -> int:
    """The most sequences of a run that the runtime's own kernels compute by default."""

def gru_cut(channels: int) -> tuple[int, int, int]:
    """The most rows, steps and sequences of a run for `channels` channels."""

def pool_threads() -> int:
    """The number of threads of the runtime's pool."""

def joint_jobs() -> int:
    """The number of jobs whose threads computed the runs of a GRU together, each a share of the columns."""

class Scalar:
    """An operation on numbers in 64-bit registers: integers sign-extended from their width (an i1 that is true is
    -1), floats as their bits, f32 in the low half."""

    @property
    def arity(self) -> int: ...
    def __call__(self, a: int, b: int = 0, c: int = 0) -> int:
        """Raises `Error` on a division by zero."""

def scalar(op: str, source: str, target: str) -> Scalar:
    """`op` is an op of the arith dialect ("addi", "cmpi.slt", "cmpf.olt", "select"), `source` the type of its operands,
    `target` the type of its result: i1, i8, i16, i32, i64, index, f32, f64."""

class StepProgram:
    """Buffers, views of them, and the steps to run, in order except for jumps and calls. Every method raises `Error`
    for arguments that do not fit.

    The steps of functions come before the program's entry (`set_entry`), callees before their callers. Registers and
    labels are small integers too; every label has to be bound to a step.
    """

    ARENA: ClassVar[int]

    def __init__(self, arena_bytes: int, threads: int = 0) -> None: ...
    def add_argument(self, name: str, dtype: _DType, shape: Sequence[int], writable: bool) -> int: ...
    def add_constant(self, array: _Array) -> int:
        """A C-contiguous array, which is kept and not copied."""
    def add_packed(self, packed: _Array, desc: Desc) -> int:
        """A view of packed weights: contiguous bytes on a 64-byte boundary, which are kept and not copied."""
    def add_view(
        self, buffer: int, offset: int, dtype: _DType, shape: Sequence[int], strides: Sequence[int]
    ) -> int: ...
    def add_layout(self, buffer: int, offset: int, desc: Desc) -> int:
        """A view of all bytes of a layout of oneDNN, also one whose order it knows alone."""
    def add_primitive(
        self, name: str, primitive: Primitive, ins: Sequence[int], outs: Sequence[int], scratch: int = -1
    ) -> None: ...
    def add_copy(self, name: str, source: int, target: int) -> None: ...
    def add_call(
        self,
        name: str,
        kernel: Callable[[list[_Array], list[_Array], _Array], None],
        ins: Sequence[int],
        outs: Sequence[int],
        scratch: int = -1,
        scratch_bytes: int = 0,
    ) -> None: ...
    def add_native(
        self,
        name: str,
        kernel: str,
        op: str,
        numbers: Sequence[float],
        ins: Sequence[int],
        outs: Sequence[int],
        scratch: int = -1,
        scratch_bytes: int = 0,
    ) -> None:
        """A step that calls a kernel as `call_native` does, with the program's threads."""
    def add_gru(
        self,
        name: str,
        layers: Sequence[Gru],
        room: GruRoom,
        ins: Sequence[int],
        outs: Sequence[int],
        scratch: int = -1,
    ) -> None:
        """Layers, each over the result of the one before. ins: x [rows, input], offsets [sequences + 1] and, if any, h0
        [sequences, channels] for each direction of each layer; outs: the last layer's [rows, columns]. Runs with the
        program's threads; a run may raise `OffsetsError`."""
    def add_recurrent(
        self,
        name: str,
        shape: RecurrentShape,
        formula: RecurrentFormula,
        reverse: bool,
        given: RecurrentGiven,
        packed: _Array | None,
        ins: Sequence[int],
        outs: Sequence[int],
        scratch: int = -1,
    ) -> None:
        """One direction of a recurrent layer, f32, the elements of a row dense. ins: x [steps, width, input]; as far as
        they are given the state before the first step [1, 1, width, hidden], of an lstm the cells, and i32 or i64
        [width], how many steps each sequence has; without `packed` dense weights as `shape.pack` takes them, which each
        run packs: w, r, the bias if it is given, and the peephole of a shape that has it. outs: y [steps, width,
        hidden], the last state, of an lstm the last cells. The last ones may be where the first ones are. `packed`:
        what `shape.pack` returned."""

    def add_unpacked_gru(
        self,
        name: str,
        reverse: Sequence[bool],
        sum: bool,
        cache: GruCache,
        weights: Sequence[Sequence[int]],
        data: Sequence[tuple[float, float]],
        room: GruRoom,
        ins: Sequence[int],
        outs: Sequence[int],
        scratch: int = -1,
    ) -> None:
        """As `add_gru`, with weights that are views, which each run packs: layer, iter, bias and, of int8, their
        scales, dense, for each direction of each layer; `data`, of int8: scale and shift of each layer's input and
        states."""
    def add_parameter(self, nbytes: int) -> int:
        """A parameter of a function: a buffer whose bytes are those of the view that a call passes."""
    def add_register(self) -> int: ...
    def add_label(self) -> int: ...
    def bind_label(self, label: int) -> None:
        """Binds the label to the next step."""
    def set_entry(self) -> None:
        """The program starts with the next step."""
    def add_set(self, out: int, value: int) -> None: ...
    def add_move(self, source: int, out: int) -> None: ...
    def add_compute(self, name: str, scalar: Scalar, ins: Sequence[int], out: int) -> None: ...
    def add_load(self, name: str, view: int, indices: Sequence[int], out: int) -> None:
        """Loads the element of `view` at the indices in registers, which a run checks."""
    def add_store(self, value: int, view: int) -> None:
        """Stores a register to a view without axes."""
    def add_jump(self, label: int) -> None: ...
    def add_branch(self, name: str, condition: int, then: int, otherwise: int) -> None: ...
    def add_loop_check(self, name: str, step: int) -> None:
        """Before a counted loop: a run fails if `step` is not above 0."""
    def add_next_iteration(self, index: int, bound: int, step: int, body: int) -> None:
        """At the end of a loop body: `index += step`, and a jump to label `body` if the index is below `bound`."""
    def add_function_call(self, name: str, function: int, arguments: Sequence[tuple[int, int]]) -> None:
        """Calls the function at a label; `arguments`: (buffer of a parameter, view that is passed)."""
    def add_return(self) -> None:
        """Returns from a function; outside of one, ends the run."""
    def share(self, other: StepProgram) -> None:
        """Has what it has in common with `other`, a program for other sizes, in one place with it: names, constants,
        kernels that no size changes. Neither gets another step."""
    @property
    def accesses(self) -> list[tuple[list[_Region], list[_Region], _Region | None]] | None:
        """Of each step the regions that it reads, what it adds to among them, those it writes, and that of its scratch.
        None where steps branch or call, or run Python."""
    @property
    def arguments(self) -> list[tuple[int, int]]:
        """The buffer of each argument, and its bytes."""
    @property
    def arena_bytes(self) -> int: ...
    @property
    def unplanned_scratch_bytes(self) -> int:
        """The largest scratch of a step without a view for it; each context allocates as much besides its arena."""
    @property
    def threads(self) -> int: ...
    @property
    def steps(self) -> list[str]: ...

class Context:
    """The memory of one run at a time. Threads that run one program at the same time need a context each."""

    def __init__(self, program: StepProgram, arena: _Array | None = None) -> None:
        """`arena`: contiguous, writable memory on a 64-byte boundary to use instead of allocated memory."""
    def check(self, arguments: Sequence[_Array], shapes: Sequence[Sequence[int]]) -> None:
        """Raises `Error` unless the arrays meet what `run` requires, with `shapes` instead of the declared ones."""
    def run(self, arguments: Sequence[_Array]) -> None:
        """Runs the program on C-contiguous arrays in the order of its arguments, without the GIL."""
    def poison(self) -> None:
        """Fills arena and scratch with 0xFF bytes (NaN)."""
    def profile(self, enabled: bool) -> None:
        """Whether later runs measure the time of each step."""
    @property
    def timings(self) -> list[tuple[str, str, int, float, int]]:
        """For each step: name, engine ("onednn" for a primitive or a GRU, "cpu" for a kernel, else "runtime"), calls,
        seconds of all calls, bytes that one call reads and writes (without scratch)."""
    @property
    def arena_address(self) -> int: ...
