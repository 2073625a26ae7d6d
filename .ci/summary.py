"""
Adds up reports of tests: `summary.py REPORT …`.

A report ends in `.xml`, in JUnit's form as lit and pytest write it, or in `.status`: the exit status of one check.
The last line is `N passed, M failed`; the status is 1 if a test failed, if a report is missing, or if a test was
skipped for want of ../shared although it is there, or of what LASTUSE_NEEDS names: words of reasons, by commas.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent
NEEDED = [words for words in os.environ.get("LASTUSE_NEEDS", "").split(",") if words]
PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"


def outcomes(report: Path) -> Iterator[tuple[str, str, str]]:
    """(outcome, name, why) of each test in a report."""
    if not report.is_file():
        yield FAILED, str(report), "not written, so its tests did not run"
    elif report.suffix == ".status":
        yield (PASSED if report.read_text().strip() == "0" else FAILED), report.stem, ""
    else:
        for case in ElementTree.parse(report).iter("testcase"):
            name = f"{case.get('classname', '')}::{case.get('name', '')}"
            reason = case.find("skipped")
            if case.find("failure") is not None or case.find("error") is not None:
                yield FAILED, name, ""
            elif reason is None:
                yield PASSED, name, ""
            else:
                why = reason.get("message", "")
                in_vain = "../shared" in why and (ROOT.parent / "shared").is_dir()
                if in_vain:
                    yield FAILED, name, f"skipped, but ../shared is there: {why}"
                elif any(words in why for words in NEEDED):
                    yield FAILED, name, f"skipped, but it is needed here: {why}"
                else:
                    yield SKIPPED, name, why


def main(reports: Sequence[str]) -> int:
    counted: Counter[str] = Counter()
    for report in map(Path, reports):
        for outcome, name, why in outcomes(report):
            counted[outcome] += 1
            if outcome != PASSED:
                print(f"{outcome}: {name}" + (f": {why}" if why else ""))
    if counted[SKIPPED]:
        print(f"{counted[SKIPPED]} skipped")
    print(f"{counted[PASSED]} passed, {counted[FAILED]} failed")
    return int(counted[FAILED] > 0 or counted[PASSED] == 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
