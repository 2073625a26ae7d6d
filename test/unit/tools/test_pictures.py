"""Pictures of memory: what is read from a program and drawn. Their look: test_pictures_in_browser.py."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest
from generate import random_program
from generate.flow import random_flow_program
from pictured import SVG, decided, drawn_boxes, many_ops, maps_of, meeting, tabled

from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.flow_graphs import functions_of
from lastuse.passes.memory.stats import memory_stats
from lastuse.tools.run_tool import main as run_tool
from lastuse.tools.visualize.graphviz import dot
from lastuse.tools.visualize.markup import byte_ticks, column_ticks, in_bytes, rounded_bytes, tag, words
from lastuse.tools.visualize.memory import BoxKind
from lastuse.tools.visualize.page import page
from lastuse.tools.visualize.panel import MAX_BOXES, labelled
from lastuse.tools.visualize.plans import map_of_buffers
from lastuse.tools.visualize.read import memory_maps, undecided
from lastuse.tools.visualize.svg import svg
from lastuse.tools.visualize.table import plain, table
from support import ROOT, opt_tool

LIT = ROOT / "test" / "lit" / "opt-tool"


# What is read


@pytest.mark.parametrize("seed", range(16))
@pytest.mark.parametrize("make", [random_program, random_flow_program])
def test_map_shows_the_plan(make: object, seed: int) -> None:
    """No boxes overlap, all are in the arena, and arena and peak equal the figures of every tool."""
    module = decided(make(seed).text)  # pyright: ignore
    try:
        maps = memory_maps(module)
    except LastuseError as error:
        assert error.message.startswith(("cannot be drawn", "the function never returns", "the size of"))
        return
    functions = functions_of(module)
    for found, func in zip(maps, functions.values(), strict=True):
        told = memory_stats(func, functions)
        assert told is not None
        assert (found.arena, found.naive, found.bound) == (told.arena_bytes, told.naive_bytes, told.live_peak_bytes)
        assert max(found.live, default=0) == found.bound
        assert meeting(found) == []
        for box in found.boxes:
            assert 0 <= box.offset <= box.end <= found.arena
            assert 0 <= box.first <= box.last < len(found.steps)
            assert all(box.offset <= v.begin <= v.end <= box.end and box.first <= v.first for v in box.values)
        ElementTree.fromstring(svg(maps))
        assert meeting(memory_maps(undecided(module))[0]) == []


def test_values_in_place_have_one_box() -> None:
    (found,) = maps_of((LIT / "pictures.mlir").read_text())
    (box,) = found.boxes
    assert [(v.name, v.over, v.how) for v in box.values] == [
        ("%a", "", "part of %e"),
        ("%b", "%a", "in place over %a"),
        ("%d", "", "view of %b"),
        ("%e", "", ""),
        ("%f", "%e", "in place over %e"),
    ]
    text = (LIT / "pictures.mlir").read_text().split("\n")
    assert box.values[1].line == f"given.mlir:{1 + next(n for n, line in enumerate(text) if line.startswith('  %b'))}:8"
    assert [(v.name, v.how) for v in found.outside] == [
        ("%x", "in argument x"),
        ("%g", "in result out0"),
        ("%h", "in result out1"),
    ]


def test_given_plan_is_drawn_unchanged() -> None:
    """An offset wins over in place: both values have boxes, which may overlap where the plan is wrong."""
    (found,) = maps_of(
        """func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> attributes {dnn.arena_bytes = 160 : i64} {
          %a = "dnn.exp"(%x) {dnn.offset = array<i64: 0>} : (tensor<16xf32>) -> tensor<16xf32>
          %b = "dnn.relu"(%a) {dnn.inplace = array<i32: 0>, dnn.offset = array<i64: 32>}
            : (tensor<16xf32>) -> tensor<16xf32>
          %c = "dnn.add"(%b, %x) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
          func.return %c : tensor<16xf32>
        }""",
        plan=False,
    )
    assert [(box.offset, box.size, box.first, box.last) for box in found.boxes] == [(0, 64, 0, 1), (32, 64, 1, 2)]
    assert len(meeting(found)) == 1
    assert not any(box.is_run for box in found.boxes)


def test_the_pool_shares_storages_by_number() -> None:
    (found,) = maps_of(
        """func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
          %a = "dnn.exp"(%x) {dnn.reuse = array<i32: 3>} : (tensor<16xf32>) -> tensor<16xf32>
          %b = "dnn.softmax"(%a) {axis = -1 : i64} : (tensor<16xf32>) -> tensor<16xf32>
          %c = "dnn.exp"(%b) {dnn.reuse = array<i32: 3>} : (tensor<16xf32>) -> tensor<16xf32>
          %d = "dnn.softmax"(%c) {axis = -1 : i64} : (tensor<16xf32>) -> tensor<16xf32>
          func.return %d : tensor<16xf32>
        }""",
        plan=False,
    )
    assert [[v.name for v in box.values] for box in found.boxes] == [["%a", "%c"], ["%b"]]
    assert [v.how for v in found.boxes[0].values] == ["storage 3", "storage 3"]
    assert not found.planned


def test_scratch_has_boxes_of_its_own() -> None:
    """At its planned offset, or else stacked behind all values."""
    text = """func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
      %a = "dnn.exp"(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
      %b = "dnn.matmul"(%a, %w) {dnn.engine = "cpu", dnn.scratch_bytes = 250 : i64} :
        (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
      %c = "dnn.softmax"(%b) {axis = -1 : i64} : (tensor<4x8xf32>) -> tensor<4x8xf32>
      %d = "dnn.matmul"(%c, %w) {dnn.engine = "cpu", dnn.scratch_bytes = 64 : i64} :
        (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
      func.return %d : tensor<4x8xf32>
    }"""
    ((planned,), (plain_,)) = maps_of(text), maps_of(text, plan=False)
    for found, places in ((planned, [(0, 250), (0, 64)]), (plain_, [(384, 634), (640, 704)])):
        scratch = [box for box in found.boxes if box.kind is BoxKind.SCRATCH]
        assert [(box.offset, box.end) for box in scratch] == places
        assert [(box.first, box.last) for box in scratch] == [(1, 1), (3, 3)]
        assert [box.values[0].name for box in scratch] == ["scratch of %b", "scratch of %d"]
        drawn = drawn_boxes(svg([found]))
        assert [e.get("class", "").split()[1] for e in drawn].count("scratch") == 2
        assert 'id="scratch"' in svg([found])
    assert planned.live[1] == 512, "sizes are rounded_bytes up where they are added up"
    assert ">matmul</text>" in svg([planned]), "steps are named"
    assert "ops, in order: 5" in svg([planned])


def test_scratch_and_frames_have_their_own_kinds() -> None:
    flow = maps_of((LIT / "pictures-flow.mlir").read_text())
    assert [box.kind for box in flow[0].boxes].count(BoxKind.FRAME) == 1
    assert [(band.label, band.depth) for band in flow[0].bands] == [
        ("scf.for", 0),
        ("scf.if 1/2", 1),
        ("scf.if 2/2", 1),
    ]
    assert flow[2].boxes == () and flow[2].peak is None


def test_memory_of_other_dialects_is_not_in_the_arena() -> None:
    (found,) = maps_of(
        """func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
          %a = "other.op"(%x) : (tensor<16xf32>) -> tensor<16xf32>
          %b = "dnn.exp"(%a) : (tensor<16xf32>) -> tensor<16xf32>
          func.return %b : tensor<16xf32>
        }"""
    )
    assert found.boxes == ()
    assert ("%a", "in memory of other.op") in [(v.name, v.how) for v in found.outside]


def test_columns_of_constants_are_left_out() -> None:
    (found,) = maps_of((ROOT / "examples" / "loops" / "decode.mlir").read_text())
    assert not any(step.name == "constant" for step in found.steps)
    assert any(step.name == "matmul" for step in found.steps)


# What is drawn


def test_every_box_is_drawn_with_a_title() -> None:
    maps = maps_of(many_ops(60))
    boxes = drawn_boxes(svg(maps))
    titles = [group.findtext(f"{SVG}title") or "" for group in boxes]
    assert len(boxes) == len(maps[0].boxes)
    for title, box in zip(titles, maps[0].boxes, strict=True):
        assert all(v.name in title and v.line in title for v in box.values[:20])
        assert f"at {box.offset:,}" in title


def test_names_are_escaped() -> None:
    found = tabled()
    text, html = svg([found]), page([found])
    titles = [group.findtext(f"{SVG}title") or "" for group in drawn_boxes(text)]
    names = [box.values[0].name.replace("\x00", "\N{REPLACEMENT CHARACTER}") for box in found.boxes]
    assert all(title.startswith(name) for title, name in zip(titles, names, strict=True))
    assert html.count("</script>") == 2
    data = json.loads(html.split('id="maps">')[1].split("</script>")[0])
    assert [box["values"][0]["name"] for box in data[0]["boxes"]] == names
    assert "http" not in html.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "")


def test_files_are_bounded() -> None:
    """Of 20,000 buffers only the largest are drawn, and the picture says so."""
    count = 20_000
    lives = [(n, n + 3) for n in range(count)]
    sizes = [64 + n % 7 for n in range(count)]
    found = map_of_buffers(
        "many", lives, [f"b{n}" for n in range(count)], sizes, [64 * (n % 5) for n in range(count)], 1
    )
    text = svg([found])
    assert len(drawn_boxes(text)) == MAX_BOXES
    assert f"the largest {MAX_BOXES:,} are drawn" in text
    assert len(text) < 3_000_000 and len(page([found])) < 6_000_000
    root = ElementTree.fromstring(text)
    assert float(root.get("width", "0")) < 1400 and float(root.get("height", "0")) < 1000


def test_a_picture_holds_a_hundred_functions() -> None:
    many = "\n".join(
        f"func.func @f{n}(%x: tensor<2xf32>) -> tensor<2xf32> {{ func.return %x : tensor<2xf32> }}" for n in range(101)
    )
    done = opt_tool("-t", "svg", "-", stdin=many)
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith("<stdin>:1:1: error: 101 functions are more than a picture holds, which is 100")


def test_long_chain_in_place_is_summarized() -> None:
    chain = "\n".join(f'%v{n + 1} = "dnn.relu"(%v{n}) : (tensor<16xf32>) -> tensor<16xf32>' for n in range(300))
    (found,) = maps_of(
        f"""func.func @main(%x: tensor<16xf32>) -> (tensor<16xf32>, tensor<1xf32>) {{
          %v0 = "dnn.exp"(%x) : (tensor<16xf32>) -> tensor<16xf32>
          {chain}
          %s = "dnn.slice"(%v300) {{dim = 0 : i64, start = 0 : i64, end = 1 : i64}} : (tensor<16xf32>) -> tensor<1xf32>
          %y = "dnn.exp"(%s) : (tensor<1xf32>) -> tensor<1xf32>
          func.return %x, %y : tensor<16xf32>, tensor<1xf32>
        }}"""
    )
    (box,) = found.boxes
    assert len(box.values) == 303
    assert "and 279 more" in svg([found])
    assert [value.name for value, _ in labelled(box)] == [*(f"%v{n}" for n in range(301)), "%y"]


def test_the_naive_program_is_drawn_at_the_same_scale() -> None:
    done = opt_tool("--inplace-pass", "--memory-plan-pass", "-t", "svg{naive=true}", "-", stdin=many_ops(20))
    plots = [e for e in ElementTree.fromstring(done.out).iter(f"{SVG}svg") if e.get("class") == "plot"]
    before, after = (float(plot.get("height", "0")) for plot in plots)
    module = decided(many_ops(20))
    (one,), (other,) = memory_maps(undecided(module)), memory_maps(module)
    assert before / after == pytest.approx(one.arena / other.arena, rel=0.01)


def test_nothing_is_written_beside_a_picture(tmp_path: Path) -> None:
    """Arrays are written beside IR, which names them; a picture names none."""
    text = (
        '%c = "dnn.constant"() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> tensor<2xf32>\n'
        '%y = "dnn.exp"(%c) : (tensor<2xf32>) -> tensor<2xf32>\nfunc.return %y : tensor<2xf32>'
    )
    done = opt_tool(
        "-t", "svg", "-", "-o", str(tmp_path / "m.svg"), stdin=f"func.func @f() -> tensor<2xf32> {{\n{text}\n}}\n"
    )
    assert done.status == 0, done.err
    assert [path.name for path in tmp_path.iterdir()] == ["m.svg"]


# The graph


@pytest.mark.parametrize("path", sorted(LIT.glob("pictures*.mlir")), ids=lambda path: path.name)
def test_graphviz_takes_the_graph(path: Path) -> None:
    program = shutil.which("dot")
    if program is None:
        pytest.skip("no graphviz: on Debian, apt install graphviz")
    text = dot(decided(path.read_text(), plan="refused" not in path.name))
    done = subprocess.run([program, "-Tsvg"], input=text.encode(), capture_output=True, check=False)
    assert (done.returncode, done.stderr.decode()) == (0, "")
    seen = done.stdout.decode()
    assert seen.count('class="node"') == text.count("fillcolor=") - 1 + text.count('shape="note"')
    assert seen.count('class="edge"') == text.count(" -> ")
    if "flow" in path.name:
        assert "a&lt;&amp;&quot;中文&quot;\\: tensor" in seen


def test_names_of_graphviz_are_escaped() -> None:
    """A quote, a backslash and an entity are printed as themselves."""
    module = decided('func.func @f(%x: tensor<2xf32> {dnn.name = "a\\"b\\\\n&lt;"}) { func.return }', plan=False)
    assert 'label="a\\"b\\\\n&amp;lt;\\ntensor<2xf32>"' in dot(module)


# The table


def test_the_table_has_every_value_and_the_totals() -> None:
    (found,) = maps_of((LIT / "pictures.mlir").read_text())
    lines = table([found]).splitlines()
    assert lines[0] == "@main"
    assert lines[1].split() == ["value", "op", "offset", "bytes", "steps", "lies", "line"]
    assert [line.split()[:5] for line in lines[2:4]] == [
        ["*", "%a", "dnn.exp", "0", "128"],
        ["%x", "argument", "of", "func.func", "128"],
    ]
    assert lines[-4] == "arena        256 bytes"
    assert lines[-3].startswith("live peak    256 bytes, * at step 0: exp  %a  given.mlir:")
    assert lines[-2:] == ["lower bound  256 bytes, reached", "naive        768 bytes"]
    assert "\x1b[" in table([found], colours=True) and "\x1b[" not in table([found])


def test_run_tool_prints_the_map(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # All of it is used: a program is compiled without its dead code.
    text = (LIT / "pictures.mlir").read_text().replace("-> (tensor<4x8xf32>", "-> (tensor<f32>, tensor<4x8xf32>")
    total = '  %t = "dnn.reduce_sum"(%f) {axes = array<i64: 0>, keepdims = false} : (tensor<64xf32>) -> tensor<f32>\n'
    text = text.replace("  func.return %g, %h :", f"{total}  func.return %t, %g, %h : tensor<f32>,")
    (tmp_path / "used.mlir").write_text(text)
    path = str(tmp_path / "used.mlir")
    assert run_tool([path, "--no-fuse", "--memory"]) == 0
    assert "in place over %e" in capsys.readouterr().out
    assert run_tool([path, "--no-fuse", "--memory", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    (memory,) = told["memory"]
    assert (
        (memory["arena_bytes"], memory["lower_bound"]) == (told["arena_bytes"], told["live_peak_bytes"]) == (256, 256)
    )
    assert memory["peak"]["step"] == 0
    assert {
        "value": "%b",
        "op": "dnn.relu",
        "offset": 0,
        "bytes": 128,
        "first": 1,
        "last": 2,
        "over": "%a",
    }.items() <= (memory["values"][2].items())
    (found,) = maps_of(text)
    assert memory.keys() == plain(found).keys()


# Words and scales


def test_bytes_are_printed_with_units() -> None:
    assert [rounded_bytes(n) for n in (0, 1, 1000, 1023, 1024, 4_177_920, 1 << 62)] == [
        "0 B",
        "1 B",
        "1000 B",
        "1023 B",
        "1 KiB",
        "3.98 MiB",
        "4 EiB",
    ]
    assert [in_bytes(n) for n in (1, 512, 2048)] == ["1 byte", "512 bytes", "2,048 bytes (2 KiB)"]


def test_scales_are_round() -> None:
    assert byte_ticks(1000, 4) == [0, 256, 512, 768]
    assert column_ticks(3001, 20) == list(range(0, 3001, 200))
    assert column_ticks(3, 10) == [0, 1, 2]


def test_markup_is_escaped() -> None:
    assert tag("a", words("<&\x00>"), title='"<', stroke_width=1.0) == (
        '<a title="&quot;&lt;" stroke-width="1">&lt;&amp;\N{REPLACEMENT CHARACTER}&gt;</a>'
    )


def test_the_graph_shows_copies() -> None:
    text = """
      func.func @main(%x: tensor<4xf32>) -> tensor<8xf32> {
        %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
        %y = "dnn.concat"(%a, %x) {axis = 0 : i64, dnn.parts = array<i32: 0>}
          : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
        func.return %y : tensor<8xf32>
      }"""
    lines = opt_tool("-t", "dot", stdin=text).out.splitlines()
    (copying,) = [line for line in lines if "#b91c1c" in line]
    assert "dnn.concat" in copying and "%x is copied into %y, 16 bytes" in copying


def test_a_step_that_copies_stands_out() -> None:
    text = """
      func.func @main(%x: tensor<64xf32>) -> tensor<128xf32> {
        %a = "dnn.exp"(%x) : (tensor<64xf32>) -> tensor<64xf32>
        %y = "dnn.concat"(%a, %x) {axis = 0 : i64} : (tensor<64xf32>, tensor<64xf32>) -> tensor<128xf32>
        %s = "dnn.softmax"(%y) {axis = 0 : i64} : (tensor<128xf32>) -> tensor<128xf32>
        func.return %s : tensor<128xf32>
      }"""
    drawn = opt_tool("--inplace-pass", "-t", "svg", stdin=text).out
    assert drawn.count('class="copy"') == 2, "the column of the concat, and the legend"
    assert "a step that copies" in drawn and "%x is copied into %y, 256 bytes" in drawn
    without = text.replace('"dnn.concat"(%a, %x)', '"dnn.concat"(%a, %b)').replace(
        "%y =", '%b = "dnn.tanh"(%x) : (tensor<64xf32>) -> tensor<64xf32>\n        %y ='
    )
    assert 'class="copy"' not in opt_tool("--inplace-pass", "-t", "svg", stdin=without).out
