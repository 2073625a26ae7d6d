"""
`opt-tool`: reads a model, runs passes over it, writes IR.

    opt-tool --inplace-pass --verify-storage-pass model.mlir
    opt-tool -p 'inplace-pass{strategy=paddle},cse' --remarks folder/ -o out.mlir
    opt-tool --inplace-pass --memory-plan-pass -t svg model.mlir -o memory.svg
    opt-tool --import my_dialect.py --inplace-pass model.mlir

It is xDSL's `xdsl-opt` with every pass a flag of its own, with locations in what it says, and with guards against
hostile input. `-` is standard input or output. Exit status: 0; 1 if the input is wrong; 2 if the command line is.
"""

from __future__ import annotations

import argparse
import difflib
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time

import xdsl
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.targets.mlir import MLIRTarget
from xdsl.universe import Universe
from xdsl.utils.arg_spec import parse_spec
from xdsl.utils.exceptions import ArgSpecParseError, DiagnosticException, ShrinkException
from xdsl.xdsl_opt_main import xDSLOptMain

from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.ir import resources
from lastuse.dialect.ir.diagnostics import LastuseError, Location, ToolContext
from lastuse.dialect.storage import verifier
from lastuse.frontends import loader
from lastuse.frontends.bindings import bind
from lastuse.frontends.text import mlir_parser
from lastuse.tools.extensions import FLAG, load_extension, named_extensions
from lastuse.tools.model_inputs import add_input_arguments, bindings_of
from lastuse.tools.opt_help import add_help
from lastuse.tools.output import write_text
from lastuse.tools.pass_flags import UsageError, build_passes, extract_pipeline
from lastuse.tools.pass_order import PassOrder
from lastuse.tools.printer import printed
from lastuse.tools.report import render_error, render_remarks
from lastuse.tools.shell import ArgumentParser, guarded, separate_remarks
from lastuse.tools.streams import STDIN, STREAM, OutputError, print_line, read_stdin_text, write_stdout
from lastuse.universe import UNIVERSE

PROG = "opt-tool"
SEPARATOR = re.compile(r"^// -----[ \t]*\r?$\n?", re.MULTILINE)
"""A whole line: `// ----------` is a comment, and so is `// -----` in the middle of a line."""


@dataclass(frozen=True)
class Chunk:
    """A piece of the input: `text` begins at line `first_line`. A model in a folder has no text."""

    name: str
    text: str | None
    first_line: int = 1


