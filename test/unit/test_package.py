"""The package: version, types, and the index page without links that lead nowhere there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import lastuse
from support import ROOT

TEXT = (ROOT / "pyproject.toml").read_text()
HOOK = "[[tool.hatch.metadata.hooks.fancy-pypi-readme.substitutions]]"
RELATIVE = re.compile(r"\]\((?!https?:|#)")


def page() -> str:
    """The page of an index, made as the build makes it."""
    (fragments,) = re.findall(r"^fragments = (.*)$", TEXT, re.MULTILINE)
    text = "".join((ROOT / name).read_text() for name in re.findall(r'path = "([^"]*)"', fragments))
    for table in TEXT.split(HOOK)[1:]:
        (pattern,) = re.findall(r"^pattern = '(.*)'$", table, re.MULTILINE)
        (replacement,) = re.findall(r"""^replacement = ["'](.*)["']$""", table, re.MULTILINE)
        text = re.sub(pattern, replacement, text)
    return text


def test_version_stands_in_one_place() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", lastuse.__version__)
    assert 'dynamic = ["version", "readme"]' in TEXT
    assert not re.search(r'^version = "', TEXT, re.MULTILINE)
    assert f"## {lastuse.__version__}" in (ROOT / "CHANGELOG.md").read_text()


def test_package_has_type_information() -> None:
    assert (Path(lastuse.__file__).parent / "py.typed").is_file()
    assert "Typing :: Typed" in TEXT


def test_index_page_has_no_links_within_the_repository() -> None:
    before, after = (ROOT / "README.md").read_text(), page()
    assert RELATIVE.search(before), "else there is nothing to take out"
    assert not RELATIVE.search(after)
    assert "https://xdsl.dev" in after and "## 0.1.0" in after


def test_index_page_keeps_its_code() -> None:
    after = page()
    blocks = re.findall(r"^```.*?^```$", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    assert blocks and all(block in after for block in blocks)


@pytest.mark.parametrize("name", lastuse.__all__)
def test_every_exported_name_exists(name: str) -> None:
    assert getattr(lastuse, name) is not None


def test_submodules_are_imported_on_first_use() -> None:
    code = """
import sys, lastuse
assert "lastuse.analysis" not in sys.modules and "lastuse.testing" not in sys.modules
assert callable(lastuse.analysis.may_write_over) and callable(lastuse.testing.check_contract)
assert "lastuse.runtime" not in sys.modules, "analyses do without the runtime"
"""
    subprocess.run([sys.executable, "-c", code], check=True)
