"""`plan-tool` on wrong files (one line, status 1, no output) and on unusual ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support import call

HEADER = "id,lower,upper,size\n"
INSIDE = "id,lower,upper,size,inside,at\n"
SMALL = {"buffers": [{"id": "a", "bytes": 1}, {"id": "b", "bytes": 1}], "ops": [{"id": "f", "writes": ["a"]}]}


def graph(**changes: object) -> str:
    return json.dumps(SMALL | changes)


WRONG_TABLES = [
    ("", "1:1: error: no column id, lower, upper, size; a header like id,lower,upper,size is needed"),
    ("\n", "1:1: error: no column id, lower, upper, size"),
    ("id,lower,upper\na,0,1\n", "1:1: error: no column size"),
    ("id,lower,upper,size,id\n", "1:1: error: a column stands twice"),
    (HEADER + "a,0,1\n", "2:1: error: 3 cells, where the header has 4"),
    (HEADER + "a,0,1,2,3\n", "2:1: error: 5 cells"),
    (HEADER + " \n", "2:1: error: 1 cells"),
    (HEADER + "a,0,1,4\n\na,1,2,4\n", "4:1: error: id 'a' stands in line 2 too"),
    (HEADER + "a,zero,1,4\n", "2:3: error: lower 'zero' is no whole number"),
    (HEADER + "a,0,1,\n", "2:7: error: size '' is no whole number"),
    (HEADER + "a,0,1,nan\n", "2:7: error: size 'nan' is no whole number"),
    (HEADER + "a,0,1,1.5\n", "2:7: error: size '1.5' is no whole number"),
    (HEADER + "a,0,1,1_0\n", "2:7: error: size '1_0' is no whole number"),
    (HEADER + "a,0,1,\u0664\n", "is no whole number"),
    (HEADER + "a,0,1,-4\n", "2:7: error: size -4 is below 0"),
    (HEADER + "a,-2,1,4\n", "2:3: error: lower -2 is below 0"),
    (HEADER + "a,3,1,4\n", "2:5: error: upper 1 is below lower 3"),
    (HEADER + f"a,0,1,{1 << 61}\n", "2:7: error: size is beyond 2^60"),
    (HEADER + f"a,0,1,{'9' * 5000}\n", "2:7: error: size is beyond 2^60"),
    (HEADER + '"a,b",0,1,x\n', "2:1: error: size 'x'"),
    (HEADER + '"a,0,1,4\n', "2:1: error: is no CSV: "),
    (HEADER + '"a"b,0,1,4\n', "2:1: error: is no CSV: "),
    ("id,lower,upper,size,alignment\na,0,1,4,0\n", "2:9: error: alignment 0 is below 1"),
    (INSIDE + "a,0,1,4,z,\n", "2:9: error: inside names 'z', which there is not"),
    (INSIDE + "b,0,1,8,,\na,0,1,4,b,x\n", "3:11: error: at 'x' is no whole number"),
    (INSIDE + "b,0,1,8,,\na,0,1,4,b,-1\n", "3:11: error: at -1 is below 0"),
    (INSIDE + "b,0,1,8,,x\n", "2:10: error: at 'x' is no whole number"),
    (INSIDE + "b,0,1,8,,4\n", "2:10: error: at 4, where inside names no buffer"),
    (INSIDE + "a,0,1,4,b,5\nb,0,1,8,,\n", "2:11: error: 4 bytes at 5 of 'b', which has 8"),
    (INSIDE + "a,0,1,4,b,\nb,0,1,2,,\n", "2:9: error: 4 bytes at 0 of 'b', which has 2"),
    ("id,lower,upper,size,inside\na,0,1,4,a\n", "2:9: error: 'a' would lie inside itself"),
    (INSIDE + "a,0,1,4,b,\nb,0,1,4,a,\n", "2:9: error: 'a' would lie inside itself"),
    (INSIDE + "c,0,1,4,a,\na,0,1,4,b,\nb,0,1,4,a,0\n", "3:9: error: 'a' would lie inside itself"),
    (HEADER + "".join(f"{n},0,1,{1 << 60}\n" for n in range(5)), "1:1: error: the sizes add up to more than 2^62"),
]


def part(triple: list[object]) -> str:
    """A graph whose op may have something in a part."""
    buffers = [{"id": "a", "bytes": 2}, {"id": "b", "bytes": 2}]
    return graph(buffers=buffers, ops=[{"id": "f", "reads": ["a"], "writes": ["b"], "may_part": [triple]}])


WRONG_GRAPHS = [
    ("", "1:1: error: is no JSON"),
    ('{"buffers": [\n  {"id": "a", ', "2:15: error: is no JSON"),
    ("[" * 100_000, "1:1: error: is nested too deeply"),
    ("9" * 10_000, "1:1: error: has a number of thousands of digits"),
    ("[]", "1:1: error: the graph is no object"),
    ("{}", "error: buffers is no list"),
    ('{"buffers": []}', "error: ops is no list"),
    (graph(buffers=[1]), "error: buffers[0] is no object"),
    (graph(buffers=[{"bytes": 1}]), "error: buffers[0].id is no string"),
    (graph(buffers=[{"id": "\ud800", "bytes": 1}]), "error: buffers[0].id has half a character"),
    (graph(buffers=[{"id": "a", "bytes": 1}] * 2), "error: buffers[1].id 'a' is there twice"),
    (graph(buffers=[{"id": "a", "bytes": -1}]), "error: buffers[0].bytes is no number of bytes"),
    (graph(buffers=[{"id": "a", "bytes": float("nan")}]), "error: buffers[0].bytes is no number of bytes"),
    (graph(buffers=[{"id": "a", "bytes": 1 << 61}]), "error: buffers[0].bytes is no number of bytes"),
    (graph(buffers=[{"id": "a", "bytes": True}]), "error: buffers[0].bytes is no number of bytes"),
    (graph(ops=[{"id": "f"}, {"id": "f"}]), "error: ops[1].id 'f' is there twice"),
    (graph(ops=[{"id": "f", "reads": ["z"]}]), "error: ops[0].reads[0] names 'z', which there is not"),
    (graph(ops=[{"id": "f", "reads": [["a"]]}]), "error: ops[0].reads[0] names ['a'], which there is not"),
    (graph(ops=[{"id": "f", "reads": "a"}]), "error: ops[0].reads is no list"),
    (part(["a", "b"]), "error: ops[0].may_part[0] is no triple of a read, a write and an offset"),
    (part(["b", "a", 0]), "error: ops[0].may_part[0] does not begin with a read and a write of the op"),
    (part(["a", "b", -1]), "ops[0].may_part[0][2]"),
    (part(["a", "b", 1]), "ops[0].may_part[0]: the read does not lie inside the write there"),
    (graph(ops=[{"id": "f", "reads": ["a"], "may_inplace": [["a"]]}]), "error: ops[0].may_inplace[0] is no pair"),
    (graph(ops=[{"id": "f", "reads": ["a"], "may_inplace": [["a", "b"]]}]), "is no pair of a read and a write of"),
    (graph(inputs=["z"]), "error: inputs[0] names 'z', which there is not"),
    (graph(naive_order=["g"]), "error: naive_order[0] names 'g', which there is not"),
    (graph(naive_order=[]), "1:1: error: "),
    (graph(ops=[{"id": n, "reads": r, "writes": w} for n, r, w in (("f", ["a"], ["b"]), ("g", ["b"], ["a"]))]),
     "1:1: error: "),
    (graph(ops=[{"id": "f", "writes": ["a"]}, {"id": "g", "writes": ["a"]}]), "1:1: error: "),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [("in.csv", *case) for case in WRONG_TABLES] + [("in.json", *case) for case in WRONG_GRAPHS],
)
def test_wrong_input_is_an_error_of_one_line(tmp_path: Path, name: str, text: str, message: str) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    done = call(["plan-tool", str(path), "--output", str(tmp_path / "out.csv"), "--json"])
    assert (done.status, done.out) == (1, "")
    first, *more = done.err.splitlines()
    assert first.startswith(f"{path}:") and message in first
    assert len(more) in (0, 2) and "Traceback" not in done.err
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.parametrize("data", [b"id,lower,upper,size\na\xff,0,1,4\n", b"\xff\xfei\x00d\x00"])
def test_input_that_is_no_text_is_an_error(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "in.csv"
    path.write_bytes(data)
    done = call(["plan-tool", str(path)])
    line = data[: data.index(b"\xff")].count(b"\n") + 1
    assert (done.status, done.err.splitlines()[0]) == (1, f"{path}:{line}:1: error: is no text in UTF-8")


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbfid,lower,upper,size\r\na,0,2,4\r\n\"b, c\",1,3,8\r\n",
        b'size,"id",upper,lower\n4,a,+2,0\n08,"b, c",3, 1',
        b"id,lower,upper,size,offset\na,0,2,4,99\n\n\"b, c\",1,3,8,\n",
    ],
)  # fmt: skip
def test_unusual_files_are_read(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "in.csv").write_bytes(data)
    done = call(["plan-tool", str(tmp_path / "in.csv"), "--json", "--output", str(tmp_path / "out.csv")])
    assert done.status == 0, done.err
    found = json.loads(done.out)
    assert set(found) == {"peak", "lower_bound", "proved", "proof", "seconds", "offsets"}
    assert (found["peak"], found["lower_bound"], found["proved"]) == (12, 12, True)
    assert sorted(found["offsets"]) == ["a", "b, c"]
    again = call(["plan-tool", str(tmp_path / "out.csv"), "--json"])
    assert json.loads(again.out)["peak"] == 12


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    done = call(["plan-tool", str(tmp_path)])
    assert (done.status, done.err) == (1, f"{tmp_path}:1:1: error: cannot be read: Is a directory\n")


def test_nested_buffers_are_planned_in_their_whole(tmp_path: Path) -> None:
    """The picture shows the parts in their whole, which is live from the first part on."""
    buffers = [{"id": name, "bytes": size} for name, size in (("l", 32), ("r", 32), ("y", 64))]
    ops = [{"id": name, "writes": [made], "reads": []} for name, made in (("left", "l"), ("right", "r"))]
    parts = [["l", "y", 0], ["r", "y", 32]]
    ops.append({"id": "concat", "reads": ["l", "r"], "writes": ["y"], "may_part": parts})  # pyright: ignore
    path = tmp_path / "graph.json"
    path.write_text(graph(buffers=buffers, ops=ops, outputs=["y"]))
    found = json.loads(call(["plan-tool", str(path), "--json"]).out)
    assert (found["peak"], found["proof"], found["parts"]) == (64, "reached", parts)
    assert found["offsets"] == {"l": 0, "r": 32, "y": 0}
    assert "<svg" in call(["plan-tool", str(path), "-t", "svg"]).out


def test_column_inside_permits_nesting(tmp_path: Path) -> None:
    """A chain of nested buffers; a missing `at` is 0. The result is printed in three forms, and is valid input."""
    path, out = tmp_path / "in.csv", tmp_path / "out.csv"
    path.write_text("id,lower,upper,size,inside\nx,0,3,8,\na,0,3,4,b\nb,1,3,8,c\nc,2,3,16,\n")
    said = call(["plan-tool", str(path), "--output", str(out)])
    assert said.out == "arena: 24 bytes, the smallest possible (reached)\na in b at 0\nb in c at 0\n"
    for flags in ([], ["--exact"]):
        found = json.loads(call(["plan-tool", str(out), "--json", *flags, "--output", str(out)]).out)
        assert (found["peak"], found["proof"]) == (24, "reached")
        assert found["parts"] == [["a", "b", 0], ["b", "c", 0]]
    x, c = found["offsets"]["x"], found["offsets"]["c"]
    assert out.read_text().splitlines() == [
        "id,lower,upper,size,inside,offset,lies_in",
        f"x,0,3,8,,{x},",
        f"a,0,3,4,b,{c},b",
        f"b,1,3,8,c,{c},c",
        f"c,2,3,16,,{c},",
    ]
    failed = call(["plan-tool", str(path), "--capacity", "23", "--json"])
    assert failed.status == 1 and f"{path}:1:1: error: does not fit into 23 bytes" in failed.err


def test_column_at_without_inside_is_passed_through(tmp_path: Path) -> None:
    path, out = tmp_path / "in.csv", tmp_path / "out.csv"
    path.write_text("id,lower,upper,size,at\na,0,1,4,noon\n")
    assert call(["plan-tool", str(path), "--output", str(out)]).status == 0
    assert out.read_text() == "id,lower,upper,size,at,offset\na,0,1,4,noon,0\n"
