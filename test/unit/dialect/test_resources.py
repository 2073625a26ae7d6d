"""Arrays of constants: names, copies of a module, the weights file and its errors."""

from __future__ import annotations

from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from xdsl.dialects import test
from xdsl.dialects.builtin import DenseResourceAttr, ModuleOp, StringAttr, TensorType, f32

from lastuse.dialect.ir import resources
from lastuse.dialect.ir.diagnostics import LastuseError

ARRAYS = {
    "file": np.arange(6.0).reshape(2, 3),
    "save/scale_0": np.zeros((2, 0), ml_dtypes.bfloat16),
    "0 starts with a digit": np.array(3, np.int64),
    "brain": np.ones(3, ml_dtypes.bfloat16),
    "fortran": np.asfortranarray(np.arange(6, dtype=np.float32).reshape(2, 3)),
    "truth": np.array([True, False]),
    **{f"unsigned_{n}": np.array([0, 2 ** (8 * n) - 1], f"u{n}") for n in (1, 2, 4, 8)},
}


def module_of(arrays: dict[str, np.ndarray]) -> ModuleOp:
    module = ModuleOp([])
    for name, array in arrays.items():
        module.body.block.add_op(test.TestOp(attributes={"value": resources.add_array(module, name, array)}))
    return module


def test_names_are_identifiers_and_distinct() -> None:
    module = module_of(ARRAYS)
    first = resources.add_array(module, "fortran", np.ones(1))
    second = resources.add_array(module, "fortran", np.ones(1))
    assert first.resource_handle.data == "fortran_1"
    assert second.resource_handle.data == "fortran_2"
    assert list(resources.of(module))[:3] == ["file", "save_scale_0", "_0_starts_with_a_digit"]


def test_stored_array_is_a_read_only_copy() -> None:
    mine = np.ones(3)
    module = module_of({"x": mine})
    mine[0] = 2
    with pytest.raises(ValueError, match="read-only"):
        resources.of(module)["x"][0] = 1


def saved(module: ModuleOp, path: Path) -> bool:
    """Whether there are arrays, which then are in the file."""
    arrays = resources.name_file(module, path)
    if arrays:
        resources.write_arrays(arrays, path)
    return bool(arrays)


def test_arrays_survive_a_file(tmp_path: Path) -> None:
    module = module_of(ARRAYS)
    assert saved(module, tmp_path / "w.npz")
    assert module.attributes[resources.WEIGHTS] == StringAttr("w.npz")
    assert [f.name for f in tmp_path.iterdir()] == ["w.npz"], "nothing unfinished is left"
    copy = module.clone()
    resources.load(copy, tmp_path)
    assert set(resources.of(copy)) == set(resources.of(module))
    for name, array in resources.of(module).items():
        read = resources.of(copy)[name]
        assert read.dtype == array.dtype
        assert not read.flags.writeable
        np.testing.assert_array_equal(read, array)


def test_no_arrays_no_file(tmp_path: Path) -> None:
    module = ModuleOp([], {resources.WEIGHTS: StringAttr("old.npz")})
    assert not saved(module, tmp_path / "w.npz")
    assert not list(tmp_path.iterdir())
    assert resources.WEIGHTS not in module.attributes


def test_a_failed_write_leaves_nothing(tmp_path: Path) -> None:
    module = module_of({"x": np.ones(3)})
    (tmp_path / "w.npz").mkdir()
    with pytest.raises(LastuseError, match="cannot be written"):
        saved(module, tmp_path / "w.npz")
    assert [f.name for f in tmp_path.iterdir()] == ["w.npz"]


def test_shared_arrays_are_not_copied() -> None:
    module = module_of(ARRAYS)
    copy = module.clone()
    resources.share(copy, module)
    assert all(resources.of(copy)[name] is array for name, array in resources.of(module).items())


@pytest.mark.parametrize("damage", [b"", b"PK\x03\x04 no archive", None])
def test_damaged_file_is_an_error(tmp_path: Path, damage: bytes | None) -> None:
    module = module_of(ARRAYS)
    file = tmp_path / "w.npz"
    saved(module, file)
    file.write_bytes(file.read_bytes()[:400] if damage is None else damage)
    with pytest.raises(LastuseError, match=r"no whole \.npz file"):
        resources.load(module.clone(), tmp_path)


def test_missing_or_wrong_array_of_a_file_is_an_error(tmp_path: Path) -> None:
    module = module_of({"x": np.ones((2, 3), np.float32)})
    with pytest.raises(LastuseError, match="names no file of weights"):
        resources.array_of(DenseResourceAttr.from_params("gone", TensorType(f32, [2])), module)
    module.attributes[resources.WEIGHTS] = StringAttr("w.npz")
    with pytest.raises(LastuseError, match=r"w\.npz' cannot be read: No such file"):
        resources.load(module.clone(), tmp_path)
    np.savez(tmp_path / "w.npz", y=np.ones(2))
    with pytest.raises(LastuseError, match=r"there is no array for dense_resource<x>; 'w\.npz'"):
        resources.load(module.clone(), tmp_path)
    np.savez(tmp_path / "w.npz", x=np.ones((3, 2), np.float32))
    with pytest.raises(LastuseError, match="stated as tensor<2x3xf32>, its array is 3x2xfloat32"):
        resources.load(module.clone(), tmp_path)
    with (tmp_path / "w.npz").open("wb") as stream:
        np.save(stream, np.ones(3))
    with pytest.raises(LastuseError, match="a single array"):
        resources.load(module.clone(), tmp_path)
    module.attributes[resources.WEIGHTS] = StringAttr("../w.npz")
    (tmp_path / "inner").mkdir()
    with pytest.raises(LastuseError, match="a single array"):
        resources.load(module.clone(), tmp_path / "inner")
