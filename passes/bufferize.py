"""`--bufferize-pass`: from tensors to memrefs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr, TensorType, UnitAttr
from xdsl.dialects.func import FuncOp
from xdsl.dialects.memref import GlobalOp
from xdsl.ir import Attribute
from xdsl.passes import ModulePass

from lastuse.dialect.ir.diagnostics import LastuseError, RemarkKind, inherit, remark, wants_remarks
from lastuse.dialect.ir.flow_graphs import callee_of, calls_in, functions_of, topological_order
from lastuse.dialect.ir.kept_source import keep_source
from lastuse.dialect.storage import attrs
from lastuse.passes.bufferization.function_form import FunctionBufferization
from lastuse.passes.bufferization.memref_calls import declared_signature
from lastuse.passes.bufferization.sequential_regions import run_in_order
from lastuse.passes.bufferization.signatures import Boundary, MemrefSignature
from lastuse.passes.inplace import InplacePass
from lastuse.passes.lowering.copy_analysis import Expected
from lastuse.passes.lowering.copy_remarks import explained, say_copies
from lastuse.passes.memory.allocation_problem import allocation_problem
from lastuse.passes.memory.per_unit import problem_per_unit
from lastuse.passes.memory_plan import put_plan
from lastuse.passes.memref_checker import check
from lastuse.passes.verify_storage import VerifyStoragePass

OPTIONS = {
    "arena": ("alloc", "argument", "none"),
    "results": ("return", "out"),
    "layouts": ("strided", "identity"),
    "arguments": ("declared", "writable"),
    "unproved": ("remark", "error"),
    "source": ("drop", "keep"),
}
WRITABLE = "bufferization.writable"


@dataclass(frozen=True)
class BufferizePass(ModulePass):
    """Turn functions on tensors into functions on memrefs.

    Requires: ops with a memref form: `linalg`, `tensor`, `arith`, `math`, `scf`, `cf`, `func`; any op on scalars. A
        function without decisions is decided first, as `--inplace-pass=forward=true` and `--memory-plan-pass` decide.
        Decisions that `--verify-storage-pass` refuses are an error. No function is recursive. An `scf.execute_region`
        with several blocks stands in a block of a function.
    Guarantees: the same results, bit for bit but for which of two NaNs is kept; a checker compares each form with its
        function. A result in place reads and writes one memref; a view is a view of its operand's memref. Every copy is
        a `memref.copy` and has a remark with its reason. Loops, branches, blocks and `arith.select` carry the memrefs
        of forwarded values. Constants are `memref.global`. No memory of the caller is written unless it may be. An
        `scf.execute_region` is the ops in it, an `scf.forall` a nest of `scf.for` whose threads run one after the
        other; the checker compares with these.
    Leaves alone: functions without tensors.
    Example: `linalg.add` whose result lies over its operand `%y` reads and writes one memref.

    Options:
        arena: `alloc` (default): one allocation a function, and views of it at planned offsets; `argument`: the caller
            passes that memory as the last argument; `none`: an allocation for each storage, freed after its last use.
        results: `return` (default): memrefs are returned, which the caller frees unless they are memory of an
            argument; `out`: the caller passes memory for each result, behind the inputs.
        layouts: of arguments: `strided` (default): any strides and offset, but row-major where the function views
            several axes as one; `identity`: row-major.
        arguments: `declared` (default): an argument is written only if it has `dnn.donated`; `writable`: unless it has
            `bufferization.writable = false`.
        unproved: what becomes of a form that the checker does not prove to compute what its function does: `remark`
            (default) or `error`. A form that uses memory wrongly is always an error.
        source: `keep`: the functions on tensors stand beside the form, in `builtin.module @lastuse.source`, so that
            `--verify-lowering-pass` can prove the form again, after other passes or from text; `drop` (default).
    """

    name: ClassVar[str] = "bufferize-pass"

    arena: str = "alloc"
    results: str = "return"
    layouts: str = "strided"
    arguments: str = "declared"
    unproved: str = "remark"
    source: str = "drop"

    def __post_init__(self) -> None:
        for option, allowed in OPTIONS.items():
            value = getattr(self, option)
            if value not in allowed:
                raise LastuseError(f"{option} is {', '.join(allowed)}, not '{value}'")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        run_in_order(op)
        functions = functions_of(op)
        order = topological_order(functions)
        decided = any(attrs.has_decisions(inner) for func in order for inner in func.walk())
        if not decided:
            self._decide(ctx, op, order)
        VerifyStoragePass(repair=not decided).apply(ctx, op)
        boundary = Boundary(self.arena, self.results, self.layouts == "strided")
        called = {callee_of(call) for func in order for call in calls_in(func)}
        signatures: dict[str, MemrefSignature] = {}
        declared = [f for f in op.ops if isinstance(f, FuncOp) and not f.body.blocks]
        for func in declared:
            signatures[func.sym_name.data] = declared_signature(func, boundary)
        globals_: dict[tuple[Attribute, Attribute], GlobalOp] = {}
        made: dict[FuncOp, FunctionBufferization] = {}
        for func in reversed(order):
            name = func.sym_name.data
            made[func] = FunctionBufferization(func, boundary, name in called, signatures, globals_, functions)
            signatures[name] = made[func].signature(signatures)
        for func, bufferization in made.items():
            new = bufferization.run()
            if wants_remarks(ctx):
                copies = [Expected(copy, copy.nbytes or None) for copy in bufferization.copies]
                say_copies(ctx, func, copies, explained(func))
            _replace(func, new)
        for func in declared:
            signature = signatures[func.sym_name.data]
            new = FuncOp(
                func.sym_name.data,
                (list(signature.inputs), list(signature.outputs)),
                func.body.clone(),
                func.sym_visibility,
            )
            _replace(func, new)
        first = op.body.block.first_op
        for constant in globals_.values():
            if first is not None:
                op.body.block.insert_op_before(constant, first)
        self._prove(ctx, [*reversed(order)], declared, op)
        if self.source == "keep":
            for func in order:
                attrs.forget_all(func)
            keep_source(op, [*functions.values(), *declared])

    def _prove(self, ctx: Context, sources: list[FuncOp], declared: list[FuncOp], module: ModuleOp) -> None:
        for func, at, reason in check(sources, module, declared):
            said = f"the memref form of @{func.sym_name.data} is not proved: {reason}"
            if self.unproved == "error":
                raise LastuseError(said, at)
            remark(ctx, RemarkKind.REFUSAL, at, said)

    def _decide(self, ctx: Context, module: ModuleOp, order: list[FuncOp]) -> None:
        for func in order:
            for argument in func.body.blocks[0].args:
                given = attrs.argument_attributes(argument).get(WRITABLE)
                writable = not (isinstance(given, IntegerAttr) and given.value.data == 0)
                if self.arguments == "writable" and isinstance(argument.type, TensorType) and writable:
                    attrs.set_argument_attribute(func, argument.index, attrs.DONATED, UnitAttr())
        InplacePass(forward=True).apply(ctx, module)
        for func in order if self.arena != "none" else ():
            problem, unit = allocation_problem(func), None
            if problem is None and (scaled := problem_per_unit(func)) is not None:
                unit, problem = scaled
            if problem is not None:
                put_plan(func, problem, problem.placed())
            if unit is not None:
                func.attributes[attrs.UNIT] = StringAttr(unit)


def _replace(old: FuncOp, new: FuncOp) -> None:
    inherit(new, old)
    block = old.parent
    assert block is not None
    block.insert_op_before(new, old)
    old.detach()
