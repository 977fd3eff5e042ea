"""Sorts of numpy arrays."""

import numpy as np
import pytest
import mlir_tile as tile


# Each type in one order: the compiler's own tests sort all of them in both.
@pytest.mark.parametrize(
    ("dtype", "descending"),
    [("uint8", False), ("int16", True), ("uint32", True), ("float32", False), ("int64", False), ("float64", True)],
)
def test_sorts(dtype, descending):
    keys = np.random.default_rng(3).integers(0, 200, 5000).astype(dtype)
    values = np.arange(keys.size, dtype="int32")
    order = np.argsort(-keys.astype("int64") if descending else keys, kind="stable")
    got, moved = tile.sort(keys, values, descending=descending)
    assert np.array_equal(got, keys[order]) and np.array_equal(moved, order)


def test_sorts_keys_alone():
    keys = np.random.default_rng(4).integers(-200, 200, 5000).astype("int32")
    assert np.array_equal(tile.sort(keys, descending=True), np.sort(keys)[::-1])


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
