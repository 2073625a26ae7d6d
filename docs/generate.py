"""
Writes the pages of docs/ that come from the code: one a pass, one a dialect. `--check` writes nothing and fails if a
page is not what it would write.

    python docs/generate.py [--check]
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation, OptionalDef, OptOperandDef, OptResultDef, VariadicDef
from xdsl.passes import ModulePass, get_pass_option_infos

from lastuse.universe import UNIVERSE

DOCS = Path(__file__).resolve().parent
ORIGIN = "<!-- Written by docs/generate.py from docstrings; `make docs` writes it again. -->\n\n"
SECTION = re.compile(r"^(Requires|Guarantees|Leaves alone|Example|Options):\s*", re.MULTILINE)


def pass_page(found: type[ModulePass]) -> str:
    """The page of a pass: what its docstring says, section by section, and its options."""
    text = inspect.cleandoc(found.__doc__ or "")
    head, *parts = SECTION.split(text)
    lines = [f"# `--{found.name}`", "", head.strip(), ""]
    for title, body in zip(parts[::2], parts[1::2], strict=True):
        body = inspect.cleandoc(body).strip()
        if title == "Options":
            # One a line, `name: what it does`; what is indented goes on with the line before.
            lines += [re.sub(r"^(?=\S)", "* ", body, flags=re.MULTILINE), ""]
        else:
            lines += [f"**{title}.** {body[:1].upper()}{body[1:]}", ""]
    options = get_pass_option_infos(found)
    if options:
        lines += ["| option | type | default |", "|---|---|---|"]
        for name, kind, default in options:
            shown = kind.strip("'").replace("|", "\\|")
            lines.append(f"| `{name.replace('_', '-')}` | `{shown}` | {f'`{default}`' if default else ''} |")
        lines.append("")
    return ORIGIN + "\n".join(lines)


def dialect_page(name: str) -> str:
    """The page of a dialect: a table of its operations, then what each says of itself."""
    dialect = UNIVERSE.all_dialects[name]()
    module = sys.modules[next(iter(dialect.operations)).__module__.rsplit(".", 1)[0]]
    operations = sorted((op for op in dialect.operations if issubclass(op, IRDLOperation)), key=lambda op: op.name)
    lines = [f"# The `{name}` dialect", "", inspect.cleandoc(module.__doc__ or ""), ""]
    lines += ["| operation | operands | results | attributes | |", "|---|---|---|---|---|"]
    for op in operations:
        lines.append(f"| [`{op.name}`](#{anchor(op)}) | {' | '.join(signature(op))} | {first_sentence(op)} |")
    for op in operations:
        lines += ["", f"## `{op.name}`", "", inspect.cleandoc(op.__doc__ or "")]
    return ORIGIN + "\n".join(lines) + "\n"


def anchor(op: type[Operation]) -> str:
    """The name GitHub gives the heading of an operation."""
    return re.sub(r"[^\w-]", "", op.name)


def first_sentence(op: type[Operation]) -> str:
    text = " ".join(inspect.cleandoc(op.__doc__ or "").split("\n\n")[0].split())
    return re.split(r"(?<=[.;]) ", text)[0].rstrip(";").replace("|", "\\|")


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


def pages() -> Iterator[tuple[Path, str]]:
    """Every page, with where it belongs."""
    index = ["# Passes", "", "Flags of `opt-tool`, in the order a model goes through them.", ""]
    for name, load in UNIVERSE.all_passes.items():
        found = load()
        yield DOCS / "passes" / f"{name}.md", pass_page(found)
        index.append(f"* [`--{name}`]({name}.md): {inspect.cleandoc(found.__doc__ or '').splitlines()[0]}")
    yield DOCS / "passes" / "README.md", ORIGIN + "\n".join(index) + "\n"
    for name in UNIVERSE.all_dialects:
        yield DOCS / "dialects" / f"{name}.md", dialect_page(name)


def main(check: bool) -> int:
    stale = 0
    for path, text in pages():
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
