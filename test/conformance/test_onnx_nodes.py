"""ONNX's own test of every op, through `lastuse.onnx_backend`."""

from __future__ import annotations

import onnx.backend.test

import lastuse.onnx_backend

globals().update(
    {
        name: case
        for name, case in onnx.backend.test.BackendTest(lastuse.onnx_backend, __name__).test_cases.items()
        if name == "OnnxBackendNodeModelTest"
    }
)
