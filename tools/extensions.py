"""`--import MODULE`: dialects, passes and contracts of a Python module of the user's."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from xdsl.ir import Dialect
from xdsl.passes import ModulePass

from lastuse.dialect.ir.diagnostics import LastuseError, Location
from lastuse.tools.pass_flags import UsageError

FLAG = "--import"


@dataclass(frozen=True)
class Extension:
    """What a module brings: the dialects it has under some name, and the passes it defines. Contracts that it
    registers while it is imported hold from then on."""

    dialects: tuple[Dialect, ...]
    passes: tuple[type[ModulePass], ...]


def named_extensions(words: Sequence[str]) -> Iterator[str]:
    """The modules that a command line names. Raises UsageError where the last word is the bare flag."""
    rest = iter(words)
    for word in rest:
        if word == "--":
            return
        flag, equals, value = word.partition("=")
        if flag == FLAG:
            name = value if equals else next(rest, None)
            if name is None:
                raise UsageError(f"{FLAG} needs a module")
            yield name


def load_extension(name: str) -> Extension:
    """
    Imports a module: a `.py` file, or a module's name, looked for in the current folder too.

    Raises:
        UsageError: there is no such file or module.
        LastuseError: the module raises an exception; at the module's own line.
    """
    module = _from_file(Path(name)) if name.endswith(".py") else _by_name(name)
    values = list(vars(module).values())
    dialects = {id(value): value for value in values if isinstance(value, Dialect)}
    passes = (
        v for v in values if isinstance(v, type) and issubclass(v, ModulePass) and v.__module__ == module.__name__
    )
    return Extension(tuple(dialects.values()), tuple(dict.fromkeys(p for p in passes if "name" in vars(p))))


def _from_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise UsageError(f"{FLAG} {path}: no such file")
    name = f"lastuse_extension_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look there for the module of a class
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # whatever the user's code raises
        del sys.modules[name]
        raise _located(error, str(path)) from error
    return module


def _by_name(name: str) -> ModuleType:
    here = os.getcwd()
    sys.path.insert(0, here)
    try:
        return importlib.import_module(name)
    except Exception as error:  # whatever the user's code raises
        if not name or isinstance(error, ModuleNotFoundError) and f"{name}.".startswith(f"{error.name}."):
            raise UsageError(f"{FLAG} {name}: no such module") from error
        raise _located(error, name) from error
    finally:
        sys.path.remove(here)


def _located(error: Exception, name: str) -> LastuseError:
    """An exception of the user's module as an error at the last line of the module that was running."""
    if isinstance(error, SyntaxError) and error.filename is not None:
        return LastuseError(f"SyntaxError: {error.msg}", Location(error.filename, error.lineno or 1, error.offset or 1))
    frames = traceback.extract_tb(error.__traceback__)
    own = [f for f in frames if f.filename.endswith(f"{name.removesuffix('.py').rpartition('.')[2]}.py")]
    at = Location(own[-1].filename, own[-1].lineno or 1) if own else Location(name)
    if isinstance(error, LastuseError):
        return LastuseError(error.message, error.location or at, error.notes)
    return LastuseError(f"{type(error).__name__}: {' '.join(str(error).split())}", at)
