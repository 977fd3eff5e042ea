"""Everything but launches on a GPU: compiling, simulating, scanning, and the errors for bad input."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest
from arrays import OnGpu, aligned

import mlir_tile as tile
from mlir_tile import _launch

COPY = """
!matrix = !tile.buffer<?x?xf32, global, #tile.layout<(?, ?) : (?, 1)>>
!tile = !tile.buffer<16x64xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @copy(%A: memref<?x?xf32, strided<[?, 1]>>, %B: memref<?x?xf32, strided<[?, 1]>>, %scale: f32, %n: i32) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %x = gpu.block_id x
    %y = gpu.block_id y
    %row = arith.muli %y, %c16 : index
    %column = arith.muli %x, %c64 : index
    %a = tile.view %A : memref<?x?xf32, strided<[?, 1]>> to !matrix
    %b = tile.view %B : memref<?x?xf32, strided<[?, 1]>> to !matrix
    %s = tile.alloc : !tile
    tile.copy %a[%row, %column] [16, 64] to %s scope(cta) masked : !matrix to !tile
    gpu.barrier
    tile.copy %s to %b[%row, %column] [16, 64] scope(cta) masked : !tile to !matrix
    gpu.return
  }
}"""

RACE = """
!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>
!turned = !tile.buffer<32x32xf32, shared, #tile.layout<(32, 32) : (1, 32)>>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @turn(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %b = tile.view %B : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    tile.copy %a to %s scope(cta) : !global to !shared
    %t = tile.permute %s [1, 0] : !shared to !turned
    tile.copy %t to %b scope(cta) : !turned to !global
    gpu.return
  }
}"""

LARGE = RACE.replace("32x32", "128x128").replace("(32, 32) : (1, 32)", "(128, 128) : (1, 128)")


@pytest.fixture(scope="module")
def copy() -> tile.Kernel:
    """A kernel that copies a matrix of any size."""
    return tile.compile(COPY).only


def matrix(rows: int, columns: int, stride: int | None = None) -> np.ndarray:
    """A matrix of random floats, with `stride` elements between rows."""
    whole = np.random.default_rng(7).random((rows, stride or columns), "float32")
    return whole[:, :columns]


def test_kernels_say_what_a_launch_must_know(copy):
    assert (copy.name, copy.block, copy.cluster, copy.shared_bytes) == ("copy", (128, 1, 1), None, 4096)
    first, _, scale, n = copy.arguments
    assert (first.dtype, first.shape, first.alignment) == ("float32", (None, None), 256)
    assert first.numbers == (("extent", 0), ("extent", 1), ("stride", 0))
    assert (scale.type, scale.bits, n.type, n.bits) == ("f32", 32, "i32", 32)
    assert ".visible .entry copy(" in copy.ptx and ".target sm_90a" in copy.ptx


def test_remarks_say_how(copy):
    taken = [remark for remark in copy.remarks if remark.passed]
    assert {remark.name for remark in taken} == {"gmem_smem"} and taken[0].line == 16
    assert "Instructions" in taken[0].args


def test_warnings_come_along():
    columns = RACE.replace("%t to %b scope(cta)", '%t to %b scope(cta) {variant = "fallback"}')
    assert not tile.compile(RACE).warnings
    assert "inserted" in {remark.name for remark in tile.compile(RACE).only.remarks}
    assert "fallback" in {remark.name for remark in tile.compile(columns).only.remarks}


@pytest.mark.parametrize("schedule", [*tile.SCHEDULES, "all"])
def test_results_are_written_back(copy, schedule):
    a, whole = matrix(30, 70, 72), np.zeros((30, 100), "float32")
    counts = copy.simulate(a, whole[:, :70], 2.0, 5, grid=(2, 2), schedule=schedule)
    np.testing.assert_array_equal(a, whole[:, :70])
    assert sum(it.global_bytes for it in counts.values()) == 2 * a.nbytes
    assert not whole[:, 70:].any()


def test_the_same_array_twice_is_the_same_memory(copy):
    a = matrix(16, 64)
    before = a.copy()
    with pytest.raises(tile.Race, match="must stay the same"):
        copy.simulate(a, a, 0.0, 0, grid=1)  # It is promised that they do not overlap.
    tile.compile(COPY, noalias=False).only.simulate(a, a, 0.0, 0, grid=1)
    np.testing.assert_array_equal(a, before)


SHIFT = """
gpu.module @kernels {
  gpu.func @shift(%A: memref<96xf32>, %B: memref<96xf32>) kernel attributes {known_block_size = array<i32: 96, 1, 1>} {
    %i = gpu.thread_id x
    %x = memref.load %A[%i] : memref<96xf32>
    gpu.barrier
    memref.store %x, %B[%i] : memref<96xf32>
    gpu.return
  }
}
"""


def test_arrays_that_overlap_share_memory():
    kernel = tile.compile(SHIFT, noalias=False).only
    for distance in (32, 95):
        whole = np.arange(96 + distance, dtype="float32")
        expected = whole.copy()
        expected[distance:] = whole[:96]
        kernel.simulate(whole[:96], whole[distance:], schedule="all")
        np.testing.assert_array_equal(whole, expected)
    # To the lower addresses.
    whole = np.arange(128, dtype="float32")
    expected = np.concatenate([whole[32:], whole[96:]])
    kernel.simulate(whole[32:], whole[:96])
    np.testing.assert_array_equal(whole, expected)
    # Nothing is read of what the kernel wrote through another array: without the barrier, that is a race.
    race = tile.compile(SHIFT.replace("gpu.barrier", ""), noalias=False).only
    with pytest.raises(tile.Race):
        race.simulate(whole[32:], whole[:96])
    apart = np.arange(192, dtype="float32")
    race.simulate(apart[:96], apart[96:])
    np.testing.assert_array_equal(apart[96:], apart[:96])


def test_a_read_only_array_that_overlaps():
    copy = tile.compile(COPY, noalias=False).only
    whole = matrix(24, 64)
    before = whole.copy()
    source = whole[:16]
    source.setflags(write=False)
    # The part that both share may change; the rest of the source may not.
    copy.simulate(source, whole[8:], 1.0, 0)
    assert not np.array_equal(whole[8:], before[8:])
    np.testing.assert_array_equal(whole[:8], before[:8])


THROUGH_MAPS = """
!matrix = !tile.buffer<?x64xf16, global>
!shared = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @through(%A: memref<?x64xf16>, %B: memref<?x64xf16>) workgroup(%barriers: memref<1xi64, 3> {llvm.align = 16}) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %one = arith.constant 1 : i32
    %phase = arith.constant 0 : i32
    %zero = arith.constant 0.0 : f16
    %true = arith.constant true
    %a = tile.view %A : memref<?x64xf16> to !matrix
    %b = tile.view %B : memref<?x64xf16> to !matrix
    %s = tile.alloc : !shared
    %index = memref.extract_aligned_pointer_as_index %barriers : memref<1xi64, 3> -> index
    %address = arith.index_cast %index : index to i64
    %full = llvm.inttoptr %address : i64 to !llvm.ptr<3>
    %thread = gpu.thread_id x
    %first = arith.cmpi eq, %thread, %c0 : index
    scf.if %first {
      nvvm.mbarrier.init %full, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    %block = gpu.block_id x
    %row = arith.muli %block, %c64 : index
    tile.copy_async %a[%row, 0] [64, 64] to %s[0, 0] [64, 64] scope(cta) mbarrier(%full : !llvm.ptr<3>) masked fill(%zero : f16)
      {variant = "tma"} : !matrix to !shared
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %full, %phase : !llvm.ptr<3>, i32 -> i1
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    tile.copy_async %s[0, 0] [64, 64] to %b[%row, 0] [64, 64] scope(cta) bulk_group masked {variant = "tma"} : !shared to !matrix
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }
}"""


def test_tensor_maps_are_made_of_the_arrays():
    kernel = tile.compile(THROUGH_MAPS).only
    assert [argument.type for argument in kernel.arguments] == ["memref<?x64xf16>", "memref<?x64xf16>"]
    a = np.arange(100 * 64, dtype=np.float16).reshape(100, 64)
    b = np.full((100, 64), 7, dtype=np.float16)
    counts = kernel.simulate(a, b, grid=2, schedule="all")
    assert np.array_equal(a, b), "the last box leaves the matrix"
    assert counts["cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group"].issued == 2
    kernel.simulate(a[:0], b[:0])


def test_an_empty_array_is_fine(copy):
    copy.simulate(np.zeros((0, 64), "float32"), np.zeros((0, 64), "float32"), 0.0, 0)


def test_races_name_lines():
    kernel = tile.compile(RACE, name="turn.mlir", passes="tile-build{order=false}").only
    a, b = matrix(32, 32), np.zeros((32, 32), "float32")
    with pytest.raises(tile.Race) as caught:
        kernel.simulate(a, b)
    assert (caught.value.kind, caught.value.line) in [("race", 10), ("race", 12)]
    assert caught.value.file.endswith("turn.mlir") and caught.value.ptx_line > 0
    assert "without a barrier" in str(caught.value)
    assert not b.any(), "nothing has changed"
    right = tile.compile(RACE.replace("    %t = ", "    gpu.barrier\n    %t = ")).only
    right.simulate(a, b, schedule="all")
    np.testing.assert_array_equal(a.T, b)


def test_shared_memory_that_is_planned_is_given():
    kernel = tile.compile(LARGE).only
    assert kernel.dynamic_shared_bytes == 65536
    a, b = matrix(128, 128), np.zeros((128, 128), "float32")
    kernel.simulate(a, b, schedule="all")
    np.testing.assert_array_equal(a.T, b)
    with pytest.raises(tile.LaunchError, match="got 1024 bytes of dynamic shared memory, expected at least 65536"):
        kernel.simulate(a, b, dynamic_shared=1024)


@pytest.mark.parametrize(("columns", "opcode"), [(64, "ld.global.nc.v4.b32"), (70, "ld.global.nc.b32")])
def test_a_kernel_with_versions_is_launched_as_others(columns, opcode):
    memref = "memref<?x?xf32, strided<[?, 1]>>"
    version = f"tile.version %A divisible_by 4, %B divisible_by 4 : {memref}, {memref} {{"
    text = COPY.replace("%a = tile.view", f"{version}\n    %a = tile.view").replace("gpu.return", "}\n    gpu.return")
    kernel = tile.compile(text).only
    a, b = matrix(30, columns), np.zeros((30, columns), "float32")
    counts = kernel.simulate(a, b, 2.0, 5, grid=(2, 2), schedule="all")
    np.testing.assert_array_equal(a, b)
    assert [name for name in counts if name.startswith("ld.global")] == [opcode]


def test_a_read_only_array_is_read(copy):
    a, b = matrix(16, 64), np.zeros((16, 64), "float32")
    a.setflags(write=False)
    copy.simulate(a, b, 0.0, 0)
    np.testing.assert_array_equal(a, b)
    with pytest.raises(tile.ArgumentError, match="may not be written"):
        copy.simulate(np.ones((16, 64), "float32"), a, 0.0, 0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda a: a.astype("float64"), "argument 0: got an array of float64, expected float32"),
        (lambda a: a[0], "got an array of rank 1, expected 2"),
        (lambda a: a.T.copy().T, "got strides"),
        (lambda a: a[:, ::-1], "got strides"),
        (lambda a: a.astype(">f4"), "order of bytes"),
        (lambda a: a.astype(object), "plain numbers"),
        (lambda a: a.tolist(), "got builtins.list, expected a numpy array"),
        (lambda a: None, "got builtins.NoneType"),
    ],
)
def test_arrays_that_do_not_fit(copy, change, message):
    a = matrix(16, 64)
    with pytest.raises(tile.ArgumentError, match=message):
        copy.simulate(change(a), a, 0.0, 0)


def test_shapes_that_do_not_fit():
    kernel = tile.compile(RACE).only
    with pytest.raises(tile.ArgumentError, match=r"got shape \(32, 16\), expected \(32, 32\)"):
        kernel.simulate(matrix(32, 16), matrix(32, 32))


@pytest.mark.parametrize(
    ("scale", "n", "message"),
    [
        ("2", 1, "argument 2: got str, expected a number for f32"),
        (1.0, 1.5, "argument 3: got float, expected an integer for i32"),
        (1.0, 1 << 32, "expected a number of 32 bits"),
        (1.0, np.zeros(1), "got ndarray"),
    ],
)
def test_numbers_that_do_not_fit(copy, scale, n, message):
    a = matrix(16, 64)
    with pytest.raises(tile.ArgumentError, match=message):
        copy.simulate(a, a, scale, n)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"grid": 0}, tile.ArgumentError, "grid: got 0"),
        ({"grid": (1, 2, 3, 4)}, tile.ArgumentError, "one to three numbers"),
        ({"grid": "2"}, tile.ArgumentError, "grid: got '2'"),
        ({"block": -1}, tile.ArgumentError, "block: got -1"),
        ({"block": 4096}, tile.LaunchError, "cannot be launched"),
        ({"block": 64}, tile.LaunchError, "got blocks of 64x1x1 threads, expected 128x1x1"),
        ({"dynamic_shared": -1}, tile.ArgumentError, "dynamic_shared: got -1"),
        ({"dynamic_shared": 1 << 30}, tile.LaunchError, "shared memory"),
        ({"schedule": "soon"}, tile.LaunchError, "got schedule `soon`"),
        ({"schedule": 3}, tile.ArgumentError, "schedule: got int"),
    ],
)
def test_launches_that_are_wrong(copy, options, error, message):
    a = matrix(16, 64)
    with pytest.raises(error, match=message):
        copy.simulate(a, a, 0.0, 0, **options)


def test_the_number_of_arguments(copy):
    with pytest.raises(tile.ArgumentError, match="got 1 arguments, expected 4: memref"):
        copy.simulate(matrix(16, 64))


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("gpu.module @k {", {"name": "half.mlir"}, "half.mlir:1"),
        ("module {}", {}, "no gpu.module"),
        (RACE, {"chip": "sm_1"}, "unknown chip 'sm_1'"),
        (RACE, {"max_vector_bits": 100}, "max-vector-bits"),
        (RACE.replace("tile.view", "tile.viewed"), {}, "tile.viewed"),
    ],
)
def test_modules_that_do_not_compile(text, options, message):
    with pytest.raises(tile.CompileError, match=message):
        tile.compile(text, **options)


def test_options_of_another_type():
    with pytest.raises(tile.ArgumentError, match="text: got bytes, expected str"):
        tile.compile(b"module {}")
    with pytest.raises(tile.ArgumentError, match="argument_alignment: got -1"):
        tile.compile(RACE, argument_alignment=-1)
    with pytest.raises(tile.ArgumentError, match="got a module with 0 kernels"):
        _ = tile.compile("gpu.module @k {}").only


def test_launch_wants_arrays_of_a_gpu(copy):
    a = matrix(16, 64)
    with pytest.raises(tile.ArgumentError, match="on the CPU, expected one of an NVIDIA GPU"):
        copy.launch(a, a, 0.0, 0)
    with pytest.raises(tile.ArgumentError, match="supports DLPack"):
        copy.launch([1.0], a, 0.0, 0)
    with pytest.raises(tile.ArgumentError, match="stream: got str"):
        copy.launch(a, a, 0.0, 0, stream="default")


def test_dlpack_is_read(copy):
    a = aligned(16, 64)
    constants, values, gpu, _ = _launch.passed(copy, (OnGpu(a, 3), OnGpu(a, 3), 1.5, 7), 0)
    address = a.ctypes.data
    assert constants == [None, 16, 64, 64, None, 16, 64, 64, None, None] and gpu == 3
    assert values == [address, address, int.from_bytes(np.float32(1.5).tobytes(), "little"), 7]


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        (lambda a: OnGpu(a, 0), lambda a: OnGpu(a, 1), "argument 1: got an array of GPU 1, expected one of GPU 0"),
        (lambda a: OnGpu(a[:, 1:]), OnGpu, "expected a multiple of 256 bytes: compile with argument_alignment=4"),
        (lambda a: OnGpu(a.T), OnGpu, "got strides"),
        (lambda a: OnGpu(a.view("int32")), OnGpu, "got an array of int32"),
    ],
)
def test_arrays_of_a_gpu_that_do_not_fit(copy, first, second, message):
    a = aligned(16, 64)
    with pytest.raises(tile.ArgumentError, match=message):
        _launch.passed(copy, (first(a), second(a), 0.0, 0), 0)


def test_without_a_driver_launch_says_so(copy):
    try:
        ctypes.CDLL("libcuda.so.1")
    except OSError:
        a = aligned(16, 64)
        with pytest.raises(tile.LibraryError, match="there is no CUDA driver"):
            copy.launch(OnGpu(a), OnGpu(a), 0.0, 0)
