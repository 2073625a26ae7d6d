from __future__ import annotations

import json
from pathlib import Path

import pytest
from mutation_results import load, page, record

from support import ROOT


@pytest.mark.parametrize("file", load())
def test_recorded_file_exists(file: str) -> None:
    assert (ROOT / file).is_file(), f"test/mutation/results.json names {file}: rename it there"


@pytest.mark.parametrize("file", load())
def test_at_least_85_percent_of_the_mutants_are_killed(file: str) -> None:
    result = load()[file]
    assert result["killed"] >= 0.85 * result["tried"]
    assert result["tried"] <= result["mutants"]


def test_record_replaces_the_counts_and_keeps_the_reasons(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    path.write_text(json.dumps({"a.py": {"killed": 1, "tried": 2, "mutants": 2, "harmless": {"a mutant": "why"}}}))
    record("a.py", 3, 4, 5, path)
    record("b.py", 6, 6, 7, path)
    assert load(path) == {
        "a.py": {"killed": 3, "tried": 4, "mutants": 5, "harmless": {"a mutant": "why"}},
        "b.py": {"killed": 6, "tried": 6, "mutants": 7},
    }
    rows = page(load(path)).splitlines()
    assert "| [`a.py`](../a.py) | 3 | 4 | 5 |" in rows
    assert "| all | 9 | 10 | 12 |" in rows
    assert "| `a.py` | a mutant | why |" in rows
