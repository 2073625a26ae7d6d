"""What tests share: where things are, the folder of cases beside the repository, a shell in this process."""

from __future__ import annotations

import contextlib
import ctypes
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _pytest.mark import ParameterSet
    from pytest import MonkeyPatch

ROOT = Path(__file__).resolve().parent.parent
"""The repository."""


def shared() -> Path:
    """The folder `../shared` beside the repository; the test is skipped where there is none."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        import pytest

        pytest.skip("no ../shared beside the repository")
    return folder


def swept(values: Iterable[object], checked: int = 1) -> list[ParameterSet]:
    """What a test is tried on: `make check` takes the first `checked` of the values, `make sweep` the others. A value
    is a tuple where the test has several parameters."""
    import pytest

    return [
        pytest.param(*(value if type(value) is tuple else (value,)), marks=[pytest.mark.sweep] * (number >= checked))
        for number, value in enumerate(values)
    ]


class _Mallinfo(ctypes.Structure):
    """`struct mallinfo2` of glibc."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in (
            *("arena", "ordblks", "smblks", "hblks", "hblkhd"),
            *("usmblks", "fsmblks", "uordblks", "fordblks", "keepcost"),
        )
    ]


def heap_bytes() -> int:
    """Bytes of the heap in use, as glibc counts them; what it has mapped for large blocks is counted too."""
    count = ctypes.CDLL(None).mallinfo2
    count.restype = _Mallinfo
    counts = count()
    return counts.uordblks + counts.hblkhd


@dataclass(frozen=True)
class Done:
    """A command that ended: its exit status, and what it wrote."""

    status: int
    out: str
    err: str


def opt_tool(*args: str, stdin: str | bytes = "") -> Done:
    """`opt-tool` with these arguments, in this process."""
    return call(["opt-tool", *args], stdin.encode() if isinstance(stdin, str) else stdin)


def proof_of(model: str | Path, sizes: Mapping[str, int] | None = None) -> str:
    """What `--memory-plan-pass` says of the arena of a compiled model; every unknown size is `sizes`' or 3."""
    from lastuse.compiler.driver import compile, context

    ctx = replace(context(), wants_remarks=True)
    program = compile(model, ctx=ctx)
    program.specialized({name: (sizes or {}).get(name, 3) for name in program.unknown_sizes})
    return [remark.message for remark in ctx.remarks if remark.message.startswith("the arena has ")][-1]


def _opt_tool(argv: list[str]) -> int:
    from lastuse.tools.opt_tool import main

    return main(argv)


def _run_tool(argv: list[str]) -> int:
    from lastuse.tools.run_tool import main

    return main(argv)


def _plan_tool(argv: list[str]) -> int:
    from lastuse.tools.plan_tool import main

    return main(argv)


def _filecheck(argv: list[str]) -> int:
    from filecheck.main import main

    main(["filecheck", *argv])
    return 0


def _echo(argv: list[str]) -> int:
    print(*argv)
    return 0


COMMANDS: dict[str, Callable[[list[str]], int]] = {
    "opt-tool": _opt_tool,
    "plan-tool": _plan_tool,
    "run-tool": _run_tool,
    "filecheck": _filecheck,
    "echo": _echo,
}
"""What runs in this process: fifteen milliseconds a test instead of half a second. Anything else is a program."""

_WORD = re.compile(r"""\s*(2>&1|2>|>>|>|<|&&|\||;|(?:[^\s|&;<>"']|"(?:[^"\\]|\\.)*"|'[^']*')+)""")


class ShellError(Exception):
    """A command line that this shell does not understand."""


@dataclass
class _Command:
    argv: list[str] = field(default_factory=list[str])
    stdin: str | None = None
    stdout: str | None = None
    append: bool = False
    stderr: str | None = None
    both: bool = False
    crossed: bool = False
    """`2>&1 >file`: stderr goes where stdout went before, stdout to the file."""


def run_line(line: str) -> Done:
    """
    Runs a command line: pipes, `&&`, `;`, `<`, `>`, `>>`, `2>`, `2>&1`, quotes, `not` and `NAME=value` before a
    command. Its status is that of the first command of a pipeline that fails, as with pipefail.
    """
    out, err = "", ""
    for separator, pipeline in _pipelines(line):
        done = _run_pipeline(pipeline)
        out, err = out + done.out, err + done.err
        if done.status and separator != ";":
            return Done(done.status, out, err)
    return Done(0, out, err)


