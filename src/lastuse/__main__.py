"""`python -m lastuse TOOL …`: the tools, also where their commands are not on the path."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

from lastuse import __version__

TOOLS = ("opt", "run", "plan")
HELP = """usage: python -m lastuse TOOL [ARGUMENTS]

tools:
  opt    opt-tool: run passes over a model and print the result
  run    run-tool: compile a model and run it on arrays
  plan   plan-tool: pack buffers into the smallest arena; order ops

python -m lastuse TOOL --help says more of each; --version prints the version.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the tool that the first word names, with the other words. Returns its exit status."""
    from lastuse.tools.shell import guarded
    from lastuse.tools.streams import write_stdout

    words = list(sys.argv[1:] if argv is None else argv)
    first = words[0] if words else "--help"
    if (tool := first.removesuffix("-tool")) in TOOLS:
        return import_module(f"{__package__}.tools.{tool}_tool").main(words[1:])
    if text := {"-h": HELP, "--help": HELP, "--version": f"lastuse {__version__}\n"}.get(first):
        return guarded("lastuse", lambda: write_stdout(text) or 0)
    sys.stderr.write(
        f"lastuse: error: no tool '{first}'; there are {', '.join(TOOLS)} (see python -m lastuse --help)\n"
    )
    return 2


if __name__ == "__main__":
    sys.exit(main())
