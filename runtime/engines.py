"""The engine of a step: a primitive of oneDNN (`onednn`), a kernel of our own (`native`), or one in numpy (`cpu`).

And what all of them share: the version of oneDNN, and how many threads a program gets.
"""

from __future__ import annotations

from xdsl.ir import Operation

from lastuse.dialect.onednn.kernel_call import KernelCallOp
from lastuse.dialect.onednn.primitives.data_reorder import BufferCopyOp
from lastuse.dialect.onednn.primitives.gru import OneDnnGruOp
from lastuse.dialect.onednn.primitives.recurrent import OneDnnRecurrentOp
from lastuse.dialect.onednn.step import DestinationStyleBase
from lastuse.dialect.storage.contract import Engine
from lastuse.runtime import _core

RUNTIME = "runtime"
"""What profiles call copies and control flow, which have no engine."""
_ALL = (1 << 63) - 1
_AS_HERE = -1
"""As is faster on this machine."""
AVX2 = 0x7
"""oneDNN's `dnnl_cpu_isa_avx2`; what has it has a larger number."""


def own_width(step: OneDnnGruOp) -> int:
    """Up to how many sequences a run of a GRU is our own kernels', as the core takes it; -1 for what is best here.

    Without AVX2 all are: oneDNN packs the weights of its recurrent layers beyond their size there (3.2).
    """
    if _core.isa() < AVX2:
        return _ALL
    if step.kernels is None:
        return _AS_HERE
    return _ALL if step.kernels.data == Engine.NATIVE.value else 0


def engines_of_step(step: Operation) -> tuple[str, ...]:
    """The engines that run a step: of a GRU two where the length of its runs decides; none of a copy."""
    match step:
        case BufferCopyOp():
            return ()
        case KernelCallOp():
            return (step.engine().value,)
        case OneDnnGruOp():
            return _of_gru(step)
        case OneDnnRecurrentOp():
            return (Engine.NATIVE.value,)
        case DestinationStyleBase():
            return (Engine.ONEDNN.value,)
        case _:
            return ()


def _of_gru(step: OneDnnGruOp) -> tuple[str, ...]:
    own = own_width(step)
    if own == _AS_HERE:
        own = _core.gru_own_width(step.kind)
    widest = max(_core.gru_cut(channels)[2] for _, channels in step.sizes())
    if own >= widest:
        return (Engine.NATIVE.value,)
    return (Engine.ONEDNN.value,) if own <= 0 else (Engine.ONEDNN.value, Engine.NATIVE.value)


onednn_version = _core.onednn_version
"""Version of the oneDNN library that is loaded."""
get_threads = _core.get_threads
"""OpenMP threads that a program made now by this thread gets: the size of a team that OpenMP opened."""


def set_threads(count: int) -> None:
    """OpenMP threads for programs that this thread makes from now on; programs there are keep theirs.

    Raises:
        ValueError: `count` is below 1.
    """
    if count < 1:
        raise ValueError(f"a thread count is at least 1, not {count}")
    _core.set_threads(count)