def _pipelines(line: str) -> Iterator[tuple[str, list[_Command]]]:
    """Each pipeline of a line, with what stands after it: `&&`, `;` or nothing."""
    pipeline = [_Command()]
    words = _words(line)
    for word in words:
        command = pipeline[-1]
        if word in ("&&", ";"):
            yield word, pipeline
            pipeline = [_Command()]
        elif word == "|":
            pipeline.append(_Command())
        elif word == "2>&1":
            command.both = True
        elif word in (">", ">>", "<", "2>"):
            target = shlex.split(next(words, ""))
            if len(target) != 1:
                raise ShellError(f"{word} needs a file: {line}")
            if word == "<":
                command.stdin = target[0]
            elif word == "2>":
                command.stderr = target[0]
            else:
                command.stdout, command.append = target[0], word == ">>"
                command.both, command.crossed = False, command.both
        else:
            command.argv += shlex.split(word)
    yield "", pipeline


def _words(line: str) -> Iterator[str]:
    position, end = 0, len(line.rstrip())
    while position < end:
        match = _WORD.match(line, position)
        if match is None:
            raise ShellError(f"cannot read '{line[position:]}'")
        yield match[1]
        position = match.end()


def _run_pipeline(pipeline: Sequence[_Command]) -> Done:
    data, err, status = b"", "", 0
    for command in pipeline:
        if command.stdin is not None:
            data = Path(command.stdin).read_bytes()
        done = call(command.argv, data, both=command.both)
        data = done.out.encode("utf-8", "surrogateescape")
        if command.stdout is not None:
            with open(command.stdout, "ab" if command.append else "wb") as file:
                file.write(data)
            data = b""
        if command.crossed:
            data = done.err.encode("utf-8", "surrogateescape")
        elif command.stderr is not None:
            Path(command.stderr).write_text(done.err)
        else:
            err += done.err
        status = status or done.status
    return Done(status, data.decode("utf-8", "surrogateescape"), err)


def call(argv: Sequence[str], stdin: bytes = b"", both: bool = False) -> Done:
    """Runs one command, here if it is one of `COMMANDS`; `both` sends stderr where stdout goes."""
    words = list(argv)
    negate, environment = False, dict[str, str]()
    while words and (words[0] == "not" or re.match(r"[A-Za-z_]\w*=", words[0])):
        if (word := words.pop(0)) == "not":
            negate = not negate
        else:
            environment.__setitem__(*word.split("=", 1))
    if not words:
        raise ShellError("no command")
    with _environment(environment):
        done = (_call_here if words[0] in COMMANDS else _call_program)(words, stdin, both)
    return Done(int(done.status == 0), done.out, done.err) if negate else done


@contextlib.contextmanager
def _environment(variables: dict[str, str]) -> Iterator[None]:
    before = dict(os.environ)
    os.environ.update(variables)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def _call_here(words: list[str], stdin: bytes, both: bool) -> Done:
    def stream(data: bytes = b"") -> io.TextIOWrapper:
        return io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", errors="surrogateescape", write_through=True)

    out, source = stream(), stream(stdin)
    err = out if both else stream()
    before, sys.stdin = sys.stdin, source
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                status = COMMANDS[words[0]](words[1:])
            except SystemExit as stop:
                status = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    finally:
        sys.stdin = before

    def written(wrapper: io.TextIOWrapper) -> str:
        wrapper.flush()
        wrapper.seek(0)
        return wrapper.read()

    return Done(status, written(out), "" if both else written(err))


def _call_program(words: list[str], stdin: bytes, both: bool) -> Done:
    """A program of another process; those that came with packages stand beside the interpreter."""
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)))
    done = subprocess.run(
        words,
        input=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if both else subprocess.PIPE,
        check=False,
        env={**os.environ, "PATH": path},
    )
    err = "" if both else done.stderr.decode("utf-8", "surrogateescape")
    return Done(done.returncode, done.stdout.decode("utf-8", "surrogateescape"), err)


def count_plans(monkeypatch: MonkeyPatch) -> list[str]:
    """From here on has an entry for each time that a module is `decided`, or that places in an arena are `sought`."""
    from lastuse.passes.memory.allocation_problem import AllocationProblem
    from lastuse.passes.plan import PlanPass

    calls: list[str] = []

    def counted(name: str, method: Callable[..., object]) -> Callable[..., object]:
        def call(*args: object, **options: object) -> object:
            calls.append(name)
            return method(*args, **options)

        return call

    monkeypatch.setattr(PlanPass, "apply", counted("decided", PlanPass.apply))
    monkeypatch.setattr(AllocationProblem, "placed", counted("sought", AllocationProblem.placed))
    return calls
