"""Results that no op gave contents: any memory of their type will do, also that of another result."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from lastuse.dialect.storage.contract import is_undefined
from lastuse.dialect.storage.shape_inference import Sizes


def stand_ins(returned: Sequence[SSAValue], sizes: Sizes) -> dict[int, int]:
    """By number of a result without contents, the result whose memory is returned for it too.

    Args:
        returned: what the only return of a function returns.
    """
    found: dict[int, int] = {}
    for number, value in enumerate(returned):
        if value in sizes and is_undefined(value):
            alike = [n for n, v in enumerate(returned) if v.type == value.type and sizes[v] == sizes[value]]
            first = next((n for n in alike if not is_undefined(returned[n])), alike[0])
            if first != number:
                found[number] = first
    return found
