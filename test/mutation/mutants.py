"""The mutants of a source file: each is the file with one small mistake in it.

Left out is what no test can or should see: annotations, docstrings, `assert` (it speaks to readers and type checkers),
the arguments of decorators, `__all__`, `zip`'s `strict`, factories of fields, type variables, the order of what is
symmetric, which negative number stands for none, and numbers so large that the next is as good (limits of how long is
looked).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import NamedTuple

COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
SYMMETRIC = frozenset(
    {"isinstance", "min", "max", "same_bytes", "same_place", "same_range", "may_overlap", "overlap", "may_meet", "meet"}
    | {"_meet", "same", "_fits", "path", "_blame", "_link", "_hinge"}
)
"""Calls whose first two arguments are not swapped: it would make no difference, or not run at all."""
LARGE = 256
"""From here on one more makes no difference that a test should see."""
TURNED = {"any": "all", "all": "any", "min": "max", "max": "min"}
"""Functions that a slip turns into their opposite."""


class Site(NamedTuple):
    """A place for a mistake.

    Attributes:
        line: where it is.
        lines: the statement around it, a compound one without its body; None for what runs when the file is loaded.
        what: the mistake in words.
        make: makes it in the tree that the site was found in.
    """

    line: int
    lines: range | None
    what: str
    make: Callable[[], None]


def sites(tree: ast.Module) -> list[Site]:
    """Every place for a mistake in a file, in the order of its text."""
    return sorted(_in_statements(tree.body, inside=False), key=lambda site: site.line)


def _in_statements(body: list[ast.stmt], inside: bool) -> Iterator[Site]:
    """`inside`: of a function."""
    for place, statement in enumerate(body):
        if isinstance(statement, ast.Assert) or _is_declaration(statement):
            continue
        lines = range(statement.lineno, _header_end(statement) + 1) if inside else None
        for what, make in _of_statement(body, place):
            yield Site(statement.lineno, lines, what, make)
        for expression in _expressions(statement):
            for line, what, make in _in_expression(expression):
                yield Site(line, lines, what, make)
        within = inside or isinstance(statement, ast.FunctionDef)
        for name in ("body", "orelse", "finalbody"):
            yield from _in_statements(getattr(statement, name, []), within)
        for handler in getattr(statement, "handlers", []):
            yield from _in_statements(handler.body, within)


def _is_declaration(statement: ast.stmt) -> bool:
    """A docstring, a type variable, or what a module says it exports."""
    if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "__all__":
        return True
    value = statement.value if isinstance(statement, ast.Expr | ast.Assign) else None
    if isinstance(value, ast.Constant):
        return isinstance(statement, ast.Expr)
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "TypeVar"


def _header_end(statement: ast.stmt) -> int:
    inner: list[ast.stmt] = getattr(statement, "body", [])
    return max(statement.lineno, inner[0].lineno - 1) if inner else statement.end_lineno or statement.lineno


def _of_statement(body: list[ast.stmt], place: int) -> Iterator[tuple[str, Callable[[], None]]]:
    """Mistakes made with a whole statement."""
    statement = body[place]

    def put(other: ast.stmt) -> Callable[[], None]:
        return lambda: body.__setitem__(place, ast.copy_location(other, statement))

    if isinstance(statement, ast.Continue):
        yield "continue becomes break", put(ast.Break())
    elif isinstance(statement, ast.Break):
        yield "break becomes continue", put(ast.Continue())
    elif isinstance(statement, ast.Return):
        if statement.value is not None and not isinstance(statement.value, ast.Constant):
            yield "returns None", lambda: setattr(statement, "value", ast.Constant(None))
    elif isinstance(statement, ast.Expr | ast.AugAssign | ast.Raise | ast.Delete):
        yield "statement left out", put(ast.Pass())
    elif isinstance(statement, ast.Assign) and not isinstance(statement.targets[0], ast.Name | ast.Tuple):
        yield "assignment left out", put(ast.Pass())
    if isinstance(statement, ast.AugAssign) and (other := COMPUTED.get(type(statement.op))) is not None:
        yield f"{_symbol(statement.op)} becomes {_symbol(other())}", lambda: setattr(statement, "op", other())


def _symbol(op: ast.AST) -> str:
    return {"NotEq": "!=", "Eq": "==", "Lt": "<", "LtE": "<=", "Gt": ">", "GtE": ">="}.get(
        type(op).__name__, type(op).__name__.lower()
    )


def _expressions(statement: ast.stmt) -> Iterator[ast.expr]:
    """What a statement computes itself, annotations and decorators left out."""
    left_out = {"annotation", "returns", "decorator_list", "bases", "type_params"}
    for name, value in ast.iter_fields(statement):
        if name in left_out:
            continue
        if isinstance(value, ast.arguments):
            yield from [*value.defaults, *(default for default in value.kw_defaults if default is not None)]
            continue
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, ast.expr):
                yield part
            elif isinstance(part, ast.withitem):
                yield part.context_expr


def _in_expression(expression: ast.expr) -> Iterator[tuple[int, str, Callable[[], None]]]:
    for what, make in _of_expression(expression):
        yield expression.lineno, what, make
    if isinstance(expression, ast.UnaryOp) and isinstance(expression.operand, ast.Constant):
        return  # -2 is as good as -1 where a negative number says "none"; that it is negative has been asked
    if isinstance(expression, ast.BinOp) and isinstance(expression.op, ast.LShift) and _is_number(expression.left):
        return  # 1 << 20, which is large
    for name, value in ast.iter_fields(expression):
        if name == "annotation" or isinstance(expression, ast.JoinedStr):
            continue
        if name == "func" and isinstance(value, ast.Subscript):
            continue  # dict[K, V]() says a type
        for part in value if isinstance(value, list) else [value]:
            yield from _in_part(part)


def _in_part(part: object) -> Iterator[tuple[int, str, Callable[[], None]]]:
    if isinstance(part, ast.expr):
        yield from _in_expression(part)
    elif isinstance(part, ast.keyword) and part.arg not in ("strict", "default_factory"):
        yield from _in_expression(part.value)
    elif isinstance(part, ast.comprehension):
        for inner in (part.iter, *part.ifs):
            yield from _in_expression(inner)


def _of_expression(node: ast.expr) -> Iterator[tuple[str, Callable[[], None]]]:
    """Mistakes made with one operator, constant or call."""
    if isinstance(node, ast.Compare):
        for place, op in enumerate(node.ops):
            other = COMPARED[type(op)]()
            yield f"{_symbol(op)} becomes {_symbol(other)}", _setter(node.ops, place, other)
    elif isinstance(node, ast.BoolOp):
        swapped = ast.And() if isinstance(node.op, ast.Or) else ast.Or()
        yield f"{_symbol(node.op)} becomes {_symbol(swapped)}", lambda: setattr(node, "op", swapped)
    elif isinstance(node, ast.UnaryOp):
        if isinstance(node.op, ast.Not):
            yield "not left out", lambda: setattr(node, "operand", ast.copy_location(_negated(node.operand), node))
        elif isinstance(node.op, ast.USub):
            yield "minus left out", lambda: setattr(node, "op", ast.UAdd())
    elif isinstance(node, ast.BinOp) and (computed := COMPUTED.get(type(node.op))) is not None:
        yield f"{_symbol(node.op)} becomes {_symbol(computed())}", lambda: setattr(node, "op", computed())
    elif isinstance(node, ast.Constant):
        other_value = _other_constant(node.value)
        if other_value is not None:
            yield f"{node.value!r} becomes {other_value!r}", lambda: setattr(node, "value", other_value)
    elif isinstance(node, ast.IfExp):
        yield "if and else swapped", lambda: _swap(node)
    elif isinstance(node, ast.Call):
        yield from _of_call(node)


def _of_call(node: ast.Call) -> Iterator[tuple[str, Callable[[], None]]]:
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    called = node.func.attr if isinstance(node.func, ast.Attribute) else name
    if name in TURNED:
        yield f"{name} becomes {TURNED[name]}", lambda: setattr(node.func, "id", TURNED[name])
    starred = any(isinstance(a, ast.Starred) for a in node.args[:2])
    if len({ast.dump(a) for a in node.args[:2]}) > 1 and called not in SYMMETRIC and not starred:
        swapped = [node.args[1], node.args[0], *node.args[2:]]
        yield "first two arguments swapped", lambda: setattr(node, "args", swapped)


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant)


def _setter(items: list[ast.cmpop], place: int, item: ast.cmpop) -> Callable[[], None]:
    return lambda: items.__setitem__(place, item)


def _negated(operand: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), operand)


def _swap(node: ast.IfExp) -> None:
    node.body, node.orelse = node.orelse, node.body


def _other_constant(value: object) -> object:
    """Another constant of the type; None where there is none."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1 if value < LARGE else None
    return f"XX{value}" if isinstance(value, str) else None
