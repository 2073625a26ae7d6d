"""Graphs of the kinds that networks are made of, by seed and size; each with whether some op may be in place."""

from __future__ import annotations

import random
from collections.abc import Sequence

from lastuse.passes.planning.graph import Graph, ScheduledOp


class Maker:
    """A graph in the making: `op` adds an op and gives the number of the buffer it writes."""

    def __init__(self) -> None:
        self.sizes: list[int] = []
        self.ops: list[ScheduledOp] = []

    def buffer(self, size: int) -> int:
        self.sizes.append(size)
        return len(self.sizes) - 1

    def op(self, size: int, reads: Sequence[int], inplace: bool = False) -> int:
        made = self.buffer(size)
        known = tuple(dict.fromkeys(reads))
        pairs = tuple((r, made) for r in known if inplace and self.sizes[r] == size)
        self.ops.append(ScheduledOp(known, (made,), pairs))
        return made

    def graph(self, inputs: Sequence[int], outputs: Sequence[int]) -> Graph:
        return Graph(tuple(self.sizes), frozenset(outputs), frozenset(inputs), tuple(self.ops))


def randwire(seed: int, nodes: int) -> tuple[Graph, bool]:
    """Watts and Strogatz's small worlds (4 neighbours, 0.75), a node a sum, a relu and a convolution: Xie, Kirillov,
    Girshick, He, "Exploring Randomly Wired Neural Networks", arXiv 1904.01569, section 3."""
    chance, made = random.Random(seed), Maker()
    edges = {tuple(sorted((i, (i + step) % nodes))) for i in range(nodes) for step in (1, 2)}
    for a, b in sorted(edges):
        if chance.random() < 0.75:
            free = [c for c in range(nodes) if c != a and tuple(sorted((a, c))) not in edges]
            edges = (edges - {(a, b)}) | {tuple(sorted((a, chance.choice(free))))}
    size = 79_872
    start = made.buffer(size)
    value: list[int] = []
    for node in range(nodes):
        reads = [value[a] for a, b in sorted(edges) if b == node] or [start]
        summed = made.op(size, reads, inplace=True) if len(reads) > 1 else reads[0]
        value.append(made.op(size, [made.op(size, [summed], inplace=True)]))
    read = {a for a, _ in edges}
    end = made.op(size, [v for n, v in enumerate(value) if n not in read], inplace=True)
    return made.graph([start], [end]), True


def darts(seed: int, cells: int) -> tuple[Graph, bool]:
    """Cells of four nodes, each the sum of two operations on what is there: Liu, Simonyan, Yang, "DARTS", arXiv
    1806.09055, section 2.1; the cell's result is a concat of the nodes."""
    chance, made = random.Random(seed), Maker()
    size = 65_536
    first = made.buffer(size)
    before, last = first, made.op(size, [first])
    for _ in range(cells):
        states = [made.op(size, [before]), made.op(size, [last])]
        for _ in range(4):
            terms: list[int] = []
            for source in chance.sample(states, 2):
                separable = chance.random() < 0.6
                inner = made.op(size, [made.op(size, [source])]) if separable else source
                terms.append(made.op(size, [inner], inplace=not separable))
            states.append(made.op(size, terms, inplace=True))
        before, last = last, made.op(4 * size, states[2:])
    return made.graph([first], [last]), True


def lstm_training(seed: int, steps: int) -> tuple[Graph, bool]:
    """An unrolled LSTM forwards and backwards: what the gradients read lives until then, the weight gradient is added
    up over all steps."""
    made, size = Maker(), 4_096 * (1 + seed)
    inputs = [made.buffer(size) for _ in range(steps)]
    hidden, cell = made.op(size, [inputs[0]]), made.op(size, [inputs[0]])
    kept: list[tuple[int, int, int, int]] = []
    for x in inputs:
        gates = made.op(4 * size, [x, hidden])
        active = made.op(4 * size, [gates], inplace=True)
        cell_before, cell = cell, made.op(size, [active, cell])
        squashed = made.op(size, [cell])
        kept.append((active, cell_before, squashed, hidden))
        hidden = made.op(size, [active, squashed])
    gradient, weights = made.op(size, [hidden]), made.op(4 * size, [hidden])
    passed = made.op(size, [gradient])
    for active, cell_before, squashed, hidden_before in reversed(kept):
        inner = made.op(size, [gradient, active, squashed, passed])
        gates = made.op(4 * size, [inner, gradient, active, cell_before])
        passed = made.op(size, [inner, active], inplace=True)
        weights = made.op(4 * size, [weights, made.op(4 * size, [gates, hidden_before])], inplace=True)
        gradient = made.op(size, [gates])
    return made.graph(inputs, [weights, gradient]), True


def resnet_training(seed: int, blocks: int) -> tuple[Graph, bool]:
    """Residual blocks forwards and backwards, the maps smaller and the channels more from stage to stage."""
    made, size = Maker(), 1 << 20
    start = made.buffer(size)
    value, kept = made.op(size, [start]), list[tuple[int, int, int, int, int]]()
    weights: list[int] = []
    for block in range(blocks):
        smaller = size // 2 if block % 2 == seed % 2 and block else size
        one = made.op(smaller, [value])
        active = made.op(smaller, [made.op(smaller, [one])], inplace=True)
        two = made.op(smaller, [active])
        short = value if smaller == size else made.op(smaller, [value])
        summed = made.op(smaller, [made.op(smaller, [two]), short], inplace=True)
        result = made.op(smaller, [summed], inplace=True)
        kept.append((value, one, active, two, result))
        value, size = result, smaller
    gradient = made.op(size, [value])
    for value, one, active, two, result in reversed(kept):
        through = made.op(made.sizes[result], [gradient, result], inplace=True)
        normal = made.op(made.sizes[two], [through, two], inplace=True)
        weights.append(made.op(9_216, [normal, active]))
        inner = made.op(made.sizes[active], [normal])
        masked = made.op(made.sizes[active], [inner, active], inplace=True)
        normal = made.op(made.sizes[one], [masked, one], inplace=True)
        weights.append(made.op(9_216, [normal, value]))
        back = made.op(made.sizes[value], [normal])
        short = through if made.sizes[value] == made.sizes[through] else made.op(made.sizes[value], [through])
        gradient = made.op(made.sizes[value], [back, short], inplace=True)
    return made.graph([start], [*weights, gradient]), True


def chained(graphs: Sequence[Graph]) -> Graph:
    """Graphs one behind the other: the only input of each is the only output of the one before."""
    sizes, ops = list[int](), list[ScheduledOp]()
    outputs: frozenset[int] = frozenset()
    lent: frozenset[int] = frozenset()
    for graph in graphs:
        base = len(sizes)
        number = {b: base + b for b in range(len(graph.sizes))}
        if outputs:
            number |= dict(zip(sorted(graph.not_overwritable), sorted(outputs), strict=True))
        else:
            lent = graph.not_overwritable
        sizes += graph.sizes
        ops += [op.renumbered(number) for op in graph.ops]
        outputs = frozenset(number[b] for b in graph.kept)
    return Graph(tuple(sizes), outputs, lent, tuple(ops))
