"""Arguments and results of a function on memrefs: what they hold, and where the caller finds them."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, TensorType, UnrankedMemRefType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, SSAValue

from lastuse.dialect.ir.unranked_tensors import is_unranked, is_unranked_type
from lastuse.passes.memref_checker.call_pairs import Returned, SizeFormula, Summary
from lastuse.passes.memref_checker.index_terms import Number
from lastuse.passes.memref_checker.memory_contents import NotModelled, Refused, Seen
from lastuse.passes.memref_checker.memref_steps import MemrefSteps
from lastuse.passes.memref_checker.op_meaning import is_shaped
from lastuse.passes.memref_checker.ssa_terms import SsaTerms

ARENA = "i8"


class FormBoundary:
    """Of one function.

    Args:
        kept: numbers of arguments that may not be written.
        same_scalar: raises `NotModelled` where a scalar of the form is not that of the program.

    Attributes:
        direct: the form returns its results; else the caller gives memory for them, behind the inputs.
    """

    def __init__(
        self,
        source: FuncOp,
        form: FuncOp,
        kept: set[int],
        terms: SsaTerms,
        steps: MemrefSteps,
        same_scalar: Callable[[SSAValue, SSAValue], None],
    ) -> None:
        self.source, self.form, self.kept = source, form, kept
        self.terms, self.steps, self.same_scalar = terms, steps, same_scalar
        self.contents, self.memory = terms.contents, steps.memory
        self._outs: list[Seen] = []
        self._parameters: dict[int, int] = {}
        self._returned: list[Returned] | None = None
        self._sizes: list[SizeFormula] | None = None
        outputs = source.function_type.outputs.data
        self.direct = len(form.function_type.outputs.data) == len(outputs)
        self._tensors = [t for t in outputs if isinstance(t, TensorType)]

    def begin(self) -> None:
        """Binds the arguments.

        Raises:
            Refused: the form takes or returns something else than its function.
        """
        given, have = self.source.body.blocks[0].args, self.form.body.blocks[0].args
        self._check_signature()
        scalars = self.steps.scalars
        for n, argument in enumerate(given):
            if isinstance(argument.type, TensorType):
                shape = self.terms.fresh_shape(argument.type, "argument", n)
                content = self.terms.of[argument] = self.contents.symbol(shape, "argument", n)
                seen = self.memory.piece(f"argument {n}", shape, content, writable=n not in self.kept)
                self.steps.seen[have[n]] = seen
            elif is_shaped(have[n]):
                self._memref(n, argument, have[n])
            else:
                self.terms.of[argument] = scalars.of[have[n]] = self.contents.term("argument", n)
        for n, out in enumerate(have[len(given) :]):
            type_ = out.type
            assert isinstance(type_, MemRefType)
            wanted = not self.direct and n < len(self._tensors)
            tensor = self._tensors[n] if wanted else TensorType(type_.element_type, type_.get_shape())
            shape = self.terms.fresh_shape(tensor, "memory", n)
            self.steps.seen[out] = seen = self.memory.piece("memory of the caller", shape)
            if wanted:
                self._outs.append(seen)
                self.steps.free |= {product[0] for size in shape for product, _ in size if product}
        self._parameters = {self.steps.seen[a].piece: n for n, a in enumerate(have) if a in self.steps.seen}

    def _memref(self, number: int, given: SSAValue, have: SSAValue) -> None:
        """Binds a memref that the program is given too, and that its body makes a tensor of, or leaves tensors in."""
        type_, body = given.type, self.source.body
        at_once = all(use.operation.parent is body.blocks[0] for use in given.uses) and len(body.blocks) == 1
        if not isinstance(type_, MemRefType | UnrankedMemRefType) or not at_once:
            raise NotModelled("a memref of the program is not known")
        sizes = type_.get_shape() if isinstance(type_, MemRefType) else [DYNAMIC_INDEX]
        shape = self.terms.fresh_shape(TensorType(type_.element_type, sizes), "argument", number)
        content = self.terms.memrefs[given] = self.contents.symbol(shape, "argument", number)
        self.steps.seen[have] = self.memory.piece(
            f"argument {number}", shape, content, writable=given.first_use is not None
        )

    def _same_memrefs(self) -> None:
        """Memrefs of the program hold in the form what it left there."""
        for given, have in zip(self.source.body.blocks[0].args, self.form.body.blocks[0].args, strict=False):
            held = self.terms.memrefs.get(given)
            if held is not None and not self.contents.holds(held, self.memory.read(self.steps.seen[have])):
                raise NotModelled(f"%{given.name_hint or '?'} does not hold what the program leaves there")

    def _check_signature(self) -> None:
        inputs, outputs = self.source.function_type.inputs.data, self.source.function_type.outputs.data
        have, returned = self.form.function_type.inputs.data, self.form.function_type.outputs.data
        behind = [] if self.direct else self._tensors
        returns = outputs if self.direct else [t for t in outputs if not isinstance(t, TensorType)]
        wanted = [*inputs, *behind]
        for n, type_ in enumerate(wanted):
            if n >= len(have) or not is_form_of(have[n], type_):
                raise Refused(f"argument {n} is not that of the function")
        if len(have) > len(wanted) + 1 or not all(map(_is_arena, have[len(wanted) :])):
            raise Refused("it takes more than its function")
        if len(returned) != len(returns) or not all(map(is_form_of, returned, returns)):
            raise Refused("it returns something else than its function")

    def returned(self, source: Operation, form: Operation) -> None:
        """Holds what the form returns, or leaves in the caller's memory, against what the program returns."""
        self._same_memrefs()
        memrefs = [self.steps.seen[v] for v in form.operands if is_shaped(v)]
        self.memory.check_owed(self.memory.owed, memrefs)
        outs, left = iter(self._outs), iter(form.operands)
        made: list[Returned] = []
        sizes: list[SizeFormula] = []
        for number, value in enumerate(source.operands):
            if not is_shaped(value):
                self.same_scalar(value, next(left))
                continue
            seen = self.steps.seen[next(left)] if self.direct else next(outs)
            shape = self.terms.shape(value)
            self.steps.same_sizes(seen.shape, shape)
            have = self.contents.reshape(self.memory.read(seen), shape)
            if not self.contents.holds(self.terms.of[value], have):
                raise NotModelled(f"result {number} is not %{value.name_hint or '?'}")
            bases = self.memory.bases(seen.piece)
            may_be = frozenset(self._parameters[p] for p in bases if p in self._parameters)
            whole = self._parameters.get(seen.piece) if not seen.through else None
            made.append(Returned(may_be, whole))
            sizes.append(tuple(self._formula(n) for n in shape))
        if self._returned is None or self._sizes is None:
            self._returned, self._sizes = made, sizes
            return
        self._returned = [a.joined(b) for a, b in zip(self._returned, made, strict=True)]
        self._sizes = [
            tuple(x if x == y else None for x, y in zip(a, b, strict=True))
            for a, b in zip(self._sizes, sizes, strict=True)
        ]

    def _formula(self, number: Number) -> tuple[tuple[tuple[tuple[int, int | None], ...], int], ...] | None:
        """A size by the arguments; None where they do not say it."""
        for n, argument in enumerate(self.source.body.blocks[0].args):
            if is_unranked(argument) and self.contents.same(number, self.terms.shape(argument)[0]):
                return ((((n, 0),), 1),)
        found: list[tuple[tuple[tuple[int, int | None], ...], int]] = []
        for product, factor in self.contents.norm(number):
            atoms: list[tuple[int, int | None]] = []
            for atom in product:
                match self.contents.terms[atom]:
                    case ("size", "argument", int(n), int(axis)):
                        atoms.append((n, axis))
                    case ("argument", int(n)):
                        atoms.append((n, None))
                    case _:
                        return None
            found.append((tuple(atoms), factor))
        return tuple(found)

    def summary(self) -> Summary:
        """What callers need to know."""
        writes = frozenset(self._parameters[p] for p in self.memory.written if p in self._parameters)
        return Summary(writes, tuple(self._returned or ()) if self.direct else (), tuple(self._sizes or ()))


def is_form_of(type_: Attribute, source: Attribute) -> bool:
    """A type of a form is that of a type of its program."""
    if not isinstance(source, TensorType):
        return type_ == source
    if is_unranked_type(source) or not isinstance(type_, MemRefType):
        return type_ == UnrankedMemRefType.from_type(source.element_type) and is_unranked_type(source)
    return type_.element_type == source.element_type and type_.get_shape() == source.get_shape()


def _is_arena(type_: Attribute) -> bool:
    return isinstance(type_, MemRefType) and str(type_.element_type) == ARENA and len(type_.get_shape()) == 1
