"""The layout is kept: import arrows go one way, links and wheel show the same package, no file grows too long."""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from support import ROOT

sys.path.append(str(ROOT / "docs"))

import room_map
from room_map import imports, room_of

IR, STORAGE, DNN = {"dialect.ir"}, {"dialect.ir", "dialect.storage"}, {"dialect.ir", "dialect.storage", "dialect.dnn"}
DIALECTS = DNN | {"dialect.onednn"}
FACTS = {"passes.analysis", "passes.planning"}
ROOMS = {"passes.inplace_analysis", "passes.memory", "passes.scheduling", "passes.lowering", "passes.checker"}
ROOMS |= {
    "passes.bufferization",
    "passes.lowering_checker",
    "passes.memref_checker",
    "passes.gru",
    "passes.transforms",
    "passes.differentiation",
}
MAY_IMPORT = {
    "dialect": set[str](),
    "dialect.ir": set[str](),
    "dialect.storage": IR,
    "dialect.onednn": STORAGE,
    "dialect.dnn": STORAGE | {"dialect.onednn"},
    "dialect.foreign": STORAGE,
    "passes.planning": set[str](),
    "passes.analysis": DNN | {"passes.planning"},
    "passes.inplace_analysis": DNN | FACTS,
    "passes.memory": DNN | FACTS,
    "passes.scheduling": DNN | FACTS | {"passes.inplace_analysis", "passes.memory"},
    "passes.lowering": DIALECTS | FACTS | {"passes.inplace_analysis", "passes.memory"},
    "passes.bufferization": DNN | FACTS | {"passes.memory", "passes.lowering"},
    "passes.checker": DNN,
    "passes.lowering_checker": DIALECTS | {"passes.checker"},
    "passes.memref_checker": STORAGE,
    "passes.gru": DNN | {"passes.analysis"},
    "passes.transforms": DNN | {"passes.analysis"},
    "passes.differentiation": DNN | {"passes.analysis"},
    "passes": DIALECTS | FACTS | ROOMS,
    "frontends": DNN,
    "runtime": DIALECTS,
    "tools.visualize": DIALECTS | FACTS | {"passes.memory", "passes.lowering"},
    "compiler": DIALECTS | FACTS | ROOMS | {"passes", "frontends", "runtime", "tools.visualize", "universe"},
    "tools": DIALECTS | FACTS | {"passes.memory", "frontends", "runtime", "tools.visualize", "compiler", "universe"},
    "universe": {"dialect.dnn", "dialect.onednn", "passes", "tools.visualize"},
    "analysis": DNN | {"passes.analysis", "passes.inplace_analysis", "passes.checker"},
    "stage": {"passes"},
    "testing": STORAGE,
    "onnx_backend": {"dialect.ir", "compiler"},
}
"""What the files of each room may import of other rooms: all arrows go one way."""
CPP_MAY_INCLUDE = {
    "threads": set[str](),
    "moves": set[str](),
    "core": {"moves", "threads"},
    "kernels": {"moves", "threads"},
    "ragged": {"core", "kernels", "threads"},
    "layers": {"core", "kernels", "threads"},
    "native": {"core", "kernels", "layers", "ragged"},
}
"""The same of the rooms of `runtime/cpp`. Above them is `module.cpp`, below them `support.hpp`."""
MODULES = room_map.files()
"""Every Python file of the product, and the name of its module below `lastuse`."""


def test_rooms_import_only_rooms_of_their_row() -> None:
    for path, name in MODULES.items():
        room = room_of(name)
        for line, module in imports(path) if room in MAY_IMPORT else ():
            other = room_of(module)
            assert other == room or other in MAY_IMPORT[room], f"{path.relative_to(ROOT)}:{line}: {room} → {module}"


def test_rooms_have_no_import_cycle() -> None:
    """Each room has a row, and rows can be sorted so that every arrow goes to an earlier row."""
    rooms = {room_of(module) for module in MODULES.values()}
    assert rooms - set(MAY_IMPORT) == {"", "__main__"}
    left, done = dict(MAY_IMPORT), set[str]()
    while left:
        ready = [room for room, others in left.items() if others <= done]
        assert ready, f"these rooms import each other: {', '.join(left)}"
        done.update(ready)
        for room in ready:
            del left[room]


