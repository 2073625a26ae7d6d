"""
Lets tests import `support`, and each other's helpers in the folder they stand in.

Test files themselves are imported by their path (`--import-mode=importlib`), so that two folders may have a file of one
name; a helper's name has to be its own.
"""

from __future__ import annotations

import sys
from pathlib import Path

TEST = Path(__file__).resolve().parent


def helpers() -> list[Path]:
    """Every Python file of the tests that is none itself."""
    special = ("test_", "conftest", "__init__")
    return sorted(path for path in TEST.rglob("*.py") if not path.name.startswith(special))


sys.path[:0] = [str(folder) for folder in dict.fromkeys([TEST, *(path.parent for path in helpers())])]
