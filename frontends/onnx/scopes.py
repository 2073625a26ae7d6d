"""
The names of values in an ONNX graph and the graphs within it.

ONNX scopes names: an If's arm sees the values around it, and its sister may use the same names. `resolve` puts nodes
behind those that they read, checks that every name is given once and before its use, and gives each value one name of
its own over the whole model. After it a flat table of names is enough.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from heapq import heappop, heappush
from typing import NoReturn

from onnx import AttributeProto, GraphProto, NodeProto

from lastuse.dialect.ir.diagnostics import LastuseError, Location

MAX_NODES = 100_000
"""Nodes that a model has at most, those of inner graphs among them."""
MAX_NAME = 2_000
"""Characters of a name at most."""
DEFAULT_DOMAINS = ("", "ai.onnx")


def is_text(name: object) -> bool:
    """Whether a string of a message is a name: one line of text. Protobuf gives bytes where it is not UTF-8."""
    return isinstance(name, str) and name.isprintable() and len(name) <= MAX_NAME


class Names:
    """The names of values that a model uses."""

    def __init__(self, used: Iterable[str] = ()) -> None:
        self._used = set(used)
        self._counts: dict[str, int] = {}

    def fresh(self, stem: str) -> str:
        """A name that is not in use, and from now on is: the stem, or the stem with a number."""
        name, count = stem, self._counts.get(stem, 0)
        while name in self._used:
            count += 1
            name = f"{stem}_{count}"
        self._counts[stem] = count
        self._used.add(name)
        return name

    def add(self, name: str) -> None:
        """Notes a name that is in use."""
        self._used.add(name)


def inner_graphs(node: NodeProto) -> Iterator[GraphProto]:
    """The graphs that are attributes of a node, in their order."""
    for attribute in node.attribute:
        if attribute.type == AttributeProto.GRAPH:
            yield attribute.g
        elif attribute.type == AttributeProto.GRAPHS:
            yield from attribute.graphs


def all_graphs(graph: GraphProto) -> Iterator[GraphProto]:
    """The graph and those within it, an outer one before its inner ones."""
    yield graph
    for node in graph.node:
        for inner in inner_graphs(node):
            yield from all_graphs(inner)


def rename(nodes: Iterable[NodeProto], names: dict[str, str]) -> None:
    """Replaces names of values in nodes and the graphs within them."""
    for node in nodes:
        node.input[:] = [names.get(name, name) for name in node.input]
        node.output[:] = [names.get(name, name) for name in node.output]
        for graph in inner_graphs(node):
            for value in (*graph.input, *graph.output, *graph.initializer):
                value.name = names.get(value.name, value.name)
            for sparse in graph.sparse_initializer:
                sparse.values.name = names.get(sparse.values.name, sparse.values.name)
            rename(graph.node, names)


def defined(nodes: Iterable[NodeProto]) -> Iterator[str]:
    """The names that nodes and the graphs within them give to values."""
    for node in nodes:
        yield from (name for name in node.output if name)
        for graph in inner_graphs(node):
            yield from (value.name for value in (*graph.input, *graph.initializer))
            yield from (sparse.values.name for sparse in graph.sparse_initializer)
            yield from defined(graph.node)


def sort_nodes(graph: GraphProto) -> tuple[list[int], set[str]]:
    """
    Puts the nodes of a graph, and those of the graphs within it, behind the nodes whose results they read: converters
    leave nodes out of order, and onnxruntime accepts that. Nodes that are in order, and nodes in a circle, stay where
    they are.

    Returns:
        The former number of each node, and the names that the graph reads from around it.
    """
    reads: list[set[str]] = []
    for node in graph.node:
        names = set(node.input)
        for inner in inner_graphs(node):
            names |= sort_nodes(inner)[1]
        reads.append(names)
    makers: dict[str, int] = {}
    for number, node in enumerate(graph.node):
        for name in node.output:
            makers.setdefault(name, number)
    order = _in_order([{makers[name] for name in names if name and name in makers} for names in reads])
    if order != sorted(order):
        nodes = [graph.node[number] for number in order]
        del graph.node[:]
        graph.node.extend(nodes)
    own = {value.name for value in (*graph.input, *graph.initializer)}
    own.update(sparse.values.name for sparse in graph.sparse_initializer)
    used = {value.name for value in graph.output}.union(*reads)
    return order, used - own - makers.keys() - {""}


def _in_order(needed: Sequence[set[int]]) -> list[int]:
    """Numbers behind all that they need, the least first, and then those in a circle."""
    waits = [len(numbers) for numbers in needed]
    readers: list[list[int]] = [[] for _ in needed]
    for number, numbers in enumerate(needed):
        for other in numbers:
            readers[other].append(number)
    ready = [number for number, count in enumerate(waits) if not count]
    order: list[int] = []
    while ready:
        number = heappop(ready)
        order.append(number)
        for reader in readers[number]:
            waits[reader] -= 1
            if not waits[reader]:
                heappush(ready, reader)
    return [*order, *(number for number, count in enumerate(waits) if count)]


class Resolver:
    """
    Checks the names of a model's graph and makes them unique.

    Attributes:
        names: all names in use.
        locations: by the name of a result: its node.
    """

    def __init__(self, file: str) -> None:
        self.names = Names()
        self.locations: dict[str, Location] = {}
        self._outer: set[str] = set()
        self._inner: set[str] = set()
        self._place = Location(file)
        self._nodes = 0

    def resolve(self, graph: GraphProto, lines: Sequence[int] | None = None) -> None:
        """
        Makes the names of `graph` unique, in place: those of inner graphs change where they are in use elsewhere. Sorts
        nodes, drops those without results, and the stated types of inner values.

        `lines` are the numbers of the graph's nodes in the file; by default they count from 1. Of several nodes with
        one number, and of those in inner graphs, the column is the number among these.

        Raises:
            LastuseError: a name is used twice, before its value is there, or without one; or is no text.
        """
        for inner in all_graphs(graph):
            self._nodes += len(inner.node)
            if self._nodes > MAX_NODES:
                self._fail(f"the model has more than {MAX_NODES:,} nodes")
            for value in (*inner.input, *inner.initializer, *(sparse.values for sparse in inner.sparse_initializer)):
                self._note(value.name)
            for node in inner.node:
                for name in (*node.input, *node.output):
                    self._note(name)
        if not graph.output:
            self._fail("the graph has no outputs")
        _drop_inputs_with_default(graph)
        self._outer.update(name for node in graph.node for name in node.output)
        self._outer.update(value.name for value in (*graph.input, *graph.initializer))
        self._outer.update(sparse.values.name for sparse in graph.sparse_initializer)
        numbers = range(1, len(graph.node) + 1) if lines is None else lines
        order, _ = sort_nodes(graph)
        self._graph(graph, [], [numbers[number] for number in order])

    def _note(self, name: str) -> None:
        if not is_text(name):
            self._fail(f"the name {name!r:.60} is not text")
        self.names.add(name)

    def _graph(self, graph: GraphProto, around: Sequence[dict[str, str]], lines: Sequence[int] | None) -> None:
        scope: dict[str, str] = {}
        scopes = [*around, scope]
        for value in (*graph.input, *graph.initializer, *(sparse.values for sparse in graph.sparse_initializer)):
            value.name = self._define(value.name, scopes)
        later = {name for node in graph.node for name in node.output}
        kept: list[NodeProto] = []
        for index, node in enumerate(graph.node):
            if not is_text(node.name):
                node.ClearField("name")
            name = node.name or next(filter(None, node.output), None)
            line = self._place.line if lines is None else lines[index]
            col = self._place.col + 1 if line == self._place.line and (lines is None or index) else 1
            self._place = here = Location(self._place.file, line, col, name)
            self._inputs(node, scopes, later)
            for inner in inner_graphs(node):
                self._graph(inner, scopes, None)
            last, self._place = self._place, here
            for place, name in enumerate(node.output):
                if name:
                    node.output[place] = self._define(name, scopes)
                    self.locations[node.output[place]] = here
            if any(node.output):
                kept.append(node)
            self._place = last
        if len(kept) < len(graph.node):
            del graph.node[:]
            graph.node.extend(kept)
        self._outputs(graph, scopes)
        del graph.value_info[:]

    def _inputs(self, node: NodeProto, scopes: Sequence[dict[str, str]], later: set[str]) -> None:
        for text in (node.op_type, node.domain, node.overload, *(attribute.name for attribute in node.attribute)):
            if not is_text(text):
                self._fail(f"the name {text!r:.60} is not text")
        if not node.op_type:
            self._fail("the node has no op")
        if node.domain in DEFAULT_DOMAINS:
            node.ClearField("domain")
        for place, name in enumerate(node.input):
            resolved = _visible(name, scopes) if name else ""
            if resolved is None and name in later:
                self._fail(f"{node.op_type} uses '{name}' before it is there: nodes are in a circle")
            if resolved is None:
                self._fail(f"{node.op_type} uses '{name}', which nothing makes")
            if resolved != name:
                node.input[place] = resolved

    def _outputs(self, graph: GraphProto, scopes: Sequence[dict[str, str]]) -> None:
        outputs: set[str] = set()
        for value in graph.output:
            if not is_text(value.name) or not value.name:
                self._fail(f"an output is called {value.name!r:.60}")
            if value.name in outputs and len(scopes) == 1:
                self._fail(f"the output '{value.name}' is there twice")
            outputs.add(value.name)
            name = _visible(value.name, scopes)
            if name is None:
                self._fail(f"nothing makes the output '{value.name}'")
            value.name = name

    def _define(self, name: str, scopes: Sequence[dict[str, str]]) -> str:
        """The name that the value called `name` has from here on."""
        scope = scopes[-1]
        if not name:
            self._fail("a value has no name")
        if name in scope:
            self._fail(f"the name '{name}' is used twice")
        scope[name] = name
        if len(scopes) > 1:
            if name in self._outer or name in self._inner:
                scope[name] = self.names.fresh(name)
            self._inner.add(scope[name])
        return scope[name]

    def _fail(self, message: str) -> NoReturn:
        raise LastuseError(message, self._place)


def _visible(name: str, scopes: Sequence[dict[str, str]]) -> str | None:
    return next((scope[name] for scope in reversed(scopes) if name in scope), None)


def _drop_inputs_with_default(graph: GraphProto) -> None:
    """An input with an initializer is a constant: before IR version 4 every initializer was an input too."""
    defaults = {value.name for value in graph.initializer} | {s.values.name for s in graph.sparse_initializer}
    for index in reversed(range(len(graph.input))):
        if graph.input[index].name in defaults:
            del graph.input[index]
