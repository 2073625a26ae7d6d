"""
`plan-tool`: packs buffers into the smallest arena, and orders ops so that they need least. No IR is needed.

    plan-tool in.csv --output out.csv --capacity 1048576 --exact
    plan-tool graph.json --json
    plan-tool in.csv -t svg > memory.svg
    plan-tool - --output - < in.csv

`-` is standard input or output; what begins with `{` there is a graph.

A .csv has the columns `id,lower,upper,size` and, if wanted, `alignment`: in use from lower on, no longer at upper,
bytes; and `inside` and `at`: another buffer that this one may lie in, and where. The output has a column `offset`
more, and `lies_in` if there is an `inside`. A .json is a graph of ops and buffers; what is printed is the order of
ops, and the offsets in that order. Exit status: 0; 1 if the input is wrong or does not fit; 2 if the command line is.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence

from lastuse.dialect.ir.diagnostics import LastuseError, Location
from lastuse.passes.planning import planner
from lastuse.passes.planning.joint_search import joint_plan_with_parts
from lastuse.passes.planning.planner import Plan
from lastuse.passes.planning.schedule import Schedule
from lastuse.passes.planning.subbuffers import Subbuffer, plan_subbuffers
from lastuse.tools import plan_files
from lastuse.tools.output import write_text
from lastuse.tools.report import render_error
from lastuse.tools.shell import ArgumentParser, guarded
from lastuse.tools.streams import STDIN, STREAM, print_line
from lastuse.tools.visualize.memory import MemoryMap
from lastuse.tools.visualize.page import page
from lastuse.tools.visualize.plans import map_of_buffers, map_of_graph
from lastuse.tools.visualize.svg import svg

PROG = "plan-tool"
DEFAULT_SECONDS = 4.0
"""Enough for all public instances that are known to be solved."""
PICTURES = {"svg": svg, "html": page}


def main(argv: Sequence[str] | None = None) -> int:
    """The command `plan-tool`. Returns its exit status."""
    return guarded(PROG, lambda: _main(_arguments(argv)))


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = ArgumentParser(
        prog=PROG,
        description="Packs buffers into the smallest arena; orders ops so that they need least memory.",
        epilog="in.csv: columns id,lower,upper,size[,alignment][,inside[,at]], in use at lower <= time < upper. "
        "graph.json: an object of buffers [{id, bytes}], ops [{id, reads, writes, may_inplace, may_part}], inputs, "
        "outputs.",
        allow_abbrev=False,
    )
    parser.add_argument("input", metavar="IN", help="buffers as .csv, or a graph as .json; - is standard input")
    parser.add_argument(
        "--output", metavar="OUT.csv", help="where to write the buffers with their offsets; - prints nothing else"
    )
    parser.add_argument("--capacity", type=_bytes, metavar="BYTES", help="fail if the arena is larger")
    parser.add_argument("--exact", action="store_true", help="search until the arena is proved to be the smallest")
    parser.add_argument(
        "--time-limit", type=_seconds, default=DEFAULT_SECONDS, metavar="S", help="seconds to search (default 4)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object: peak, bound, proof, offsets, order")
    parser.add_argument("-t", "--target", choices=PICTURES, help="print a picture of the arena instead")
    parser.add_version()
    options = parser.parse_args(argv)
    if options.output == STREAM and (options.json or options.target):
        parser.error("--output - takes standard output: not with --json or -t")
    return options


def _bytes(text: str) -> int:
    if not (text.isascii() and text.isdecimal()) or len(text) > 18:
        raise argparse.ArgumentTypeError(f"{text} is not a number of bytes")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is not a number of seconds above 0")
    return seconds


def _main(options: argparse.Namespace) -> int:
    sources: dict[str, str] = {}
    if options.input == STREAM:
        options.input = STDIN
    at = Location(options.input)
    try:
        sources[options.input] = text = plan_files.read(options.input)
        piped = options.input == STDIN and text.lstrip().startswith("{")
        if piped or options.input.lower().endswith(".json"):
            plan, file = _order(plan_files.graph_of(text, options.input), options)
        else:
            plan, file = _pack(plan_files.table_of(text, options.input), options)
        if options.capacity is not None and plan.peak > options.capacity:
            least = f"no plan needs less than {plan.bound:,}"
            message = f"does not fit into {options.capacity:,} bytes: the arena has {plan.peak:,}; {least}"
            raise LastuseError(message)
        if options.output:
            write_text(options.output, file)
    except (planner.Error, LastuseError) as error:
        located = error if isinstance(error, LastuseError) else LastuseError(str(error))
        sys.stderr.write(render_error(located, sources, at))
        return 1
    return 0


def _pack(table: plan_files.Table, options: argparse.Namespace) -> tuple[Plan, str]:
    """The plan of a table, printed as the options ask for it, and the table with it."""
    algorithm = "exact" if options.exact else "best"
    parts, plan = plan_subbuffers(table.buffers, table.parts or (), algorithm, seconds=options.time_limit)
    named = _named(parts, table.names)
    if options.json:
        said = {"parts": named} if table.parts is not None else {}
        _print_report(plan, said | {"offsets": dict(zip(table.names, plan.offsets, strict=True))})
    elif options.target:
        lives = [(buffer.first, buffer.last + 1) for buffer in table.buffers]
        sizes = [buffer.size for buffer in table.buffers]
        _draw(map_of_buffers(options.input, lives, table.names, sizes, plan.offsets, plan.bound, parts), options)
    elif options.output != STREAM:
        _print_figures("arena", plan)
        for part, whole, offset in named:
            print_line(f"{part} in {whole} at {offset}")
    return plan, table.with_offsets(plan.offsets, parts)


def _named(parts: Sequence[Subbuffer], names: Sequence[str]) -> list[tuple[str, str, int]]:
    return [(names[part], names[whole], offset) for part, whole, offset in parts]


def _order(source: plan_files.Source, options: argparse.Namespace) -> tuple[Plan, str]:
    """The plan of a graph in the best order, printed as the options ask for it, and its offsets as CSV."""
    chosen = joint_plan_with_parts(source.graph, source.parts, source.order, seconds=options.time_limit)
    ordered, (all_offsets, plan) = chosen.schedule, chosen.arena
    buffers, ops = source.buffers, source.ops
    offsets = {n: o for n, o in zip(buffers, all_offsets, strict=True) if o is not None}
    order = [ops[op] for op in ordered.order]
    if options.json:
        said = {"order": order, "inplace": [[buffers[read], buffers[write]] for read, write in ordered.inplace]}
        parts = {"parts": _named(chosen.parts, buffers)} if source.parts else {}
        _print_report(plan, said | parts | {"offsets": offsets})
    elif options.target:
        _draw(map_of_graph(options.input, chosen.graph, ordered, all_offsets, buffers, ops, plan.bound), options)
    elif options.output != STREAM:
        _print_figures("arena", plan)
        _print_figures("order", ordered)
        print_line("\n".join(order))
    return plan, plan_files.csv_text([("id", "offset"), *offsets.items()])


def _print_figures(name: str, plan: Plan | Schedule) -> None:
    print_line(f"{name}: {planner.describe(plan.peak, plan.bound, plan.proof)}")


def _draw(map_: MemoryMap, options: argparse.Namespace) -> None:
    print_line(PICTURES[options.target]([map_]).rstrip("\n"))


def _print_report(plan: Plan, said: Mapping[str, object]) -> None:
    figures = {
        "peak": plan.peak,
        "lower_bound": plan.bound,
        "proved": plan.proof is not planner.Proof.NONE,
        "proof": plan.proof.value,
        "seconds": round(plan.seconds, 6),
    }
    print_line(json.dumps({**figures, **said}))


if __name__ == "__main__":
    sys.exit(main())
