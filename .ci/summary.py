"""
Adds up test reports: `summary.py REPORT.xml …`, each in JUnit's form, as lit and pytest write it.

The last line is `N passed, M failed, K skipped`; the status is 1 if a test failed, if a report is missing, or if a test
was skipped for want of ../shared although it is there.
"""

from __future__ import annotations

import sys
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent


def main(reports: list[str]) -> int:
    passed, failed, skipped = 0, 0, 0
    for report in map(Path, reports):
        if not report.is_file():
            print(f"{report}: not written, its tests did not run")
            failed += 1
            continue
        for case in ElementTree.parse(report).iter("testcase"):
            name = f"{case.get('classname', '')}::{case.get('name', '')}"
            reason = case.find("skipped")
            if case.find("failure") is not None or case.find("error") is not None:
                failed += 1
                print(f"failed: {name}")
            elif reason is not None:
                why = reason.get("message", "")
                skipped += 1
                print(f"skipped: {name}: {why}")
                if "../shared" in why and (ROOT.parent / "shared").is_dir():
                    print("  but ../shared is there")
                    failed += 1
            else:
                passed += 1
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return int(failed > 0 or passed == 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
