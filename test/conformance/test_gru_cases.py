"""The cases of Paddle's oneDNN GRU: what is fused, layouts, packed weights, numbers.

Where the system is sound and fuses, so do we, with its attributes and operands. Where it does not, we may do more, as
long as the numbers are right: every program is run as it is and fused, and both agree. Where the system is wrong,
ours is right, or refused.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import numpy as np
import pytest
from gru_program import Case, Text
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

import lastuse
from lastuse.compiler.driver import context
from lastuse.compiler.module_utils import clone
from lastuse.dialect.dnn import OPERATIONS
from lastuse.dialect.dnn.attributes import flag, word
from lastuse.dialect.dnn.constants import ConstantOp
from lastuse.dialect.dnn.recurrent.gru import FusedGruOp, MultiGruOp
from lastuse.dialect.dnn.recurrent.padded import LodToTncOp, TncToLodOp
from lastuse.dialect.ir.diagnostics import RemarkKind, ToolContext
from lastuse.dialect.storage.verifier import verify
from lastuse.frontends.text import mlir_parser
from lastuse.passes.gru_fusion import GruFusionPass
from lastuse.passes.placement import PlacementPass
from lastuse.passes.weight_reorder import WeightReorderPass
from support import ROOT

FOLDER = ROOT.parent / "shared" / "cases"
TOLERANCE = 1e-5
UNCOUNTED = ("dnn.constant", "dnn.reshape", "dnn.fill")


@cache
def cases() -> list[Case]:
    path = FOLDER / "paddle_onednn_gru.json"
    return json.loads(path.read_text()) if path.is_file() else []


def having(key: str, kind: str = "") -> list[Any]:
    """The cases that expect `key`, of a first op of that kind if one is given, as parameters of a test."""
    found = [c for c in cases() if key in c["expect"] and kind in ("", c["program"]["ops"][0]["kind"])]
    return [pytest.param(case, id=case["id"]) for case in found]


def module_of(case: Case) -> tuple[ModuleOp, Text]:
    """The case's program, and arrays to run it on."""
    arrays: dict[str, np.ndarray] = {}
    if "data" in case:
        with np.load(FOLDER / case["data"]) as data:
            arrays = dict(data)
    text = Text(case, arrays)
    module = mlir_parser.parse(context(), text.text, case["id"])
    verify(module)
    return module, text


def run(module: ModuleOp, text: Text, fuse: bool = True) -> list[np.ndarray]:
    program = lastuse.compile(module, fuse=fuse)
    return list(program.run({name: text.feed[name] for name in program.inputs}).values())


def fused(module: ModuleOp) -> tuple[ModuleOp, ToolContext]:
    ctx = context()
    ctx.wants_remarks = True
    done = clone(module)
    GruFusionPass().apply(ctx, done)
    verify(done)
    return done, ctx


def kinds(module: ModuleOp) -> list[str]:
    return sorted(op.name for op in module.walk() if op.name.startswith("dnn.") and op.name not in UNCOUNTED)


def test_all_cases_are_found() -> None:
    if not cases():
        pytest.skip(f"no cases in {FOLDER}")


@pytest.mark.parametrize("case", having("fused"))
def test_fusion_leaves_the_ops_of_the_case_or_refuses_with_its_reason(case: Case) -> None:
    module, text = module_of(case)
    done, ctx = fused(module)
    expect = case["expect"]
    refusals = [r for r in ctx.remarks if r.kind is RemarkKind.REFUSAL]
    gone = len(kinds(module)) - len(kinds(done))
    wanted = len(case["program"]["ops"]) - len(expect["op_kinds_after"])
    if expect["sound"]:
        assert gone >= wanted, f"{kinds(done)}, the system has {expect['op_kinds_after']}"
        for each in expect["fused"]:
            same_op(done, each, case)
    if "optimal" in expect:
        assert gone > wanted or not expect["sound"]
    stays = any(op.name == "dnn.gru" for op in done.walk())
    assert bool(refusals) >= stays, "a refusal has a reason"
    assert all(r.reason for r in refusals)
    again, _ = fused(done)
    assert str(again) == str(done)
    # Right in any case: with what the pass did, with the weights prepared, in the whole pipeline, the same numbers.
    plain = run(module, text, fuse=False)
    for got, want in zip(run(module, text), plain, strict=True):
        # Relative too: with an identity gate numbers grow without bound.
        np.testing.assert_allclose(got, want, rtol=TOLERANCE, atol=TOLERANCE)


