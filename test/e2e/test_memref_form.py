"""The memref form of programs of other projects gives the numbers that MLIR's bufferization gives, run by LLVM."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import memref_runs as runs
import numpy as np
import pytest

from support import opt_tool, shared, swept

ARENAS, RESULTS = ("alloc", "argument", "none"), ("return", "out")
UNDEFINED = {"undefined_read", "undefined_not_copied", "pieces_into_cast", "two_fills_two_calls"}
"""They return bytes that nothing wrote."""
AT = {
    "inserts_into_alias_and_base": {"i": 0, "j": 0, "n": 24, "m": 40},
    "nested_parts_kept": {"n": 12},
    "nested_parts_other_size": {"n": 12},
    "forward_in_loop": {"n": 12},
    "forward_in_forall": {"?": 64},
}
"""Indices that fit these programs, and what `?` is in their arguments."""
needs_llvm = pytest.mark.skipif(
    runs.OPT is None or runs.RUNNER is None or not all(p.exists() for p in runs.RUNNER_LIBRARIES),
    reason="no mlir-opt-19, mlir-cpu-runner-19 or libraries of theirs (mlir-19-tools, libmlir-19-dev)",
)


def _folder() -> Path:
    folder = shared() / "bufferize"
    if not folder.is_dir():
        pytest.skip("no ../shared/bufferize beside the repository")
    return folder


def upstream_programs() -> dict[str, str]:
    """The programs that the peer bufferizes and that need nothing from outside."""
    folder = _folder()
    peer = json.loads((folder / "peer.json").read_text())
    texts = {name: (folder / "cases" / f"{name}.mlir").read_text() for name in peer}
    wanted = {n: t for n, t in texts.items() if "error" not in peer[n] and "func.func private" not in t}
    return {n: t for n, t in wanted.items() if n not in UNDEFINED}


def names_of(text: str, function: str) -> list[str]:
    """The names of the arguments of a function, in text."""
    start = text.index(f"@{function}(") + len(function) + 2
    depth, end = 1, start
    while depth:
        depth += {"(": 1, ")": -1}.get(text[end], 0)
        end += 1
    return re.findall(r"%(\w+):", text[start : end - 1])


@cache
def numbers_of_peer() -> dict[str, list[runs.Printed]]:
    """What the peer's form of each program gives."""
    texts = {name: runs.renamed(text, name) for name, text in upstream_programs().items()}
    made = runs.bufferized_by_peer("\n".join(texts.values()))
    body, functions = runs.body_of(made), runs.functions_in(made)
    called = [
        runs.Called(
            f"{name}_{name}", name, functions[f"{name}_{name}"], names_of(texts[name], f"{name}_{name}"), (), at
        )
        for name in texts
        for at in [AT.get(name, {})]
    ]
    return runs.run(body, called)


@needs_llvm
@pytest.mark.parametrize("arena,results", swept(itertools.product(ARENAS, RESULTS)))
def test_form_gives_the_numbers_of_the_peer(arena: str, results: str) -> None:
    expected = numbers_of_peer()
    texts: list[str] = []
    called: list[runs.Called] = []
    for name, text in upstream_programs().items():
        options = f"--bufferize-pass=arena={arena},results={results},arguments=writable"
        printed = ["--print-op-generic"] if arena == "none" else []
        done = opt_tool(options, *printed, str(_folder() / "cases" / f"{name}.mlir"))
        if done.status:
            generic = _folder() / "generic" / f"{name}.mlir"
            done = opt_tool(options, "--print-op-generic", str(generic)) if generic.exists() else done
        if done.status:
            assert "internal error" not in done.err, f"{name}: {done.err}"
            continue
        function = runs.functions_in(done.out)[name]
        shapes = [p.sizes for p, r in zip(expected[name], _result_types(text, name), strict=True) if "tensor" in r]
        outs = shapes if results == "out" else []
        own = runs.renamed(done.out, name)
        texts.append(runs.body_of(own))
        called.append(runs.Called(f"{name}_{name}", name, function, names_of(text, name), outs, AT.get(name, {})))
    assert {*expected} - {one.seed for one in called} <= (NO_FORM if results == "out" else set())
    got = runs.run("\n".join(texts), called)
    wrong = {
        one.seed: (got[one.seed], wanted)
        for one in called
        for wanted in [_reordered(expected[one.seed], _result_types(upstream_programs()[one.seed], one.seed), results)]
        if got[one.seed] != wanted
    }
    assert not wrong, sorted(wrong)


def _arith_chain(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    c = (x + y) * y - x
    return c / np.exp(c)


def _concat_op(x: np.ndarray) -> np.ndarray:
    return np.concatenate([np.maximum(x, 0), np.tanh(x)], 1)


PEERLESS: dict[str, tuple[list[tuple[int, ...]], Callable[..., np.ndarray]]] = {
    "arith_chain": ([(16, 16)] * 2, _arith_chain),
    "concat_op": ([(16, 24)], _concat_op),
}
"""Programs that the peer does not bufferize: the shapes of their arguments, and what they compute."""


@needs_llvm
def test_form_of_what_the_peer_does_not_bufferize_gives_the_numbers_of_numpy() -> None:
    texts: list[str] = []
    called: list[runs.Called] = []
    for (name, (shapes, meaning)), arena, results in itertools.product(PEERLESS.items(), ARENAS, RESULTS):
        options = f"--bufferize-pass=arena={arena},results={results},arguments=writable"
        case = _folder() / "cases" / f"{name}.mlir"
        done = opt_tool(options, str(case))
        assert not done.status, done.err
        seed, text = f"{name}_{arena}_{results}", case.read_text()
        outs = [meaning(*map(np.zeros, shapes)).shape] if results == "out" else []
        texts.append(runs.body_of(runs.renamed(done.out, seed)))
        function = runs.functions_in(done.out)[name]
        called.append(runs.Called(f"{seed}_{name}", seed, function, names_of(text, name), outs))
    for seed, printed in runs.run("\n".join(texts), called).items():
        shapes, meaning = PEERLESS[seed.rsplit("_", 2)[0]]
        wanted = meaning(*(runs.values_for(shape, "f32", f"{seed}.{n}") for n, shape in enumerate(shapes)))
        (only,) = printed
        np.testing.assert_allclose(json.loads(only.data), wanted, rtol=1e-4, atol=1e-5, err_msg=seed)


NO_FORM = {"callee_slice_then_fill"}
"""Programs without a form that writes its results: the caller does not know how large the result of a call is."""


def _result_types(text: str, function: str) -> list[str]:
    """The types of the results of a function, in text."""
    head = text[text.index(f"@{function}(") :]
    line = head[: head.index("{\n")]
    after = line.rpartition("->")[2] if re.search(r"\)\s*->", line) else ""
    return re.findall(r"tensor<[^>]*>|vector<[^>]*>|\b[fi]\d+\b|\bindex\b", after)


def _reordered(printed: list[runs.Printed], types: list[str], results: str) -> list[runs.Printed]:
    """Results in the order in which they are printed: those that are written come last."""
    if results == "return":
        return printed
    pairs = list(zip(printed, types, strict=True))
    return [p for p, t in pairs if "tensor" not in t] + [p for p, t in pairs if "tensor" in t]
