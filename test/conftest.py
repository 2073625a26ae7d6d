"""
Lets tests import `support`, and each other's helpers.

Test files themselves are imported by their path (`--import-mode=importlib`), so that two folders may have a file of one
name; a helper's name has to be its own.
"""

from __future__ import annotations

import sys
from pathlib import Path

TEST = Path(__file__).resolve().parent

sys.path[:0] = [str(folder) for folder in dict.fromkeys([TEST, *sorted(path.parent for path in TEST.rglob("*.py"))])]
