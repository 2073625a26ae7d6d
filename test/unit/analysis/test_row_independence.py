"""Which functions may run a ragged batch as part of a larger one."""

from __future__ import annotations

import pytest

from lastuse.compiler.driver import context
from lastuse.dialect.ir.flow_graphs import main_function
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.analysis.row_independence import RaggedRows, ragged_rows

ROWS = "tensor<?x3xf32>"
HEAD = "%x: tensor<?x9xf32>, %w: tensor<3x9xf32>, %o: tensor<?xi64>"
GRU = (
    '%h = "dnn.gru"(%x, %w, %o) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>} '
    f": (tensor<?x9xf32>, tensor<3x9xf32>, tensor<?xi64>) -> {ROWS}\n"
)
RETURN = f"\nreturn %y : {ROWS}"
BATCH = RaggedRows(frozenset({0}), 2)


def rows_of(body: str, head: str = HEAD) -> RaggedRows | None:
    text = f"func.func @main({head}) -> {ROWS} {{\n{body}\n}}"
    return ragged_rows(main_function(parse(context(), text, "rows.mlir")))


def test_rowwise_ops_keep_rows_independent() -> None:
    assert rows_of(f"{GRU}return %h : {ROWS}") == BATCH
    more = f"""
      %e = "dnn.softmax"(%h) {{axis = 1 : i64}} : ({ROWS}) -> {ROWS}
      %j = "dnn.concat"(%e, %h) {{axis = 1 : i64}} : ({ROWS}, {ROWS}) -> tensor<?x6xf32>
      %y = "dnn.matmul"(%j, %m) : (tensor<?x6xf32>, tensor<6x3xf32>) -> {ROWS}"""
    assert rows_of(GRU + more + RETURN, HEAD + ", %m: tensor<6x3xf32>") == BATCH


@pytest.mark.parametrize(
    "more",
    [
        f'%y = "dnn.softmax"(%h) {{axis = 0 : i64}} : ({ROWS}) -> {ROWS}',
        f'%y = "dnn.concat"(%h, %h) : ({ROWS}, {ROWS}) -> {ROWS}',
        f'%y = "dnn.cumsum"(%h) {{axis = 0 : i64}} : ({ROWS}) -> {ROWS}',
        f'%y = "dnn.gather"(%h, %i) : ({ROWS}, tensor<?xi64>) -> {ROWS}',
        f'%y = "other.op"(%h) : ({ROWS}) -> {ROWS}',
        f'%y = "dnn.identity"(%h) : ({ROWS}) -> {ROWS}\n%n = "dnn.neg"(%o) : (tensor<?xi64>) -> tensor<?xi64>',
        f'%p = "dnn.matmul"(%t, %h) : (tensor<3x?xf32>, {ROWS}) -> tensor<3x3xf32>\n'
        f'%y = "dnn.matmul"(%h, %p) : ({ROWS}, tensor<3x3xf32>) -> {ROWS}',
    ],
    ids=["softmax", "concat", "cumsum", "gather", "foreign", "ends that are numbers", "a sum over rows"],
)
def test_op_across_rows_makes_rows_dependent(more: str) -> None:
    arguments = {"%i": "tensor<?xi64>", "%t": "tensor<3x?xf32>"}
    head = ", ".join(
        [
            HEAD,
            *(
                f"{name}: {type_}"
                for name, type_ in arguments.items()
                if f"{name}," in more + "," or f"{name})" in more
            ),
        ]
    )
    assert rows_of(GRU + more + RETURN, head) is None


def test_function_without_offsets_or_with_donated_rows_has_no_ragged_batch() -> None:
    assert rows_of(f'%y = "dnn.relu"(%x) : ({ROWS}) -> {ROWS}{RETURN}', f"%x: {ROWS}") is None
    given = HEAD.replace("%x: tensor<?x9xf32>", "%x: tensor<?x9xf32> {dnn.donated}")
    assert rows_of(f"{GRU}return %h : {ROWS}", given) is None
    assert rows_of(f"{GRU}return %h : {ROWS}", HEAD.replace("%o: tensor<?xi64>", "%n: i64, %o: tensor<?xi64>")) is None


def test_ops_on_weights_keep_rows_independent() -> None:
    """Values without rows do not matter."""
    made = '%m = "dnn.neg"(%w) : (tensor<3x9xf32>) -> tensor<3x9xf32>\n'
    assert rows_of(f"{made}{GRU.replace('%w', '%m')}return %h : {ROWS}") == BATCH


def test_two_ragged_arguments_are_no_ragged_batch() -> None:
    assert rows_of(f"{GRU}return %h : {ROWS}", f"{HEAD}, %z: {ROWS}") is None


def test_result_without_rows_makes_no_ragged_batch() -> None:
    text = f"func.func @main({HEAD}) -> ({ROWS}, tensor<3x9xf32>) {{\n{GRU}return %h, %w : {ROWS}, tensor<3x9xf32>\n}}"
    assert ragged_rows(main_function(parse(context(), text, "rows.mlir"))) is None
