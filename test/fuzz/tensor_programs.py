"""Random programs on tensors of `linalg`, `tensor`, `scf`, `arith` and `func`, for what has a memref form."""

from __future__ import annotations

import random
from typing import NamedTuple

TYPES = {
    "A": "tensor<12xi64>",
    "N": "tensor<?xi64>",
    "M": "tensor<3x4xi64>",
    "4": "tensor<4xi64>",
    "K": "tensor<?xi64>",
}
"""Types of values by the kind of value: N is of n elements, K of k, M is a matrix, 4 is one of its rows."""
SIZE = {"A": "12", "N": "%n", "4": "4", "K": "%k"}
SAME = "affine_map<(d0) -> (d0)>"
HELPERS = """func.func @{p}reads(%p: tensor<12xi64>, %i: index) -> i64 {{
  %v = tensor.extract %p[%i] : tensor<12xi64>
  func.return %v : i64
}}
func.func @{p}writes(%p: tensor<12xi64>{donated}, %v: i64, %i: index) -> tensor<12xi64> {{
  %r = tensor.insert %v into %p[%i] : tensor<12xi64>
  func.return %r : tensor<12xi64>
}}
func.func @{p}either(%p: tensor<12xi64>, %q: tensor<12xi64>{donated}, %c: i1) -> tensor<12xi64> {{
  %r = scf.if %c -> (tensor<12xi64>) {{
    scf.yield %p : tensor<12xi64>
  }} else {{
    scf.yield %q : tensor<12xi64>
  }}
  func.return %r : tensor<12xi64>
}}
func.func @{p}swaps(%p: tensor<12xi64>{donated}, %q: tensor<12xi64>{donated}) -> (tensor<12xi64>, tensor<12xi64>) {{
  %s = arith.subi %p, %q : tensor<12xi64>
  func.return %q, %s : tensor<12xi64>, tensor<12xi64>
}}
"""


class Value(NamedTuple):
    """A tensor that may be used, and its kind."""

    name: str
    kind: str


