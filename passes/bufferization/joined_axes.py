"""Which arguments have to be row-major: of them several axes are viewed as one."""

from __future__ import annotations

from xdsl.ir import BlockArgument, Operation

from lastuse.dialect.ir.tensor_types import squeezed, static_shape
from lastuse.dialect.storage.assignment import Places
from lastuse.dialect.storage.layout import same_bytes
from lastuse.dialect.storage.place_rules import Part, Rule
from lastuse.passes.bufferization.forms import form_of
from lastuse.passes.bufferization.forwarded_memrefs import ForwardedMemrefs


def joins_axes(argument: BlockArgument, places: Places, forwarded: ForwardedMemrefs) -> bool:
    """A value in the memory of an argument joins its axes, or is all of it with others."""
    if argument not in places.of:
        return False
    own = places.of[argument]
    for value, place in places.of.items():
        if own.storage not in forwarded.storages(place.storage) or value is argument:
            continue
        if forwarded.is_forwarded(value):
            continue
        opens = places.rules.at[value][0] is value
        rule, source = (Rule.STORAGE, None) if opens else places.rules.derived(value)
        form = form_of(value.owner) if rule is Rule.VIEW and isinstance(value.owner, Operation) else None
        if form is not None and form.joins_axes:
            return True
        if rule is Rule.PART and _is_recut(places.rules.parts[value]):
            return True
        whole = place.storage == own.storage and value.type == argument.type and same_bytes(place.layout, own.layout)
        if source is None and not whole:
            return True
    return False


def _is_recut(part: Part) -> bool:
    """The value that is computed in the part has other axes than the part."""
    first, last = (squeezed(static_shape(part.path[at].type)) for at in (0, -1))
    return first != last
