"""Reasons: each has a help text and a row in docs/reasons.md. Those that only a contract of another dialect causes
are shown alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from xdsl.dialects.builtin import ModuleOp

from lastuse.compiler.driver import context
from lastuse.dialect.dnn.comparison import CastOp
from lastuse.dialect.storage import attrs, verifier
from lastuse.dialect.storage.contract import Contract, InPlace
from lastuse.dialect.storage.registration import register_contract
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.analysis.reasons import Reason
from lastuse.passes.inplace import InplacePass
from lastuse.passes.inplace_analysis.policies import STRATEGIES
from support import ROOT, opt_tool


@pytest.fixture
def register(registered_contracts: None) -> Callable[[Contract], None]:
    return lambda contract: register_contract(CastOp, contract)


def decided(text: str, strategy: str = "optimal") -> ModuleOp:
    module = parse(context(), text, "given.mlir")
    verifier.verify(module)
    InplacePass(strategy, explain=True).apply(context(), module)
    return module


def refused(module: ModuleOp) -> dict[str | None, str]:
    """The reason of each value that is refused, by its name."""
    return {
        op.results[0].name_hint: op.attributes[attrs.REFUSED].data[0].data  # pyright: ignore
        for op in module.walk()
        if attrs.REFUSED in op.attributes
    }


def test_every_reason_has_a_message_and_a_help() -> None:
    page = (ROOT / "docs" / "reasons.md").read_text()
    for reason in Reason:
        assert reason.words and reason.help and reason.help != reason.words
        assert f"| `{reason.value}` | {reason.words} | {reason.help} |" in page
    assert len({r.help for r in Reason}) == len(Reason)


def test_refusal_for_the_element_type_alone_names_it(register: Callable[[Contract], None]) -> None:
    text = """
      func.func @main(%x: tensor<4xf32> {dnn.donated}) -> tensor<4xi1> {
        %a = "dnn.cast"(%x) : (tensor<4xf32>) -> tensor<4xi1>
        func.return %a : tensor<4xi1>
      }"""
    assert refused(decided(text)) == {"a": "kernel"}
    register(Contract(over=(InPlace(0, 0),)))
    assert refused(decided(text)) == {"a": "element-type"}


def test_missing_kernel_is_reported_before_unequal_sizes() -> None:
    text = """
      func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
        %xw = "dnn.matmul"(%x, %w) : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
        func.return %xw : tensor<4x8xf32>
      }"""
    for strategy in STRATEGIES:
        assert refused(decided(text, strategy)) == {"xw": "kernel"}


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_strategy_uses_a_registered_contract(strategy: str) -> None:
    module = decided(
        """
      func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
        %a = "dnn.opaque"(%x) {kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
        %b = arith.addf %x, %a : tensor<4xf32>
        %r = "dnn.opaque"(%b) {kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
        func.return %r : tensor<4xf32>
      }""",
        strategy,
    )
    (added,) = [op for op in module.walk() if op.name == "arith.addf"]
    assert attrs.inplace(added) == (1,)


def test_paddle_without_engines_refuses_with_reason_engine() -> None:
    text = """
      func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
        %a = "dnn.opaque"(%x) {kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
        %b = "dnn.relu"(%a)ENGINE : (tensor<4xf32>) -> tensor<4xf32>
        %r = "dnn.opaque"(%b) {kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
        func.return %r : tensor<4xf32>
      }"""
    assert refused(decided(text.replace("ENGINE", ""), "paddle"))["b"] == "engine"
    assert "--placement-pass" in Reason.ENGINE.help
    assert "b" not in refused(decided(text.replace("ENGINE", ' {dnn.engine = "onednn"}'), "paddle"))


@pytest.mark.parametrize("mark", ["", " {dnn.donated}"])
def test_copy_of_an_argument_into_a_concat_gives_no_useless_advice(mark: str) -> None:
    """An argument exists before the function runs, so no attribute lets it be computed in its part of a concat."""
    text = f"""
func.func @main(%x: tensor<4x8xf32>{mark}) -> tensor<8x8xf32> {{
  %h = "dnn.exp"(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = "dnn.concat"(%h, %x) {{axis = 0 : i64}} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  func.return %y : tensor<8x8xf32>
}}"""
    for passes in (["--inplace-pass"], ["--plan-pass"], ["--plan-pass", "--lower-to-onednn-pass"]):
        done = opt_tool(*passes, "--remarks", stdin=text)
        (copy,) = [line for line in done.err.splitlines() if "is copied" in line]
        assert "%x is copied into %y, 128 bytes: the operand is memory of the caller, so no op computes it" in copy
        assert "[program-input]; compute the operand in the function" in copy
