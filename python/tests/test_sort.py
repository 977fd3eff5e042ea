"""Sorts of numpy arrays."""

import numpy as np
import pytest
import mlir_tile as tile


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("dtype", ["uint8", "int16", "int32", "uint32", "float32", "int64", "float64"])
def test_sorts(dtype, descending):
    keys = np.random.default_rng(3).integers(0, 200, 5000).astype(dtype)
    values = np.arange(keys.size, dtype="int32")
    order = np.argsort(-keys.astype("int64") if descending else keys, kind="stable")
    assert np.array_equal(tile.sort(keys, descending=descending), keys[order])
    got, moved = tile.sort(keys, values, descending=descending)
    assert np.array_equal(got, keys[order]) and np.array_equal(moved, order)


def test_sorts_nothing():
    assert tile.sort(np.zeros(0, "int32")).size == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: tile.sort(np.zeros((2, 2), "int32")), "keys: got shape \\(2, 2\\), expected one dimension"),
        (lambda: tile.sort(np.zeros(3, "bool")), "keys: got bool, expected one of"),
        (lambda: tile.sort(np.zeros(3, "int32"), np.zeros(4, "int32")), "values: got shape \\(4,\\), expected as many as the 3 keys"),
    ],
)
def test_refusals(call, message):
    with pytest.raises(tile.ArgumentError, match=message):
        call()
