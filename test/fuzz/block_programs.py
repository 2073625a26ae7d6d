"""Random programs on tensors whose size changes in loops of blocks."""

from __future__ import annotations

from size_programs import SizeProgram
from tensor_programs import TYPES, Value


class BlockProgram(SizeProgram):
    """One program, as a `SizeProgram`."""

    def index(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        """An index, or one of the ops that other programs do not have."""
        draws = [super().index, super().index, self.longer, self.longer, *([self.turning_blocks] * 3 * (depth == 1))]
        self.rng.choice(draws)(tensors, indices, scalars, depth)

    def longer(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        """A tensor behind, or around, one element more."""
        one, (size, more, empty, full, result) = self.any_size(tensors, depth), (self.name() for _ in "abcde")
        at, type_ = self.rng.choice("01"), TYPES["U"]
        self.say(depth, f"{size} = tensor.dim {one.name}, %c0 : {type_}")
        self.say(depth, f"{more} = arith.addi {size}, %c1 : index")
        self.say(depth, f"{empty} = tensor.empty({more}) : {type_}")
        fill = f"ins({self.rng.choice(scalars)} : i64) outs({empty} : {type_})"
        self.say(depth, f"{full} = linalg.fill {fill} -> {type_}")
        bounds = f"[{at}] [{size}] [1]"
        self.say(depth, f"{result} = tensor.insert_slice {one.name} into {full}{bounds} : {type_} into {type_}")
        tensors.append(Value(result, "U"))

    def turning_blocks(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        """A loop of blocks that carries one tensor or two, decided before or behind what it does."""
        carried = [self.any_size(tensors, depth).name for _ in range(self.rng.randint(1, 2))]
        head, body, end = (f"^b{self.name()[2:]}" for _ in range(3))
        counter, next_, flag, type_ = *(self.name() for _ in range(3)), TYPES["U"]
        slots, types = [self.name() for _ in carried], ", ".join([type_] * len(carried))
        self.say(depth, f"cf.br {head}(%c0, {', '.join(carried)} : index, {types})")
        self.lines.append(f"{head}({counter}: index, {', '.join(f'{s}: {type_}' for s in slots)}):")
        inner, behind = [*tensors, *(Value(s, "U") for s in slots)], self.rng.random() < 0.3
        if not behind:
            self.say(depth, f"{flag} = arith.cmpi slt, {counter}, %c3 : index")
            yes = self.rng.random() < 0.7
            if not yes:
                self.lines[-1] = self.lines[-1].replace("slt", "sge")
            self.say(depth, f"cf.cond_br {flag}, {body if yes else end}, {end if yes else body}")
            self.lines.append(f"{body}:")
        for _ in range(self.rng.randint(1, 3)):
            draw = self.rng.choice([self.longer, self.update, self.arms])
            draw(inner, [*indices, counter], list(scalars), depth)
        last = [t.name for t in inner if t.kind == "U"][-1]
        passed = self.rng.choice([[last, slots[0]], [slots[-1], last], [last, last]])[: len(slots)]
        self.say(depth, f"{next_} = arith.addi {counter}, %c1 : index")
        back = f"{head}({next_}, {', '.join(passed)} : index, {types})"
        if behind:
            self.say(depth, f"{flag} = arith.cmpi slt, {next_}, %c3 : index")
            self.say(depth, f"cf.cond_br {flag}, {back}, {end}")
            tensors.append(Value(last, "U"))
        else:
            self.say(depth, f"cf.br {back}")
        self.lines.append(f"{end}:")
        tensors += [Value(s, "U") for s in slots]
