"""Select, partition, run lengths and sums by key of numpy arrays."""

import numpy as np
import pytest
import mlir_tile as tile


@pytest.mark.parametrize("chip", ["sm_80", "sm_90a"])
@pytest.mark.parametrize("dtype", ["uint8", "int32", "float32", "int64"])
def test_selects_and_partitions(dtype, chip):
    x = np.random.default_rng(3).integers(0, 100, 9000).astype(dtype)
    for kept in (x > 50, x > 98, x > 200, x >= 0):
        assert np.array_equal(tile.select(x, kept, chip=chip), x[kept])
        part, rest = tile.partition(x, kept.astype("uint8"), chip=chip)
        assert np.array_equal(part, x[kept]) and np.array_equal(rest, x[~kept])


def test_selects_by_a_predicate():
    x = np.arange(5000, dtype="int32")
    kept = tile.select(x, "%ten = arith.constant 10 : i32  %kept = arith.cmpi ult, %x, %ten : i32")
    assert kept.tolist() == list(range(10))
    assert tile.select(np.zeros(0, "int32"), np.zeros(0, "bool")).size == 0


@pytest.mark.parametrize("length", [1, 4, 100, 100000])
def test_runs(length):
    keys = (np.arange(9000) // length).astype("int32")
    values = np.random.default_rng(5).integers(0, 9, keys.size).astype("float32")
    unique, first, counts = np.unique(keys, return_index=True, return_counts=True)
    got, lengths = tile.run_length_encode(keys)
    assert np.array_equal(got, unique) and np.array_equal(lengths, counts)
    for op, reduceat in (("add", np.add.reduceat), ("max", np.maximum.reduceat)):
        got, sums = tile.reduce_by_key(keys, values, op)
        assert np.array_equal(got, unique) and np.array_equal(sums, reduceat(values, first))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: tile.select(np.zeros((2, 2), "int32"), np.zeros(4, "bool")), "got shape \\(2, 2\\), expected one dimension"),
        (lambda: tile.select(np.zeros(4, "int32"), np.zeros(3, "bool")), "as many as the 4 of the first"),
        (lambda: tile.select(np.zeros(4, "complex64"), np.zeros(4, "bool")), "got complex64, expected one of"),
        (lambda: tile.reduce_by_key(np.zeros(4, "int32"), np.zeros(4, "float32"), "xor"), "got 'xor', expected one of add, mul"),
    ],
)
def test_what_is_refused(call, message):
    with pytest.raises(tile.ArgumentError, match=message):
        call()
