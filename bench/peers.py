"""The other systems that benchmarks compare with: an environment for each under build/peers, and processes in them."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import venv
from collections.abc import Generator, Iterable, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PEERS = ROOT / "build" / "peers"
CHILD = ROOT / "bench" / "model_sides" / "engine_process.py"
OURS = "lastuse"
"""The engine that needs no environment of its own."""
TURN, PAUSE = 0.1, 0.02
"""Seconds of one turn, and before it: threads of the engine before it wait for work for a while."""


GRACE = 5.0
"""Seconds that an engine has to end."""

PADDLE = ["paddlepaddle==2.6.2", "numpy<2", "setuptools<75"]
"""What the environment `paddle` has; the setup tools are older, because Paddle imports a module of theirs."""


def option_parser(description: str, what: str, turns: int) -> argparse.ArgumentParser:
    """The command line of a benchmark that compares with other systems.

    Args:
        what: the option that chooses by parts of names, as `models`.
        turns: how many turns each system has by default.

    Returns:
        What parses `install`, `chosen` (the parts of names), `heap`, `threads` (numbers), `turns`, and `json`, a file
        or None.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--install", action="store_true", help="make the environments of the other systems")
    parser.add_argument(f"--{what}", dest="chosen", type=_parts, default=[""], help="parts of names with commas")
    parser.add_argument("--heap", action="store_true", help="the heap that is taken, and no times")
    parser.add_argument("--threads", type=numbers, default=[1, 2], help="numbers with commas")
    parser.add_argument("--turns", type=int, default=turns, help="of each system")
    parser.add_argument("--json", metavar="OUT", help="where to write the figures")
    return parser


def _parts(text: str) -> list[str]:
    return text.split(",")


def numbers(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]


def install(packages: Mapping[str, Iterable[str]]) -> None:
    """Makes the environments that are not there, with pip; none has to agree with another's numpy.

    Args:
        packages: what pip installs, by the name of the environment.
    """
    for name, wanted in packages.items():
        folder = PEERS / name
        if (folder / "bin" / "python").exists():
            continue
        print(f"installs {name}", flush=True)
        venv.create(folder, with_pip=True)
        done = subprocess.run([folder / "bin" / "python", "-m", "pip", "install", "-q", *wanted], check=False)
        if done.returncode:
            shutil.rmtree(folder)
            print(f"{name} cannot be installed, and is left out")


def interpreter(name: str) -> Path | None:
    """The Python of this environment; None where it is not installed."""
    python = PEERS / name / "bin" / "python"
    return python if python.exists() else None


class EngineProcess:
    """One engine with one model, in a process of its own; raises RuntimeError where it does not read the model."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._receive()

    def ask(self, command: str) -> dict[str, float]:
        """The answer to a command of `engine_process.py`."""
        assert self._process.stdin is not None
        print(command, file=self._process.stdin, flush=True)
        return self._receive()

    def _receive(self) -> dict[str, float]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"it ended with status {self._process.wait()}")
        answer = json.loads(line)
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer


@contextmanager
def engine_processes(
    engines: Path, names: Iterable[str], model: Path, inputs: Path, threads: int, ruler: Path | None = None
) -> Generator[dict[str, EngineProcess]]:
    """The engines that are installed and read this model, by name, each in a process.

    Args:
        engines: the module whose table `ENGINES` has them.
        names: of the engines, which are those of their environments.
        model: the file of the model.
        inputs: an npz file.
        threads: of each engine.
        ruler: a library that each process preloads, of `memruler`.
    """
    environment = {**os.environ, **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), str(threads))}
    if ruler is not None:
        environment["LD_PRELOAD"] = str(ruler)
    running: dict[str, EngineProcess] = {}
    with ExitStack() as stack:
        for name in names:
            python = Path(sys.executable) if name == OURS else interpreter(name)
            if python is None:
                continue
            process = subprocess.Popen(
                [python, CHILD, engines, name, model, inputs, str(threads)],
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                start_new_session=True,
            )
            stack.enter_context(process)
            stack.callback(_end, process)
            try:
                running[name] = EngineProcess(process)
            except RuntimeError as error:
                if name == OURS:
                    raise
                print(f"{model.stem}: {name} is left out: {error}", file=sys.stderr)
        yield running


def _end(process: subprocess.Popen[str]) -> None:
    """Ends a process, by force where it does not end when it is told to, and what it has forked: OpenVINO leaves a
    process behind that waits for ever."""
    process.terminate()
    try:
        process.wait(GRACE)
    except subprocess.TimeoutExpired:
        process.kill()
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def latencies(running: Mapping[str, EngineProcess], turns: int) -> dict[str, float]:
    """Seconds of the fastest run of each engine, which take turns."""
    return _least(running, turns, "seconds")


def median_latencies(running: Mapping[str, EngineProcess], turns: int) -> dict[str, float]:
    """Seconds of the run in the middle of each engine, which take turns: in the turn in which it is the fastest."""
    return _least(running, turns, "median")


def _least(running: Mapping[str, EngineProcess], turns: int, figure: str) -> dict[str, float]:
    least = dict.fromkeys(running, float("inf"))
    for _ in range(turns):
        for name, engine in running.items():
            time.sleep(PAUSE)
            least[name] = min(least[name], engine.ask(f"time {TURN}")[figure])
    return least


def memruler(folder: Path) -> Path:
    """The library that counts the heap of a process that preloads it, built in this folder. Exits without ../shared."""
    sources = ROOT.parent / "shared" / "tools"
    if not sources.is_dir():
        sys.exit("the folder ../shared beside the repository has memruler, which counts the heap; it is not there")
    built = folder / "memruler"
    built.mkdir()
    for name in ("build.sh", "memruler.c", "memruler_test.c"):
        (built / name).write_bytes((sources / name).read_bytes())
    subprocess.run(["sh", "build.sh"], cwd=built, check=True, capture_output=True)
    return built / "libmemruler.so"


def table_head(*columns: str) -> str:
    """The first two lines of a table in Markdown."""
    return f"{table_row(*columns)}\n|{'---|' * len(columns)}"


def table_row(*cells: str) -> str:
    """A line of a table in Markdown."""
    return f"| {' | '.join(cells)} |"


def number(figure: float | None, form: str) -> str:
    """A figure in this format; a dash where there is none."""
    return "–" if figure is None else format(figure, form)


if __name__ == "__main__":  # for the tests on programs that Paddle writes
    install({"paddle": PADDLE})
    sys.exit(interpreter("paddle") is None)
