"""Paddle's in-place pass: the reasons it gives, and memory that an earlier pass has taken."""

from __future__ import annotations

from .corpus import planned, reasons, written_over

T = "tensor<2x8xf32>"


def module(*lines: str, attributes: str = "", returned: str = "%r") -> str:
    """A function of %x; in each line `T` is the one type, `ONEDNN` asks for the engine."""
    body = "\n".join(f"  {line}".replace("ONEDNN", 'dnn.engine = "onednn"') for line in lines)
    results = ", ".join(["T"] * len(returned.split(",")))
    text = f"func.func @main(%x: T{attributes}) -> ({results}) {{\n{body}\n  func.return {returned} : {results}\n}}"
    return text.replace("T", T)


def test_reason_says_whether_a_reader_is_the_return() -> None:
    """For an operand with several readers."""
    body = (
        '%c = "dnn.opaque"(%x) {kind = "conv"} : (T) -> T',
        '%a = "dnn.relu"(%c) {ONEDNN} : (T) -> T',
        '%b = "dnn.opaque"(%a) {kind = "conv"} : (T) -> T',
        '%r = "dnn.opaque"(%b, %c) {kind = "conv"} : (T, T) -> T',
    )
    assert reasons(planned("paddle", module(*body)))["a"] == "used-later"
    assert reasons(planned("paddle", module(*body, returned="%r, %c")))["a"] == "returned"


UNPAIRED = '%r = "dnn.opaque"(%a) {kind = "conv", dnn.reuse = array<i32: NUMBER>} : (T) -> T'
"""An op without an in-place kernel, put into a storage by an earlier pass."""


def test_next_op_reuses_the_memory_of_an_argument_by_its_number() -> None:
    """A donated argument may have a storage number, as a result; without one it shares with no other value."""
    lines = ('%a = "dnn.relu"(%x) {ONEDNN} : (T) -> T', UNPAIRED, '%s = "dnn.neg"(%r) : (T) -> T')
    for number, attributes, reason in (
        ("1", " {dnn.donated, dnn.reuse = 1 : i32}", "next-op-reuses"),
        ("1", " {dnn.donated, dnn.reuse = 0 : i32}", None),
        ("1", " {dnn.donated}", None),
        ("1", "", "program-input"),
    ):
        text = module(*lines, attributes=attributes, returned="%s").replace("NUMBER", number)
        assert reasons(planned("paddle", text)).get("a") == reason, attributes


def test_a_paired_op_in_the_memory_of_an_argument_moves_along() -> None:
    lines = (
        '%a = "dnn.relu"(%x) {ONEDNN} : (T) -> T',
        '%b = "dnn.sigmoid"(%a) {dnn.reuse = array<i32: 1>} : (T) -> T',
        '%r = "dnn.opaque"(%b) {kind = "conv"} : (T) -> T',
    )
    numbered = planned("paddle", module(*lines, attributes=" {dnn.donated, dnn.reuse = 1 : i32}"))
    assert written_over(numbered) == {"a": "x", "b": "a"}
    assert written_over(planned("paddle", module(*lines, attributes=" {dnn.donated}"))) == {"a": "x"}
