"""Textual IR is read as it was written."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import ArrayAttr, BytesAttr, StringAttr

from lastuse.compiler.driver import context
from lastuse.dialect.storage import attrs
from lastuse.frontends.text import mlir_parser
from support import opt_tool

NAMES = ["plain", "词法", 'a "quoted" 词', "back\\slash", "l\n词", "café"]


def text(name: str) -> str:
    """A program whose value has this name, written as xDSL writes it."""
    from io import StringIO

    from xdsl.printer import Printer

    out = StringIO()
    Printer(out).print_attribute(StringAttr(name))
    return (
        f"func.func @f(%x: tensor<2xf32> {{dnn.name = {out.getvalue()}}}) -> tensor<2xf32> {{\n"
        f'  %y = "dnn.exp"(%x) {{dnn.names = [{out.getvalue()}]}} : (tensor<2xf32>) -> tensor<2xf32>\n'
        "  func.return %y : tensor<2xf32>\n}\n"
    )


@pytest.mark.parametrize("name", NAMES)
def test_names_of_any_script_are_read_again(name: str) -> None:
    """xDSL writes characters outside ASCII as escaped bytes; the name is the same when read again."""
    module = mlir_parser.parse(context(), text(name), "f.mlir")
    op = next(op for op in module.walk() if op.name == "dnn.exp")
    assert attrs.display_name(op.results[0]) == name
    assert attrs.display_name(op.operands[0]) == name
    again = opt_tool("-", stdin=opt_tool("-", stdin=text(name)).out)
    assert again.out == opt_tool("-", stdin=text(name)).out


@pytest.mark.parametrize("written", ['"\\FF\\FE"', '"a\\80"'])
def test_bytes_that_are_no_text_stay_bytes(written: str) -> None:
    module = mlir_parser.parse(context(), f'"other.op"() {{a = [{written}]}} : () -> ()', "f.mlir")
    found = next(op for op in module.walk() if "a" in op.attributes).attributes["a"]
    assert isinstance(found, ArrayAttr) and isinstance(found.data[0], BytesAttr)
