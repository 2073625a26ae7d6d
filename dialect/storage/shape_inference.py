"""Sizes of every tensor of a function: unknown ones as symbols that flow through the ops' shape functions.

They flow over boundaries too: what a loop carries, a branch passes to a block or a call returns has the size of what
goes there, if all that goes there agree. That is assumed at first, and where it turns out wrong (a loop that carries a
tensor which grows) the size is a symbol of its own and everything is inferred again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from typing import NamedTuple

from xdsl.dialects.builtin import TensorType, UnrankedTensorType
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue

from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.flow_graphs import (
    functions_of_module,
    is_control,
    listed_block,
    operands_of,
    reverse_postorder,
    type_of,
)
from lastuse.dialect.ir.interfaces import InfersShapes
from lastuse.dialect.ir.region_branches import forwarded_operands, known_region
from lastuse.dialect.ir.region_contents import contents_of
from lastuse.dialect.ir.remembered import is_class, remembered
from lastuse.dialect.ir.tensor_types import Content, Dim, Poly, Symbol, TensorInfo, product, static_shape, symbol, typed
from lastuse.dialect.ir.unranked_tensors import is_unranked
from lastuse.dialect.storage.argument_names import symbol_names
from lastuse.dialect.storage.contract import contract_of
from lastuse.dialect.storage.element_counts import ElementCounts
from lastuse.dialect.storage.index_arithmetic import constant_of

Sizes = Mapping[SSAValue, TensorInfo]
SIZE_OF_AXIS = "tensor.dim"
"""The op of which a result is a size of its first operand. By name: few programs import its dialect."""
Returned = tuple[tuple[Dim | None, ...] | None, ...]
"""For each result of a call its shape, with None for an unknown size; None for a result that is no tensor."""


class StatedType(NamedTuple):
    """What a type says of a value.

    Attributes:
        type_: it stays with what it says, which is known by its identity.
        info: None for sizes that it leaves open; None of what is no tensor.
        is_open: it is a tensor's, and leaves some size open.
    """

    type_: Attribute
    info: TensorInfo | None
    is_open: bool


@remembered
def infer_shapes(func: FuncOp) -> Sizes:
    """Every tensor value of `func` with its shape, every size known: a number or a polynomial over symbols.

    An unknown size of an argument is the symbol of its name (`words`; `x.0`, `x.1` where there are several); one that
    no shape function tells is a symbol of its own. Values of other types carry no bytes and are left out.

    Raises:
        LastuseError: at the first op with an unknown size that the sizes of its operands do not fit. Where all sizes
            are known, that is the verifier's to say.
    """
    return _settled(func, None, InferredCalls(func)).sizes


class Inference(NamedTuple):
    """What is known of the values of a function while compiling.

    Attributes:
        sizes: shapes and contents of the tensors, but of those in a region that never runs.
        regions: by branch whose condition is known, the number of the region that runs.
    """

    sizes: Sizes
    regions: Mapping[Operation, int]


def infer_reachable(func: FuncOp) -> Inference:
    """As `infer_shapes`, without the regions that never run as the condition of their branch is known. The ops in such
    a region may not even fit the sizes.

    Raises:
        LastuseError: at the first op that the sizes of its operands do not fit.
    """
    settled = _settled(func, None, InferredCalls(func), reachable=True)
    return Inference(settled.sizes, settled.regions)


def infer_with_sizes(func: FuncOp, bound: Mapping[str, int]) -> Inference:
    """As `infer_reachable`, of a function whose unknown sizes are these, by the names that `symbol_names` gives them.

    Raises:
        LastuseError: at the first op that the sizes of its operands do not fit.
    """

    settled = _settled(
        func, [bound_argument(argument, bound) for argument in func.args], InferredCalls(func), reachable=True
    )
    return Inference(settled.sizes, settled.regions)


def bound_argument(argument: BlockArgument, bound: Mapping[str, int]) -> TensorInfo | None:
    """What an argument is whose unknown sizes are these; None where it is no tensor."""
    if not isinstance(argument.type, TensorType):
        return None
    static = static_shape(argument.type)
    names = symbol_names(argument.block) if None in static else {}
    shape = [bound.get(names[argument.index, a]) if d is None else d for a, d in enumerate(static)]
    return typed(argument.type, shape) if None not in shape else unbound_argument(argument)


class InferredCalls:
    """What calls return, each callee looked at once for the sizes it gets.

    `keys` tells new symbols apart, in all functions: what one passes to another keeps its meaning there.
    """

    def __init__(self, func: FuncOp) -> None:
        self._functions = functions_of_module(func)
        self._known: dict[tuple[str, tuple[TensorInfo | None, ...]], Returned] = {}
        self.keys = count(1)

    def returned(self, call: CallOp, infos: tuple[TensorInfo | None, ...]) -> Returned:
        """The results of a call with operands of these sizes; nothing is known where the callee is not at hand, or is
        being looked at already."""
        key = call.callee.string_value(), infos
        if key not in self._known:
            self._known[key] = ()
            func = self._functions.get(key[0])
            if func is not None and len(func.body.blocks[0].args) == len(infos):
                self._known[key] = self._of(func, infos)
        return self._known[key]

    def _of(self, func: FuncOp, infos: tuple[TensorInfo | None, ...]) -> Returned:
        sizes = _settled(func, infos, self).sizes
        returns = [b.last_op for b in reverse_postorder(func.body) if isinstance(b.last_op, ReturnOp)]
        # A symbol of the callee means nothing in its caller.
        dims = (d for type_ in infos if type_ is not None for d in type_.known)
        ours = {s for d in dims if isinstance(d, Poly) for s in d.symbols}
        shapes: list[tuple[Dim | None, ...] | None] = []
        for values in zip(*(operands_of(op) for op in returns), strict=False):
            candidates = [sizes[v].known for v in values if v in sizes]
            axes = list(zip(*candidates, strict=False))
            shapes.append(tuple(_own(_common(dims), ours) for dims in axes) if candidates else None)
        return tuple(shapes)


def _common(dims: Sequence[Dim | None]) -> Dim | None:
    return dims[0] if all(d == dims[0] for d in dims) else None


def _own(dim: Dim | None, ours: set[Symbol]) -> Dim | None:
    return dim if not isinstance(dim, Poly) or ours.issuperset(dim.symbols) else None


def _settled(
    func: FuncOp, infos: Sequence[TensorInfo | None] | None, calls: InferredCalls, reachable: bool = False
) -> InferenceRound:
    """Inferred until no boundary disagrees with what was assumed."""
    varying: set[tuple[SSAValue, int]] = set()
    while True:
        attempt = InferenceRound(varying, calls, reachable)
        attempt.function(func, infos)
        if not attempt.wrong:
            return attempt
        varying |= attempt.wrong


class InferenceRound:
    """One walk over a function.

    Attributes:
        sizes: of every value met.
        numbers: the symbols of index values that are sizes.
        wrong: (value, axis) assumed to be what came first, and something else came later.
        regions: the region that runs, of branches whose condition is known; these and contents are followed only where
            `reachable`.
    """

    def __init__(
        self,
        varying: set[tuple[SSAValue, int]],
        calls: InferredCalls,
        reachable: bool,
        stated_types: dict[int, StatedType] | None = None,
    ) -> None:
        """`stated_types`: by the identity of a type, what it says; kept for other walks."""
        self.varying, self.calls, self.reachable = varying, calls, reachable
        self.sizes: dict[SSAValue, TensorInfo] = {}
        self.numbers: dict[SSAValue, Dim] = {}
        self.regions: dict[Operation, int] = {}
        self.wrong: set[tuple[SSAValue, int]] = set()
        self._counts = ElementCounts()
        self._stated_types = stated_types if stated_types is not None else {}

    def function(self, func: FuncOp, infos: Sequence[TensorInfo | None] | None) -> None:
        """All blocks, those that can be reached first; `infos` are the sizes of the arguments."""
        entry = func.body.blocks.first
        for argument in entry.args if entry is not None else ():
            type_ = None if infos is None else infos[argument.index]
            if isinstance(argument.type, TensorType):
                self.sizes[argument] = type_ if type_ is not None else unbound_argument(argument)
        order = reverse_postorder(func.body)
        known = set(order)
        for block in (*order, *(b for b in func.body.blocks if b not in known)):
            self._block(block)

    def _block(self, block: Block) -> None:
        at = block.parent_op()
        try:
            for argument in block.args:
                self._fresh(argument)
            for at in listed_block(block):
                self.op(at)
        except LastuseError as error:
            raise error if error.location is not None else LastuseError(error.message, at) from None

    def _fresh(self, value: SSAValue, shape: Sequence[Dim | None] | None = None) -> None:
        """Gives a value sizes unless it has some: its type's, else those of `shape`, else new symbols."""
        stated = self._stated(type_of(value))
        if stated.info is None:
            return
        if not stated.is_open:
            self.sizes.setdefault(value, stated.info)
            return
        if value in self.sizes:
            return
        static = stated.info.shape
        filled: list[Dim | None] = []
        for axis, size in enumerate(static):
            told = shape[axis] if shape is not None and len(shape) == len(static) else None
            if size is None and told is None:
                told = symbol(f"{value.name_hint or '_'}.{axis}", next(self.calls.keys))
            filled.append(size if size is not None else told)
        self.sizes[value] = stated.info._replace(shape=tuple(filled))

    def op(self, op: Operation) -> None:
        """One op, whose operands have been met."""
        operands, results = operands_of(op), op.results
        has_open_operand = has_open_result = False
        for value in operands:
            stated = self._stated(type_of(value))
            has_open_operand |= stated.is_open
            if stated.info is not None and value not in self.sizes:
                self._fresh(value)  # in a block that is never reached, or in text that is not yet verified
        for result in results:
            has_open_result |= self._stated(type_of(result)).is_open
        shapes: Returned = ()
        infos: tuple[TensorInfo, ...] = ()
        # Where types say all, the verifier has compared them with what the op infers.
        says_more = self.reachable or has_open_operand or has_open_result
        if says_more and is_class(type(op), InfersShapes) and isinstance(op, InfersShapes):
            try:
                infos = self._infos(op, [self.sizes[v] for v in operands])
                shapes = tuple(t.shape for t in infos)
            except ValueError as error:
                raise LastuseError(f"{op.name}: {error}", op) from None
        elif has_open_result:
            if isinstance(op, CallOp):
                shapes = self.calls.returned(op, tuple(self.sizes.get(v) for v in operands))
            else:
                shapes = self._declared(op)
        self._cross(op)
        taken = known_region(op, self._content) if self.reachable and op.regions else None
        if taken is not None:
            self.regions[op] = taken
        # What a kernel computes an element of, in its region, is no tensor.
        is_entered = bool(op.regions) and (self.reachable or contents_of(op).has_tensors)
        for index, region in enumerate(op.regions if is_entered else ()):
            if taken is None or index == taken:
                for inner in region.blocks:
                    self._block(inner)
        for index, result in enumerate(results):
            self._fresh(result, shapes[index] if index < len(shapes) else None)
        if has_open_operand and has_open_result and is_unranked(operands[0]):
            self._counts.note(op, self.sizes)
        for result, info in zip(results, infos, strict=False):
            if self.reachable and info.content is not None:
                self.sizes[result] = self.sizes[result]._replace(content=info.content)

    def _infos(self, op: InfersShapes, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        if not self.reachable:
            return op.infer(operands)
        return op.infer_with_contents(operands) if operands else _infos_of_source(op)

    def _content(self, value: SSAValue) -> Content | None:
        return self.sizes[value].content if value in self.sizes else None

    def _known(self, value: SSAValue) -> tuple[Dim | None, ...] | None:
        return self.sizes[value].shape if value in self.sizes else None

    def _declared(self, op: Operation) -> Returned:
        """The shapes of the results of an op as far as its contract says them."""
        contract = contract_of(op)
        same = dict(contract.same_shape)
        given: dict[int, dict[int, Dim]] = {}
        for result, axis, operand in contract.sized_by:
            given.setdefault(result, {})[axis] = self._number(operands_of(op)[operand])
        return tuple(
            self._from_operands(op, r.index, same, contract.forwards)
            or self._from_numbers(r, given.get(r.index))
            or self._joined(op, contract.joined_axes)
            or self._counts.counted(op, self.sizes)
            for r in op.results
        )

    def _joined(self, op: Operation, groups: Sequence[Sequence[int]]) -> tuple[Dim | None, ...] | None:
        """The shape of operand 0 with groups of axes as one each."""
        shape = self._known(operands_of(op)[0]) if groups else None
        if shape is None or None in shape:
            return None
        return tuple(product(shape[axis] or 0 for axis in group) for group in groups)

    def _from_operands(
        self, op: Operation, result: int, same: Mapping[int, int], forwards: Sequence[tuple[int, int]]
    ) -> tuple[Dim | None, ...] | None:
        """The shape of the operand that has the result's; of operands of which the result is one, what all have."""
        if result in same:
            return self._known(operands_of(op)[same[result]])
        shapes = [self._known(operands_of(op)[k]) for r, k in forwards if r == result]
        return tuple(_common(axis) for axis in zip(*(s for s in shapes if s is not None), strict=True)) or None

    def _from_numbers(self, result: SSAValue, given: Mapping[int, Dim] | None) -> tuple[Dim | None, ...] | None:
        return None if given is None else tuple(given.get(axis) for axis in range(len(static_shape(result.type))))

    def _number(self, value: SSAValue) -> Dim:
        """An index value as a size: a constant, the size of a tensor, else a symbol of its own. The symbol is the value
        at each time: where the value is computed anew, so is all that has the size."""
        known = constant_of(value)
        if isinstance(known, int):
            return known if known >= 0 else self._symbol(value)
        owner = value.owner
        if isinstance(owner, Operation) and owner.name == SIZE_OF_AXIS:
            shape, axis = self._known(operands_of(owner)[0]), constant_of(operands_of(owner)[1])
            dim = shape[axis] if shape is not None and isinstance(axis, int) and 0 <= axis < len(shape) else None
            return dim if dim is not None else self._symbol(value)
        return self._symbol(value)

    def _symbol(self, value: SSAValue) -> Dim:
        if value not in self.numbers:
            self.numbers[value] = symbol(value.name_hint or "_", next(self.calls.keys))
        return self.numbers[value]

    def _stated(self, type_: Attribute) -> StatedType:
        """What the type of a value says."""
        known = self._stated_types.get(id(type_))
        if known is None:
            if isinstance(type_, UnrankedTensorType):
                raise LastuseError("no place is known of tensors of unknown rank; --bufferize-pass alone takes them")
            info = typed(type_) if isinstance(type_, TensorType) else None
            known = StatedType(type_, info, info is not None and None in info.shape)
            self._stated_types[id(type_)] = known
        return known

    # Boundaries

    def _cross(self, op: Operation) -> None:
        """What `op` passes on: a region op on entry, a terminator of a region, a branch."""
        if op.next_op is not None and not (op.regions and is_control(type(op))):
            return
        around = op.parent_op() if op.next_op is None else None
        for holder in (op, around):
            if holder is None or isinstance(holder, FuncOp) or not (holder.regions or holder.successors):
                continue
            for mover, sources, targets in forwarded_operands(holder):
                for source, target in zip(sources, targets, strict=False) if mover is op else ():
                    self._pass_on(source, target)

    def _pass_on(self, source: SSAValue, target: SSAValue) -> None:
        if source not in self.sizes or not self._stated(target.type).is_open:
            return
        shape = self.sizes[source].shape
        varies = [(target, axis) in self.varying for axis in range(len(shape))]
        self._fresh(target, [None if v else d for v, d in zip(varies, shape, strict=True)])
        for axis, (ours, theirs) in enumerate(zip(self.sizes[target].shape, shape, strict=False)):
            if ours != theirs and not varies[axis]:
                self.wrong.add((target, axis))


@remembered
def _infos_of_source(op: InfersShapes) -> tuple[TensorInfo, ...]:
    """What an op without operands makes."""
    return op.infer_with_contents(())


def unbound_argument(argument: BlockArgument) -> TensorInfo:
    """What an argument is whose unknown sizes are symbols."""
    static = static_shape(argument.type)
    names = symbol_names(argument.block) if None in static else {}
    return typed(argument.type, [symbol(names[argument.index, a]) if d is None else d for a, d in enumerate(static)])