class TensorProgram:
    """One program as text: `text`; its function is @main.

    Attributes:
        writable: which of its arguments may be written.
    """

    arguments = (Value("%a", "A"), Value("%b", "A"), Value("%u", "N"), Value("%m", "M"), Value("%r", "4"))
    """Behind them come the indices i, j, n and k, an i64 and an i1."""

    def __init__(self, rng: random.Random, ops: int = 16) -> None:
        self.rng, self.count, self.left, self.called = rng, 0, ops, False
        self.lines: list[str] = []
        self.writable = [rng.random() < 0.75 for _ in self.arguments]
        self.slices: dict[str, tuple[str, str]] = {}
        tensors, indices = list(self.arguments), ["%i", "%j"]
        self.block(tensors, indices, ["%v"], 1, most=ops)
        returned = rng.sample(tensors[-6:], rng.randint(1, 3))
        types = ", ".join(TYPES[t.kind] for t in returned)
        given = ", ".join(
            f"{a.name}: {TYPES[a.kind]}{' {dnn.donated}' * may}"
            for a, may in zip(self.arguments, self.writable, strict=True)
        )
        constants = "".join(f"  %c{n} = arith.constant {n} : index\n" for n in (0, 1, 2, 3, 4, 12))
        constants += "  %seven = arith.constant 7 : i64\n"
        head = f"func.func @main({given}, %i: index, %j: index, %n: index, %k: index, %v: i64, %c: i1) -> ({types}) {{"
        last = f"  func.return {', '.join(t.name for t in returned)} : {types}\n}}\n"
        helpers = HELPERS.format(p="", donated=rng.choice(["", " {dnn.donated}"])) if self.called else ""
        self.text = helpers + "\n".join([head, constants + "\n".join(self.lines), last])

    def name(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def say(self, depth: int, line: str) -> None:
        self.lines.append("  " * depth + line)

    def pick(self, tensors: list[Value], kinds: str) -> Value:
        """A tensor of these kinds, a new one rather than an old one."""
        found = [t for t in tensors if t.kind in kinds]
        return self.rng.choice(found[-4:] if self.rng.random() < 0.7 else found)

    def block(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int, most: int) -> None:
        """Ops of one block, added to what they may use."""
        kinds = [
            *([self.index] * 2 + [self.slice, self.insert] * 4 + [self.row, self.put_row] * 2 + [self.compute] * 4),
            *([self.generic] * 4 + [self.broadcast, self.reduce, self.element, self.put_element, self.fresh] * 2),
            *[self.reshape, self.cast, self.choose, self.concat, self.call, self.copied, self.constant],
        ]
        for _ in range(self.rng.randint(min(2, most), most)):
            if self.left <= 0:
                return
            self.left -= 1
            if depth < 4 and self.rng.random() < 0.17:
                self.rng.choice([self.loop, self.loop, self.branch, self.turns])(tensors, indices, scalars, depth)
            else:
                self.rng.choice(kinds)(tensors, indices, scalars, depth)

    # Straight lines

    def index(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        name = self.name()
        op, other = self.rng.choice([("addi", "%c1"), ("addi", "%c4"), ("muli", "%c2"), ("remsi", "%c3")])
        self.say(depth, f"{name} = arith.{op} {self.rng.choice(indices)}, {other} : index")
        indices.append(name)

    def slice(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        base, kind, result = self.pick(tensors, "AN"), self.rng.choice("4K"), self.name()
        bounds = f"[{self.rng.choice([*indices, '0', '4', '2'])}] [{SIZE[kind]}] [{self.rng.choice('1112')}]"
        self.say(depth, f"{result} = tensor.extract_slice {base.name}{bounds} : {TYPES[base.kind]} to {TYPES[kind]}")
        self.slices[result] = (base.name, bounds)
        tensors.append(Value(result, kind))

    def insert(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        part, base, result = self.pick(tensors, "4K"), self.pick(tensors, "AN"), self.name()
        if part.kind == "K" and not any(t.kind == "K" for t in tensors):
            return
        bounds = f"[{self.rng.choice([*indices, '0', '8'])}] [{SIZE[part.kind]}] [1]"
        if part.name in self.slices and self.rng.random() < 0.8:  # back where it was
            name, before = self.slices[part.name]
            there = next((t for t in tensors if t.name == name), None)
            if there is not None or "," not in before:  # a slice of two axes is none of a line
                base, bounds = there or base, before
            if self.rng.random() < 0.4:
                base = self.pick(tensors, base.kind)
        types = f"{TYPES[part.kind]} into {TYPES[base.kind]}"
        self.say(depth, f"{result} = tensor.insert_slice {part.name} into {base.name}{bounds} : {types}")
        tensors.append(Value(result, base.kind))

    def row(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        base, result = self.pick(tensors, "M"), self.name()
        bounds = f"[{self.rng.choice([*indices, '0', '1'])}, 0] [1, 4] [1, 1]"
        self.say(depth, f"{result} = tensor.extract_slice {base.name}{bounds} : {TYPES['M']} to {TYPES['4']}")
        self.slices[result] = (base.name, bounds)
        tensors.append(Value(result, "4"))

    def put_row(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        part, base, result = self.pick(tensors, "4"), self.pick(tensors, "M"), self.name()
        bounds = f"[{self.rng.choice([*indices, '0', '2'])}, 0] [1, 4] [1, 1]"
        known = self.slices.get(part.name)
        if known is not None and "," in known[1] and self.rng.random() < 0.8:
            bounds = known[1]
            base = next((t for t in tensors if t.name == known[0]), base)
        self.say(
            depth,
            f"{result} = tensor.insert_slice {part.name} into {base.name}{bounds} : {TYPES['4']} into {TYPES['M']}",
        )
        tensors.append(Value(result, "M"))

    def followed(self, result: str, *operands: Value) -> None:
        """A result of a part goes back where the part was, later."""
        for operand in operands:
            if operand.name in self.slices:
                self.slices[result] = self.slices[operand.name]

    def compute(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        one, result = self.pick(tensors, "ANM4K"), self.name()
        other, type_ = self.pick(tensors, one.kind), TYPES[one.kind]
        op = self.rng.choice(["addi", "subi", "muli", "xori"])
        self.say(depth, f"{result} = arith.{op} {one.name}, {other.name} : {type_}")
        self.followed(result, one, other)
        tensors.append(Value(result, one.kind))

    def empty(self, kind: str, depth: int) -> str:
        result = self.name()
        size = f"({SIZE[kind]})" if kind in "NK" else "()"
        self.say(depth, f"{result} = tensor.empty{size} : {TYPES[kind]}")
        return result

    def generic(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        """Elementwise: `outs` is read or not, and is memory of a value or nothing."""
        one, result = self.pick(tensors, "AN4K"), self.name()
        type_, outs = TYPES[one.kind], self.pick(tensors, one.kind)
        reads = self.rng.random() < 0.5
        into = outs.name if reads or self.rng.random() < 0.5 else self.empty(one.kind, depth)
        if self.rng.random() < 0.3 and not reads:
            op = self.rng.choice(["add", "sub", "mul"])
            other = self.pick(tensors, one.kind)
            ins = f"ins({one.name}, {other.name} : {type_}, {type_})"
            self.say(depth, f"{result} = linalg.{op} {ins} outs({into} : {type_}) -> {type_}")
        else:
            head = f'indexing_maps = [{SAME}, {SAME}], iterator_types = ["parallel"]'
            self.say(depth, f"{result} = linalg.generic {{{head}}} ins({one.name} : {type_}) outs({into} : {type_}) {{")
            self.say(depth, f"^bb0(%x: i64, %y: i64):\n  %z = arith.subi %x, {'%y' if reads else '%seven'} : i64")
            self.say(depth, f"  linalg.yield %z : i64\n}} -> {type_}")
        self.followed(result, one, outs)
        tensors.append(Value(result, one.kind))

    def broadcast(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        row, base, result = self.pick(tensors, "4"), self.pick(tensors, "M"), self.name()
        maps = "affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>"
        head = f'indexing_maps = [{maps}], iterator_types = ["parallel", "parallel"]'
        self.say(
            depth,
            f"{result} = linalg.generic {{{head}}} ins({row.name} : {TYPES['4']}) outs({base.name} : {TYPES['M']}) {{",
        )
        self.say(depth, "^bb0(%x: i64, %y: i64):\n  %z = arith.subi %x, %y : i64")
        self.say(depth, f"  linalg.yield %z : i64\n}} -> {TYPES['M']}")
        tensors.append(Value(result, "M"))

    def reduce(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        base, into, result = self.pick(tensors, "M"), self.pick(tensors, "4"), self.name()
        maps = "affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>"
        head = f'indexing_maps = [{maps}], iterator_types = ["reduction", "parallel"]'
        self.say(
            depth,
            f"{result} = linalg.generic {{{head}}} ins({base.name} : {TYPES['M']}) outs({into.name} : {TYPES['4']}) {{",
        )
        self.say(depth, "^bb0(%x: i64, %y: i64):\n  %z = arith.addi %x, %y : i64")
        self.say(depth, f"  linalg.yield %z : i64\n}} -> {TYPES['4']}")
        self.followed(result, into)
        tensors.append(Value(result, "4"))

    def element(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        base, result = self.pick(tensors, "AN4"), self.name()
        self.say(depth, f"{result} = tensor.extract {base.name}[{self.rng.choice(indices)}] : {TYPES[base.kind]}")
        scalars.append(result)

    def put_element(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        base, result = self.pick(tensors, "AN4"), self.name()
        at, value = self.rng.choice(indices), self.rng.choice(scalars)
        self.say(depth, f"{result} = tensor.insert {value} into {base.name}[{at}] : {TYPES[base.kind]}")
        self.followed(result, base)
        tensors.append(Value(result, base.kind))

    def fresh(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        kind, result = self.rng.choice("AN4K"), self.name()
        into, value = self.empty(kind, depth), self.rng.choice(scalars)
        if self.rng.random() < 0.3:
            into = self.pick(tensors, kind).name if any(t.kind == kind for t in tensors) else into
        type_ = TYPES[kind]
        self.say(depth, f"{result} = linalg.fill ins({value} : i64) outs({into} : {type_}) -> {type_}")
        tensors.append(Value(result, kind))

    def reshape(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        one, result = self.pick(tensors, "AM"), self.name()
        if one.kind == "M":
            self.say(depth, f"{result} = tensor.collapse_shape {one.name} [[0, 1]] : {TYPES['M']} into {TYPES['A']}")
        else:
            shape = "output_shape [3, 4]"
            self.say(
                depth, f"{result} = tensor.expand_shape {one.name} [[0, 1]] {shape} : {TYPES['A']} into {TYPES['M']}"
            )
        tensors.append(Value(result, "A" if one.kind == "M" else "M"))

    def cast(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        """In programs in which n is 12, these are of one size."""
        one, result = self.pick(tensors, "AN"), self.name()
        other = "N" if one.kind == "A" else "A"
        self.say(depth, f"{result} = tensor.cast {one.name} : {TYPES[one.kind]} to {TYPES[other]}")
        tensors.append(Value(result, other))

    def choose(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        one, result = self.pick(tensors, "AM4"), self.name()
        other = self.pick(tensors, one.kind)
        flag = self.flag(indices, depth)
        self.say(depth, f"{result} = arith.select {flag}, {one.name}, {other.name} : {TYPES[one.kind]}")
        tensors.append(Value(result, one.kind))

    def concat(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        parts, result = [self.pick(tensors, "4") for _ in range(3)], self.name()
        types = ", ".join([TYPES["4"]] * 3)
        names = ", ".join(p.name for p in parts)
        self.say(depth, f"{result} = tensor.concat dim(0) {names} : ({types}) -> {TYPES['A']}")
        tensors.append(Value(result, "A"))

    def call(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        self.called = True
        one, other, result, a = self.pick(tensors, "A"), self.pick(tensors, "A"), self.name(), TYPES["A"]
        at = self.rng.choice(indices)
        match self.rng.randrange(4):
            case 0:
                self.say(depth, f"{result} = func.call @reads({one.name}, {at}) : ({a}, index) -> i64")
                scalars.append(result)
            case 1:
                given = f"{one.name}, {self.rng.choice(scalars)}, {at}"
                self.say(depth, f"{result} = func.call @writes({given}) : ({a}, i64, index) -> {a}")
                tensors.append(Value(result, "A"))
            case 2:
                given = f"{one.name}, {other.name}, {self.flag(indices, depth)}"
                self.say(depth, f"{result} = func.call @either({given}) : ({a}, {a}, i1) -> {a}")
                tensors.append(Value(result, "A"))
            case _:
                self.say(depth, f"{result}:2 = func.call @swaps({one.name}, {other.name}) : ({a}, {a}) -> ({a}, {a})")
                tensors += [Value(f"{result}#0", "A"), Value(f"{result}#1", "A")]

    def copied(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        one, result = self.pick(tensors, "AN4"), self.name()
        type_, into = TYPES[one.kind], self.pick(tensors, one.kind).name
        self.say(depth, f"{result} = linalg.copy ins({one.name} : {type_}) outs({into} : {type_}) -> {type_}")
        tensors.append(Value(result, one.kind))

    def constant(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        result = self.name()
        content = [self.rng.randrange(100) for _ in range(4)]
        self.say(depth, f"{result} = arith.constant dense<{content}> : {TYPES['4']}")
        tensors.append(Value(result, "4"))

    # Control flow

    def flag(self, indices: list[str], depth: int) -> str:
        if self.rng.random() < 0.4:
            return "%c"
        name = self.name()
        self.say(depth, f"{name} = arith.cmpi slt, {self.rng.choice(indices)}, %c3 : index")
        return name

    def newest(self, tensors: list[Value], kind: str) -> Value:
        found = [t for t in tensors if t.kind == kind]
        return found[-1] if self.rng.random() < 0.7 else self.rng.choice(found)

    def loop(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        """A loop with one or two values; sometimes they are exchanged."""
        kind = self.rng.choice("AAAN4M")
        inits = [self.pick(tensors, kind) for _ in range(self.rng.randint(1, 2))]
        result, slots, counter = self.name(), [self.name() for _ in inits], self.name()
        types = ", ".join([TYPES[kind]] * len(inits))
        carried = ", ".join(f"{s} = {i.name}" for s, i in zip(slots, inits, strict=True))
        wide = f":{len(inits)}" if len(inits) > 1 else ""
        bound, step = self.rng.choice([("%c12", "%c4"), ("%c3", "%c1"), ("%j", "%c1")])
        head = f"{result}{wide} = scf.for {counter} = %c0 to {bound} step {step}"
        self.say(depth, f"{head} iter_args({carried}) -> ({types}) {{")
        inner = [*tensors, *(Value(s, kind) for s in slots)]
        self.block(inner, [*indices, counter, counter], list(scalars), depth + 1, most=4)
        yielded = [self.newest(inner, kind).name for _ in inits]
        if len(inits) > 1 and self.rng.random() < 0.5:
            yielded = self.rng.choice([slots[::-1], [yielded[0], slots[0]], [slots[1], yielded[0]]])
        self.say(depth + 1, f"scf.yield {', '.join(yielded)} : {types}")
        self.say(depth, "}")
        names = [f"{result}#{n}" for n in range(len(inits))] if wide else [result]
        tensors += [Value(n, kind) for n in names]

    def branch(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        kinds = [self.rng.choice("AAN4M") for _ in range(self.rng.randint(1, 2))]
        flag, result = self.flag(indices, depth), self.name()
        types = ", ".join(TYPES[k] for k in kinds)
        wide = f":{len(kinds)}" if len(kinds) > 1 else ""
        self.say(depth, f"{result}{wide} = scf.if {flag} -> ({types}) {{")
        for arm in range(2):
            inner = list(tensors)
            self.block(inner, list(indices), list(scalars), depth + 1, most=3)
            self.say(depth + 1, f"scf.yield {', '.join(self.newest(inner, k).name for k in kinds)} : {types}")
            self.say(depth, "}" if arm else "} else {")
        names = [f"{result}#{n}" for n in range(len(kinds))] if wide else [result]
        tensors += [Value(n, k) for n, k in zip(names, kinds, strict=True)]

    def turns(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        """A `while` that counts to 3."""
        kind, result, slot, after = self.rng.choice("AN4"), self.name(), self.name(), self.name()
        init, type_, turn, more, next_ = self.pick(tensors, kind), TYPES[kind], *(self.name() for _ in range(3))
        types = f"({type_}, index) -> ({type_}, index)"
        self.say(depth, f"{result}:2 = scf.while ({slot} = {init.name}, {turn} = %c0) : {types} {{")
        inner = [*tensors, Value(slot, kind)]
        if self.rng.random() < 0.3:
            self.block(inner, [*indices, turn], list(scalars), depth + 1, most=2)
        self.say(depth + 1, f"{more} = arith.cmpi slt, {turn}, %c3 : index")
        self.say(depth + 1, f"scf.condition({more}) {self.newest(inner, kind).name}, {turn} : {type_}, index")
        self.say(depth, "} do {")
        self.say(depth, f"^bb0({after}: {type_}, {turn}b: index):")
        inner = [*tensors, Value(after, kind)]
        self.block(inner, [*indices, f"{turn}b"], list(scalars), depth + 1, most=3)
        self.say(depth + 1, f"{next_} = arith.addi {turn}b, %c1 : index")
        self.say(depth + 1, f"scf.yield {self.newest(inner, kind).name}, {next_} : {type_}, index")
        self.say(depth, "}")
        tensors.append(Value(f"{result}#0", kind))
