"""Definitions before uses, on every shape of control flow; blocks and terminators."""

from __future__ import annotations

import pytest
from xdsl.universe import Universe

from lastuse.dialect.ir.diagnostics import LastuseError, Location, ToolContext, inherit, location_of, locations
from lastuse.dialect.storage import verifier
from lastuse.frontends.text import mlir_parser


def context() -> ToolContext:
    ctx = ToolContext(allow_unregistered=True)
    for name, factory in Universe.get_multiverse().all_dialects.items():
        ctx.register_dialect(name, factory)
    return ctx


def verify(body: str) -> None:
    verifier.verify(mlir_parser.parse(context(), f"func.func @f(%c: i1) {{\n{body}\n}}", "t.mlir"))


GOOD = {
    "diamond": """cf.cond_br %c, ^a, ^b
      ^a: cf.br ^d
      ^b: cf.br ^d
      ^d: "a.use"(%c) : (i1) -> ()
        func.return""",
    "defined in a dominating block that stands later": """cf.br ^b
      ^a: "a.use"(%v) : (i32) -> ()
        func.return
      ^b: %v = "a.def"() : () -> i32
        cf.br ^a""",
    "loop": """%v = "a.def"() : () -> i32
        cf.br ^head
      ^head: cf.cond_br %c, ^body, ^exit
      ^body: "a.use"(%v) : (i32) -> ()
        cf.br ^head
      ^exit: func.return""",
    "unreachable block": """func.return
      ^a: "a.use"(%v) : (i32) -> ()
        %v = "a.def"() : () -> i32
        func.return""",
    "from around a region": """%v = "a.def"() : () -> i32
        scf.if %c { "a.use"(%v) : (i32) -> ()
          scf.yield }
        func.return""",
    "graph of a foreign op": """"a.graph"() ({ "a.use"(%v) : (i32) -> ()
          %v = "a.def"() : () -> i32 }) : () -> ()
        func.return""",
}
BAD = {
    "one side of a diamond": """cf.cond_br %c, ^a, ^d
      ^a: %v = "a.def"() : () -> i32
        cf.br ^d
      ^d: "a.use"(%v) : (i32) -> ()
        func.return""",
    "around a loop": """cf.br ^head
      ^head: cf.cond_br %c, ^body, ^exit
      ^body: "a.use"(%v) : (i32) -> ()
        %v = "a.def"() : () -> i32
        cf.br ^head
      ^exit: func.return""",
    "own result": """%v = "a.use"(%v) : (i32) -> i32
        func.return""",
    "region before": """scf.if %c { "a.use"(%v) : (i32) -> ()
          scf.yield }
        %v = "a.def"() : () -> i32
        func.return""",
    "irreducible": """cf.cond_br %c, ^a, ^b
      ^a: %v = "a.def"() : () -> i32
        cf.br ^b
      ^b: "a.use"(%v) : (i32) -> ()
        cf.cond_br %c, ^a, ^e
      ^e: func.return""",
}


@pytest.mark.parametrize("name", GOOD)
def test_use_after_definition_is_accepted(name: str) -> None:
    verify(GOOD[name])


@pytest.mark.parametrize("name", BAD)
def test_use_before_definition_is_rejected(name: str) -> None:
    with pytest.raises(LastuseError, match=r"operand 0 of 'a.use' .*used before its definition"):
        verify(BAD[name])


def test_long_chain_of_blocks_is_verified_without_recursion() -> None:
    blocks = "".join(f'^b{i}: "a.use"(%v) : (i32) -> ()\n cf.br ^b{i + 1}\n' for i in range(1200))
    verify(f'%v = "a.def"() : () -> i32\ncf.br ^b0\n{blocks}^b1200: func.return')


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ('"arith.constant"() {value = 1 : i32} : () -> i32', "ends its block but is not a terminator"),
        ("cf.br ^a\n^a: func.return\nfunc.return", "must be the last"),
        ("", "empty block"),
        ('"a.r"() ({ cf.br ^b\n^b: "a.x"() : () -> () }) : () -> ()\nfunc.return', None),
    ],
)
def test_terminators_and_successors_are_checked(body: str, message: str | None) -> None:
    if message is None:
        verify(body)
        return
    with pytest.raises(LastuseError, match=message):
        verify(body)


def test_errors_of_generated_verifiers_are_one_line() -> None:
    """xDSL says in a second line which type an operand should have."""
    text = '"t.f"() ({^bb0(%m: memref<4xf32>): "onednn.pack"(%m) : (memref<4xf32>) -> memref<4xf32>}) : () -> ()'
    with pytest.raises(LastuseError) as error:
        verifier.verify(mlir_parser.parse(context(), text, "t.mlir"))
    assert "packed" in str(error.value) and "\n" not in str(error.value)


def test_ops_that_differ_in_an_attribute_are_verified_apart() -> None:
    ok = '%a = "dnn.relu"(%x) {dnn.engine = "cpu"} : (tensor<2xf32>) -> tensor<2xf32>\n'
    bad = '%b = "dnn.relu"(%x) {dnn.engine = "gpu"} : (tensor<2xf32>) -> tensor<2xf32>\n'
    head = '%x = "a.b"() : () -> tensor<2xf32>\n'
    verifier.verify(mlir_parser.parse(context(), head + ok, "t.mlir"))
    with pytest.raises(LastuseError, match="engine"):
        verifier.verify(mlir_parser.parse(context(), head + ok + bad, "t.mlir"))


def test_locations_are_kept_and_inherited() -> None:
    module = mlir_parser.parse(context(), '\n\n  %a, %b = "a.b"() : () -> (i32, i32)\n', "t.mlir", first_line=10)
    op = next(iter(module.body.block.ops))
    assert location_of(op) == Location("t.mlir", 12, 12)
    copy = op.clone()
    assert locations.get(copy) is None
    inherit(copy, op)
    assert location_of(copy) == locations[op]
