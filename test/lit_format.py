"""A test format for lit that runs RUN lines in lit's own worker process, through `support.run_line`."""

from __future__ import annotations

import os
import re
import traceback
from pathlib import Path
from typing import Any

import lit.Test
import lit.TestRunner
from lit.formats.base import FileBasedTest

from support import run_line

_LINE_NUMBER = re.compile(r"%dbg\([^)]*\)\s*")


class InProcess(FileBasedTest):
    """
    Like lit's ShTest, with `opt-tool`, `plan-tool`, `run-tool` and `filecheck` called as functions. All lines of a
    test run in its own folder; each must succeed. Other commands are started as programs, so a test can also try the
    real command.
    """

    def execute(self, test: Any, litConfig: Any) -> Any:
        script = lit.TestRunner.parseIntegratedTestScript(test)
        if isinstance(script, lit.Test.Result):
            return script
        folder, base = lit.TestRunner.getTempPaths(test)
        Path(folder).mkdir(parents=True, exist_ok=True)
        substitutions = lit.TestRunner.getDefaultSubstitutions(test, folder, base)
        before = os.getcwd()
        try:
            os.chdir(folder)
            for line in lit.TestRunner.applySubstitutions(script, substitutions):
                line = _LINE_NUMBER.sub("", line)
                done = run_line(line)
                if done.status:
                    report = f"$ {line}\n{done.out}{done.err}exit status {done.status}\n"
                    return lit.Test.Result(lit.Test.FAIL, report)
        except Exception:
            return lit.Test.Result(lit.Test.FAIL, traceback.format_exc())
        finally:
            os.chdir(before)
        return lit.Test.Result(lit.Test.PASS, "")
