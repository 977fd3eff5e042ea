"""Kernels that Python functions write."""

import inspect

import numpy as np
import pytest

import mlir_tile as tile

MATRIX = "memref<32x32xf32>"
SHARED = "!tile.buffer<32x32xf32, shared>"


def line_of(text: str) -> int:
    """The line of this file that has a text first."""
    lines = inspect.getsource(inspect.getmodule(line_of)).splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


def written(body, *types, block=32):
    """A kernel with such a body."""
    return tile.kernel(*(types or (MATRIX,)), block=block)(body)


def test_conditions_loops_and_numbers():
    def body(k, A, B, n):
        thread = k.gpu.thread_id(dimension="x")
        for i in k.range(0, n, 2):
            with k.when(thread % 2 < 1):
                value = k.memref.load(A, indices=[i, thread], type="f32")
                k.memref.store(1 - value / 2, B, indices=[i, thread])

    a, b = np.random.rand(4, 32).astype("float32"), np.zeros((4, 32), "float32")
    counts = written(body, "memref<4x32xf32>", "memref<4x32xf32>", "index").compile().simulate(a, b, 4)
    expected = np.zeros_like(b)
    expected[::2, ::2] = 1 - a[::2, ::2] / 2
    assert (b == expected).all() and counts


def test_regions_with_coordinates_and_combinations():
    def body(k, A, B):
        s, row = k.tile.alloc(type=SHARED), k.tile.alloc(type="!tile.buffer<32x1xf32, shared>")
        k.tile.copy(k.view(A), s, scope="warp")
        least = float("-inf")

        def later(e, i, j):
            return k.arith.select(k.arith.cmpi(j, i, predicate="ugt", type="i1"), k.constant(least, "f32"), e)

        k.tile.map([s], [s], scope="warp", body=later)
        k.tile.reduce([s], [row], kind="custom", dim=1, scope="warp", combine=lambda x, y: k.arith.maximumf(x, y))
        k.tile.copy(row, k.view(B), scope="warp")

    a, b = np.random.rand(32, 32).astype("float32"), np.zeros((32, 1), "float32")
    written(body, MATRIX, "memref<32x1xf32>").compile().simulate(a, b, schedule="all")
    assert (b[:, 0] == [a[i, : i + 1].max() for i in range(32)]).all()


def test_optional_operands_results_and_promises():
    def body(k, A, B):
        a, b = k.view(A, divisible_by=32, aligned=16), k.view(B)
        x = k.tile.alloc(type="!tile.buffer<32x32xf32, local, #tile.layout<(32, 32) : (1, 1@laneid)>>")
        row, column = k.tile.block_order(k.constant(0, "index"), matrix=a, sizes=[32, 32], order="rows", type=["index", "index"])
        k.tile.copy(a.at([row, column], [32, 32]), x, scope="warp")
        total = k.tile.total(x, kind="add", scope="warp", type="f32")
        both = k.tile.total(x, kind="max", scope="warp", type=["f32", "f32"], term=lambda e: (e, 0 - e))
        for at, value in enumerate([total, *both]):
            k.tile.fill(value, b.at([at], [1]), scope="warp")
        k.tile.return_if(row < 1)
        k.tile.fill(0.0, b.at([0], [3]), scope="warp")

    a, b = np.random.randint(0, 9, (32, 32)).astype("float32"), np.zeros(3, "float32")
    written(body, MATRIX, "memref<3xf32>").compile().simulate(a, b, schedule="all")
    assert list(b) == [a.sum(), a.max(), -a.min()]


def test_errors_of_the_compiler_name_the_line_of_python():
    def body(k, A):
        s = k.tile.alloc(type="!tile.buffer<16x32xf32, shared>")
        k.tile.copy(k.view(A), s, scope="warp")  # of another shape

    with pytest.raises(tile.CompileError, match=rf"test_build.py:{line_of('# of another shape')}:1: error: 'tile.copy' op"):
        written(body).compile()


def test_races_name_the_line_of_python():
    def body(k, A):
        k.memref.store(1.0, A, indices=[0, 0])  # by all threads

    compiled = written(body, block=64).compile()
    with pytest.raises(tile.Race) as found:
        compiled.simulate(np.zeros((32, 32), "float32"))
    assert found.value.file.endswith("test_build.py") and found.value.line == line_of("# by all threads")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (lambda k, A: k.tile.copi(A, A), r"got the op 'tile.copi', expected one such as tile.copy"),
        (lambda k, A: k.tiles.copy(A, A), r"got the dialect 'tiles', expected one such as tile"),
        (lambda k, A: k.tile.copy(k.view(A), scope="warp"), r"tile.copy: got no dst, expected a value"),
        (lambda k, A: k.tile.copy(A, A, scoped="warp"), r"got the argument of tile.copy 'scoped', expected one such as scope"),
        (lambda k, A: k.tile.copy(A, A, scope="block"), r"got the case of tile.copy: scope 'block', expected one such as"),
        (lambda k, A: k.gpu.barrier(A, A, A), r"gpu.barrier: got 3 operands, expected"),
        (lambda k, A: k.tile.alloc(), r"tile.alloc: got no type, expected type=…"),
        (lambda k, A: k.tile.mma(k.view(A).at([0, 0], [4, 4]), A, A), r"tile.mma: got a part of a tile as a, expected a whole one"),
        (lambda k, A: k.tile.copy("A", A), r"tile.copy: src: got str, expected a value of the kernel or a number"),
        (lambda k, A: bool(k.gpu.thread_id(dimension="x") < 4), r"as a condition of Python, expected k.when"),
        (lambda k, A: k.memref.store(1.0, A, indices=[*k.range(4), 0]), r"or of a loop that has ended, expected"),
        (lambda k, A: k.constant(float("inf"), "f8E5M2"), r"got inf of f8E5M2, expected a finite number, or one of f16"),
        (lambda k, A: k.view(k.memref.cast(A, type="memref<?x32xf32>")), r"got a view of memref<\?x32xf32> without a type"),
    ],
)
def test_mistakes(body, message):
    with pytest.raises((tile.ArgumentError, AttributeError), match=message):
        _ = written(body).text
