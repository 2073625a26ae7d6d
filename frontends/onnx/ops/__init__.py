"""The handlers of ONNX ops, grouped as the classes in `dialect/dnn/` are: each file has a table `HANDLERS`."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from lastuse.frontends.onnx.builder import Handler


def _collected() -> dict[str, Handler]:
    handlers: dict[str, Handler] = {}
    for file in iter_modules(__path__):
        for op_type, handler in import_module(f"{__name__}.{file.name}").HANDLERS.items():
            assert op_type not in handlers, f"two handlers of {op_type}"
            handlers[op_type] = handler
    return handlers


HANDLERS = _collected()
"""The handler of each op of ONNX's own domain, in its newest version, by op type."""
