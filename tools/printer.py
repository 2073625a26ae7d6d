"""xDSL's printer, with types remembered, and with every attribute of every op in the text."""

from __future__ import annotations

from io import StringIO
from typing import IO, Any

from xdsl.context import Context
from xdsl.ir import Attribute, Operation, TypeAttribute
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove

from lastuse.tools.custom_form import CustomForms


def printed(op: Operation, ctx: Context, **options: Any) -> str:
    """The text of an op as `MemoPrinter` prints it with these options."""
    stream = StringIO()
    MemoPrinter(stream, ctx, **options).print_op(op)
    return stream.getvalue()


class MemoPrinter(Printer):
    """Prints what `Printer` prints, a third faster: a program of thousands of operations has few different types.

    An op whose custom form would lose an attribute with a dialect's prefix, such as `dnn.offset`, has its generic form.

    Args:
        ctx: knows the dialects of the ops that are printed.
        forms: what is known of custom forms already.
        options: of `Printer`.
    """

    def __init__(self, stream: IO[str], ctx: Context, forms: CustomForms | None = None, **options: Any) -> None:
        super().__init__(stream, **options)
        self._forms = forms or CustomForms(ctx, lambda inner: MemoPrinter(inner, ctx, forms=self._forms))
        self._texts: dict[int, tuple[Attribute, str]] = {}
        """Text by the type's identity; the type is kept, because its identity is its own only while it lives."""

    def print_attribute(self, attribute: Attribute) -> None:
        if not isinstance(attribute, TypeAttribute):
            super().print_attribute(attribute)
            return
        known = self._texts.get(id(attribute))
        if known is None:
            stream = StringIO()
            Printer(stream=stream, print_generic_format=self.print_generic_format).print_attribute(attribute)
            known = self._texts[id(attribute)] = attribute, stream.getvalue()
        self.print_string(known[1])

    def print_op(self, op: Operation) -> None:
        if self.print_generic_format or self._forms.keeps_attributes(op):
            super().print_op(op)
            return
        is_isolated = bool(op.get_traits_of_type(IsolatedFromAbove))
        self._print_results(op)
        if is_isolated:
            self.enter_scope()
        self.print_string(f'"{op.name}"')
        self.print_op_with_default_format(op)
        if is_isolated:
            self.exit_scope()
