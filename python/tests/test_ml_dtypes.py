"""Arrays and numbers of bf16 and of the 8-bit floats, which are types of ml_dtypes."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

import mlir_tile as tile

FILL = """
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @fill(%A: memref<?x32xELEMENT>, %B: memref<?x32xELEMENT>, %x: ELEMENT) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %a = tile.view %A : memref<?x32xELEMENT> to !tile.buffer<?x32xELEMENT, global>
    %b = tile.view %B : memref<?x32xELEMENT> to !tile.buffer<?x32xELEMENT, global>
    tile.copy %a[0, 0] [8, 32] to %b[0, 0] [8, 32] scope(warp) masked
      : !tile.buffer<?x32xELEMENT, global> to !tile.buffer<?x32xELEMENT, global>
    gpu.barrier
    %thread = gpu.thread_id x
    memref.store %x, %B[%c0, %thread] : memref<?x32xELEMENT>
    gpu.return
  }
}"""

TYPES = [("bf16", "bfloat16"), ("f8E4M3FN", "float8_e4m3fn"), ("f8E5M2", "float8_e5m2")]


@pytest.mark.parametrize(("element", "name"), TYPES)
def test_arrays_and_numbers(element, name):
    dtype = np.dtype(getattr(ml_dtypes, name))
    kernel = tile.compile(FILL.replace("ELEMENT", element)).only
    assert kernel.arguments[0].dtype == name
    x, y = np.arange(160).reshape(5, 32).astype(dtype), np.zeros((5, 32), dtype)
    kernel.simulate(x, y, dtype.type(-0.75))
    assert (y[0] == dtype.type(-0.75)).all()
    assert (y[1:] == x[1:]).all()
    with pytest.raises(tile.ArgumentError, match=f"argument 2: got float, expected a number of {name} or uint"):
        kernel.simulate(x, y, 1.0)
    with pytest.raises(tile.ArgumentError, match=f"got an array of float32, expected {name} or uint"):
        kernel.simulate(x.astype("float32"), y, dtype.type(1))


def test_scans_of_bf16():
    total = tile.scan(np.ones(100, ml_dtypes.bfloat16))
    assert total.dtype == ml_dtypes.bfloat16
    assert (total == np.arange(1, 101).astype(ml_dtypes.bfloat16)).all()
