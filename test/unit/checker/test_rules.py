"""Every rule of the semantics has a test that fails without it."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest
import test_flow
import test_plans
from oracle import EFFORT
from rules import RULES, Rule

from support import ROOT

HERE = Path(__file__).resolve().parent
BROKEN = "test_wrong_plan_is_rejected_and_the_right_one_accepted"
PLANS = {
    **{p.name: f"test_plans.py::{BROKEN}[{p.name}]" for p in test_plans.PLANS},
    **{p.name: f"test_flow.py::{BROKEN}[{p.name}]" for p in test_flow.PLANS},
    **{name: f"test_plans.py::test_right_plan_is_accepted[{name}]" for name, _ in test_plans.RIGHT},
}
"""Plans by name, each with the test it is a case of."""


def test_rule_numbers_are_unique() -> None:
    assert len({r.number for r in RULES}) == len(RULES)
    assert {r.number.partition(".")[0] for r in RULES} == set("12345678")


@pytest.mark.parametrize("rule", RULES, ids=[r.number for r in RULES])
def test_code_and_test_of_a_rule_exist(rule: Rule) -> None:
    assert (ROOT / rule.file).read_text().count(rule.old) == 1, "the code reads differently now"
    if rule.test in PLANS:
        return
    file, _, function = rule.test.partition("::")
    functions = [n for n in ast.parse((HERE / file).read_text()).body if isinstance(n, ast.FunctionDef)]
    assert function.partition("[")[0] in [n.name for n in functions]


WITHOUT = """
import importlib.machinery, importlib.util, sys
import pytest
name, path, old, new, *args = sys.argv[1:]
text = open(path).read()
assert text.count(old) == 1

class Without(importlib.machinery.SourceFileLoader):
    def get_code(self, fullname):
        return compile(text.replace(old, new), path, "exec")

class Finder:
    def find_spec(self, fullname, where=None, target=None):
        if fullname == name:
            return importlib.util.spec_from_file_location(fullname, path, loader=Without(fullname, path),
                submodule_search_locations=[path.rpartition("/")[0]] if path.endswith("__init__.py") else None)

sys.meta_path.insert(0, Finder())
sys.exit(pytest.main(["-x", "-q", "-p", "no:cacheprovider", *args]))
"""


TAKEN_OUT = RULES[:: 90 if EFFORT == 1 else 1]


@pytest.mark.parametrize("rule", TAKEN_OUT, ids=[r.number for r in TAKEN_OUT])
def test_test_of_a_rule_fails_without_it(rule: Rule) -> None:
    """`make check` tries some rules, `LASTUSE_EFFORT=2` all of them."""
    name = "lastuse." + rule.file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    test = str(HERE / PLANS.get(rule.test, rule.test))
    arguments = [name, str(ROOT / rule.file), rule.old, rule.new, test]
    environment = {**os.environ, "LASTUSE_EFFORT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 1, done.stdout[-3000:] + done.stderr[-2000:]
