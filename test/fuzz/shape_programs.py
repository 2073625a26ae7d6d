"""Random programs on tensors that are padded, reshaped to sizes known at run time, generated, or chosen by a number."""

from __future__ import annotations

from tensor_programs import TYPES, TensorProgram, Value

TYPES["R"] = "tensor<?x4xi64>"
"""Rows of unknown number."""


class ShapeProgram(TensorProgram):
    """One program, as a `TensorProgram`."""

    def index(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        """An index, or one of the ops that other programs do not have."""
        draws = [super().index, self.padded, self.padded, self.rows, self.rows, self.flat, self.flat, self.more_rows]
        draws += [self.padded_row, self.generated, self.stated, self.switch, self.part_of_rows]
        self.rng.choice(draws)(tensors, indices, scalars, depth)

    def slice(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        draw = self.index if self.rng.random() < 0.4 else super().slice
        draw(tensors, indices, scalars, depth)

    def insert(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        draw = self.index if self.rng.random() < 0.3 else super().insert
        draw(tensors, indices, scalars, depth)

    def element_for(self, arguments: list[str], scalars: list[str], depth: int) -> str:
        """What is around a padded tensor: one element, or one for each place."""
        if self.rng.random() < 0.6:
            return self.rng.choice([*scalars[-3:], "%seven"])
        total, element = self.name(), self.name()
        self.say(depth, f"{total} = arith.addi {arguments[0]}, {self.rng.choice([arguments[-1], '%k'])} : index")
        self.say(depth, f"{element} = arith.index_cast {total} : index to i64")
        return element

    def pad(
        self, one: Value, kind: str, low: str, high: str, scalars: list[str], tensors: list[Value], depth: int
    ) -> None:
        result, axes = self.name(), low.count(",") + 1
        arguments = [self.name() for _ in range(axes)]
        nofold = self.rng.choice(["", "", "nofold "])
        self.say(depth, f"{result} = tensor.pad {one.name} {nofold}low[{low}] high[{high}] {{")
        self.say(depth, f"^bb0({', '.join(f'{a}: index' for a in arguments)}):")
        element = self.element_for(arguments, scalars, depth + 1)
        self.say(depth + 1, f"tensor.yield {element} : i64")
        self.say(depth, f"}} : {TYPES[one.kind]} to {TYPES[kind]}")
        tensors.append(Value(result, kind))

    def padded(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        """4 elements, or k, become 12 of them, or so many as there are."""
        one = self.pick(tensors, "44K")
        at = self.rng.choice(["0", "1", "2", "8"])
        if one.kind == "4":
            self.pad(one, "A", at, str(8 - int(at)), scalars, tensors, depth)
        else:
            self.pad(
                one,
                "K" if self.rng.random() < 0.3 else "N",
                at,
                self.rng.choice(["%i", "%j", "0", "%k"]),
                scalars,
                tensors,
                depth,
            )
            if tensors[-1].kind == "K":
                tensors[-1] = Value(tensors[-1].name, "N")

    def padded_row(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        """Rows around a matrix, or around rows."""
        one = self.pick(tensors, "MR")
        low, high = (f"{self.rng.choice(['0', '1', '%i', '%j'])}, 0" for _ in range(2))
        if one.kind == "M" and "%" not in low + high:
            low = "%c1, 0"
        self.pad(one, "R", low, high, scalars, tensors, depth)

    def rows(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        """12 elements of a tensor of unknown size, or all, as rows."""
        one, result = self.pick(tensors, "NN"), self.name()
        count = self.rng.choice(["%c3", "%c3", "%c1", "%k"])
        size = self.name()
        self.say(depth, f"{size} = arith.muli {count}, %c4 : index")
        part = one.name
        if self.rng.random() < 0.5:
            part = self.name()
            self.say(depth, f"{part} = tensor.extract_slice {one.name}[0] [{size}] [1] : {TYPES['N']} to {TYPES['N']}")
        shape = f"output_shape [{count}, 4]"
        self.say(depth, f"{result} = tensor.expand_shape {part} [[0, 1]] {shape} : {TYPES['N']} into {TYPES['R']}")
        tensors.append(Value(result, "R"))

    def more_rows(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        """A matrix as rows, or rows as a matrix."""
        one, result = self.pick(tensors, "MR"), self.name()
        kind = "R" if one.kind == "M" else "M"
        self.say(depth, f"{result} = tensor.cast {one.name} : {TYPES[one.kind]} to {TYPES[kind]}")
        tensors.append(Value(result, kind))

    def part_of_rows(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        """Some rows of a matrix or of rows, or two columns of all: of the latter, no axes may be joined."""
        one, result = self.pick(tensors, "MR"), self.name()
        count = self.rng.choice(["%k", "%c1", "%c2"])
        bounds = f"[{self.rng.choice(['0', '1', '%j'])}, 0] [{count}, 4] [1, 1]"
        self.say(depth, f"{result} = tensor.extract_slice {one.name}{bounds} : {TYPES[one.kind]} to {TYPES['R']}")
        self.slices[result] = (one.name, bounds)
        tensors.append(Value(result, "R"))

    def flat(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        """Rows one after the other; some are added to before."""
        if not any(t.kind == "R" for t in tensors):
            return self.rows(tensors, indices, scalars, depth)
        one, result, name = self.pick(tensors, "R"), self.name(), ""
        if self.rng.random() < 0.5:
            name = self.name()
            self.say(depth, f"{name} = arith.addi {one.name}, {one.name} : {TYPES['R']}")
        self.say(
            depth, f"{result} = tensor.collapse_shape {name or one.name} [[0, 1]] : {TYPES['R']} into {TYPES['N']}"
        )
        tensors.append(Value(result, "N"))
        return None

    def generated(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        kind, result, at = self.rng.choice("A4N"), self.name(), self.name()
        sizes = self.rng.choice(["%n", "%n", "%k"]) if kind == "N" else ""
        self.say(depth, f'{result} = "tensor.generate"({sizes}) ({{')
        self.say(depth, f"^bb0({at}: index):")
        element = self.element_for([at], scalars, depth + 1)
        self.say(depth + 1, f'"tensor.yield"({element}) : (i64) -> ()')
        self.say(depth, f"}}) : ({'index' if sizes else ''}) -> {TYPES[kind]}")
        tensors.append(Value(result, kind))

    def stated(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        """A tensor of a shape that another one holds."""
        one, shape, result = self.pick(tensors, "A"), self.name(), self.name()
        self.say(depth, f"{shape} = tensor.from_elements %c3, %c4 : tensor<2xindex>")
        types = f"({TYPES['A']}, tensor<2xindex>) -> {TYPES['M']}"
        self.say(depth, f"{result} = tensor.reshape {one.name}({shape}) : {types}")
        tensors.append(Value(result, "M"))

    def switch(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        kind, result = self.rng.choice("A4MN"), self.name()
        cases = self.rng.randint(1, 3)
        said = f"cases = array<i64: {', '.join(map(str, range(cases)))}>"
        self.say(depth, f'{result} = "scf.index_switch"({self.rng.choice(indices)}) <{{{said}}}> ({{')
        for arm in range(cases + 1):
            inner = list(tensors)
            self.block(inner, list(indices), list(scalars), depth + 1, most=2)
            self.say(depth + 1, f'"scf.yield"({self.newest(inner, kind).name}) : ({TYPES[kind]}) -> ()')
            self.say(depth, "}, {" if arm < cases else f"}}) : (index) -> {TYPES[kind]}")
        tensors.append(Value(result, kind))
