"""`opt-tool --help`: our passes with a sentence each, and the options most used; `--help-all` has the rest."""

from __future__ import annotations

import inspect
import re
import shutil
import textwrap
from collections.abc import Collection, Iterable, Iterator

from xdsl.passes import ModulePass

from lastuse.tools.shell import ArgumentParser
from lastuse.universe import UNIVERSE

OPTIONS = {
    "-o FILE": "write to FILE; - is standard output",
    "-p PASSES": "passes in xDSL's syntax: 'inplace-pass,cse'",
    "--pipeline=NAME": "several passes by a name: fuse, plan, lower, or compile for what lastuse.compile runs",
    "-t TARGET": "mlir; or a picture: svg, html, dot",
    "--import MODULE": "a module or .py file with dialects, passes, contracts",
    "--remarks[=json]": "on standard error, a line for each decision, refusal and copy",
    "--split-input-file": "the input is several modules between lines // -----",
    "--verify-each": "verify after each pass, not only at the ends",
    "--debug": "show the traceback of an internal error",
    "--version": "print the version",
    "--help, --help-all": "this page; every option, and the passes of xDSL",
}
LEAST_WIDTH, MOST_WIDTH = 60, 120


def add_help(parser: ArgumentParser, available: Collection[str], imported: Iterable[type[ModulePass]]) -> None:
    """
    Adds `-h`, `--help` and `--help-all`. What they print is made when they are met.

    Args:
        available: the names of all passes.
        imported: passes of `--import`.
    """

    def everything() -> str:
        ours = {*UNIVERSE.all_passes, *(cls.name for cls in imported)}
        names = ", ".join(name for name in available if name not in ours)
        stock = textwrap.fill(names, _width(), break_on_hyphens=False)
        return f"{_page(imported)}\nevery option:\n\n{parser.format_help()}\nxDSL's passes, flags too:\n{stock}\n"

    parser.add_text("-h", "--help", text=lambda: _page(imported), help="show our passes")
    parser.add_text("--help-all", text=everything, help="show every option and pass")


def _page(imported: Iterable[type[ModulePass]]) -> str:
    lines = [
        "usage: opt-tool [PASSES] [OPTIONS] [INPUT]",
        "",
        "INPUT is a .mlir or .onnx file, a Paddle folder, or - for text on stdin.",
        "Passes run in the order given; their options follow them: --inplace-pass=strategy=paddle,explain=true",
        "",
        "passes:",
    ]
    passes = [*(load() for load in UNIVERSE.all_passes.values()), *imported]
    lines += _table((f"--{cls.name}", summary(cls)) for cls in passes)
    lines += ["", "options:", *_table(OPTIONS.items())]
    return "\n".join(lines) + "\n"


def summary(cls: type[ModulePass]) -> str:
    """What a pass does: the first sentence of its docstring, up to a colon."""
    first = " ".join(inspect.cleandoc(cls.__doc__ or "").split("\n\n")[0].split())
    return re.split(r"\.(?: |$)|[:,] (?=to compare|on every path)|: ", first)[0]


def _table(rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    for name, text in rows:
        first, *rest = textwrap.wrap(text, _width() - 25) or [""]
        yield f"  {name:<22} {first}".rstrip()
        yield from (" " * 25 + line for line in rest)


def _width() -> int:
    return min(max(shutil.get_terminal_size((100, 24)).columns, LEAST_WIDTH), MOST_WIDTH)
