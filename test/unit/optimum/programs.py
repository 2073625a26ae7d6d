"""Small random programs in which decisions get in each other's way, as text.

Up to ten ops: kernels that may be in place and kernels that may not, views, scatters back into what was viewed,
concats of values that several want, donated and tied arguments, and at most one region op, an if or a loop.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence

Shape = tuple[int, ...]
SHAPES: tuple[Shape, ...] = ((2, 2), (2, 4), (4, 2), (4, 4))
UNARY = ("relu", "neg", "abs", "exp", "tanh")
BINARY = ("add", "mul", "sub", "add")


class _Value:
    def __init__(self, name: str, shape: Shape) -> None:
        self.name, self.shape = name, shape

    @property
    def type(self) -> str:
        return f"tensor<{'x'.join([*map(str, self.shape), 'f32'])}>"

    @property
    def count(self) -> int:
        return math.prod(self.shape)


class _Writer:
    """Draws one program."""

    def __init__(self, draw: random.Random) -> None:
        self.draw = draw
        self.arguments: list[_Value] = []
        self.values: list[_Value] = []
        self.lines: list[str] = []
        self.parts: list[tuple[str, str, _Value, _Value]] = []
        self.names = 0
        self.indent = "  "
        self.strided = draw.random() < 0.7
        self.makers: list[tuple[int, Callable[[], None]]] = [
            (5, self.unary),
            (4, self.binary),
            (2, self.reader),
            (2, self.view),
            (4, self.scatter),
            (4, self.concat),
            (1, self.gemm),
            (1, self.copy),
            (1, self.filled),
            (1, self.many),
        ]

    def fresh(self) -> str:
        self.names += 1
        return f"v{self.names}"

    def argument(self, shape: Shape) -> _Value:
        value = _Value(f"x{len(self.arguments)}", shape)
        self.arguments.append(value)
        self.values.append(value)
        return value

    def pick(self, fits: Callable[[_Value], bool] = lambda v: True) -> _Value | None:
        found = [v for v in self.values if fits(v)]
        if not found:
            return None
        return self.draw.choice(found[-4:] if self.draw.random() < 0.7 else found)

    def any(self, shape: Shape | None = None) -> _Value:
        """A value of a shape; a new argument where there is none."""
        found = self.pick(lambda v: (shape is None or v.shape == shape) and v.count <= 16 and len(v.shape) == 2)
        return found or self.argument(shape or self.draw.choice(SHAPES))

    def emit(self, op: str, operands: Sequence[_Value], attributes: str, shapes: Sequence[Shape]) -> list[_Value]:
        made = [_Value(self.fresh(), s) for s in shapes]
        if self.strided and op in ("relu", "exp", "tanh", "reduce_sum"):
            attributes += ", " * bool(attributes) + 'dnn.engine = "cpu"'
        out = ", ".join(v.type for v in made)
        left, right = (", ".join("%" + v.name for v in vs) for vs in (made, operands))
        types = ", ".join(v.type for v in operands)
        self.lines.append(f'{self.indent}{left} = "dnn.{op}"({right}) {{{attributes}}} : ({types}) -> ({out})')
        self.values += made
        return made

    # Ops

    def unary(self) -> None:
        x = self.any()
        self.emit(self.draw.choice(UNARY), [x], "", [x.shape])

    def binary(self) -> None:
        x = self.any()
        self.emit(self.draw.choice(BINARY), [x, self.any(x.shape)], "", [x.shape])

    def reader(self) -> None:
        x = self.any()
        kept = self.draw.random() < 0.5
        axes = "axes = array<i64: 0>, keepdims = true"
        self.emit("reduce_sum", [x], axes, [(1, x.shape[1])]) if kept else self.emit(
            "opaque", [x], 'kind = "f"', [x.shape]
        )

    def gemm(self) -> None:
        c = self.any()
        inner = self.any((c.shape[0], 2))
        self.emit("gemm", [inner, self.any((2, c.shape[1])), c], "", [c.shape])

    def copy(self) -> None:
        x = self.any()
        self.emit("copy", [x], "", [x.shape]) if self.draw.random() < 0.5 else self.emit(
            "copy_into", [self.any(x.shape), x], "", [x.shape]
        )

    def filled(self) -> None:
        x = self.any()
        self.emit("fill", [x], "value = 1.0 : f32", [x.shape])

    def many(self) -> None:
        x = self.any()
        kind = self.draw.randrange(3)
        if kind == 0:
            self.emit("multiout", [x], "", [x.shape] * 2)
        elif kind == 1:
            self.emit("addcmul", [x, self.any(x.shape), self.any(x.shape)], "", [x.shape])
        else:
            self.emit("sum", [x, self.any(x.shape), self.any(x.shape)], "", [x.shape])

    def view(self) -> None:
        x = self.any()
        kind = self.draw.randrange(6)
        if kind == 0:
            shape = (x.shape[1], x.shape[0])
            self.emit("transpose", [x], "perm = array<i64: 1, 0>", [shape])
        elif kind == 1:
            shape = self.draw.choice([s for s in SHAPES if math.prod(s) == x.count] or [(x.count, 1)])
            self.emit("reshape", [x], "", [shape])
        else:
            self.part(x)

    def part(self, x: _Value) -> tuple[str, str, _Value, _Value]:
        """A slice of `x`, with the scatter that is its inverse."""
        dim = self.draw.randrange(2)
        size = x.shape[dim]
        start = self.draw.choice([0, size // 2])
        attributes = f"dim = {dim} : i64, start = {start} : i64, end = {start + max(size // 2, 1)} : i64"
        shape = (*x.shape[:dim], max(size // 2, 1), *x.shape[dim + 1 :])
        (part,) = self.emit("slice", [x], attributes, [shape])
        self.parts.append(("slice_scatter", attributes, x, part))
        return self.parts[-1]

    def scatter(self) -> None:
        if not self.parts:
            self.part(self.any())
            return
        op, attributes, base, part = self.draw.choice(self.parts[-3:])
        if self.draw.random() < 0.4:
            base = self.pick(lambda v: v.shape == base.shape) or base
        source = self.pick(lambda v: v.shape == part.shape) or part
        self.emit(op, [base, source], attributes, [base.shape])

    def concat(self) -> None:
        axis = self.draw.randrange(2)
        first = self.any()
        count = self.draw.choice([1, 2, 2, 2, 3])
        operands = [first]
        for _ in range(count - 1):
            other = self.pick(
                lambda v: len(v.shape) == 2 and v.shape[1 - axis] == first.shape[1 - axis] and v.count <= 16
            )
            operands.append(other or first)
        total = sum(v.shape[axis] for v in operands)
        if self.draw.random() < 0.15:
            shape = (first.shape[0] + 2, first.shape[1])
            self.emit("pad", [first], "pads = array<i64: 0, 0, 2, 0>", [shape])
            return
        shape = (total, first.shape[1]) if axis == 0 else (first.shape[0], total)
        made = self.emit("concat", operands, f"axis = {axis} : i64", [shape])[0]
        if made.count > 16 and self.draw.random() < 0.7:
            self.column(made)

    def column(self, x: _Value) -> None:
        """Something small that reads a large value."""
        dim = self.draw.randrange(2)
        size = min(x.shape[dim], 2)
        shape = (*x.shape[:dim], size, *x.shape[dim + 1 :])
        (part,) = self.emit("slice", [x], f"dim = {dim} : i64, start = 0 : i64, end = {size} : i64", [shape])
        self.emit(self.draw.choice(UNARY), [part], "", [shape])

    def some(self, count: int) -> None:
        end = len(self.lines) + count
        while len(self.lines) < end:
            weights = [w for w, _ in self.makers]
            self.draw.choices(self.makers, weights)[0][1]()

    # Region ops

    def inside(self, count: int, arguments: Sequence[_Value], wanted: Sequence[_Value], end: str) -> list[str]:
        """Lines of a region: some ops, then the terminator `end` of values of the types wanted."""
        outer, lines, parts = list(self.values), self.lines, list(self.parts)
        self.lines, self.indent = [], "    "
        self.values += arguments
        self.some(count)
        given = [self.pick(lambda v, w=w: v.shape == w.shape and v not in outer) or self.any(w.shape) for w in wanted]
        self.lines.append(end.format(", ".join("%" + v.name for v in given), ", ".join(v.type for v in given)))
        made, self.lines, self.values, self.parts = self.lines, lines, outer, parts
        # Arguments of the function that were drawn inside stay values outside.
        self.values += [a for a in self.arguments if a not in self.values]
        self.indent = "  "
        return made

    def branch(self) -> None:
        results = [self.any() for _ in range(self.draw.choice([1, 1, 2]))]
        end = "    scf.yield {} : {}"
        arms = [self.inside(self.draw.choice([0, 1, 2]), [], results, end) for _ in range(2)]
        made = [_Value(self.fresh(), r.shape) for r in results]
        left, types = ", ".join("%" + v.name for v in made), ", ".join(v.type for v in made)
        self.lines += [f"  {left} = scf.if %c -> ({types}) {{", *arms[0], "  } else {", *arms[1], "  }"]
        self.values += made

    def loop(self) -> None:
        inits = [self.any() for _ in range(self.draw.choice([1, 1, 2]))]
        carried = [_Value(self.fresh(), v.shape) for v in inits]
        body = self.inside(self.draw.choice([1, 2, 3]), carried, inits, "    scf.yield {} : {}")
        made = [_Value(self.fresh(), v.shape) for v in inits]
        left, types = ", ".join("%" + v.name for v in made), ", ".join(v.type for v in made)
        pairs = ", ".join(f"%{a.name} = %{v.name}" for a, v in zip(carried, inits, strict=True))
        head = f"  {left} = scf.for %i = %zero to %n step %one iter_args({pairs}) -> ({types}) {{"
        self.lines += ["  %zero = arith.constant 0 : index", "  %one = arith.constant 1 : index"]
        self.lines += [head, *body, "  }"]
        self.values += made

    def repeat(self) -> None:
        """A while loop whose condition is an argument of the function."""
        inits = [self.any() for _ in range(self.draw.choice([1, 1, 2]))]
        types = ", ".join(v.type for v in inits)
        before = [_Value(self.fresh(), v.shape) for v in inits]
        after = [_Value(self.fresh(), v.shape) for v in inits]
        first = self.inside(self.draw.choice([0, 1]), before, inits, "    scf.condition(%c) {} : {}")
        second = self.inside(self.draw.choice([0, 1, 2]), after, inits, "    scf.yield {} : {}")
        made = [_Value(self.fresh(), v.shape) for v in inits]
        left = ", ".join("%" + v.name for v in made)
        pairs = ", ".join(f"%{a.name} = %{v.name}" for a, v in zip(before, inits, strict=True))
        names = ", ".join(f"%{a.name} : {a.type}" for a in after)
        self.lines += [f"  {left} = scf.while ({pairs}) : ({types}) -> ({types}) {{", *first]
        self.lines += ["  } do {", f"  ^bb0({', '.join(f'%{a.name} : {a.type}' for a in after)}):" if names else ""]
        self.lines += [*second, "  }"]
        self.values += made

    # Blocks

    def block(self, name: str, arguments: Sequence[_Value], lines: Sequence[str]) -> None:
        given = ", ".join(f"%{a.name} : {a.type}" for a in arguments)
        self.lines += [f"^{name}({given}):", *lines]

    def like(self, values: Sequence[_Value]) -> list[_Value]:
        return [_Value(self.fresh(), v.shape) for v in values]

    def diamond(self) -> None:
        """Two blocks of which one runs, and one where they meet."""
        results = [self.any() for _ in range(self.draw.choice([1, 1, 2]))]
        passed = [[self.any() for _ in range(self.draw.choice([0, 1, 1]))] for _ in range(2)]
        taken = [self.like(values) for values in passed]
        ways = [f"^{n}({_listed(values)})" if values else f"^{n}" for n, values in zip("ab", passed, strict=True)]
        self.lines.append(f"  cf.cond_br %c, {', '.join(ways)}")
        for name, arguments in zip("ab", taken, strict=True):
            self.block(name, arguments, self.inside(self.draw.choice([0, 1, 2]), arguments, results, _TO_END))
        made = self.like(results)
        self.block("end", made, [])
        self.values += made

    def circle(self) -> None:
        """A loop of blocks whose condition is an argument of the function."""
        inits = [self.any() for _ in range(self.draw.choice([1, 1, 2]))]
        head, body, made = self.like(inits), self.like(inits), self.like(inits)
        self.lines.append(f"  cf.br ^head({_listed(inits)})")
        self.block("head", head, self.inside(self.draw.choice([0, 0, 1]), head, inits, _ROUND_OR_END))
        around = self.inside(self.draw.choice([0, 1, 2]), [*head, *body], inits, "    cf.br ^head({} : {})")
        self.block("body", body, around)
        self.block("end", made, [])
        self.values += [*head, *made]

    # The whole

    def blocks(self, size: int) -> str:
        self.some(self.draw.randrange(1, max(size // 2, 1) + 1))
        self.draw.choice([self.diamond, self.circle])()
        self.some(self.draw.randrange(0, 3))
        return self.function()

    def text(self, size: int) -> str:
        kind = self.draw.choice(["straight", "straight", "straight", "if", "for", "while"])
        before = self.draw.randrange(0, max(size // 2, 1)) if kind != "straight" else size
        self.some(max(before, 1))
        if kind != "straight":
            {"if": self.branch, "for": self.loop, "while": self.repeat}[kind]()
            self.some(self.draw.randrange(0, 3))
        return self.function()

    def function(self) -> str:
        draw = self.draw
        last = [v for v in self.values if v not in self.arguments]
        returned = [last[-1], *(v for v in last[:-1] if draw.random() < 0.15)]
        results = [f"{v.type}" for v in returned]
        tied: dict[int, int] = {}
        for n, value in enumerate(returned):
            same = [k for k, a in enumerate(self.arguments) if a.shape == value.shape and k not in tied.values()]
            if same and draw.random() < 0.25:
                tied[n] = draw.choice(same)
                results[n] += f" {{dnn.tied = {tied[n]} : i32}}"
        given = [f"%{a.name} : {a.type}" + (" {dnn.donated}" if draw.random() < 0.4 else "") for a in self.arguments]
        head = f"func.func @main({', '.join([*given, '%c : i1', '%n : index'])}) -> ({', '.join(results)}) {{"
        tail = f"  func.return {', '.join('%' + v.name for v in returned)} : {', '.join(v.type for v in returned)}"
        return "\n".join([head, *self.lines, tail, "}"]) + "\n"


_TO_END = "    cf.br ^end({} : {})"
_ROUND_OR_END = "    cf.cond_br %c, ^body({0} : {1}), ^end({0} : {1})"


def _listed(values: Sequence[_Value]) -> str:
    return f"{', '.join('%' + v.name for v in values)} : {', '.join(v.type for v in values)}"


def blocks(seed: int, most: int = 6) -> str:
    """The text of a program of about `most` ops in several blocks, a diamond or a loop of them."""
    draw = random.Random(seed)
    return _Writer(draw).blocks(draw.randrange(2, most + 1))


def program(seed: int, most: int = 8) -> str:
    """The text of a program of about `most` ops at most; the same for the same seed."""
    draw = random.Random(seed)
    return _Writer(draw).text(draw.randrange(2, most + 1))