class OptTool(xDSLOptMain):
    """The tool for one command line. `run` does the work; `failed` tells afterwards whether any input was wrong."""

    ctx: ToolContext  # pyright: ignore[reportIncompatibleVariableOverride]

    def __init__(self, args: Sequence[str] | None = None) -> None:
        # xDSLOptMain's own constructor is not called: it parses the command line with a plain ArgumentParser.
        self.available_frontends, self.available_passes, self.available_targets = {}, {}, {}
        self.ctx = ToolContext(
            allow_unregistered=True,
            closed_dialects=frozenset(UNIVERSE.all_dialects),
            measure_scratch=_measure_scratch,
            is_fast=_is_fast,
        )
        self.imported_passes: list[type[ModulePass]] = []
        self.sources: dict[str, str] = {}
        self.failed = False
        self._written: list[tuple[Path, resources.Store]] = []
        self.register_all()
        words = sys.argv[1:] if args is None else args
        parser = ArgumentParser(
            prog=PROG,
            description="Runs passes over textual IR or a model and prints the result.",
            epilog="Every pass is also a flag, --NAME or --NAME=option=value,…: flags and -p run in the order given.",
            allow_abbrev=False,
            add_help=False,
            conflict_handler="resolve",
        )
        self.register_all_arguments(parser)
        kinds = "decision, refusal and copy"
        parser.add_remarks(f"print a line on stderr for each {kinds} (--remarks=json: as JSON objects)")
        add_input_arguments(parser)
        parser.add_argument("--verify-each", action="store_true", help="verify after each pass, not only at the ends")
        parser.add_argument("--debug", action="store_true", help="show the traceback of an internal error")
        parser.add_argument(
            FLAG,
            dest="extensions",
            action="append",
            metavar="MODULE",
            help="a Python module or .py file: its dialects, passes and contracts are there too; repeatable",
        )
        parser.add_version("-v", uses=lambda: [f"xDSL {xdsl.__version__}"])
        add_help(parser, self.available_passes, self.imported_passes)
        try:
            for name in named_extensions(words):
                self._import(name)
            specs, rest = extract_pipeline(words, self.available_passes)
            self.args, unknown = parser.parse_known_args(separate_remarks(rest))
            if unknown:
                raise UsageError(self._unknown(unknown[0], parser))
            self._check_target()
            self.passes = build_passes(specs, self.available_passes)
        except UsageError as error:
            parser.error(str(error))
        self.ctx.wants_remarks = self.args.remarks is not None
        # Decisions need not be well-formed before a pass that repairs them.
        self._repairs = any(getattr(pass_, "repair", False) for pass_ in self.passes)

    # What is available

    def _import(self, name: str) -> None:
        """The dialects and passes of `--import`."""
        extension = load_extension(name)
        for dialect in extension.dialects:
            if dialect.name in self.ctx.registered_dialect_names:
                raise UsageError(f"{FLAG} {name}: there is a dialect '{dialect.name}' already")
            self.ctx.register_dialect(dialect.name, lambda dialect=dialect: dialect)
        for cls in extension.passes:
            if cls.name in self.available_passes:
                raise UsageError(f"{FLAG} {name}: there is a pass '{cls.name}' already")
            self.register_pass(cls.name, lambda cls=cls: cls)
            self.imported_passes.append(cls)

    def register_all(self) -> None:
        """Everything of xDSL's universe, and ours, also where the package is used without its entry point."""
        dialects = dict(UNIVERSE.all_dialects)
        for universe in (Universe.get_multiverse(), UNIVERSE):
            dialects |= universe.all_dialects
            self.available_passes |= universe.all_passes
            self.available_targets |= universe.all_targets
        for name, factory in dialects.items():
            self.ctx.register_dialect(name, factory)

    def _unknown(self, word: str, parser: argparse.ArgumentParser) -> str:
        if not word.startswith("-"):
            return f"more than one input: '{word}'"
        name = word.partition("=")[0]
        options = [option for action in parser._actions for option in action.option_strings]  # pyright: ignore
        close = difflib.get_close_matches(name, [f"--{name}" for name in self.available_passes] + options, n=1)
        return f"unknown flag '{word}'" + (f", did you mean {close[0]}?" if close else "")

    def _check_target(self) -> None:
        try:
            self._target = parse_spec(self.args.target)
        except ArgSpecParseError as error:
            raise UsageError(f"-t/--target: cannot parse '{self.args.target}'") from error
        name = self._target.name
        if name not in self.available_targets:
            raise UsageError(f"-t/--target: no target '{name}' (choose from {', '.join(self.available_targets)})")
        self._draws = name in UNIVERSE.all_targets
        if not self._draws:
            return
        if self.args.split_input_file:
            raise UsageError(f"-t {name} makes one file of one module: --split-input-file does not go with it")
        try:
            UNIVERSE.all_targets[name]().from_spec(self._target)  # pyright: ignore
        except (ValueError, TypeError) as error:
            raise UsageError(f"-t {name}: {error}") from error

    # What it does

    def run(self) -> None:
        """Reads, transforms and writes every chunk. Errors are reported on stderr, one chunk's do not stop the next."""
        texts: list[str] = []
        try:
            for chunk in self._chunks():
                text = self._process(chunk)
                texts.append(text)
                if self.args.output_file in (None, STREAM):
                    write_stdout(("// -----\n" if len(texts) > 1 else "") + text)
            if self.args.output_file not in (None, STREAM) and not self.failed:
                write_text(self.args.output_file, "// -----\n".join(texts), self._written)
        except LastuseError as error:
            self._report(error, Location(self._input_name))
        except ShrinkException:
            # Shrink Ray asks whether the input still is interesting: status 0 says that it is.
            print_line("Success, can shrink")
            self.failed = False
            return
        if self.args.shrink:
            print_line("Failure, can't shrink")
            self.failed = True

    @property
    def _input_name(self) -> str:
        return STDIN if self.args.input_file in (None, STREAM) else self.args.input_file

    def _chunks(self) -> Iterator[Chunk]:
        name = self._input_name
        if name != STDIN and (os.path.isdir(name) or not name.endswith(".mlir")):
            yield Chunk(name, None)
            return
        text = read_stdin_text() if name == STDIN else mlir_parser.read_text(name)
        self.sources[name] = text
        separators = SEPARATOR.finditer(text) if self.args.split_input_file else ()
        start = line = 0
        for end, following in [*(m.span() for m in separators), (len(text), len(text))]:
            yield Chunk(name, text[start:end], line + 1)
            line += text.count("\n", start, following)
            start = following

    def _process(self, chunk: Chunk) -> str:
        """The text a chunk becomes, empty if something is wrong with it."""
        default = Location(chunk.name, chunk.first_line)
        self._running = ""
        bindings = bindings_of(self.args)
        try:
            if chunk.text is None:
                module = loader.load(self.ctx, chunk.name, bindings)
            else:
                implicit, folder, line = not self.args.no_implicit_module, Path(chunk.name).parent, chunk.first_line
                module = mlir_parser.parse(
                    self.ctx, chunk.text, chunk.name, first_line=line, implicit_module=implicit, folder=folder
                )
                if bindings:
                    bind(module, bindings)
            if not self.args.disable_verify:
                verifier.verify(module, decisions=not self._repairs)
            self._run_passes(module)
            if not self.args.disable_verify:
                verifier.verify(module)
            self._name_weights(module)
            inline = resources.section(module) if self.args.output_file == STREAM and not self._draws else ""
            return self.output_resulting_program(module) + inline
        except (LastuseError, DiagnosticException) as error:
            self._report(error, default)
        except (ShrinkException, OutputError, BrokenPipeError):
            raise
        except Exception as error:
            if self.args.debug:
                raise
            self._report(self._internal(error), default)
        finally:
            sys.stderr.write(render_remarks(self.ctx.remarks, self.args.remarks or "text"))
            self.ctx.remarks.clear()
        return ""

    def _run_passes(self, module: ModuleOp) -> None:
        """The passes; between them what the flags ask for, not xDSL's verification of everything."""
        order = PassOrder(self.ctx)
        for number, pass_ in enumerate(self.passes, 1):
            self._running = pass_.name
            order.before(module, pass_)
            begin = process_time()
            pass_.apply(self.ctx, module)
            order.after(module, pass_)
            if self.args.time_passes:
                print_line(f"Pass {pass_.name} took {process_time() - begin} seconds")
            if number < len(self.passes):
                if self.args.verify_each:
                    verifier.verify(module, decisions=not self._repairs)
                if self.args.print_between_passes:
                    write_stdout(f"IR after {pass_.name}:\n{printed(module, self.ctx)}\n\n\n\n")
        self._running = ""

    def _name_weights(self, module: ModuleOp) -> None:
        """Names the file of the arrays of `module` beside the output file: out.npz for out.mlir, out.1.npz for its
        second chunk."""
        output = self.args.output_file
        if self._draws or output in (None, STREAM) or not resources.of(module):
            return
        number = f".{len(self._written)}" if self._written else ""
        path = Path(output).with_suffix(f"{number}.npz")
        if arrays := resources.name_file(module, path):
            self._written.append((path, arrays))

    def output_resulting_program(self, prog: ModuleOp) -> str:
        if self._target.name != "mlir" or self.args.syntax_highlight:
            return super().output_resulting_program(prog)
        target, args = MLIRTarget.from_spec(self._target), self.args
        text = printed(
            prog,
            self.ctx,
            print_generic_format=args.print_op_generic or target.print_generic_format,
            print_properties_as_attributes=args.print_no_properties or target.print_properties_as_attributes,
            print_debuginfo=args.print_debuginfo or target.print_debuginfo,
        )
        return text + "\n"

    def _internal(self, error: Exception) -> LastuseError:
        """An exception that is not about the input, as an error: our own bug is told without a traceback too."""
        where = f"'{self._running}' failed" if self._running else "failed"
        if isinstance(error, RecursionError):
            return LastuseError(f"{where}: the program is nested too deeply")
        if isinstance(error, MemoryError):
            return LastuseError(f"{where}: out of memory")
        what = " ".join(str(error).split())
        return LastuseError(f"{where}: {type(error).__name__}: {what} (an internal error; --debug shows where)")

    def _report(self, error: DiagnosticException, default: Location) -> None:
        if not isinstance(error, LastuseError):
            prefix = f"{self._running}: " if self._running else ""
            error = LastuseError(prefix + str(error))
        text = render_error(error, self.sources, default)
        if self.args.verify_diagnostics or self.args.parsing_diagnostics:
            # As in xdsl-opt, these flags are for tests of errors: the error is the output, and no failure.
            write_stdout(text)
            return
        self.failed = True
        sys.stderr.write(text)


def _measure_scratch(module: Operation, threads: int) -> Mapping[Operation, int]:
    """Loads the runtime when a pass plans memory for what it runs, and not before."""
    from lastuse.compiler.driver import measure_scratch

    return measure_scratch(module, threads)


def _is_fast(op: DnnOp) -> bool:
    """Loads the runtime when a pass asks for what oneDNN has, and not before."""
    from lastuse.compiler.driver import has_fast_primitives

    return has_fast_primitives(op)


def main(argv: Sequence[str] | None = None) -> int:
    """The command `opt-tool`. Returns its exit status."""

    def work() -> int:
        try:
            tool = OptTool(argv)
        except LastuseError as error:  # of an extension
            sys.stderr.write(render_error(error, {}, Location(PROG)))
            return 1
        tool.run()
        return int(tool.failed)

    return guarded(PROG, work)


if __name__ == "__main__":
    sys.exit(main())