def test_files_have_no_circle() -> None:
    """No file imports itself over others, not even inside a function or for its types alone."""
    known = {module: path for path, module in MODULES.items()}
    left = {name: {other for _, other in imports(path)} & set(known) - {name} for name, path in known.items()}
    while ready := {name for name, others in left.items() if not others & set(left)}:
        left = {name: others for name, others in left.items() if name not in ready}
    # What imports a circle and is in none leaves too.
    while ready := {name for name in left if not any(name in others for others in left.values())}:
        left = {name: others for name, others in left.items() if name not in ready}
    assert not left, f"these files import each other: {', '.join(sorted(left))}"


ONE_CONCEPT = {"base", "builder", "weights", "primitives", "control", "memory", "recurrent", "ops", "program"}
"""Names of files that stand for one concept, in more than one room."""
ASSIGNMENT = "assignment"
"""Where values lie: by the decisions of a function, and by those that the optimum tries."""


def test_no_name_twice() -> None:
    """A class has a name of its own, and so has a file; but a pass may be called as the analysis that it prints or
    applies, a primitive as the ops that it computes, and handlers as the classes of the ops that they make."""
    rooms = {"passes", "dialect/onednn/primitives", "frontends/onnx/ops"}
    modules = [path for path in MODULES if path.stem not in ("__init__", "__main__")]
    modules = [path for path in modules if path.parent.relative_to(ROOT).as_posix() not in rooms]
    files = [path.stem for path in modules if path.stem not in {*ONE_CONCEPT, ASSIGNMENT}]
    classes = [n.name for path in MODULES for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.ClassDef)]
    for names in (files, classes):
        assert [name for name, count in Counter(names).items() if count > 1] == []


def test_one_file_is_one_flag() -> None:
    """Beside its rooms, `passes/` has one file for each flag."""
    from lastuse.universe import UNIVERSE

    flags = {f"{name.removesuffix('-pass').replace('-', '_')}.py" for name in UNIVERSE.all_passes}
    assert {path.name for path in (ROOT / "passes").glob("*.py")} == flags | {"__init__.py"}


