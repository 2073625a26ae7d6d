"""ONNX's own test of every op, through `lastuse.onnx_backend`: each passes, or is skipped for the reason on record."""

from __future__ import annotations

import unittest
import warnings
from collections import Counter

import onnx.backend.test
import onnx_node_cases
import pytest
from onnx_node_cases import OWN, SKIPPED, STANDARD

import lastuse.onnx_backend

RECORDED = onnx_node_cases.recorded()
AT_A_TIME = 25


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("first", range(0, len(RECORDED), AT_A_TIME))
def test_nodes(first: int) -> None:
    """Twenty-five tests; the file is written anew by `python test/conformance/onnx_node_cases.py`."""
    for name in list(RECORDED)[first : first + AT_A_TIME]:
        assert (name, onnx_node_cases.outcome(name)) == (name, RECORDED[name])


def test_every_case_is_on_record() -> None:
    assert set(RECORDED) == set(onnx_node_cases.cases())


def test_as_many_pass_as_promised() -> None:
    counts = Counter(rest.partition(" ")[0] for rest in RECORDED.values())
    assert set(counts) <= {OWN, STANDARD, SKIPPED}
    assert counts[OWN] >= 1000
    assert counts[OWN] + counts[STANDARD] >= 1450


def test_onnx_runs_its_tests_by_the_backend() -> None:
    """As `onnx` itself calls the backend: cases that pass, and one that is skipped."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cases = onnx.backend.test.BackendTest(lastuse.onnx_backend, __name__).test_cases["OnnxBackendNodeModelTest"]
    for name in ("test_relu_cpu", "test_add_bcast_cpu"):
        getattr(cases(name), name)()
    skipped = next(name for name, rest in RECORDED.items() if rest.startswith(SKIPPED))
    with pytest.raises(unittest.SkipTest):
        getattr(cases(f"{skipped}_cpu"), f"{skipped}_cpu")()
