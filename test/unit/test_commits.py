from __future__ import annotations

import re
import subprocess

import pytest

from support import ROOT

FIRST = "963aedf41878"
"""The commits after this one follow the rule for subjects in CONTRIBUTING.md."""
SUBJECT = re.compile(r"[\w.+-]+(,? [\w.+-]+)*: [^A-Z\s].*[^.]")


def git(*arguments: str) -> str:
    return subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, text=True, check=True).stdout


def test_subjects_of_commits_are_an_area_and_an_imperative_of_at_most_72_characters() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("not a clone")
    shallow = git("rev-parse", "--is-shallow-repository").strip() == "true"
    subjects = git("log", "--no-merges", "--format=%s", *(["-1"] if shallow else [f"{FIRST}..HEAD"])).splitlines()
    wrong = [subject for subject in subjects if len(subject) > 72 or not SUBJECT.fullmatch(subject)]
    assert not wrong, "CONTRIBUTING.md says what a subject looks like"
