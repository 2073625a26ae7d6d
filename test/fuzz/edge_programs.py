"""Random programs with branches of blocks, most of them to blocks that other branches go to as well."""

from __future__ import annotations

from tensor_programs import TYPES, TensorProgram, Value

A = TYPES["A"]


class EdgeProgram(TensorProgram):
    """One program, as a `TensorProgram`."""

    def index(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        """An index, or blocks, which other programs do not have."""
        draws = [super().index, *([self.way_around, self.two_ways, self.cases, self.turns_back, self.leaves] * 2)]
        (self.rng.choice(draws) if depth == 1 else super().index)(tensors, indices, scalars, depth)

    def blocks(self, *hints: str) -> list[str]:
        """Names of new blocks."""
        return [f"^{hint}{self.name()[2:]}" for hint in hints]

    def passed(self, tensors: list[Value]) -> str:
        """Two tensors that a branch passes on, each of which may be the other one on another branch."""
        found = [t.name for t in tensors if t.kind == "A"][-4:]
        return f"{self.rng.choice(found)}, {self.rng.choice(found)} : {A}, {A}"

    def computed(self, tensors: list[Value], indices: list[str], scalars: list[str]) -> None:
        """Up to two ops, which may write over what there is."""
        for _ in range(self.rng.randint(0, 2)):
            self.rng.choice([self.generic, self.put_element, self.compute])(tensors, indices, scalars, 1)

    def begin(self, block: str, tensors: list[Value], arguments: str = "") -> None:
        """A block with two tensors as arguments, behind `arguments`."""
        names = [self.name(), self.name()]
        self.lines.append(f"{block}({arguments}{', '.join(f'{n}: {A}' for n in names)}):")
        tensors += [Value(name, "A") for name in names]

    def way_around(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        """A block that is left out on one way."""
        flag, (then, end) = self.flag(indices, depth), self.blocks("t", "e")
        ways = [then, f"{end}({self.passed(tensors)})"]
        self.rng.shuffle(ways)
        self.say(depth, f"cf.cond_br {flag}, {ways[0]}, {ways[1]}")
        self.goes_on(then, end, tensors, indices, scalars, depth)
        self.begin(end, tensors)

    def goes_on(
        self, block: str, end: str, tensors: list[Value], indices: list[str], scalars: list[str], depth: int
    ) -> None:
        """A block that computes something and goes on to another one."""
        self.lines.append(f"{block}:")
        inner = list(tensors)
        self.computed(inner, list(indices), list(scalars))
        self.say(depth, f"cf.br {end}({self.passed(inner)})")

    def two_ways(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        """Both ways go to one block."""
        flag, (end,) = self.flag(indices, depth), self.blocks("e")
        self.say(depth, f"cf.cond_br {flag}, {end}({self.passed(tensors)}), {end}({self.passed(tensors)})")
        self.begin(end, tensors)

    def cases(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        """Some cases go to the block where all meet, and one may go on to another one."""
        number, (one, two, end) = self.name(), self.blocks("o", "t", "e")
        self.say(depth, f"{number} = arith.index_cast {self.rng.choice(indices)} : index to i64")
        ways = [one, f"{end}({self.passed(tensors)})", self.rng.choice([two, f"{end}({self.passed(tensors)})"])]
        self.rng.shuffle(ways)
        self.say(depth, f"cf.switch {number} : i64, [default: {ways[0]}, 0: {ways[1]}, 2: {ways[2]}]")
        for block in (one, *([two] if two in ways else [])):
            self.goes_on(block, end, tensors, indices, scalars, depth)
        self.begin(end, tensors)

    def turns_back(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        """A loop of one block, that passes on its tensors in another order."""
        (head, end), (counter, next_, more) = self.blocks("h", "e"), (self.name() for _ in range(3))
        self.say(depth, f"cf.br {head}(%c0, {self._with_index(self.passed(tensors))})")
        inner = list(tensors)
        self.begin(head, inner, f"{counter}: index, ")
        slots = inner[-2:]
        self.computed(inner, [*indices, counter], list(scalars))
        self.say(depth, f"{next_} = arith.addi {counter}, %c1 : index")
        self.say(depth, f"{more} = arith.cmpi slt, {next_}, %c3 : index")
        back = f"{head}({next_}, {self._with_index(self.passed([*inner, *slots]))})"
        self.say(depth, f"cf.cond_br {more}, {back}, {end}")
        self.lines.append(f"{end}:")
        tensors += inner[-3:]

    def leaves(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        """A loop that is left in two places, for one block."""
        (head, body, end), (counter, next_, more) = self.blocks("h", "b", "e"), (self.name() for _ in range(3))
        flag = self.flag(indices, depth)
        self.say(depth, f"cf.br {head}(%c0, {self._with_index(self.passed(tensors))})")
        inner = list(tensors)
        self.begin(head, inner, f"{counter}: index, ")
        self.computed(inner, [*indices, counter], list(scalars))
        self.say(depth, f"{more} = arith.cmpi slt, {counter}, %c3 : index")
        self.say(depth, f"cf.cond_br {more}, {body}, {end}({self.passed(inner)})")
        self.lines.append(f"{body}:")
        self.computed(inner, [*indices, counter], list(scalars))
        self.say(depth, f"{next_} = arith.addi {counter}, %c1 : index")
        back = f"{head}({next_}, {self._with_index(self.passed(inner))})"
        self.say(depth, f"cf.cond_br {flag}, {back}, {end}({self.passed(inner)})")
        self.begin(end, tensors)

    def _with_index(self, passed: str) -> str:
        """What a branch passes on behind an index."""
        return passed.replace(" : ", " : index, ")
