"""Random programs on tensors whose sizes differ from path to path, in blocks too, and on transposed matrices."""

from __future__ import annotations

import random

from tensor_programs import SAME, TYPES, TensorProgram, Value

TYPES["U"] = "tensor<?xi64>"
TYPES["T"] = "tensor<4x3xi64>"
"""U is of any size, not known in the program; T is a transposed M."""
BOTH = """func.func @both(%p: tensor<12xi64>, %q: tensor<12xi64>, %c: i1, %i: index) -> (tensor<12xi64>, i64) {
  %r = arith.select %c, %p, %q : tensor<12xi64>
  %v = tensor.extract %q[%i] : tensor<12xi64>
  func.return %r, %v : tensor<12xi64>, i64
}
"""


class SizeProgram(TensorProgram):
    """One program, as a `TensorProgram`."""

    def __init__(self, rng: random.Random, ops: int = 16) -> None:
        super().__init__(rng, ops)
        if "@both" in self.text:
            self.text = BOTH + self.text

    def index(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        """An index, or one of the ops that other programs do not have."""
        draws = [super().index, self.unsized, self.unsized, self.one_of, self.one_of, self.arms, self.update]
        draws += [self.carried, self.transposed, self.with_scalar, *([self.blocks] * 2 if depth == 1 else [])]
        self.rng.choice(draws)(tensors, indices, scalars, depth)

    def slice(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        draw = self.index if self.rng.random() < 0.6 else super().slice
        draw(tensors, indices, scalars, depth)

    def insert(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        draw = self.index if self.rng.random() < 0.4 else super().insert
        draw(tensors, indices, scalars, depth)

    def any_size(self, tensors: list[Value], depth: int) -> Value:
        """A value of kind U: one that is there, or another one that is seen as that."""
        there = [t for t in tensors if t.kind == "U"]
        if there and self.rng.random() < 0.6:
            return self.rng.choice(there[-4:])
        return self.as_unsized(self.pick(tensors, "A4NK"), tensors, depth)

    def as_unsized(self, one: Value, tensors: list[Value], depth: int) -> Value:
        made = Value(one.name, "U")
        if one.kind in "A4":
            made = Value(self.name(), "U")
            self.say(depth, f"{made.name} = tensor.cast {one.name} : {TYPES[one.kind]} to {TYPES['U']}")
        tensors.append(made)
        return made

    def unsized(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        self.as_unsized(self.pick(tensors, "A4NK"), tensors, depth)

    def one_of(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        """A select of tensors of other sizes."""
        one, other, flag = self.any_size(tensors, depth), self.any_size(tensors, depth), self.flag(indices, depth)
        result = self.name()
        self.say(depth, f"{result} = arith.select {flag}, {one.name}, {other.name} : {TYPES['U']}")
        tensors.append(Value(result, "U"))

    def update(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        """One element is another one, or all are computed, or one is read."""
        one, result, type_ = self.any_size(tensors, depth), self.name(), TYPES["U"]
        match self.rng.randrange(4):
            case 0:
                given = f"{self.rng.choice(scalars)} into {one.name}[{self.rng.choice(['%c0', '%c1'])}]"
                self.say(depth, f"{result} = tensor.insert {given} : {type_}")
            case 1:
                self.say(depth, f"{result} = arith.muli {one.name}, {one.name} : {type_}")
            case 2:
                head = f'indexing_maps = [{SAME}], iterator_types = ["parallel"]'
                self.say(depth, f"{result} = linalg.generic {{{head}}} outs({one.name} : {type_}) {{")
                self.say(depth, "^bb0(%x: i64):\n  %z = arith.subi %x, %seven : i64")
                self.say(depth, f"  linalg.yield %z : i64\n}} -> {type_}")
            case _:
                self.say(depth, f"{result} = tensor.extract {one.name}[%c1] : {type_}")
                scalars.append(result)
                return
        tensors.append(Value(result, "U"))

    def arms(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        """Arms that pass on tensors of other sizes, and a scalar."""
        flag, result, type_ = self.flag(indices, depth), self.name(), TYPES["U"]
        self.say(depth, f"{result}:2 = scf.if {flag} -> ({type_}, i64) {{")
        for arm in range(2):
            inner, known = list(tensors), list(scalars)
            if self.rng.random() < 0.7:
                self.update(inner, list(indices), known, depth + 1)
            passed = self.any_size(inner, depth + 1).name
            self.say(depth + 1, f"scf.yield {passed}, {known[-1]} : {type_}, i64")
            self.say(depth, "}" if arm else "} else {")
        tensors.append(Value(f"{result}#0", "U"))
        scalars.append(f"{result}#1")

    def carried(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        """A loop that carries two tensors of other sizes, and may exchange them."""
        one, other = self.any_size(tensors, depth), self.any_size(tensors, depth)
        result, a, b, counter, type_ = *(self.name() for _ in range(4)), TYPES["U"]
        head = f"{result}:2 = scf.for {counter} = %c0 to {self.rng.choice(['%c3', '%j'])} step %c1"
        self.say(depth, f"{head} iter_args({a} = {one.name}, {b} = {other.name}) -> ({type_}, {type_}) {{")
        inner = [*tensors, Value(a, "U"), Value(b, "U")]
        for _ in range(self.rng.randint(0, 2)):
            self.update(inner, [*indices, counter], list(scalars), depth + 1)
        last = [t.name for t in inner if t.kind == "U"][-1]
        passed = self.rng.choice([f"{b}, {a}", f"{b}, {last}", f"{last}, {a}", f"{a}, {last}", f"{b}, {b}"])
        self.say(depth + 1, f"scf.yield {passed} : {type_}, {type_}")
        self.say(depth, "}")
        tensors += [Value(f"{result}#0", "U"), Value(f"{result}#1", "U")]

    def transposed(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        """A matrix is read by columns, and written to a transposed one or to one of its own type."""
        one, result = self.pick(tensors, "MT" if any(t.kind == "T" for t in tensors) else "M"), self.name()
        kind = self.rng.choice("TT" if one.kind == "M" else "MM")
        there = [t.name for t in tensors if t.kind == kind]
        into = self.rng.choice(there) if there and self.rng.random() < 0.6 else self.empty_matrix(kind, depth)
        maps = "affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>"
        head = f'indexing_maps = [{maps}], iterator_types = ["parallel", "parallel"]'
        ins, outs = f"ins({one.name} : {TYPES[one.kind]})", f"outs({into} : {TYPES[kind]})"
        self.say(depth, f"{result} = linalg.generic {{{head}}} {ins} {outs} {{")
        self.say(depth, "^bb0(%x: i64, %y: i64):\n  %z = arith.subi %x, %seven : i64")
        self.say(depth, f"  linalg.yield %z : i64\n}} -> {TYPES[kind]}")
        tensors.append(Value(result, kind))

    def empty_matrix(self, kind: str, depth: int) -> str:
        result = self.name()
        self.say(depth, f"{result} = tensor.empty() : {TYPES[kind]}")
        return result

    def with_scalar(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        """A call that returns one of two tensors, and an element."""
        one, other, result, a = self.pick(tensors, "A"), self.pick(tensors, "A"), self.name(), TYPES["A"]
        given = f"{one.name}, {other.name}, {self.flag(indices, depth)}, {self.rng.choice(indices)}"
        self.say(depth, f"{result}:2 = func.call @both({given}) : ({a}, {a}, i1, index) -> ({a}, i64)")
        tensors.append(Value(f"{result}#0", "A"))
        scalars.append(f"{result}#1")

    def blocks(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        """Branches to blocks that meet again."""
        kind, flag = self.rng.choice("AAU4"), self.flag(indices, depth)
        then, otherwise, end = (f"^b{self.name()[2:]}" for _ in range(3))
        self.say(depth, f"cf.cond_br {flag}, {then}, {otherwise}")
        for block in (then, otherwise):
            self.lines.append(f"{block}:")
            inner = list(tensors)
            for _ in range(self.rng.randint(0, 2)):
                draw = self.update if kind == "U" else self.rng.choice([self.compute, self.put_element])
                draw(inner, list(indices), list(scalars), depth)
            passed = self.any_size(inner, depth) if kind == "U" else self.newest(inner, kind)
            self.say(depth, f"cf.br {end}({passed.name} : {TYPES[kind]})")
        result = self.name()
        self.lines.append(f"{end}({result}: {TYPES[kind]}):")
        tensors.append(Value(result, kind))
