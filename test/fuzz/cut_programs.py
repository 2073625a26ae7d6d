"""Random programs on tensors whose slices at run-time offsets are given other axes, and taken in steps of run time."""

from __future__ import annotations

import random

from tensor_programs import SIZE, TYPES, TensorProgram, Value

TYPES.update({"2": "tensor<2x2xi64>", "h": "tensor<2xi64>", "6": "tensor<2x6xi64>"})
"""4 elements as a square, half of these, and 12 of them as two rows."""


HELPERS = """func.func @adds(%p: tensor<4xi64>{donated}, %q: tensor<4xi64>) -> tensor<4xi64> {{
  %s = linalg.add ins(%p, %q : tensor<4xi64>, tensor<4xi64>) outs(%p : tensor<4xi64>) -> tensor<4xi64>
  func.return %s : tensor<4xi64>
}}
func.func @sums(%p: tensor<4xi64>{donated}, %i: index) -> i64 {{
  %c7 = arith.constant 7 : i64
  %s = tensor.insert %c7 into %p[%i] : tensor<4xi64>
  %t = arith.muli %s, %s : tensor<4xi64>
  %v = tensor.extract %t[%i] : tensor<4xi64>
  func.return %v : i64
}}
func.func @views(%p: tensor<12xi64>, %q: tensor<12xi64>, %i: index, %c: i1) -> (tensor<4xi64>, tensor<2x2xi64>) {{
  %c2 = arith.constant 2 : index
  %j = arith.remsi %i, %c2 : index
  %r = arith.select %c, %p, %q : tensor<12xi64>
  %s = tensor.extract_slice %r[%j] [4] [2] : tensor<12xi64> to tensor<4xi64>
  %t = tensor.extract_slice %p[%i] [4] [1] : tensor<12xi64> to tensor<4xi64>
  %u = tensor.expand_shape %t [[0, 1]] output_shape [2, 2] : tensor<4xi64> into tensor<2x2xi64>
  func.return %s, %u : tensor<4xi64>, tensor<2x2xi64>
}}
"""


