"""The page of ONNX's node tests, from the record that `test/conformance/onnx_node_cases.py` writes."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

RECORD = Path(__file__).resolve().parents[1] / "test" / "conformance" / "onnx_nodes.txt"


def node_test_page() -> str:
    """Counts, the tests that `dnn.onnx_op` computes, and those that are skipped, by reason."""
    outcomes: dict[str, list[str]] = defaultdict(list)
    for line in RECORD.read_text().splitlines():
        name, _, outcome = line.partition(" ")
        outcomes[outcome].append(name)
    own, standard = outcomes.pop("own"), outcomes.pop("onnx_op")
    reasons: dict[str, list[str]] = defaultdict(list)
    for outcome, names in outcomes.items():
        reasons[_reason(outcome.removeprefix("skipped "))] += names
    skipped = sum(map(len, reasons.values()))
    passed = len(own) + len(standard)
    lines = [
        "# ONNX's node tests",
        "",
        "`onnx` has a test of every op and of each of its forms. `lastuse.onnx_backend` is what they run on:",
        "",
        "    backend_test = onnx.backend.test.BackendTest(lastuse.onnx_backend, __name__)",
        "",
        f"Of {passed + skipped:,} tests {passed:,} pass and {skipped:,} are skipped. None fails: "
        "`test/conformance/test_onnx_nodes.py` holds the outcome of each.",
        "",
        "| | tests |",
        "|---|---|",
        f"| passed, by classes of `dnn` alone | {len(own):,} |",
        f"| passed, some of it by [`dnn.onnx_op`](dialects/dnn.md#dnnonnx_op) | {len(standard):,} |",
        f"| skipped | {skipped:,} |",
        "",
        "## By `dnn.onnx_op`",
        "",
        _listed(standard),
        "",
        "## Skipped",
        "",
        "| reason | tests | |",
        "|---|---|---|",
    ]
    for reason, names in sorted(reasons.items(), key=lambda item: (-len(item[1]), item[0])):
        lines.append(f"| {reason} | {len(names)} | {_listed(names)} |")
    return "\n".join(lines) + "\n"


def _reason(text: str) -> str:
    """The reason without what differs from model to model: names of values and of files."""
    text = re.sub(r"^<bytes>:\d+:\d+: error: ", "", text)
    text = re.sub(r"^input '[^']*'", "an input", text)
    text = re.sub(r" \(x\d+, '[^']*'\)", "", text)
    text = re.sub(r" \((?:output )?'[^']*'\)", "", text)
    return text.replace("|", "\\|")


def _listed(names: list[str]) -> str:
    return ", ".join(f"`{name.removeprefix('test_')}`" for name in sorted(names))
