"""The graph of a program in graphviz's language: ops, the values between them, and over these what is in place."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager, nullcontext

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, OpResult, Region, SSAValue

from lastuse.dialect.ir.diagnostics import LastuseError, location_of, op_name
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.contract import contract_of
from lastuse.passes.lowering.copy_analysis import expected_copies
from lastuse.tools.visualize.markup import clean, shortened

INPLACE = {"color": "#15803d", "penwidth": "3", "fontcolor": "#15803d"}
PART = {"color": "#1d4ed8", "penwidth": "2.4", "fontcolor": "#1d4ed8", "label": " part"}
VIEW = {"style": "dashed"}
CROSSING = {"style": "dotted", "color": "#777777"}
CONSTANT = {"shape": "note", "color": "#999999", "fontcolor": "#666666", "fontsize": "9"}
ARGUMENT = {"shape": "ellipse", "fillcolor": "#eef2f6"}
OP = {"shape": "box", "fillcolor": "white"}
CHANGED = {"shape": "box", "fillcolor": "#d9f0de"}
"""An op with a result in place."""
COPIES = {"shape": "box", "fillcolor": "#f9d5d3", "color": "#b91c1c", "penwidth": "2.4"}
"""An op that copies."""
MAX_TEXT = 80


def dot(module: ModuleOp) -> str:
    """
    The graph of a module: a cluster a function, a block of several, and a region.

    A use is an edge. In place it is bold and green, with the number of the operand; a part computed where it belongs is
    blue; what only feeds a view is dashed; what crosses the boundary of a region or block is dotted. An op that copies
    is red, and says what and how many bytes.

    Raises:
        LastuseError: no op of the module has operands or results, and there is no function.
    """
    graph = _Graph()
    for op in module.body.block.ops:
        graph.op(op)
    if not graph.nodes:
        raise LastuseError("there is nothing to draw", module)
    head = [
        "digraph memory {",
        '  graph [fontname="Helvetica", rankdir="TB", compound="true", newrank="true"];',
        '  node [fontname="Helvetica", fontsize="10", style="filled", fillcolor="white"];',
        '  edge [fontname="Helvetica", fontsize="9", color="#555555"];',
    ]
    return "\n".join([*head, *graph.body, *graph.edges(), "}"]) + "\n"


class _Graph:
    """Lines of the graph; edges come when every node has its name."""

    def __init__(self) -> None:
        self.body: list[str] = []
        self.nodes: dict[Operation | SSAValue, str] = {}
        self.copied: dict[Operation, list[str]] = {}
        self._depth, self._clusters = 1, 0

    def op(self, op: Operation) -> None:
        """An op; with regions, a cluster around what stands in them."""
        if isinstance(op, FuncOp):
            for copy, nbytes in (expected_copies(op) or ()) if op.body.blocks else ():
                size = "some" if nbytes is None else f"{nbytes:,}" if isinstance(nbytes, int) else str(nbytes)
                self.copied.setdefault(copy.op, []).append(f"{_short(copy.what)}, {size} bytes")
            self._region(f"@{op.sym_name.data}", op.body)
            return
        constant = not op.regions and contract_of(op).constant
        changed = any(k >= 0 for k in attrs.inplace(op))
        copied = self.copied.get(op, [])
        look = COPIES if copied else CONSTANT if constant else CHANGED if changed else OP
        label, location = "\n".join([_label(op), *copied]), location_of(op)
        where = op_name(op) if location is None else f"{op_name(op)}, {location}"
        self._node(op, look | {"label": label, "tooltip": where})
        for number, region in enumerate(op.regions):
            if region.blocks:
                which = f" {number + 1}/{len(op.regions)}" if len(op.regions) > 1 else ""
                self._region(op_name(op) + which, region)

    def _region(self, label: str, region: Region) -> None:
        with self._cluster(label):
            several = len(region.blocks) > 1
            for number, block in enumerate(region.blocks):
                with self._cluster(f"block {number}") if several else nullcontext():
                    for argument in block.args:
                        text = f"{_short(attrs.display_name(argument))}\n{_short(str(argument.type))}"
                        self._node(argument, ARGUMENT | {"label": text})
                    for op in block.ops:
                        self.op(op)

    @contextmanager
    def _cluster(self, label: str) -> Generator[None]:
        self._line(f"subgraph cluster_{self._clusters} {{")
        self._depth, self._clusters = self._depth + 1, self._clusters + 1
        self._line(f'label={_quoted(label)}; color="#b9aed0";')
        yield
        self._depth -= 1
        self._line("}")

    def _node(self, thing: Operation | SSAValue, attributes: dict[str, str]) -> None:
        name = self.nodes[thing] = f"n{len(self.nodes)}"
        self._line(f"{name} [{_listed(attributes)}];")

    def _line(self, text: str) -> None:
        self.body.append("  " * self._depth + text)

    def edges(self) -> Iterator[str]:
        """An edge a use, and what boundaries carry."""
        for op, name in self.nodes.items():
            if not isinstance(op, Operation):
                continue
            for number, operand in enumerate(op.operands):
                source = self.nodes.get(operand.op if isinstance(operand, OpResult) else operand)
                if source is not None:
                    yield _edge(source, name, _use(op, number, operand))
            entries = {*op.successors, *(region.blocks[0] for region in op.regions if region.blocks)}
            for block in (*op.successors, *(block for region in op.regions for block in region.blocks)):
                for argument in block.args if block in entries else ():
                    yield _edge(name, self.nodes[argument], CROSSING)
                last = block.last_op
                if last is None or last.successors or block.parent_op() is not op:
                    continue
                if last.operands and op.results:
                    yield _edge(self.nodes[last], name, CROSSING | {"constraint": "false"})


def _use(op: Operation, number: int, operand: SSAValue) -> dict[str, str]:
    """How the edge of an operand looks."""
    attributes = {"tooltip": _short(attrs.display_name(operand))}
    over = [r for r, k in enumerate(attrs.inplace(op)) if k == number]
    if over:
        return attributes | INPLACE | {"label": " in place" if len(op.results) == 1 else f" in place, result {over[0]}"}
    if number in attrs.part_operands(op):
        return attributes | PART
    views = () if op.regions or attrs.is_copy(op) else contract_of(op).views
    return attributes | (VIEW if any(view.operand == number for view in views) else {})


def _label(op: Operation) -> str:
    lines = [op_name(op)]
    places = attrs.entries(op, attrs.OFFSET)
    for result in op.results[:6]:
        at = f" at {places[result.index]:,}" if places[result.index] >= 0 else ""
        lines.append(f"{_short(attrs.display_name(result))}: {_short(str(result.type))}{at}")
    if len(op.results) > 6:
        lines.append(f"and {len(op.results) - 6} more")
    return "\n".join(lines)


def _short(text: str) -> str:
    return shortened(text, MAX_TEXT)


def _edge(source: str, target: str, attributes: dict[str, str]) -> str:
    return f"  {source} -> {target} [{_listed(attributes)}];"


def _listed(attributes: dict[str, str]) -> str:
    return ", ".join(f"{key}={_quoted(value)}" for key, value in attributes.items())


def _quoted(text: str) -> str:
    """A string of graphviz: what it would take for an escape, or for an entity of HTML, stands for itself."""
    plain = clean(text).replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;").replace("\n", "\\n")
    return f'"{plain}"'
