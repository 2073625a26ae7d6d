"""An ONNX model with inputs, run by us and held against onnxruntime and `onnx.reference`."""

from __future__ import annotations

import signal
import traceback
import warnings
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
import onnxruntime
from onnx import ModelProto
from onnx.reference import ReferenceEvaluator

import lastuse
from lastuse.dialect.ir.diagnostics import LastuseError

Arrays = Mapping[str, np.ndarray]
SECONDS = 20
"""Processor time that compiling and running may take."""
onnxruntime.set_default_logger_severity(4)


class Slack(NamedTuple):
    """By how many steps quantised results may differ, and how large a step is at most as a float."""

    steps: int = 0
    largest: float = 0.0


EXACT = Slack()


class Case(NamedTuple):
    """A model, and arrays by name for its inputs."""

    name: str
    model: ModelProto
    inputs: dict[str, np.ndarray]
    slack: Slack = EXACT


class Outcome(NamedTuple):
    """`kind` is `right`, `refused` (`words`: the error), `alone` (no other implementation runs the model), `unsure`
    (the others differ from each other too), or else of a mistake."""

    kind: str
    words: str = ""

    @property
    def is_mistake(self) -> bool:
        return self.kind in ("wrong", "crash", "hang", "unlocated")


class TimeoutReached(BaseException):
    """No `Exception`, so that no handler on the way takes it for an error of the model."""


@contextmanager
def limited(seconds: int) -> Generator[None, None, None]:
    def stop(signum: int, frame: object) -> None:
        raise TimeoutReached

    signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def check(case: Case) -> Outcome:
    """What became of a model."""
    data = case.model.SerializeToString()
    try:
        with limited(SECONDS), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            results = lastuse.compile(data, threads=1).run(dict(case.inputs))
    except LastuseError as error:
        words = " ".join(str(error).split())
        return Outcome("unlocated" if len(str(error).splitlines()) > 1 else "refused", words)
    except TimeoutReached:
        return Outcome("hang")
    except Exception as error:  # whatever else compiling raises is the failure that is looked for
        frame = traceback.extract_tb(error.__traceback__)[-1]
        return Outcome("crash", f"{type(error).__name__} at {frame.filename}:{frame.lineno}: {error}")
    others = [run for run in (by_onnxruntime(case), by_reference(case)) if run is not None]
    if not others:
        return Outcome("alone")
    words = [differences(list(results.values()), other, case.slack) for other in others]
    if not all(words):
        return Outcome("right")
    differ = len(others) == 2 and differences(*others, case.slack)
    return Outcome("unsure" if differ else "wrong", words[0])


def by_onnxruntime(case: Case) -> list[np.ndarray] | None:
    """The results of onnxruntime without its optimisations, None where it refuses the model."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    try:
        session = onnxruntime.InferenceSession(
            case.model.SerializeToString(), options, providers=["CPUExecutionProvider"]
        )
        names = {item.name for item in session.get_inputs()}
        results = session.run(None, {name: array for name, array in case.inputs.items() if name in names})
        return [np.asarray(item) for item in results]
    except Exception:  # onnxruntime raises bare types of its own for all that it cannot do
        return None


def by_reference(case: Case) -> list[np.ndarray] | None:
    """The results of `onnx.reference`, None where it cannot run the model."""
    try:
        with limited(SECONDS), warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return [np.asarray(item) for item in ReferenceEvaluator(case.model).run(None, dict(case.inputs))]
    except (Exception, TimeoutReached):  # the reference checks little: a wrong model ends in any exception
        return None


def differences(left: list[np.ndarray], right: list[np.ndarray], slack: Slack = EXACT) -> str:
    """In which result two lists differ, "" where they do not."""
    if len(left) != len(right):
        return f"{len(left)} results and {len(right)}"
    for number, (one, other) in enumerate(zip(left, right, strict=True)):
        one, other = np.asarray(one), np.asarray(other)
        if (one.shape, one.dtype) != (other.shape, other.dtype):
            return f"result {number} is {one.dtype}{one.shape}, not {other.dtype}{other.shape}"
        if not _close(one, other, slack):
            return f"result {number} is {_excerpt(one)}, not {_excerpt(other)}"
    return ""


_TOLERANCES = {"float16": 2e-2, "bfloat16": 1e-1, "float32": 1e-3, "float64": 1e-5}


def _close(one: np.ndarray, other: np.ndarray, slack: Slack) -> bool:
    tolerance = _TOLERANCES.get(one.dtype.name)
    if tolerance is None and one.dtype.itemsize == 1 and one.dtype.kind != "b":
        return int(np.abs(one.astype(int) - other.astype(int)).max(initial=0)) <= slack.steps
    if tolerance is None:
        return bool(np.array_equal(one, other))
    left, right = one.astype(np.float64), other.astype(np.float64)
    finite = right[np.isfinite(right)]
    scale = float(np.abs(finite).max()) if finite.size else 0.0
    atol = tolerance * min(scale, 1.0) + 1e-7 + slack.steps * slack.largest * 1.001
    return bool(np.allclose(left, right, rtol=tolerance, atol=atol, equal_nan=True))


def _excerpt(array: np.ndarray) -> str:
    return " ".join(np.array2string(array.ravel()[:8], precision=5).split()) + f" of {array.shape}"