@pytest.mark.parametrize("case", having("fused"))
def test_strategy_paddle_leaves_the_ops_of_the_system(case: Case) -> None:
    """Where the system is right."""
    module, text = module_of(case)
    done = clone(module)
    GruFusionPass(strategy="paddle", passes=tuple(case["options"]["passes"])).apply(context(), done)
    verify(done)
    if case["expect"]["sound"]:
        assert [kind.removeprefix("dnn.") for kind in kinds(done)] == case["expect"]["op_kinds_after"]
        for each in case["expect"]["fused"]:
            same_op(done, each, case)
    for got, want in zip(run(done, text, fuse=False), run(module, text, fuse=False), strict=True):
        np.testing.assert_allclose(got, want, rtol=TOLERANCE, atol=TOLERANCE)


def same_op(done: ModuleOp, each: Case, case: Case) -> None:
    """The op that makes a result is the system's, or one of ours that does more in one."""
    found = [op for op in done.walk() if any(r.name_hint == each["result"] for r in op.results)]
    if not found:  # fused further: what it went into is checked by numbers
        assert any(isinstance(op, MultiGruOp) for op in done.walk())
        return
    (op,) = found
    assert isinstance(op, FusedGruOp | MultiGruOp)
    want = each["attrs"]
    assert flag(op.origin_mode) == want["origin_mode"]
    assert word(op.activation, "tanh") == want["activation"]
    assert word(op.gate_activation, "sigmoid") == want["gate_activation"]
    standard = (want["activation"], want["gate_activation"]) == ("tanh", "sigmoid")
    assert (str(op.attributes.get("dnn.engine")) == '"onednn"') == (want["use_mkldnn"] and standard)
    if isinstance(op, FusedGruOp):
        assert flag(op.is_reverse) == want["is_reverse"]
        operands = {"X": op.x, "WeightX": op.weight_x, "WeightH": op.weight_h, "Bias": op.bias}
        for role, value in operands.items():
            names = each["operands"].get(role, [])
            if role != "Bias" or not any(o["kind"] == "add" for o in case["program"]["ops"]):
                assert [v.name_hint for v in (value,) if v is not None] == names
        after = case["expect"].get("constants_after", {})
        for name in each["operands"].get("Bias", []):
            if name in after:  # ours is a new constant of these numbers; the old one stays what it was
                assert op.bias is not None and isinstance(op.bias.owner, ConstantOp)
                np.testing.assert_allclose(op.bias.owner.array(), after[name], rtol=0, atol=1e-6)
    else:
        assert op.mode.data == "concat"
        assert op.layers() == want["layers"]
        halves = [half for layer in op.weights(op.operands) for half in layer]
        assert [h.weight_x and h.weight_x.name_hint for h in halves] == each["operands"]["WeightX"]
        assert [h.weight_h.name_hint for h in halves] == each["operands"]["WeightH"]
        assert [h.bias and h.bias.name_hint for h in halves] == each["operands"]["Bias"]


def test_constant_with_other_readers_is_not_changed() -> None:
    """The system writes a sum into a bias; other readers of the constant still see the old values."""
    for case in cases():
        module, _ = module_of(case) if "constants_after" in case["expect"] else (None, None)
        if module is None:
            continue
        before = {op.y.name_hint: op.array() for op in module.walk() if isinstance(op, ConstantOp)}
        done, _ = fused(module)
        for op in done.walk():
            if isinstance(op, ConstantOp) and op.y.name_hint in before:
                np.testing.assert_array_equal(op.array(), before[op.y.name_hint])


@pytest.mark.parametrize("case", having("tolerance"))
def test_results_are_those_of_the_case_with_and_without_fusion(case: Case) -> None:
    """In float32, through the whole pipeline, against the case's float64 numbers."""
    module, text = module_of(case)
    (want,) = case["expect"]["values"].values()
    for fuse in (True, False):
        (got,) = run(module, text, fuse)
        np.testing.assert_allclose(got, np.asarray(want), rtol=0, atol=case["expect"]["tolerance"])


@pytest.mark.parametrize("case", having("tolerance", "fused_gru"))
def test_reordered_weights_are_those_the_system_gives_onednn(case: Case) -> None:
    """Compares the constants after `--weight-reorder-pass`."""
    module, text = module_of(case)
    WeightReorderPass().apply(context(), module)
    (op,) = [op for op in module.walk() if isinstance(op, FusedGruOp)]
    for value, name in ((op.weight_x, "onednn_weight_x"), (op.weight_h, "onednn_weight_h"), (op.bias, "onednn_bias")):
        assert value is not None and isinstance(value.owner, ConstantOp)
        want = text.arrays[name].astype(np.float32)
        np.testing.assert_array_equal(value.owner.array().reshape(want.shape), want)


