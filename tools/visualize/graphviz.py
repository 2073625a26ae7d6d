"""The graph of a program in graphviz's language: ops, the values between them, and over these what is in place."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, Region, SSAValue

from lastuse.dialect.ir.diagnostics import LastuseError, location_of, op_name
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.contract import contract_of
from lastuse.passes.lowering.copy_analysis import expected_copies
from lastuse.tools.visualize.markup import clean

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
        graph.op(op, 1)
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
        self.nodes: dict[Operation | BlockArgument, str] = {}
        self.clusters = 0
        self.copied: dict[Operation, list[str]] = {}

    def op(self, op: Operation, depth: int) -> None:
        """An op; with regions, a cluster around what stands in them."""
        if isinstance(op, FuncOp):
            for copy, nbytes in (expected_copies(op) or ()) if op.body.blocks else ():
                size = "some" if nbytes is None else f"{nbytes:,}" if isinstance(nbytes, int) else str(nbytes)
                self.copied.setdefault(copy.op, []).append(f"{_short(copy.what)}, {size} bytes")
            self._cluster(f"@{op.sym_name.data}", depth, op.body)
            return
        self.nodes[op] = f"n{len(self.nodes)}"
        constant = not op.regions and contract_of(op).constant
        changed = any(k >= 0 for k in attrs.inplace(op))
        copied = self.copied.get(op, [])
        look = COPIES if copied else CONSTANT if constant else CHANGED if changed else OP
        label, location = "\n".join([_label(op), *copied]), location_of(op)
        where = op_name(op) if location is None else f"{op_name(op)}, {location}"
        self._node(self.nodes[op], look | {"label": label, "tooltip": where}, depth)
        for number, region in enumerate(op.regions):
            if region.blocks:
                which = f" {number + 1}/{len(op.regions)}" if len(op.regions) > 1 else ""
                self._cluster(op_name(op) + which, depth, region)

    def _cluster(self, label: str, depth: int, region: Region) -> None:
        self._open(label, depth)
        blocks = list(region.blocks)
        for number, block in enumerate(blocks):
            if len(blocks) > 1:
                self._open(f"block {number}", depth + 1)
            self._block(block, depth + 1 + (len(blocks) > 1))
            if len(blocks) > 1:
                self.body.append("  " * (depth + 1) + "}")
        self.body.append("  " * depth + "}")

    def _open(self, label: str, depth: int) -> None:
        self.body.append("  " * depth + f"subgraph cluster_{self.clusters} {{")
        self.body.append("  " * (depth + 1) + f'label={_quoted(label)}; color="#b9aed0";')
        self.clusters += 1

    def _block(self, block: Block, depth: int) -> None:
        for argument in block.args:
            self.nodes[argument] = f"n{len(self.nodes)}"
            label = f"{_short(attrs.display_name(argument))}\n{_short(str(argument.type))}"
            self._node(self.nodes[argument], ARGUMENT | {"label": label}, depth)
        for op in block.ops:
            self.op(op, depth)

    def _node(self, name: str, attributes: dict[str, str], depth: int) -> None:
        self.body.append("  " * depth + f"{name} [{_listed(attributes)}];")

    def edges(self) -> Iterator[str]:
        """An edge a use, and what boundaries carry."""
        for op, name in self.nodes.items():
            if not isinstance(op, Operation):
                continue
            for number, operand in enumerate(op.operands):
                source = self._source(operand)
                if source is not None:
                    yield f"  {source} -> {name} [{_listed(_use(op, number, operand))}];"
            for block in op.successors:
                for argument in block.args:
                    yield f"  {name} -> {self.nodes[argument]} [{_listed(CROSSING)}];"
            for region in op.regions:
                for block in region.blocks:
                    yield from self._crossings(op, block)

    def _crossings(self, op: Operation, block: Block) -> Iterator[str]:
        """Into the arguments of a region's first block, and from its ends to the op whose results they are."""
        region = block.parent
        if region is not None and block is region.blocks.first:
            for argument in block.args:
                yield f"  {self.nodes[op]} -> {self.nodes[argument]} [{_listed(CROSSING)}];"
        last = block.last_op
        if last is not None and last.operands and not last.successors and op.results:
            yield f"  {self.nodes[last]} -> {self.nodes[op]} [{_listed(CROSSING | {'constraint': 'false'})}];"

    def _source(self, value: SSAValue) -> str | None:
        owner = value.op if isinstance(value, OpResult) else value
        return self.nodes.get(owner) if isinstance(owner, Operation | BlockArgument) else None


def _use(op: Operation, number: int, operand: SSAValue) -> dict[str, str]:
    """How the edge of an operand looks."""
    attributes = {"tooltip": _short(attrs.display_name(operand))}
    over = [r for r, k in enumerate(attrs.inplace(op)) if k == number]
    if over:
        return attributes | INPLACE | {"label": " in place" if len(op.results) == 1 else f" in place, result {over[0]}"}
    if number in attrs.parts(op):
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
    return text if len(text) <= MAX_TEXT else f"{text[: MAX_TEXT - 1]}…"


def _listed(attributes: dict[str, str]) -> str:
    return ", ".join(f"{key}={_quoted(value)}" for key, value in attributes.items())


def _quoted(text: str) -> str:
    """A string of graphviz: what it would take for an escape, or for an entity of HTML, stands for itself."""
    plain = clean(text).replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;").replace("\n", "\\n")
    return f'"{plain}"'
