"""
Writes the pages of docs/ that come from the code: passes, dialects, the tables of ops, reasons and mutants;
and the pictures in docs/images/, of LAC if it is here or can be fetched.
`--check` writes nothing and fails if a page is not what it would write.

    python docs/generate.py [--check]

The example of a pass is the file of its name in docs/examples/: its first line is the command, and the page shows what
that prints.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import os
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

from xdsl.irdl import IRDLOperation, OptionalDef, OptOperandDef, OptResultDef, VariadicDef
from xdsl.passes import ModulePass, get_pass_option_infos

from lastuse.passes.analysis.reasons import Reason
from lastuse.tools.opt_tool import main as opt_tool
from lastuse.universe import UNIVERSE

DOCS = Path(__file__).resolve().parent
sys.path.append(str(DOCS))
from onnx_node_page import node_test_page  # noqa: E402
from op_table import meaning, op_table  # noqa: E402 - beside this file, also where a test loads it

EXAMPLES = DOCS / "examples"
IMAGES = DOCS / "images"
PLAN = "--memory-plan-pass=measure=false -t 'svg{naive=true}'"
PICTURES: dict[str, tuple[Path | None, str]] = {
    "lac-memory.svg": (
        None,
        f"opt-tool model --specialize-pass=words=1244,words.lod=65 --inplace-pass=parts=false {PLAN}",
    ),
    "decode-memory.svg": (
        DOCS.parent,
        "opt-tool examples/loops/decode.mlir --inplace-pass --memory-plan-pass=measure=false -t svg",
    ),
}
"""By file: where the command runs that draws it, None for the folder of LAC; docs/pictures.md has the commands."""
RUNS, ROOMS = "gru-runs.svg", "rooms.svg"
"""The pictures that no command draws, but `gru_runs.py` and `room_map.py`."""
ORIGIN = "<!-- Written by docs/generate.py from the code; `make docs` writes it again. -->\n\n"
SECTION = re.compile(r"^(Requires|Guarantees|Leaves alone|Example|Options):\s*", re.MULTILINE)
OPTION = re.compile(r"^(\w+): (.*(?:\n(?!\w+: ).*)*)", re.MULTILINE)
FURTHER = {
    "dnn": "[ops.md](../ops.md) says what each op may be written over and what runs it, with an example of each; "
    "[adding-an-op.md](../adding-an-op.md) how to add one.",
    "onednn": "[`--lower-to-onednn-pass`](../passes/lower-to-onednn-pass.md) makes it; "
    "[storage.md](../storage.md) says where its views come from.",
}
"""What the page of a dialect links besides its operations."""


def pass_page(found: type[ModulePass]) -> str:
    """The page of a pass: what its docstring says, section by section, its options, an example."""
    text = inspect.cleandoc(found.__doc__ or "")
    head, *parts = SECTION.split(text)
    sections = {title: inspect.cleandoc(body).strip() for title, body in zip(parts[::2], parts[1::2], strict=True)}
    options = sections.pop("Options", "")
    lines = [f"# `--{found.name}`", "", head.strip(), ""]
    for title, body in sections.items():
        lines += [f"**{title}.** {body[:1].upper()}{body[1:]}", ""]
    lines += option_lines(found, options)
    file = f"{inspect.getmodule(found).__name__.removeprefix('lastuse.').replace('.', '/')}.py"  # pyright: ignore
    source = f"Source: [`{file}`](../../{file})."
    return ORIGIN + "\n".join([*lines, *example(found.name), source]) + "\n"


def option_lines(found: type[ModulePass], said: str) -> list[str]:
    """The options of a pass: a table, where the docstring says `name: what it does` of each; else what it says."""
    told = {name: " ".join(what.split()) for name, what in OPTION.findall(said)}
    infos = get_pass_option_infos(found)
    if not infos:
        return []
    if not told:
        return [f"**Options.** {said[:1].upper()}{said[1:]}", ""]
    lines = ["| option | type | default | |", "|---|---|---|---|"]
    for name, kind, default in infos:
        shown = kind.strip("'").replace("|", "\\|")
        lines.append(f"| `{name}` | `{shown}` | {f'`{default}`' if default else ''} | {told[name]} |")
    return [*lines, ""]


def example(name: str) -> list[str]:
    """The lines of a page that show the example of a pass: its text, the command, what that prints."""
    path = EXAMPLES / f"{name}.mlir"
    if not path.is_file():
        raise SystemExit(f"docs/generate.py: a pass has an example in docs/examples/; {path.name} is missing")
    command, text = path.read_text().split("\n", 1)
    words = shlex.split(command.removeprefix("// "))
    return [
        f"## [{path.name}](../examples/{path.name})",
        "",
        "```mlir",
        text.rstrip(),
        "```",
        "",
        f"`{' '.join(words)} {path.name}` prints",
        "",
        "```mlir",
        printed([*words[1:], path.name]).rstrip(),
        "```",
        "",
    ]


def printed(arguments: list[str], folder: Path = EXAMPLES) -> str:
    """What `opt-tool` prints, errors and remarks first, called in the folder of examples or another."""
    out, err, before = io.StringIO(), io.StringIO(), Path.cwd()
    os.chdir(folder)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            opt_tool(arguments)
    finally:
        os.chdir(before)
    text = err.getvalue() + out.getvalue()
    # A module of its own around every function says nothing here.
    if text.startswith("builtin.module {\n") and text.endswith("}\n"):
        text = inspect.cleandoc("\n" + text.removeprefix("builtin.module {\n").removesuffix("}\n"))
    return text


def dialect_page(name: str) -> str:
    """The page of a dialect: a table of its operations, then what each says of itself."""
    dialect = UNIVERSE.all_dialects[name]()
    module = sys.modules[next(iter(dialect.operations)).__module__.rsplit(".", 1)[0]]
    operations = sorted((op for op in dialect.operations if issubclass(op, IRDLOperation)), key=lambda op: op.name)
    lines = [f"# The `{name}` dialect", "", inspect.cleandoc(module.__doc__ or ""), "", FURTHER[name], ""]
    lines += ["`?`: may be absent; `…`: any number.", ""]
    lines += ["| operation | operands | results | attributes | |", "|---|---|---|---|---|"]
    for op in operations:
        lines.append(f"| [`{op.name}`](#{anchor(op)}) | {' | '.join(signature(op))} | {meaning(op)} |")
    for op in operations:
        lines += ["", f"## `{op.name}`", "", inspect.cleandoc(op.__doc__ or "")]
    return ORIGIN + "\n".join(lines) + "\n"


def anchor(op: type[IRDLOperation]) -> str:
    """The name GitHub gives the heading of an operation."""
    return re.sub(r"[^\w-]", "", op.name)


def signature(op: type[IRDLOperation]) -> tuple[str, str, str]:
    """Operands, results and attributes: `…` after what may be there many times, `?` after what may be absent."""
    definition = op.get_irdl_definition()

    def named(name: str, kind: object) -> str:
        optional = isinstance(kind, OptionalDef | OptOperandDef | OptResultDef)
        return f"`{name}`" + ("?" if optional else "…" if isinstance(kind, VariadicDef) else "")

    attributes = {**definition.attributes, **definition.properties}
    attributes.pop("operandSegmentSizes", None)
    return (
        ", ".join(named(name, kind) for name, kind in definition.operands),
        ", ".join(named(name, kind) for name, kind in definition.results),
        ", ".join(named(name, kind) for name, kind in attributes.items()),
    )


def reasons_page() -> str:
    """Every reason that a refusal or a copy can have."""
    lines = [
        "# Reasons",
        "",
        "Why a result is not written over an operand, why there is a copy, or why ops are not fused:",
        "",
    ]
    lines += ["| reason | | what would help |", "|---|---|---|"]
    lines += [f"| `{reason.value}` | {reason.words} | {reason.help} |" for reason in Reason]
    lines += ["", "They are those of [remarks and `dnn.refused`](opt-tool.md#remarks)."]
    return ORIGIN + "\n".join(lines) + "\n"


def pages() -> Iterator[tuple[Path, str]]:
    """Every page, with where it belongs."""
    index = ["# Passes", "", "Flags of `opt-tool`, in the order a model goes through them.", ""]
    for name, load in UNIVERSE.all_passes.items():
        found = load()
        yield DOCS / "passes" / f"{name}.md", pass_page(found)
        first = " ".join(inspect.cleandoc(found.__doc__ or "").split("\n\n")[0].split())
        index.append(f"* [`--{name}`]({name}.md): {first}")
    yield DOCS / "passes" / "README.md", ORIGIN + "\n".join(index) + "\n"
    for name in UNIVERSE.all_dialects:
        yield DOCS / "dialects" / f"{name}.md", dialect_page(name)
    yield DOCS / "ops.md", op_table()
    yield DOCS / "reasons.md", reasons_page()
    yield DOCS / "onnx-node-tests.md", ORIGIN + node_test_page()
    sys.path.append(str(DOCS.parent / "test" / "mutation"))
    import mutation_results

    yield DOCS / "mutation.md", ORIGIN + mutation_results.page(mutation_results.load())


def pictures(lac: Path | None) -> Iterator[tuple[Path, str]]:
    """Every picture, with where it belongs. `lac`: the folder with LAC's folder `model`; without it LAC is left out."""
    import gru_runs
    import room_map

    for name, (folder, command) in PICTURES.items():
        folder = lac if folder is None else folder
        if folder is not None:
            yield IMAGES / name, printed(shlex.split(command)[1:], folder)
    yield IMAGES / RUNS, gru_runs.picture()
    yield IMAGES / ROOMS, room_map.picture()


def lac_folder() -> Path | None:
    """The folder with LAC's folder `model`, None where it cannot be had."""
    sys.path.append(str(DOCS.parent / "examples" / "lac"))
    import fetch

    try:
        return fetch.fetch(quiet=True) / "lac_model"
    except fetch.FetchError as error:
        print(f"docs/images: LAC is not drawn: {error}", file=sys.stderr)
        return None


def main(check: bool) -> int:
    stale = 0
    for path, text in [*pages(), *pictures(lac_folder())]:
        if path.exists() and path.read_text() == text:
            continue
        stale += 1
        print(f"{path.relative_to(DOCS.parent)}: {'is not what `make docs` writes' if check else 'written'}")
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    return int(check and stale > 0)


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
