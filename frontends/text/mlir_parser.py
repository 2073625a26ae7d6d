"""
Textual IR to a module: xDSL's parser, guarded against hostile text, with locations, and three times as fast.

* Every operation's place in the text goes into `lastuse.dialect.ir.diagnostics.locations`.
* Whatever is wrong with the text is a `LastuseError` with a place in it: nesting too deep for a recursive parser, a
  constant that claims more elements than memory holds, bytes that are not text, a name used and never defined.
* Types, function types and attribute dictionaries are remembered by their text, because a program of thousands of
  operations has only a few different ones.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from xdsl.context import Context
from xdsl.dialect_interfaces.op_asm import OpAsmDialectInterface
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloat,
    ComplexType,
    DenseIntOrFPElementsAttr,
    FunctionType,
    IndexType,
    IntegerType,
    ModuleOp,
    RankedStructure,
    ShapedType,
    TensorType,
    UnregisteredOp,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, AttributeInvT, Operation, Region, SSAValue, TypeAttribute
from xdsl.irdl import base
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.utils.exceptions import DiagnosticException, MultipleSpansParseError, ParseError
from xdsl.utils.lexer import Input, Span
from xdsl.utils.mlir_lexer import MLIRTokenKind, StringLiteral

from lastuse.dialect.ir import resources
from lastuse.dialect.ir.diagnostics import LastuseError, Location, locations
from lastuse.dialect.ir.tensor_types import dtype_name, numpy_dtype
from lastuse.dialect.storage.attrs import dictionaries_of
from lastuse.frontends.text.mlir_lexer import SourceLexer
from lastuse.frontends.text.stated_forms import state_forms

MAX_TEXT_BYTES = 256 << 20
"""Longest text read. A longer one is a weight file: weights stay beside the IR."""
MAX_NESTING = 64
"""Deepest nesting of regions, and of attributes or types in one another: a recursive parser needs a bound."""
MAX_DENSE_ELEMENTS = 1 << 22
"""Most elements of a `dense<…>` constant; a splat states any number in a few characters."""
MAX_INTEGER_WIDTH = (1 << 24) - 1
"""Widest integer type in bits, as in MLIR."""

T = TypeVar("T")

_SHAPED = r'(?:tensor|memref|vector)<[^<>"]*(?:<[^<>"]*>[^<>"]*)*>'
_TYPE_LIST = r'\([^()"{}\n]*\)'
_SHAPED_TYPE = re.compile(_SHAPED)
_FUNCTION_TYPE = re.compile(rf"{_TYPE_LIST} *-> *(?:{_TYPE_LIST}|{_SHAPED})")
_DICTIONARY = re.compile(r'\{[^{}"\n]*(?:"[^"\\\n]*"[^{}"\n]*)*\}')
_INTEGER_TYPE = re.compile(r"[su]?i([0-9]+)$")
_RESULTS = re.compile(r'%[^="\n]*=\s*')
_DENSE_TYPE = base(RankedStructure[IntegerType | IndexType | AnyFloat | ComplexType])
"""What a `dense<…>` constant may be of."""
_UNDEFINED = "values used but not defined"


def read_text(path: str | Path) -> str:
    """
    The text of a file.

    Raises:
        LastuseError: the file cannot be read, is not UTF-8 text, or is longer than `MAX_TEXT_BYTES`.
    """
    name = str(path)
    try:
        with open(path, "rb") as file:
            data = file.read(MAX_TEXT_BYTES + 1)
    except OSError as error:
        raise LastuseError(error.strerror or str(error), Location(name)) from error
    return decode(data, name)


def decode(data: bytes, name: str) -> str:
    """Bytes as text; `name` is where they come from. Raises LastuseError as `read_text` does."""
    if len(data) > MAX_TEXT_BYTES:
        raise LastuseError(f"longer than {MAX_TEXT_BYTES >> 20} MiB; weights stay beside the IR", Location(name))
    bad, why = data.find(b"\0"), "a NUL byte"
    text = ""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        if bad < 0 or error.start < bad:
            bad, why = error.start, f"byte 0x{data[error.start]:02x} is not UTF-8"
    if bad >= 0:
        start = data.rfind(b"\n", 0, bad) + 1
        col = len(data[start:bad].decode("utf-8", "replace")) + 1
        raise LastuseError(f"not a text file: {why}", Location(name, data.count(b"\n", 0, bad) + 1, col))
    return text


def read(ctx: Context, path: str | Path) -> ModuleOp:
    """
    The module in a file of textual IR, not yet verified (see `lastuse.dialect.storage.verifier`).

    Raises:
        LastuseError: the file, its text or the file of its weights is wrong.
    """
    return parse(ctx, read_text(path), str(path), folder=Path(path).parent)


def read_bytes(ctx: Context, data: bytes, name: str) -> ModuleOp:
    """The module in the bytes of a file of textual IR, whose arrays are in the text, not yet verified.

    Raises:
        LastuseError: the text is wrong.
    """
    return parse(ctx, decode(data, name), name)


def parse(
    ctx: Context, text: str, name: str, *, first_line: int = 1, implicit_module: bool = True, folder: Path | None = None
) -> ModuleOp:
    """
    The module that `text` describes, not yet verified.

    Args:
        ctx: knows the dialects.
        name: what locations call the text.
        first_line: number of the text's first line, when it is a piece of a longer one.
        implicit_module: a text that is not one `builtin.module` is put into one.
        folder: where the file of weights is that the module names; None: such files are not read.

    Raises:
        LastuseError: the text is wrong.
    """
    parser = SourceParser(ctx, text, name, first_line)
    with _located_errors(parser):
        module = parser.parse_module(implicit_module)
        parser.keep_blobs(module)
        state_forms(module, text)
    if folder is not None:
        resources.load(module, folder)
    return module


def parse_attributes(ctx: Context, text: str, name: str) -> list[Attribute]:
    """
    Attributes and types, one behind the other with commas between them.

    Raises:
        LastuseError: the text is wrong.
    """
    parser = SourceParser(ctx, text, name)
    with _located_errors(parser):
        return parser.parse_attributes()


@contextmanager
def _located_errors(parser: SourceParser) -> Generator[None]:
    """Whatever is wrong with the text is an error with a place in it."""
    try:
        yield
    except ParseError as error:
        raise parser.located(error) from error
    except LastuseError:
        raise
    except DiagnosticException as error:
        raise LastuseError(str(error), parser.here()) from error
    except RecursionError as error:
        raise LastuseError("nested too deeply", parser.here()) from error
    except Exception as error:
        # Some malformed text makes xDSL's parser fail with a KeyError, an AssertionError and the like.
        reason = " ".join(str(error).split()) or type(error).__name__
        raise LastuseError(f"cannot be parsed: {reason}", parser.here()) from error


class SourceParser(Parser):
    """xDSL's parser with locations, limits and memory; see the module's docstring."""

    def __init__(self, ctx: Context, text: str, name: str, first_line: int = 1) -> None:
        super().__init__(ctx, "", name)
        self._parser_state.lexer = SourceLexer(Input(text, name))
        self._file = name
        self._first_line = first_line
        self._line_starts = [0] + [match.end() for match in re.finditer("\n", text)]
        self._memory: dict[str, Any] = {}
        self._depth = 0
        self._name_at = 0
        self._forward_uses: list[Span] = []
        self._blobs: dict[str, bytes] = {}
        self._dictionaries: list[dict[str, Attribute]] = []

    def parse_module(self, allow_implicit_module: bool = True) -> ModuleOp:
        self._resume_from(0)
        is_empty = allow_implicit_module and self._current_token.kind is MLIRTokenKind.EOF
        return ModuleOp([]) if is_empty else super().parse_module(allow_implicit_module)

    def parse_attributes(self) -> list[Attribute]:
        """The whole text as attributes with commas between them."""
        self._resume_from(0)
        attributes: list[Attribute] = []
        while self._current_token.kind is not MLIRTokenKind.EOF:
            if attributes:
                self.parse_punctuation(",")
            attributes.append(self.parse_attribute())
        return attributes

    # Locations

    def location_at(self, position: int) -> Location:
        """The location of a character of the text, counted from 0."""
        line = bisect_right(self._line_starts, position) - 1
        return Location(self._file, line + self._first_line, position - self._line_starts[line] + 1)

    def here(self) -> Location:
        """The location of the next token."""
        return self.location_at(self.pos)

    def located(self, error: ParseError) -> LastuseError:
        """xDSL's error as ours."""
        position, message = error.span.start, error.msg
        if message.startswith(_UNDEFINED):
            # xDSL says so at the end of the text; the first use is what the user looks for.
            for use in self._forward_uses:
                if use.text[1:] in self.forward_ssa_references:
                    return LastuseError(f"{use.text} is used but never defined", self.location_at(use.start))
        notes: list[tuple[Location, str]] = []
        if isinstance(error, MultipleSpansParseError):
            notes = [(self.location_at(span.start), text or error.ref_text or "here") for span, text in error.refs]
        return LastuseError(message, self.location_at(position), notes)

    def parse_operation(self) -> Operation:
        start = self.pos
        named = _RESULTS.match(self.lexer.input.content, start)
        name_at = self._name_at = start if named is None else named.end()
        known = len(self._dictionaries)
        op = super().parse_operation()
        locations[op] = self.location_at(name_at)
        if isinstance(op, FuncOp) and not op.body.blocks and self.lexer.input.at(name_at) != '"':
            # xDSL reads what a function without a body says of its arguments, and forgets it.
            op.arg_attrs = dictionaries_of(self._dictionaries[known : known + len(op.function_type.inputs.data)])
        del self._dictionaries[known:]
        return op

    def _get_op_by_name(self, name: str) -> type[Operation]:
        op = self.ctx.get_optional_op(name, dialect_stack=self._parser_state.dialect_stack)
        if op is None:
            self.raise_error(f"there is no operation '{name}'", self._name_at)
        if issubclass(op, UnregisteredOp) and self.lexer.input.at(self._name_at) != '"':
            self.raise_error(
                f"there is no operation '{name}'; one of a foreign dialect is written \"{name}\"(…)", self._name_at
            )
        return op

    def resolve_operand(self, operand: UnresolvedOperand, type: AttributeInvT) -> SSAValue[AttributeInvT]:
        if operand.operand_name not in self.ssa_values:
            self._forward_uses.append(operand.span)
        return super().resolve_operand(operand, type)

    def parse_optional_str_literal(self) -> str | None:
        """A string; also one with escaped bytes, as xDSL writes what is not ASCII, if they are text in UTF-8."""
        token = self._current_token
        if token.kind is MLIRTokenKind.BYTES_LIT:
            try:
                text = StringLiteral.from_span(token.span).bytes_contents.decode("utf-8")
            except UnicodeDecodeError:
                return None
            self._consume_token()
            return text
        return super().parse_optional_str_literal()

    # Limits

    def _parse_nested(self, parse: Callable[..., T], *arguments: object) -> T:
        """What `parse` makes of the text, one level deeper."""
        self._depth += 1
        if self._depth > MAX_NESTING:
            self.raise_error(f"nested more than {MAX_NESTING} levels deep")
        result = parse(*arguments)
        self._depth -= 1
        return result

    def parse_optional_region(self, arguments: Iterable[Parser.Argument] | None = None) -> Region | None:
        return self._parse_nested(super().parse_optional_region, arguments)

    def parse_optional_attribute(self) -> Attribute | None:
        return self._parse_nested(super().parse_optional_attribute)

    def _parse_tensor_literal(self) -> Any:
        return self._parse_nested(super()._parse_tensor_literal)

    def _parse_dense_literal_type(self) -> Any:
        position = self.pos
        # xDSL builds this constraint anew for each constant, which takes longer than all the rest of the constant.
        type = self.expect(self.parse_optional_type, "a dense constant needs a type")
        if not _DENSE_TYPE.verifies(type):
            self.raise_error("expected a tensor, memref or vector of integers, indices, floats or complex numbers")
        assert isinstance(type, ShapedType)
        if DYNAMIC_INDEX in type.get_shape():
            self.raise_error("a dense constant has known sizes")
        self._check_elements(type, position)
        return type

    def parse_dense_int_or_fp_elements_attr(self, type: Any) -> DenseIntOrFPElementsAttr:
        if type is not None:
            self._check_elements(type, self.pos)
        return super().parse_dense_int_or_fp_elements_attr(type)

    def _check_elements(self, type: ShapedType, position: int) -> None:
        count = math.prod(type.get_shape())
        if count > MAX_DENSE_ELEMENTS:
            self.raise_error(
                f"a dense constant of {count} elements is too large for text (at most {MAX_DENSE_ELEMENTS}); "
                "use dense_resource, or an operation that fills",
                position,
            )

    # Memory

    def parse_optional_type(self) -> TypeAttribute | None:
        token = self._current_token
        parse = super().parse_optional_type
        if token.text.startswith(("t", "m", "v")):
            return self._parse_from_memory(_SHAPED_TYPE, lambda: self._parse_nested(parse))
        if (width := _INTEGER_TYPE.match(token.text)) and len(width[1]) > 7 and int(width[1]) > MAX_INTEGER_WIDTH:
            self.raise_error(f"integer type wider than {MAX_INTEGER_WIDTH} bits")
        return self._parse_nested(parse)

    def parse_optional_function_type(self) -> FunctionType | None:
        return self._parse_from_memory(_FUNCTION_TYPE, super().parse_optional_function_type)

    def parse_optional_dictionary_attr_dict(self) -> dict[str, Attribute]:
        known = len(self._dictionaries)
        found = self._parse_from_memory(_DICTIONARY, super().parse_optional_dictionary_attr_dict)
        self._dictionaries[known:] = [found]
        return dict(found)  # the caller owns what it gets, so the one remembered is not handed out

    def _parse_from_memory(self, pattern: re.Pattern[str], parse: Callable[[], T]) -> T:
        """
        What `parse` makes of the text at the next token, from memory if the same text was parsed before.

        The text is what `pattern` matches. It is remembered only if `parse` consumed exactly that: then the same
        characters give the same result anywhere, because the parser never looks beyond the closing bracket. Aliases
        inside do not disturb this; they cannot be redefined.
        """
        start = self.pos
        match = pattern.match(self.lexer.input.content, start)
        if match is None:
            return parse()
        text, end = match.group(), match.end()
        if (value := self._memory.get(text)) is not None:
            self._resume_from(end)
            return value
        value = parse()
        if self.pos >= end and not self.lexer.input.content[end : self.pos].strip():
            self._memory[text] = value
        return value

    # Resources

    def _parse_dialect_resource_handle(self, dialect_name: str, interface: OpAsmDialectInterface) -> str:
        """
        The key as written. xDSL renames a key that it saw before in the same process, also in another module; ours name
        arrays of the module they stand in (see `lastuse.dialect.ir.resources`).
        """
        return self.parse_identifier(" for resource handle")

    def _parse_resource(self, dialect_name: str, interface: OpAsmDialectInterface) -> None:
        key = self._parse_dialect_resource_handle(dialect_name, interface)
        self.parse_punctuation(":")
        position = self.pos
        digits = self.parse_str_literal()
        if not re.fullmatch(r"0x(?:[0-9a-fA-F]{2})*", digits):
            self.raise_error("a resource must be a string of hexadecimal bytes, 0x…", position)
        self._blobs[key] = bytes.fromhex(digits[2:])

    def keep_blobs(self, module: ModuleOp) -> None:
        """Gives `module` the arrays of the text's `dialect_resources` section that it refers to."""
        if not self._blobs:
            return
        store = resources.of(module)
        for op, value in resources.references(module):
            blob = self._blobs.get(key := value.resource_handle.data)
            if blob is None or key in store or not isinstance(value.type, TensorType):
                continue
            dtype = numpy_dtype(dtype_name(value.type.element_type))
            shape = value.type.get_shape()
            # Four bytes in front say the alignment; the array is copied to an aligned place anyway.
            if DYNAMIC_INDEX in shape or len(blob) - 4 != math.prod(shape) * dtype.itemsize:
                raise LastuseError(f"dense_resource<{key}> has {len(blob) - 4} bytes, which is not {value.type}", op)
            store[key] = np.frombuffer(blob[4:], dtype).reshape(shape)
