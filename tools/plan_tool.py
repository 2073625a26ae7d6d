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
from collections.abc import Sequence

from lastuse.dialect.ir.diagnostics import LastuseError, Location
from lastuse.passes.planning import planner
from lastuse.passes.planning.joint_search import joint_in_parts
from lastuse.passes.planning.planner import Plan
from lastuse.passes.planning.subbuffers import Subbuffer, plan_inside
from lastuse.tools import plan_files
from lastuse.tools.output import write_text
from lastuse.tools.report import render_error
from lastuse.tools.shell import ArgumentParser, guarded
from lastuse.tools.streams import STDIN, STREAM, say
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
            return _order(plan_files.graph_of(text, options.input), options)
        return _pack(plan_files.table_of(text, options.input), options)
    except planner.Error as error:
        sys.stderr.write(render_error(LastuseError(str(error), at), sources, at))
    except LastuseError as error:
        sys.stderr.write(render_error(error, sources, at))
    return 1


def _pack(table: plan_files.Table, options: argparse.Namespace) -> int:
    algorithm = "exact" if options.exact else "best"
    parts, found = plan_inside(table.buffers, table.parts or (), algorithm, seconds=options.time_limit)
    if options.json:
        said = {"parts": _named(parts, table.names)} if table.parts is not None else {}
        say(json.dumps(_report(found) | said | {"offsets": dict(zip(table.names, found.offsets, strict=True))}))
    elif options.target:
        lives = [(buffer.first, buffer.last + 1) for buffer in table.buffers]
        sizes = [buffer.size for buffer in table.buffers]
        _draw(map_of_buffers(options.input, lives, table.names, sizes, found.offsets, found.bound, parts), options)
    elif options.output != STREAM:
        say(f"arena: {planner.describe(found.peak, found.bound, found.proof)}")
        for part, whole, offset in _named(parts, table.names):
            say(f"{part} in {whole} at {offset}")
    _check_capacity(found, options)
    if options.output:
        write_text(options.output, table.with_offsets(found.offsets, parts))
    return 0


def _named(parts: Sequence[Subbuffer], names: Sequence[str]) -> list[tuple[str, str, int]]:
    return [(names[part], names[whole], offset) for part, whole, offset in parts]


def _order(source: plan_files.Source, options: argparse.Namespace) -> int:
    chosen = joint_in_parts(source.graph, source.parts, source.given, seconds=options.time_limit)
    ordered, (all_offsets, found) = chosen.schedule, chosen.arena
    offsets = {n: o for n, o in zip(source.buffers, all_offsets, strict=True) if o is not None}
    order = [source.ops[op] for op in ordered.order]
    if options.json:
        inplace = [[source.buffers[read], source.buffers[write]] for read, write in ordered.inplace]
        parts = {"parts": _named(chosen.parts, source.buffers)} if source.parts else {}
        said = {"inplace": inplace} | parts
        say(json.dumps(_report(found) | {"order": order} | said | {"offsets": offsets}))
    elif options.target:
        named = source.buffers, source.ops
        _draw(map_of_graph(options.input, chosen.graph, ordered, all_offsets, *named, found.bound), options)
    elif options.output != STREAM:
        say(f"arena: {planner.describe(found.peak, found.bound, found.proof)}")
        say(f"order: {planner.describe(ordered.peak, ordered.bound, ordered.proof)}")
        say("\n".join(order))
    _check_capacity(found, options)
    if options.output:
        write_text(options.output, plan_files.offsets_csv(offsets))
    return 0


def _draw(found: MemoryMap, options: argparse.Namespace) -> None:
    say(PICTURES[options.target]([found]).rstrip("\n"))


def _report(found: Plan) -> dict[str, object]:
    return {
        "peak": found.peak,
        "lower_bound": found.bound,
        "proved": found.proof is not planner.Proof.NONE,
        "proof": found.proof.value,
        "seconds": round(found.seconds, 6),
    }


def _check_capacity(found: Plan, options: argparse.Namespace) -> None:
    if options.capacity is not None and found.peak > options.capacity:
        least = f"no plan needs less than {found.bound:,}"
        message = f"does not fit into {options.capacity:,} bytes: the arena has {found.peak:,}; {least}"
        raise LastuseError(message, Location(options.input))


if __name__ == "__main__":
    sys.exit(main())
