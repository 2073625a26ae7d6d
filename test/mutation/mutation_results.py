"""The recorded results of mutation runs, `results.json`, from which `make docs` writes docs/mutation.md.

By file: `killed` of `tried` mutants, of `mutants` in all, and `harmless`: the survivors that are no mistake, with the
reason, written by hand.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypedDict

RESULTS = Path(__file__).with_name("results.json")


class Result(TypedDict, total=False):
    """The last recorded run on one file."""

    killed: int
    tried: int
    mutants: int
    harmless: dict[str, str]


def load(path: Path = RESULTS) -> dict[str, Result]:
    """The results by source file, relative to the root of the repository."""
    return json.loads(path.read_text())


def record(file: str, killed: int, tried: int, mutants: int, path: Path = RESULTS) -> None:
    """Write the counts of a run on one file, and keep its harmless mutants."""
    results = load(path)
    results[file] = {**results.get(file, {}), "killed": killed, "tried": tried, "mutants": mutants}
    text = json.dumps(results, indent=1, ensure_ascii=False, sort_keys=True)
    path.write_text(text + "\n")


def page(results: dict[str, Result]) -> str:
    """The results as Markdown: the counts of each file, then the harmless mutants."""
    killed, tried = (sum(result[name] for result in results.values()) for name in ("killed", "tried"))
    lines = [
        "# Results of mutation testing",
        "",
        "The mutants killed in the last recorded run on each file, mostly by the tests of its part alone. Where fewer",
        "than all mutants were tried, they are a random sample. The command is in [testing.md](testing.md).",
        "",
        "| file | killed | tried | mutants |",
        "|---|---|---|---|",
    ]
    for file, result in sorted(results.items()):
        lines.append(f"| [`{file}`](../{file}) | {result['killed']} | {result['tried']} | {result['mutants']} |")
    lines += [
        f"| all | {killed} | {tried} | {sum(result['mutants'] for result in results.values())} |",
        "",
        "These mutants survive because they change nothing that a test should see:",
        "",
        "| file | mutant | why it is harmless |",
        "|---|---|---|",
    ]
    for file, result in sorted(results.items()):
        lines += [f"| `{file}` | {mutant} | {why} |" for mutant, why in sorted(result.get("harmless", {}).items())]
    return "\n".join(lines) + "\n"