class CutProgram(TensorProgram):
    """One program, as a `TensorProgram`."""

    def __init__(self, rng: random.Random, ops: int = 16) -> None:
        self.calls_own = False
        super().__init__(rng, ops)
        if self.calls_own:
            self.text = HELPERS.format(donated=rng.choice(["", " {dnn.donated}"])) + self.text

    def index(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        """An index, or one of the ops that other programs do not have."""
        draws = [super().index, self.square, self.square, self.square, self.line, self.line, self.put_line]
        draws += [
            self.call_of_part,
            self.call_of_part,
            self.call_of_part,
            self.twice,
            self.half,
            self.put_half,
            self.steps,
            self.steps,
            self.two_rows,
            self.row_of_two,
        ]
        self.rng.choice(draws)(tensors, indices, scalars, depth)

    def slice(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        draw = self.index if self.rng.random() < 0.5 else super().slice
        draw(tensors, indices, scalars, depth)

    def insert(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        draw = self.index if self.rng.random() < 0.4 else super().insert
        draw(tensors, indices, scalars, depth)

    def steps(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        """Some elements of a tensor in steps of 1 or 2."""
        base, kind, result, rest, step = self.pick(tensors, "AN"), self.rng.choice("44K"), *(self.name() for _ in "abc")
        self.say(depth, f"{rest} = arith.remsi {self.rng.choice(indices)}, %c2 : index")
        self.say(depth, f"{step} = arith.addi {rest}, %c1 : index")
        bounds = f"[{self.rng.choice([*indices, '0', '1'])}] [{SIZE[kind]}] [{step}]"
        self.say(depth, f"{result} = tensor.extract_slice {base.name}{bounds} : {TYPES[base.kind]} to {TYPES[kind]}")
        self.slices[result] = (base.name, bounds)
        tensors.append(Value(result, kind))

    def call_of_part(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        """A function that is given 4 elements, which may be a slice, or one that views what it is given."""
        self.calls_own = True
        (one, other), result, at = (self.pick(tensors, "4") for _ in "ab"), self.name(), self.rng.choice(indices)
        match self.rng.randrange(4):
            case 0:
                rest = self.name()
                self.say(depth, f"{rest} = arith.remsi {at}, %c4 : index")
                self.say(depth, f"{result} = func.call @sums({one.name}, {rest}) : ({TYPES['4']}, index) -> i64")
                scalars.append(result)
            case 1:
                given, a = [self.pick(tensors, "A") for _ in "ab"], TYPES["A"]
                names = f"{given[0].name}, {given[1].name}, {at}, {self.flag(indices, depth)}"
                types = f"({a}, {a}, index, i1) -> ({TYPES['4']}, {TYPES['2']})"
                self.say(depth, f"{result}:2 = func.call @views({names}) : {types}")
                tensors += [Value(f"{result}#0", "4"), Value(f"{result}#1", "2")]
            case _:
                types = f"({TYPES['4']}, {TYPES['4']}) -> {TYPES['4']}"
                self.say(depth, f"{result} = func.call @adds({one.name}, {other.name}) : {types}")
                self.followed(result, one)
                tensors.append(Value(result, "4"))

    def square(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        """4 elements as a square; the newest, which may be a slice."""
        one, result = self.pick(tensors, "4"), self.name()
        shape = "[[0, 1]] output_shape [2, 2]"
        self.say(depth, f"{result} = tensor.expand_shape {one.name} {shape} : {TYPES['4']} into {TYPES['2']}")
        self.followed(result, one)
        tensors.append(Value(result, "2"))

    def line(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        """A square, or what is computed of one, as 4 elements."""
        if not any(t.kind == "2" for t in tensors):
            return self.square(tensors, indices, scalars, depth)
        one, result = self.pick(tensors, "2"), self.name()
        self.say(depth, f"{result} = tensor.collapse_shape {one.name} [[0, 1]] : {TYPES['2']} into {TYPES['4']}")
        self.followed(result, one)
        tensors.append(Value(result, "4"))
        return None

    def put_line(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        """A square that is computed, as 4 elements of another tensor."""
        self.twice(tensors, indices, scalars, depth)
        self.line(tensors, indices, scalars, depth)
        super().insert([*tensors[:-1], tensors[-1], tensors[-1]], indices, scalars, depth)

    def twice(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        """A square or half of one, computed."""
        if not any(t.kind == "2" for t in tensors):
            return self.square(tensors, indices, scalars, depth)
        one, result = self.pick(tensors, "2h"), self.name()
        other, type_ = self.pick(tensors, one.kind), TYPES[one.kind]
        if self.rng.random() < 0.5:
            self.say(depth, f"{result} = arith.addi {one.name}, {other.name} : {type_}")
        else:
            ins = f"ins({one.name}, {other.name} : {type_}, {type_})"
            self.say(depth, f"{result} = linalg.sub {ins} outs({one.name} : {type_}) -> {type_}")
        self.followed(result, one)
        tensors.append(Value(result, one.kind))
        return None

    def half(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        """A row of a square, which may be a slice of a slice."""
        if not any(t.kind == "2" for t in tensors):
            return self.square(tensors, indices, scalars, depth)
        base, result, row = self.pick(tensors, "2"), self.name(), self.name()
        self.say(depth, f"{row} = arith.remsi {self.rng.choice(indices)}, %c2 : index")
        bounds = f"[{self.rng.choice([row, row, '0', '1'])}, 0] [1, 2] [1, 1]"
        self.say(depth, f"{result} = tensor.extract_slice {base.name}{bounds} : {TYPES['2']} to {TYPES['h']}")
        self.slices[result] = (base.name, bounds)
        tensors.append(Value(result, "h"))
        return None

    def put_half(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        if not any(t.kind == "h" for t in tensors):
            return self.half(tensors, indices, scalars, depth)
        part, base, result = self.pick(tensors, "h"), self.pick(tensors, "2"), self.name()
        bounds, known = f"[{self.rng.choice('01')}, 0] [1, 2] [1, 1]", self.slices.get(part.name)
        if known is not None and known[1].endswith("[1, 2] [1, 1]") and self.rng.random() < 0.8:
            bounds = known[1]
            if self.rng.random() < 0.7:
                base = next((t for t in tensors if t.name == known[0]), base)
        types = f"{TYPES['h']} into {TYPES['2']}"
        self.say(depth, f"{result} = tensor.insert_slice {part.name} into {base.name}{bounds} : {types}")
        self.followed(result, base)
        tensors.append(Value(result, "2"))
        return None

    def two_rows(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        """12 elements as two rows, or two rows as a matrix."""
        if self.rng.random() < 0.5 or not any(t.kind == "6" for t in tensors):
            one, result = self.pick(tensors, "A"), self.name()
            shape = "[[0, 1]] output_shape [2, 6]"
            self.say(depth, f"{result} = tensor.expand_shape {one.name} {shape} : {TYPES['A']} into {TYPES['6']}")
            tensors.append(Value(result, "6"))
            return
        one, result = self.pick(tensors, "6"), self.name()
        self.say(depth, f"{result} = tensor.collapse_shape {one.name} [[0, 1]] : {TYPES['6']} into {TYPES['A']}")
        tensors.append(Value(result, "A"))

    def row_of_two(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        """4 elements of one of two rows, where a matrix may have others at the same numbers."""
        if not any(t.kind == "6" for t in tensors):
            return self.two_rows(tensors, indices, scalars, depth)
        base, result, row = self.pick(tensors, "6"), self.name(), self.name()
        self.say(depth, f"{row} = arith.remsi {self.rng.choice(indices)}, %c2 : index")
        bounds = f"[{row}, 0] [1, 4] [1, 1]"
        self.say(depth, f"{result} = tensor.extract_slice {base.name}{bounds} : {TYPES['6']} to {TYPES['4']}")
        if self.rng.random() < 0.5:
            self.slices[result] = ("", bounds)  # goes into a matrix
        tensors.append(Value(result, "4"))
        return None