@pytest.mark.parametrize("case", having("layout"))
def test_padded_rows_stand_at_their_steps_and_come_back(case: Case) -> None:
    """Every row stands at its step, with zeros elsewhere, and comes back unchanged."""
    (value,), (op,) = case["program"]["inputs"], case["program"]["ops"]
    layout, lengths, attributes = case["expect"]["layout"], value["lod_lengths"], op["attrs"]
    x = 1 + np.arange(sum(lengths) * 2, dtype=np.float32).reshape(-1, 2)
    offsets = np.cumsum([0, *lengths])
    sizes = (layout["T"], layout["N"]) if attributes["layout"] == "TNC" else (layout["N"], layout["T"])
    given = f'is_reverse = {str(attributes["is_reverse"]).lower()}, layout = "{attributes["layout"].lower()}"'
    rows, ends = f"tensor<{len(x)}x2xf32>", f"tensor<{len(offsets)}xi64>"
    dense = f"tensor<{sizes[0]}x{sizes[1]}x2xf32>"
    text = (
        f"func.func @main(%x: {rows}, %o: {ends}) -> ({dense}, {rows}) {{\n"
        f'  %d = "dnn.lod_to_tnc"(%x, %o) {{{given}}} : ({rows}, {ends}) -> {dense}\n'
        f'  %y = "dnn.tnc_to_lod"(%d, %o, %x) {{{given}}} : ({dense}, {ends}, {rows}) -> {rows}\n'
        f"  func.return %d, %y : {dense}, {rows}\n}}\n"
    )
    module = mlir_parser.parse(context(), text, case["id"])
    padded, back = lastuse.compile(module).run({"x": x, "o": offsets}).values()
    slots = padded.reshape(-1, 2)
    np.testing.assert_array_equal(slots[layout["slot_of_word"]], x)
    np.testing.assert_array_equal(slots[layout["pad_slots"]], 0)
    assert [int(s[0] - 1) // 2 if s.any() else -1 for s in slots] == layout["word_of_slot"]
    np.testing.assert_array_equal(slots[layout["output_gather"]], back)
    assert {type(o) for o in module.walk()} >= {LodToTncOp, TncToLodOp}


def packed(case: Case) -> dict[str, np.ndarray]:
    """Weights numbered from 1, as `--weight-reorder-pass` leaves them, by the system's names."""
    shapes = {i["name"]: i["shape"] for i in case["program"]["inputs"]}
    inputs, width = shapes["weight_x"]
    channels, origin = width // 3, case["program"]["ops"][0]["attrs"]["origin_mode"]
    made = {"weight_x": (inputs, width), "weight_h": (channels, width), "bias": (1, width)}
    given = [name for name in made if name in shapes or name == "weight_h"]
    lines = [
        f'  %{name} = "dnn.constant"() {{value = dense<{numbered(made[name])}> : {tensor(made[name])}}} '
        f": () -> {tensor(made[name])}"
        for name in given
    ]
    types = ", ".join([f"tensor<4x{inputs}xf32>", *(tensor(made[name]) for name in given), "tensor<2xi64>"])
    segments = f"operandSegmentSizes = array<i32: 1, 1, 1, {int('bias' in given)}, 0, 1>"
    text = (
        f"func.func @main(%x: tensor<4x{inputs}xf32>, %o: tensor<2xi64>) -> tensor<4x{channels}xf32> {{\n"
        + "\n".join(lines)
        + f'\n  %y = "dnn.fused_gru"(%x, {", ".join("%" + n for n in given)}, %o) {{{segments}, '
        f"origin_mode = {str(origin).lower()}}} : ({types}) -> tensor<4x{channels}xf32>\n"
        f"  func.return %y : tensor<4x{channels}xf32>\n}}\n"
    )
    module = mlir_parser.parse(context(), text, case["id"])
    WeightReorderPass().apply(context(), module)
    verify(module)
    (op,) = [op for op in module.walk() if isinstance(op, FusedGruOp)]
    values = {"wl": op.weight_x, "wi": op.weight_h, "b": op.bias}
    assert op.bias is not None and flag(op.origin_mode)
    assert op.bias.type == TensorType(op.bias.type.element_type, [1, width])  # pyright: ignore
    return {name: v.owner.array() for name, v in values.items() if v is not None and isinstance(v.owner, ConstantOp)}


def tensor(shape: tuple[int, ...]) -> str:
    return f"tensor<{''.join(f'{n}x' for n in shape)}f32>"


def numbered(shape: tuple[int, ...]) -> str:
    return str((1.0 + np.arange(np.prod(shape)).reshape(shape)).tolist())


@pytest.mark.parametrize("case", having("gather"))
def test_packed_weights_have_the_order_and_signs_of_the_case(case: Case) -> None:
    arrays = packed(case)
    for name, how in case["expect"]["gather"].items():
        want = np.array(how["sign"]) * (1.0 + np.array(how["source_element"]))
        np.testing.assert_array_equal(arrays[name].reshape(-1), want)


@pytest.mark.parametrize("case", having("values", "gru_pack_weights"))
def test_absent_bias_is_the_zeros_of_the_case(case: Case) -> None:
    (want,) = case["expect"]["values"].values()
    bias = packed(case)["b"]
    assert bias.dtype == np.float32
    np.testing.assert_array_equal(bias.reshape(-1), np.asarray(want).reshape(-1))


@pytest.mark.parametrize("case", having("values", "gru_update"))
def test_negated_update_gate_exchanges_the_two_formulas(case: Case) -> None:
    """One step with given gates: negating the sum of the update gate exchanges the formulas of h'."""
    op = case["program"]["ops"][0]
    z, h, c = np.array(op["attrs"]["z"]), op["attrs"]["h"], op["attrs"]["c"]
    steps = len(z)
    types = f"(tensor<{steps}x3xf64>, tensor<1x3xf64>, tensor<{steps}x1xf64>, tensor<{steps + 1}xi64>)"
    for name, origin in (("origin_false", False), ("origin_true_with_negated_z", True)):
        attributes = f"origin_mode = {str(origin).lower()}, operandSegmentSizes = array<i32: 1, 1, 0, 1, 1>"
        gates = np.stack([-z if origin else z, np.zeros(steps), np.full(steps, np.arctanh(c))], axis=1)
        gru = OPERATIONS["dnn.gru"]
        made = mlir_parser.parse(
            context(),
            f"func.func @main(%g: tensor<{steps}x3xf64>, %w: tensor<1x3xf64>, %h: tensor<{steps}x1xf64>, "
            f"%o: tensor<{steps + 1}xi64>) -> tensor<{steps}x1xf64> {{\n"
            f'  %y = "dnn.gru"(%g, %w, %h, %o) {{{attributes}}} : {types} -> tensor<{steps}x1xf64>\n'
            f"  func.return %y : tensor<{steps}x1xf64>\n}}\n",
            case["id"],
        )
        (found,) = [o for o in made.walk() if isinstance(o, gru)]
        (got,) = found.reference(gates, np.zeros((1, 3)), np.full((steps, 1), h), np.arange(steps + 1))
        np.testing.assert_allclose(got[:, 0], case["expect"]["values"][name], rtol=0, atol=1e-8)


@pytest.mark.parametrize("case", having("accepted"))
def test_onednn_refuses_activations_other_than_sigmoid_and_tanh(case: Case) -> None:
    """oneDNN's GRU has sigmoid gates and a tanh candidate only; any other activation is an error."""
    if not case["expect"]["accepted"]:
        with pytest.raises(VerifyException, match="does not run on engine onednn"):
            parsed_with_errors(case)
        return
    module, text = module_of(case)
    (op,) = [o for o in module.walk() if isinstance(o, FusedGruOp)]
    arrays = {name: text.feed[name] for name in text.feed}
    constants = {o.y.name_hint: o.array() for o in module.walk() if isinstance(o, ConstantOp)}
    operands = [arrays.get(v.name_hint or "", constants.get(v.name_hint)) for v in op.operands]
    (want,) = op.reference(*(a.astype(np.float64) if a.dtype.kind == "f" else a for a in operands if a is not None))
    np.testing.assert_allclose(run(module, text)[0], want, rtol=0, atol=TOLERANCE)


def parsed_with_errors(case: Case) -> Operation:
    module = mlir_parser.parse(context(), Text(case).text, case["id"])
    module.verify()
    return module


def test_placement_before_or_after_fusion_gives_one_module() -> None:
    for param in having("fused"):
        module, _ = module_of(param.values[0])
        texts = set[str]()
        for placed in (True, False), (False, True), (True, True):
            done = clone(module)
            for place, fuse in zip(placed, (True, False), strict=True):
                if place:
                    PlacementPass().apply(context(), done)
                if fuse:
                    GruFusionPass().apply(context(), done)
                    WeightReorderPass(fold=False).apply(context(), done)
            texts.add(str(done))
        assert len(texts) == 1
