"""lit's configuration: every .mlir and .test under this folder is a test; see ../lit_format.py for how RUN lines
run."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from lit_format import InProcess

# Loaded here, before lit forks its workers, so that they need not load it again.
import lastuse.tools.opt_tool  # noqa: F401
from support import ROOT

config.name = "lastuse"  # noqa: F821
config.test_format = InProcess()  # noqa: F821
config.suffixes = [".mlir", ".test"]  # noqa: F821
config.excludes = ["Inputs"]  # noqa: F821
config.test_source_root = str(ROOT / "test" / "lit")  # noqa: F821
config.test_exec_root = str(ROOT / "build" / "lit")  # noqa: F821
# The real command, started as a program, for the few tests that are about being one.
config.substitutions.append(("%opt-tool-program", f"{sys.executable} -m lastuse.tools.opt_tool"))  # noqa: F821
config.substitutions.append(("%plan-tool-program", f"{sys.executable} -m lastuse.tools.plan_tool"))  # noqa: F821
config.substitutions.append(("%run-tool-program", f"{sys.executable} -m lastuse.tools.run_tool"))  # noqa: F821
config.substitutions.append(("%shared", str(ROOT.parent / "shared")))  # noqa: F821
