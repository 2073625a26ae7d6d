"""Random functions with branches and loops, nested in one another, that end in a loss."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hypothesis import strategies as st

SHAPES = {"x": (2, 3), "u": (2, 3), "w": (3,), "m": (3, 3)}
TRAINED = ("u", "w", "m")
SIMPLE = ("unary", "binary", "row", "product")
DEPTH = 2
UNARY, BINARY = ("sin", "tanh", "sigmoid", "cos"), ("add", "sub", "mul")


class FlowSteps:
    """Draws the text of a function over tensors of 2 by 3 numbers.

    Args:
        dtype: the element type.
    """

    def __init__(self, data: st.DataObject, dtype: str) -> None:
        self._data, self._dtype, self._count = data, dtype, 0
        self._type = self._tensor((2, 3))

    def text(self) -> str:
        """The function: `c` and tensors are arguments, `loss` is the only result."""
        arguments = [f"%{name}: {self._tensor(shape)}" for name, shape in SHAPES.items()]
        arguments = [f"{text} {{dnn.trainable}}" if text[1] in TRAINED else text for text in arguments]
        lines = [
            f"func.func @main(%c: i1, {', '.join(arguments)}) -> (tensor<{self._dtype}> {{dnn.loss}}) {{",
            *(f"  %c{n} = arith.constant {n} : index".replace("%c-", "%cm") for n in range(-2, 6)),
        ]
        values = ["%x", "%u"]
        for _ in range(self._number(1, 4)):
            lines += self._statement(values, [], 0)
        # All that is trainable leads to the loss, whatever was drawn.
        last = self._name()
        lines += [f'  {last} = "dnn.matmul"({values[-1]}, %m) : ({self._type}, {self._tensor((3, 3))}) -> {self._type}']
        lines += [f'  %loss = "dnn.reduce_sum"({last}) : ({self._type}) -> tensor<{self._dtype}>']
        return "\n".join([*lines, f"  func.return %loss : tensor<{self._dtype}>", "}"])

    def _tensor(self, shape: Sequence[int]) -> str:
        return f"tensor<{'x'.join(map(str, shape))}x{self._dtype}>"

    def _number(self, low: int, high: int) -> int:
        return self._data.draw(st.integers(low, high))

    def _one(self, choices: Sequence[str]) -> str:
        return self._data.draw(st.sampled_from(choices))

    def _name(self) -> str:
        self._count += 1
        return f"%v{self._count}"

    def _statement(self, values: list[str], variables: Sequence[str], depth: int) -> Iterator[str]:
        """Lines that define one more value, of those that are there."""
        kind = self._one(
            ["unary", "binary", "row", "product", "if", "for", "for"] if depth < DEPTH else ["unary", "binary", "row"]
        )
        if kind in ("if", "for"):
            yield from (self._branch if kind == "if" else self._loop)(values, variables, depth)
            return
        name, type_ = self._name(), self._type
        if kind == "unary":
            yield f'  {name} = "dnn.{self._one(UNARY)}"({self._one(values)}) : ({type_}) -> {type_}'
        elif kind == "binary":
            pair = f"{self._one(values)}, {self._one(values)}"
            yield f'  {name} = "dnn.{self._one(BINARY)}"({pair}) : ({type_}, {type_}) -> {type_}'
        else:
            op, other, shape = ("mul", "%w", (3,)) if kind == "row" else ("matmul", "%m", (3, 3))
            other_type = self._tensor(shape)
            yield f'  {name} = "dnn.{op}"({self._one(values)}, {other}) : ({type_}, {other_type}) -> {type_}'
        bounded = self._name()
        yield f'  {bounded} = "dnn.tanh"({name}) : ({type_}) -> {type_}'
        values += [name, bounded]

    def _body(self, values: Sequence[str], variables: Sequence[str], depth: int, count: int) -> Iterator[str]:
        inside = list(values)
        for _ in range(self._number(0, 3)):
            yield from self._statement(inside, variables, depth + 1)
        chosen = [self._one(inside[-3:] if k == 0 else inside) for k in range(count)]
        yield f"  scf.yield {', '.join(chosen)} : {', '.join([self._type] * count)}"

    def _branch(self, values: list[str], variables: Sequence[str], depth: int) -> Iterator[str]:
        condition, count = "%c", self._number(1, 2)
        if variables:
            condition = self._name()
            yield f"  {condition} = arith.cmpi slt, {self._one(variables)}, {self._one(('%c0', '%c1', '%c2'))} : index"
        names = [self._name() for _ in range(count)]
        yield f"  {', '.join(names)} = scf.if {condition} -> ({', '.join([self._type] * count)}) {{"
        yield from self._body(values, variables, depth, count)
        yield "  } else {"
        yield from self._body(values, variables, depth, count)
        yield "  }"
        values += names

    def _loop(self, values: list[str], variables: Sequence[str], depth: int) -> Iterator[str]:
        count, variable = self._number(1, 2), self._name()
        start, end, step = self._number(-2, 1), self._number(-2, 4), self._number(1, 3)
        names, arguments = ([self._name() for _ in range(count)] for _ in range(2))
        carried = ", ".join(f"{argument} = {self._one(values)}" for argument in arguments)
        types = ", ".join([self._type] * count)
        head = f"{', '.join(names)} = scf.for {variable} = %c{start} to %c{end} step %c{step}"
        yield f"  {head.replace('%c-', '%cm')} iter_args({carried}) -> ({types}) {{"
        yield from self._body([*values, *arguments], [*variables, variable], depth, count)
        yield "  }"
        values += names
