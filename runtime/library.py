"""oneDNN as a library: its version, and how many threads it gets."""

from __future__ import annotations

from lastuse.runtime import _core

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
