"""Constants whose elements stand beside the text (`dense_resource<name>`), with these in the text."""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import BytesAttr, DenseIntOrFPElementsAttr, DenseResourceAttr, ModuleOp, TensorType

from lastuse.dialect.ir import resources
from lastuse.dialect.ir.op_listing import OpListing
from lastuse.dialect.storage.contract import contract_of


def write_contents(listing: OpListing) -> None:
    """Puts the elements of resources into the constants of a module that stand for them.

    Raises:
        LastuseError: the module has others, but not this array, or it is of another type.
    """
    module = listing.module.get_toplevel_object()
    if not isinstance(module, ModuleOp) or not resources.of(module):
        return
    for op in listing.ops:
        for own in (op.properties, op.attributes):
            for name, value in own.items():
                if isinstance(value, DenseResourceAttr) and contract_of(op).constant:
                    array = resources.array_of(value, module, op)
                    if array.dtype == np.bool_:
                        array = array.astype(np.uint8) * 255  # as xDSL keeps i1
                    assert isinstance(value.type, TensorType)
                    listing.changed()
                    own[name] = DenseIntOrFPElementsAttr(value.type, BytesAttr(array.tobytes()))
