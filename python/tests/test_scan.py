"""Scans of numpy arrays."""

import numpy as np
import pytest
import mlir_tile as tile

LAST = """
^bb0(%left: i32, %right: i32):
  tile.yield %right : i32
"""
SUM_AND_LARGEST = """
^bb0(%left: vector<2xi16>, %right: vector<2xi16>):
  %l:2 = vector.to_elements %left : vector<2xi16>
  %r:2 = vector.to_elements %right : vector<2xi16>
  %a = arith.addi %l#0, %r#0 : i16
  %b = arith.maxsi %l#1, %r#1 : i16
  %p = vector.from_elements %a, %b : vector<2xi16>
  tile.yield %p : vector<2xi16>
"""


@pytest.mark.parametrize("chip", ["sm_80", "sm_90a"])
@pytest.mark.parametrize(
    ("op", "dtype"),
    [("add", "int32"), ("max", "float32"), ("mul", "float64"), ("xor", "uint64"), ("min", "int8"), ("and", "uint16")],
)
def test_scans(op, dtype, chip):
    numbers = np.random.default_rng(3).integers(1, 9, 9000)
    x = (1 + numbers * 1e-5 if op == "mul" else numbers).astype(dtype)
    ufuncs = {
        "add": np.add, "max": np.maximum, "mul": np.multiply,
        "xor": np.bitwise_xor, "min": np.minimum, "and": np.bitwise_and
    }
    got = tile.scan(x, op, chip=chip)
    np.testing.assert_allclose(got, ufuncs[op].accumulate(x), rtol=1e-12 if dtype == "float64" else 0)


def test_scans_of_unsigned_numbers():
    x = np.array([1, 2**31 + 1, 5], "uint32")
    assert tile.scan(x, "max").tolist() == [1, 2**31 + 1, 2**31 + 1]
    assert tile.scan(np.zeros(0, "int32")).size == 0


@pytest.mark.parametrize(
    ("x", "options", "message"),
    [
        (np.zeros((2, 2), "int32"), {}, "got shape \\(2, 2\\), expected one dense dimension for add"),
        (np.zeros((2, 2), "int32").T, {}, "one dense dimension, or \\(n, k\\)"),
        (np.zeros((2, 2, 2), "int32"), {}, "one dense dimension, or \\(n, k\\)"),
        (np.zeros(8, "int32")[::2], {}, "one dense dimension"),
        (np.zeros(8, "complex64"), {}, "x: got complex64, expected one of float16"),
        (np.zeros(8, "int32"), {"op": "sub"}, "op: got 'sub', expected add, .*, or a region"),
        (np.zeros(8, "int32"), {"op": max}, "op: got builtin_function_or_method, expected str"),
        (np.zeros(8, "uint8"), {"init": 256}, "init: got 256, expected 0 to 255 for uint8"),
        (np.zeros(8, "int32"), {"init": 0.5}, "init: got 0.5, expected an integer for int32"),
        (np.zeros(8, "float32"), {"identity": "1"}, "identity: got '1', expected a number for float32"),
        (np.zeros(8, "int32"), {"op": LAST, "inclusive": False}, "identity: got none, expected one, or init="),
        (np.zeros((8, 2), "int32"), {"op": LAST, "identity": 1}, "identity: got 1, expected 2 numbers for vector<2xi32>"),
        (np.zeros((8, 2), "int32"), {"op": LAST, "init": 1}, "init: got a value for vector<2xi32>"),
        (np.zeros(8, "int32"), {"out": np.zeros(7, "int32")}, "out: got 7 elements of int32, expected 8"),
        ([1, 2], {}, "x: got builtins.list, expected an array that supports DLPack"),
    ],
)
def test_scans_that_are_wrong(x, options, message):
    with pytest.raises(tile.ArgumentError, match=message):
        tile.scan(x, **options)


@pytest.mark.parametrize("dtype", ["int8", "uint16", "int64", "float16", "float64"])
@pytest.mark.parametrize("inclusive", [True, False])
def test_a_scan_begins_with_init(dtype, inclusive):
    x = (np.arange(3000) % 3).astype(dtype)
    x[3:] = 0 if dtype in ("int8", "float16") else x[3:]
    whole = np.add.accumulate(np.concatenate([np.array([5], dtype), x]), dtype=dtype)
    got = tile.scan(x, init=5, inclusive=inclusive)
    assert got.dtype == dtype and (got == (whole[1:] if inclusive else whole[:-1])).all()


@pytest.mark.parametrize("chip", ["sm_80", "sm_90a"])
@pytest.mark.parametrize(("dtype", "n"), [("int32", 70001), ("int8", 1), ("float64", 4097), ("uint16", 512)])
def test_a_scan_from_the_end(dtype, n, chip):
    x = (np.random.default_rng(n).integers(0, 9, n)).astype(dtype)
    expected = np.add.accumulate(x[::-1], dtype=dtype)[::-1]
    assert (tile.scan(x, reverse=True, chip=chip) == expected).all()
    exclusive = tile.scan(x, reverse=True, inclusive=False, init=3, chip=chip)
    assert (exclusive == np.append(expected[1:], np.zeros(1, dtype)) + np.array(3, dtype)).all()
    # The operand further right is the first one of the operator.
    assert (tile.scan(x.astype("int32"), LAST, reverse=True, chip=chip) == x).all()


def test_an_operator_of_ones_own():
    x = np.random.default_rng(5).integers(-9, 9, 5000, dtype="int32")
    assert (tile.scan(x, LAST) == x).all()
    assert (tile.scan(x, LAST, inclusive=False, identity=-7) == np.concatenate([[-7], x[:-1]])).all()


def test_elements_may_be_vectors():
    x = np.random.default_rng(7).integers(-99, 99, (5000, 2), dtype="int16")
    got = tile.scan(x, SUM_AND_LARGEST, inclusive=False, identity=(0, -(2**15)))
    assert (got[1:, 0] == np.add.accumulate(x[:-1, 0], dtype="int16")).all()
    assert (got[1:, 1] == np.maximum.accumulate(x[:-1, 1])).all()
    assert got[0].tolist() == [0, -(2**15)]


def test_an_operator_that_does_not_compile():
    with pytest.raises(tile.CompileError, match="scan:"):
        tile.scan(np.zeros(8, "int32"), "^bb0(%l: i32, %r: i32): tile.yield %l : f32")
