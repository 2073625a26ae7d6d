"""The C++ runtime: programs of prepared oneDNN primitives over explicit memory.

Views and buffers are small integers of the `Program` that made them. Strides are in elements, offsets in bytes.
"""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, overload

import numpy as np

_Array = np.ndarray[Any, Any]
_DType = np.dtype[Any]

class Error(RuntimeError):
    """What goes wrong in building or running a program; the message names the step."""

def eltwise_algorithms() -> list[str]: ...
def binary_algorithms() -> list[str]: ...
def has_data_type(dtype: _DType) -> bool:
    """Whether oneDNN computes with elements of `dtype`."""

def set_threads(count: int) -> None:
    """OpenMP threads of the calling thread from now on; programs made before keep theirs."""

def get_threads() -> int: ...
def onednn_version() -> tuple[int, int, int]: ...
def isa() -> int:
    """oneDNN's number of the instruction set in use (`dnnl_cpu_isa_t`)."""

class Desc:
    """A memory layout as oneDNN sees it: element type, sizes, strides in elements or a blocked layout."""

    def __init__(self, dtype: _DType, shape: Sequence[int], strides: Sequence[int]) -> None: ...
    @staticmethod
    def free(dtype: _DType, shape: Sequence[int]) -> Desc:
        """The primitive that takes this chooses the layout."""
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def nbytes(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...

class Primitive:
    """A prepared oneDNN primitive: what it wants its operands and results to lie like, and the scratch it needs."""

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

def eltwise(alg: str, alpha: float, beta: float, src: Desc, dst: Desc, threads: int = 0) -> Primitive: ...
def binary(alg: str, src0: Desc, src1: Desc, dst: Desc, threads: int = 0) -> Primitive: ...
def sum(scales: Sequence[float], srcs: Sequence[Desc], dst: Desc, threads: int = 0) -> Primitive: ...
def softmax(axis: int, log: bool, src: Desc, dst: Desc, threads: int = 0) -> Primitive: ...
def layer_norm(epsilon: float, src: Desc, dst: Desc, stats: Desc | None = None, threads: int = 0) -> Primitive:
    """ins: src, scale, shift; outs: dst and, with `stats`, mean and variance."""

def batch_norm(epsilon: float, src: Desc, dst: Desc, threads: int = 0) -> Primitive:
    """ins: src, scale, shift, mean, variance; outs: dst."""

def matmul(
    src: Desc,
    weights: Desc,
    bias: Desc | None,
    dst: Desc,
    alpha: float = 1.0,
    beta: float = 0.0,
    threads: int = 0,
) -> Primitive:
    """dst = alpha * (src @ weights + bias) + beta * dst. ins: src, weights, bias if any; outs: dst."""

def reorder(src: Desc, dst: Desc, threads: int = 0) -> Primitive: ...
def pack(source: _Array, packed: Desc) -> object:
    """The elements of `source`, at any positive strides, in the layout `packed`: memory to give to `add_packed`."""

class OffsetsError(Error):
    """The offsets do not cut the rows into sequences: they must ascend from 0 to the number of rows."""

class GruCache:
    """GRU primitives by sizes, steps and width of the run they do; bounded, the least recently used goes. For any
    number of programs and threads."""

    def __init__(self, capacity: int) -> None: ...
    @property
    def figures(self) -> tuple[int, int, int, int]:
        """Hits, misses, entries, capacity."""

class GruWeights:
    """Weights of one direction, packed now, once, for runs of all lengths. Keeps the arrays."""

    @overload
    def __init__(self, layer: _Array, iter: _Array, bias: _Array, own: int = -1) -> None:
        """Dense f32, gates u, r, c: [input, 3 * channels], [channels, 3, channels], 3 * channels elements; or, without
        `own`, weights that are the bits of bf16, uint16.

        Args:
            own: runs of at most so many sequences are our own kernels', wider ones oneDNN's; -1 for what is best here.
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
        """Bytes beside the arrays."""

class Gru:
    """h' = u * h + (1 - u) * c over ragged rows: in one direction or several (True: reverse), which stand side by side
    in the result's columns or, if `sum`, are added up."""

    def __init__(self, directions: Sequence[tuple[GruWeights, bool]], sum: bool, cache: GruCache) -> None: ...

class GruRoom:
    """The scratch of layers of so many inputs and channels over so many words and sequences, whatever the lengths."""

    def __init__(
        self,
        layers: Sequence[tuple[int, int]],
        directions: int,
        words: int,
        sequences: int,
        threads: int = 0,
        kind: str = "f32",
        own: int = -1,
    ) -> None:
        """`kind` is what the weights are, f32, bf16 or i8; `own` as of `GruWeights`."""

    @property
    def nbytes(self) -> int: ...

def crf_decoding(
    emission: _Array, transition: _Array, offsets: _Array, path: _Array, scratch: _Array, threads: int
) -> None:
    """`dnn.crf_decoding` into `path`, on so many threads at most, with the op's scratch. Raises `OffsetsError`."""

def gru_plan(
    offsets: _Array, words: int, parts: int, rows: int, steps: int, width: int, weights: float = 0.0
) -> list[list[tuple[tuple[int, ...], int, int]]]:
    """The runs of each part of a batch: (sequences, first step, steps). `weights`: how long it takes to read them,
    where the products of a row take 1. Raises `OffsetsError`."""

def gru_own_width(kind: str) -> int:
    """Up to how many sequences a run is our own kernels' if nobody says otherwise."""

def gru_cut(channels: int) -> tuple[int, int, int]:
    """Most rows, steps and sequences of a run for so many channels."""

def pool_threads() -> int:
    """How many threads of our own there are now."""

def pool_together() -> int:
    """How often they all did the same runs of a GRU, each a share of the columns."""

class Scalar:
    """One computation on numbers in 64-bit registers: integers sign-extended from their width (an i1 that is true is
    -1), floats as their bits, f32 in the low half."""

    @property
    def arity(self) -> int: ...
    def __call__(self, a: int, b: int = 0, c: int = 0) -> int:
        """Raises `Error` on a division by zero."""

def scalar(op: str, source: str, target: str) -> Scalar:
    """`op` is an op of the arith dialect ("addi", "cmpi.slt", "cmpf.olt", "select"), `source` the type of its operands,
    `target` that of its result: i1, i8, i16, i32, i64, index, f32, f64."""

class Program:
    """Buffers, views of them, and the steps to run: in order, but for jumps and calls. Every method raises `Error` on
    what does not fit.

    Functions that the program calls come before the step it starts with (`begin`), those called by others first.
    Registers and labels are small integers too; every label has to be placed before a step.
    """

    ARENA: ClassVar[int]

    def __init__(self, arena_bytes: int, threads: int = 0) -> None: ...
    def add_argument(self, name: str, dtype: _DType, shape: Sequence[int], writable: bool) -> int: ...
    def add_constant(self, array: _Array) -> int:
        """A C-contiguous array, kept, not copied."""
    def add_packed(self, packed: object, desc: Desc) -> int:
        """A view of packed weights."""
    def add_view(
        self, buffer: int, offset: int, dtype: _DType, shape: Sequence[int], strides: Sequence[int]
    ) -> int: ...
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
    def add_gru(
        self,
        name: str,
        layers: Sequence[Gru],
        room: GruRoom,
        ins: Sequence[int],
        outs: Sequence[int],
        scratch: int = -1,
    ) -> None:
        """Layers, each over the result of the one before. ins: x [words, input], offsets [sequences + 1] and perhaps h0
        [sequences, channels] for each direction of each layer; outs: the last layer's [words, columns]. Runs with the
        program's threads; raises `OffsetsError` in a run."""
    def add_free_gru(
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
        """As `add_gru`, with weights that are views and packed in each run: layer, iter, bias and, of int8, their
        scales, dense, for each direction of each layer; `data`, of int8: scale and shift of each layer's input and
        states."""
    def add_parameter(self, nbytes: int) -> int:
        """A buffer that is what a call gives."""
    def add_register(self) -> int: ...
    def add_label(self) -> int: ...
    def place(self, label: int) -> None:
        """The label is the next step."""
    def begin(self) -> None:
        """The program starts with the next step."""
    def add_set(self, out: int, value: int) -> None: ...
    def add_move(self, source: int, out: int) -> None: ...
    def add_compute(self, name: str, scalar: Scalar, ins: Sequence[int], out: int) -> None: ...
    def add_load(self, name: str, view: int, indices: Sequence[int], out: int) -> None:
        """The element of `view` at the indices in these registers; a run checks them."""
    def add_store(self, value: int, view: int) -> None:
        """A register into a view without axes."""
    def add_jump(self, label: int) -> None: ...
    def add_branch(self, name: str, condition: int, then: int, otherwise: int) -> None: ...
    def add_begin(self, name: str, step: int) -> None:
        """The head of a counted loop: a run fails where `step` is not above 0."""
    def add_again(self, index: int, bound: int, step: int, body: int) -> None:
        """`index += step`, and on to label `body` where that is below `bound`."""
    def add_enter(self, name: str, function: int, given: Sequence[tuple[int, int]]) -> None:
        """Calls the function at a label; `given` are buffers of its parameters, each with the view it is."""
    def add_leave(self) -> None:
        """Back behind the call; in the program itself, its end."""
    @property
    def arena_bytes(self) -> int: ...
    @property
    def unplanned_scratch_bytes(self) -> int:
        """The largest scratch that no view was given for; each context has as much beside its arena."""
    @property
    def threads(self) -> int: ...
    @property
    def steps(self) -> list[str]: ...

class Context:
    """The memory of one run at a time. Two threads run one program with two contexts."""

    def __init__(self, program: Program, arena: _Array | None = None) -> None:
        """`arena`: contiguous, writable memory on a 64-byte boundary to use instead of memory of its own."""
    def check(self, arguments: Sequence[_Array], shapes: Sequence[Sequence[int]]) -> None:
        """Raises `Error` unless the arrays are as `run` wants them, but for their shapes, which have to be these."""
    def run(self, arguments: Sequence[_Array]) -> None:
        """Runs all steps on C-contiguous arrays in the order of the program's arguments, without the GIL."""
    def poison(self) -> None:
        """Fills arena and scratch with 0xFF bytes (NaN)."""
    def profile(self, wanted: bool) -> None:
        """Whether runs take the time of each step from now on."""
    @property
    def timings(self) -> list[tuple[str, str, int, float, int]]:
        """Of each step: name, what it is (a primitive or a GRU "onednn", a kernel "cpu", else "runtime"), calls,
        seconds of all of them, bytes that one reads and writes (scratch apart)."""
    @property
    def arena_address(self) -> int: ...
