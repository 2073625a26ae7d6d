"""How often a pass calls functions: its work, on any machine."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from types import FrameType
from typing import TypeVar

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from lastuse.compiler.driver import context
from lastuse.passes.bufferize import BufferizePass

K = TypeVar("K")
BUFFERIZE = BufferizePass(layouts="identity")


def calls(module: ModuleOp, key: Callable[[FrameType], K | None], pass_: ModulePass = BUFFERIZE) -> Counter[K]:
    """How often a pass calls functions, by what `key` says of a call, if anything."""
    found: Counter[K] = Counter()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and (of := key(frame)) is not None:
            found[of] += 1

    sys.setprofile(note)
    try:
        pass_.apply(context(), module)
    finally:
        sys.setprofile(None)
    return found
