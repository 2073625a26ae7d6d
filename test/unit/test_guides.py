"""The pages `docs/adding-*.md` are enough: what they say is done, word for word, and works."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.dialects.func import Func
from xdsl.parser import Parser

import lastuse
from lastuse.dialect.dnn import OPERATIONS, Dnn
from lastuse.dialect.dnn.base import Array, DnnOp
from lastuse.dialect.dnn.elementwise import UnaryBase
from lastuse.dialect.dnn.example import example_of
from lastuse.dialect.ir.diagnostics import LastuseError, ToolContext
from lastuse.dialect.onednn.kernel_call import CALLEES
from lastuse.dialect.storage.contract import contract_of
from lastuse.frontends import loader
from lastuse.passes.lowering_checker import step_matching
from lastuse.runtime import primitive_preparation
from support import ROOT


def blocks(page: str, kind: str) -> list[str]:
    """The blocks of a page in one language."""
    return re.findall(rf"^```{kind}\n(.*?)^```$", (ROOT / "docs" / page).read_text(), re.MULTILINE | re.DOTALL)


def source(page: str, path: str) -> str:
    """The block that the page says is this file."""
    (found,) = [block for block in blocks(page, "python") if block.startswith(f"# {path}\n")]
    return found


@contextmanager
def file(page: str, path: str) -> Iterator[ModuleType]:
    """The module of a file that a page shows, imported as if it were there."""
    name = f"lastuse.{path.removesuffix('.py').replace('/', '.')}"
    assert not (ROOT / path).exists()
    module = ModuleType(name)
    sys.modules[name] = module  # annotations are looked up there
    try:
        exec(compile(source(page, path), path, "exec"), vars(module))
        yield module
    finally:
        del sys.modules[name]


def parsed(text: str, *classes: type[DnnOp]) -> tuple[ToolContext, ModuleOp]:
    context = ToolContext()
    for dialect in (Builtin, Func, Dnn):
        context.load_dialect(dialect)
    for cls in classes:
        context.load_op(cls)
    return context, Parser(context, text).parse_module()


def unary(cls: type[DnnOp]) -> ModuleOp:
    """The op between two others, of 5x3 elements."""
    type_ = "tensor<5x3xf32>"
    _, module = parsed(
        f"""func.func @main(%x: {type_}) -> {type_} {{
          %a = "dnn.neg"(%x) : ({type_}) -> {type_}
          %b = "{cls.name}"(%a) : ({type_}) -> {type_}
          %c = "dnn.neg"(%b) : ({type_}) -> {type_}
          func.return %c : {type_}
        }}""",
        cls,
    )
    return module


X = np.linspace(-8, 8, 15, dtype=np.float32).reshape(5, 3)


def run(program: lastuse.Program) -> Array:
    (result,) = program.run({"x": X}).values()
    return result


def test_an_elementwise_op(monkeypatch: pytest.MonkeyPatch) -> None:
    with file("adding-an-op.md", "dialect/dnn/hard_products.py") as module:
        cls: type[DnnOp] = module.HardProductOp
        monkeypatch.setitem(CALLEES, cls.name, cls)
        assert [(o.operand, o.allow_same_operand) for o in contract_of(example_of(cls)).over] == [(0, False)]
        program = lastuse.compile(unary(cls), fuse=False)
        engines = program.latest.engines
        (line,) = [block for block in blocks("adding-an-op.md", "python") if "_rounding" in block]
        meaning = eval(f"{{{line}}}", {"np": np, "_rounding": lambda compute: compute})[cls.name]
        np.testing.assert_allclose(run(program), -meaning(None, -X.astype(np.float64)), atol=1e-6)
        assert engines["onednn"] == 1
        assert program.memory.arena_bytes <= X.nbytes + 64
        np.testing.assert_array_equal(
            run(program), run(lastuse.compile(unary(cls), fuse=False, inplace=False, plan=False))
        )


def test_an_op_without_a_base() -> None:
    with file("adding-an-op.md", "dialect/dnn/squares.py") as module:
        op = example_of(module.SquaredDifferenceOp)
        assert [(o.operand, o.allow_same_operand) for o in contract_of(op).over] == [(0, True), (1, True)]
        a, b = np.array([[1, 2, 3], [4, 5, 6]], np.float32), np.array([1, 1, 2], np.float32)
        want = np.array([[0, 1, 1], [9, 16, 16]], np.float32)
        assert np.array_equal(op.reference(a, b)[0], want)
        op.kernel([a, b], [a], np.empty(0, np.uint8))
        assert np.array_equal(a, want)


def test_a_pass(tmp_path: Path) -> None:
    with file("adding-a-pass.md", "passes/erase_identity_views.py") as module:
        example, lit = blocks("adding-a-pass.md", "mlir")
        for text in (example, lit):
            context, ir = parsed(text)
            module.EraseIdentityViewsPass().apply(context, ir)
            ir.verify()
            assert [op.name for op in ir.walk() if isinstance(op, DnnOp)] == ["dnn.exp"]
        (entry,) = [block for block in blocks("adding-a-pass.md", "python") if block.startswith("    ")]
        assert eval(f"{{{entry}}}") == {module.EraseIdentityViewsPass.name: (module.__name__, "EraseIdentityViewsPass")}


def test_a_primitive(monkeypatch: pytest.MonkeyPatch) -> None:
    page = "adding-a-primitive.md"
    with file(page, "dialect/onednn/primitives/affine.py") as module:
        names = {"OneDnnAffineOp": module.OneDnnAffineOp, "AffinePrimitive": module.AffinePrimitive}
        for room, path in (
            (primitive_preparation, "runtime/primitive_preparation.py"),
            (step_matching, "passes/lowering_checker/step_matching.py"),
        ):
            for name, item in names.items():
                monkeypatch.setattr(room, name, item, raising=False)
            # An annotation is looked up where the function is defined.
            exec(compile(source(page, path), path, "exec", dont_inherit=True), vars(room))

        class TwiceAndOneOp(UnaryBase):
            """2 * x + 1."""

            name = "dnn.twice_and_one"

            def compute(self, *operands: Array) -> Array:
                return 2 * operands[0] + 1

            def primitive(self):  # pyright: ignore
                return module.AffinePrimitive(2.0, 1.0)

        from xdsl.irdl import irdl_op_definition

        cls = irdl_op_definition(TwiceAndOneOp)
        monkeypatch.setitem(CALLEES, cls.name, cls)
        program = lastuse.compile(unary(cls), fuse=False)
        assert "onednn.affine" in str(program.latest.lowered)
        np.testing.assert_array_equal(run(program), -(2 * -X + 1))


def test_a_front_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = "adding-a-front-end.md"
    (entry,) = [block for block in blocks(page, "python") if block.startswith("    ")]
    model = tmp_path / "net.chain"
    model.write_text("?x3 ReLU Exp")
    with file(page, "frontends/chain.py"):
        for ending, module in eval(f"{{{entry}}}").items():
            monkeypatch.setitem(loader.FRONT_ENDS, ending, module)
        (result,) = lastuse.compile(model).run({"x": X}).values()
        np.testing.assert_allclose(result, np.exp(np.maximum(X, 0)), rtol=1e-6)
        model.write_text("?x3 ReLU Swish")
        with pytest.raises(LastuseError, match="unsupported op: Swish") as error:
            loader.load(Context(), model)
        assert error.value.location is not None and error.value.location.line == 3


def test_ops_of_the_pages_are_not_ops_of_the_dialect() -> None:
    """They are examples: no other test may find them."""
    assert not {"dnn.hard_product", "dnn.squared_difference", "dnn.twice_and_one"} & set(OPERATIONS)