def names_of(path: Path) -> set[str]:
    """What a file defines at its top; of a face of the package what its `__all__` says, and of one that still knows
    earlier names (`__getattr__`) those."""
    found: set[str] = set()
    tree = ast.parse(path.read_text())
    todo = list(tree.body)
    texts = {n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    while todo:
        match todo.pop():
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.Assign(targets=targets):
                found |= {n.id for target in targets for n in ast.walk(target) if isinstance(n, ast.Name)}
            case ast.AnnAssign(target=ast.Name(id=name)):
                found.add(name)
            case ast.If(body=body, orelse=otherwise):
                todo += [*body, *otherwise]
            case _:
                pass
    return found | texts if found & {"__all__", "__getattr__"} else found


def from_files(path: Path) -> Iterator[tuple[int, Path, str]]:
    """(line, file, name) of every name of ours that a file imports from a file; what a package offers as a whole, in
    its `__init__.py`, may come from elsewhere."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    package = parts[2:-1] if parts[:2] == ("src", "lastuse") else parts[:-1]
    tree = ast.parse(path.read_text())
    # What a test imports inside a function may be what it wants to be refused.
    for node in tree.body if parts[0] == "test" else ast.walk(tree):
        if not isinstance(node, ast.ImportFrom) or not node.module:
            continue
        if node.level:
            module = (*package[: len(package) - node.level + 1], *node.module.split("."))
        elif node.module.startswith("lastuse."):
            module = tuple(node.module.split(".")[1:])
        else:
            continue
        for top in (ROOT, ROOT / "src/lastuse"):
            if (file := top.joinpath(*module).with_suffix(".py")).is_file():
                yield from ((node.lineno, file, alias.name) for alias in node.names)


def test_a_name_is_imported_from_the_file_that_defines_it() -> None:
    """A primitive and an op can have one name: `Sum` was the primitive where the op was meant."""
    others = [path for folder in ("test", "docs", "bench", "examples") for path in (ROOT / folder).rglob("*.py")]
    known: dict[Path, set[str]] = {}
    for path in (*MODULES, *others):
        for line, file, name in from_files(path):
            if file not in known:
                known[file] = names_of(file)
            where = f"{path.relative_to(ROOT)}:{line}"
            assert name in known[file], f"{where}: {name} is not defined in {file.relative_to(ROOT)}"


NAME_OPS = {
    *("passes.gru", "passes.gru_fusion", "passes.pad_gru", "passes.quantize", "passes.weight_reorder"),  # GRU rewrites
    "passes.transforms.constant_folding",  # makes constants
    *("passes.transforms.refinement", "frontends.builder"),  # replaces and makes the form of ops with operands
    *("frontends.bindings", "frontends.onnx.standard_ops"),  # makes constants; makes ops that have no class
    "passes.inplace_analysis.policies",  # lists that other systems have
}
"""The modules and rooms outside the dialect that may name single op classes of it: all others ask the op."""


def test_passes_and_runtime_name_no_op_class() -> None:
    for path, module in MODULES.items():
        if module.startswith(("dialect", "analysis")) or any(f"{module}.".startswith(f"{room}.") for room in NAME_OPS):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and f"{node.module}.".startswith("lastuse.dialect.dnn."):
                folder = ROOT / (node.module or "")[8:].replace(".", "/")
                names = {a.name for a in node.names if a.name.endswith("Op") or (folder / f"{a.name}.py").is_file()}
                assert names <= {"DnnOp"}, f"{path.relative_to(ROOT)}:{node.lineno} names {', '.join(sorted(names))}"


def test_planning_does_not_import_xdsl() -> None:
    for path in (ROOT / "passes" / "planning").rglob("*.py"):
        assert "xdsl" not in path.read_text(), f"{path}: planning knows sizes, intervals and permissions, nothing of IR"


def test_checkers_import_nothing_that_they_check() -> None:
    """The lowering checker knows neither place rules nor how steps are chosen and written."""
    lowering = {"dialect.storage.assignment"}
    forbidden = {"checker": set[str](), "lowering_checker": lowering, "memref_checker": lowering}
    for room, modules in forbidden.items():
        for path in (ROOT / "passes" / room).rglob("*.py"):
            for line, module in imports(path):
                where = f"{path.relative_to(ROOT)}:{line}"
                allowed = ("dialect", f"passes.{room}", "passes.checker.runs")
                assert module.startswith(allowed), f"{where}: a checker must not import {module}"
                assert not any(module.startswith(name) for name in modules), f"{where} imports {module}"


def test_links_and_wheel_agree() -> None:
    linked = {f"lastuse/{link.name}": link.resolve() for link in (ROOT / "src/lastuse").iterdir() if link.is_symlink()}
    assert linked == {f"lastuse/{folder}": ROOT / folder for folder in room_map.TOP}
    text = (ROOT / "pyproject.toml").read_text()
    table = text.split("[tool.scikit-build.wheel.packages]")[1].split("\n[")[0]
    entries = [line.split(" = ") for line in table.strip().splitlines() if line.startswith('"')]
    packages = {key.strip('"'): ROOT / value.strip('"') for key, value in entries}
    assert packages == linked | {"lastuse": ROOT / "src/lastuse"}


def test_files_are_short() -> None:
    """A file over 400 lines is split by topic."""
    assert [path for path in MODULES if len(path.read_text().splitlines()) > 400] == []


def test_files_are_not_tiny() -> None:
    """What a file of less than 25 lines holds belongs into a neighbour; a pass has a file of its own."""
    small = [path for path in MODULES if len(path.read_text().splitlines()) < 25]
    assert [p for p in small if p.name != "__init__.py" and p.parent != ROOT / "passes"] == []


def test_universe_names_are_the_names_of_passes_and_dialects() -> None:
    from lastuse.universe import UNIVERSE

    for name, dialect in UNIVERSE.all_dialects.items():
        assert dialect().name == name
    for name, load in UNIVERSE.all_passes.items():
        found = load()
        assert found.name == name
        assert sys.modules[found.__module__].__doc__ or found.__doc__, f"{name} says nothing of itself"


def test_helpers_of_tests_have_names_of_their_own() -> None:
    special = ("test_", "conftest", "__init__")
    names = [path.name for path in (ROOT / "test").rglob("*.py") if not path.name.startswith(special)]
    assert sorted(names) == sorted(set(names)), "test/conftest.py puts the folders of all helpers on one path"


def test_cpp_include_arrows() -> None:
    root = ROOT / "runtime/cpp"
    assert {path.name for path in root.iterdir()} == {*CPP_MAY_INCLUDE, "module.cpp", "support.hpp"}
    for room, rooms in CPP_MAY_INCLUDE.items():
        may = {root / "support.hpp", *(path for name in (room, *rooms) for path in (root / name).iterdir())}
        for path in (root / room).iterdir():
            included = re.findall(r'^#include "(.*)"', path.read_text(), re.MULTILINE)
            assert {(path.parent / name).resolve() for name in included} <= may, path
