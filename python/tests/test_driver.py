"""What a launch passes to the CUDA driver, recorded by a mock library in the driver's place."""

from __future__ import annotations

import ctypes
import dataclasses
import shutil
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from arrays import OnGpu, aligned, empty_like

import mlir_tile as tile
from mlir_tile import _driver, _scan, _tensor_map

DRIVER = r"""
#include <stdint.h>
#include <string.h>
unsigned sizes[8]; uint64_t passed[8]; uint64_t stream; int wrong, loads, dynamic, count;
int cuInit(unsigned flags) { return 0; }
int cuDeviceGet(int *device, int number) { *device = number; return 0; }
int cuCtxGetCurrent(void **context) { *context = 0; return 0; }
int cuCtxGetDevice(int *device) { *device = 0; return 0; }
int cuDevicePrimaryCtxRetain(void **context, int device) { *context = (void *)1; return 0; }
int cuCtxSetCurrent(void *context) { return 0; }
int cuModuleLoadDataEx(void **module, const char *ptx, unsigned n, int *options, void **values) {
  const char *entry = strstr(ptx, ".visible .entry");
  *module = (void *)2; ++loads;
  if (!entry) return 218;
  count = 0;
  for (; *entry != ')'; ++entry) count += !strncmp(entry, ".param ", 7);
  return count > 8;
}
int cuModuleGetFunction(void **function, void *module, const char *name) { *function = (void *)3; return 0; }
int cuFuncSetAttribute(void *function, int attribute, int value) { dynamic = attribute == 8 ? value : -1; return 0; }
struct config { unsigned grid[3], block[3], shared; void *stream, *attributes; unsigned count; };
int cuLaunchKernelEx(const struct config *config, void *function, void **params, void **extra) {
  memcpy(sizes, config, 7 * sizeof(unsigned));
  for (int i = 0; i < count; ++i) passed[i] = *(uint64_t *)params[i];
  stream = (uint64_t)config->stream;
  return config->count || extra || function != (void *)3 ? 1 : wrong;
}
int cuDeviceGetAttribute(int *value, int attribute, int device) {
  *value = attribute == 75 ? 9 : attribute == 16 ? 132 : 0;
  return 0;
}
static uint64_t memory[1024];
int cuMemAlloc_v2(uint64_t *address, size_t size) { *address = (uint64_t)memory; return size > sizeof memory; }
int cuMemsetD8_v2(uint64_t address, unsigned char value, size_t size) { memset((void *)address, value, size); return 0; }
int cuMemFree_v2(uint64_t address) { return 0; }
int cuCtxSynchronize(void) { return 0; }
unsigned char encoded[8][128]; int encodings, refuses;
struct { int type; unsigned rank; uint64_t base, dims[5], strides[4]; unsigned box[5]; int modes[4]; } map;
int cuTensorMapEncodeTiled(void *out, int type, unsigned rank, void *base, const uint64_t *dims, const uint64_t *strides,
                           const unsigned *box, const unsigned *steps, int interleave, int swizzle, int promotion, int fill) {
  if (refuses || (uintptr_t)out % 64) return 1;
  map.type = type; map.rank = rank; map.base = (uint64_t)base;
  for (unsigned i = 0; i < rank; ++i) {
    map.dims[i] = dims[i]; map.box[i] = box[i];
    if (i + 1 < rank) map.strides[i] = strides[i];
    if (steps[i] != 1) return 1;
  }
  int modes[4] = {interleave, swizzle, promotion, fill};
  memcpy(map.modes, modes, sizeof modes);
  memset(out, ++encodings, 128);
  return 0;
}
int corners[2][3]; unsigned walk[2], walked[5];
int cuTensorMapEncodeIm2col(void *out, int type, unsigned rank, void *base, const uint64_t *dims, const uint64_t *strides,
                            const int *lower, const int *upper, unsigned channels, unsigned pixels, const unsigned *steps,
                            int interleave, int swizzle, int promotion, int fill) {
  unsigned box[5] = {channels, 1, 1, 1, 1}, ones[5] = {1, 1, 1, 1, 1};
  memcpy(corners[0], lower, 4 * (rank - 2)); memcpy(corners[1], upper, 4 * (rank - 2)); memcpy(walked, steps, 4 * rank);
  walk[0] = channels; walk[1] = pixels;
  return cuTensorMapEncodeTiled(out, type, rank, base, dims, strides, box, ones, interleave, swizzle, promotion, fill);
}
int cuGetErrorName(int code, const char **text) { *text = "CUDA_ERROR_INVALID_VALUE"; return 0; }
int cuGetErrorString(int code, const char **text) { *text = "invalid argument"; return 0; }
"""

COPY = """
gpu.module @kernels {
  gpu.func @copy(%A: memref<16x64xf32>, %B: memref<16x64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<16x64xf32> to !tile.buffer<16x64xf32, global>
    %b = tile.view %B : memref<16x64xf32> to !tile.buffer<16x64xf32, global>
    tile.copy %a to %b scope(cta) : !tile.buffer<16x64xf32, global> to !tile.buffer<16x64xf32, global>
    gpu.return
  }
}"""


NUMBER = """
gpu.module @kernels {
  gpu.func @shift(%A: memref<?x64xf32>, %i: i32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} { gpu.return }
}"""


MAPS = """
!matrix = !tile.buffer<?x64xf16, global>
!shared = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @store(%A: memref<?x64xf16>, %row: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<?x64xf16> to !matrix
    %s = tile.alloc : !shared
    %zero = arith.constant 0.0 : f16
    tile.fill %zero to %s scope(cta) : f16 to !shared
    gpu.barrier
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    tile.copy_async %s to %a[%row, 0] [64, 64] scope(cta) bulk_group masked {variant = "tma"} : !shared to !matrix
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }
}"""


PIXELS = """
!shared = !tile.buffer<16x64xf16, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @scatter(%A: memref<?x6x5x64xf16>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %zero = arith.constant 0.0 : f16
    %a = tile.view %A : memref<?x6x5x64xf16>
    %s = tile.alloc : !shared
    tile.fill %zero to %s scope(cta) : f16 to !shared
    gpu.barrier
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    tile.copy_async %s to %a[0, 0, 1, 0] [1, 1, 16, 64] scope(cta) bulk_group im2col [0, 1] to [-1, -2] steps [3, 2] masked
      : !shared to !tile.buffer<?x6x5x64xf16, global>
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }
}"""


class Map(ctypes.Structure):
    """What the driver's stand-in was asked to encode."""

    _fields_ = [
        ("type", ctypes.c_int),
        ("rank", ctypes.c_uint),
        ("base", ctypes.c_uint64),
        ("dims", ctypes.c_uint64 * 5),
        ("strides", ctypes.c_uint64 * 4),
        ("box", ctypes.c_uint * 5),
        ("modes", ctypes.c_int * 4),
    ]


class Tensor(OnGpu):
    """Like a torch tensor, and counts the uses of DLPack."""

    __module__ = "torch"
    is_cuda, requires_grad, is_sparse, looked_at = True, False, False, 0

    def __dlpack__(self, **options):
        Tensor.looked_at += 1
        return super().__dlpack__(**options)

    dtype = property(lambda self: str(self.array.dtype))
    shape = property(lambda self: self.array.shape)

    def stride(self):
        return tuple(stride // self.array.itemsize for stride in self.array.strides)

    def get_device(self):
        return 0

    def data_ptr(self):
        return self.array.ctypes.data


@pytest.fixture
def driver(tmp_path, monkeypatch):
    """The mock library in the driver's place."""
    if not shutil.which("cc"):
        pytest.fail("no C compiler to build the driver's stand-in with")
    (tmp_path / "driver.c").write_text(DRIVER)
    library = tmp_path / "libcuda.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-w", "-o", library, tmp_path / "driver.c"], check=True)
    fake = ctypes.CDLL(str(library))
    real = ctypes.CDLL
    monkeypatch.setattr(_driver.ctypes, "CDLL", lambda name: fake if "libcuda" in name else real(name))
    _driver.driver.cache_clear()
    yield fake
    _driver.driver.cache_clear()


def test_a_launch_says_all(driver):
    kernel, a, b = tile.compile(COPY).only, aligned(16, 64), aligned(16, 64)
    for _ in range(3):
        kernel.launch(OnGpu(a), OnGpu(b), grid=(4, 2), dynamic_shared=100_000)
    assert list((ctypes.c_uint * 7).in_dll(driver, "sizes")) == [4, 2, 1, 64, 1, 1, 100_000]
    assert list((ctypes.c_uint64 * 2).in_dll(driver, "passed")) == [a.ctypes.data, b.ctypes.data]
    assert ctypes.c_int.in_dll(driver, "loads").value == 1, "a kernel is loaded once"
    assert ctypes.c_int.in_dll(driver, "dynamic").value == 100_000


def test_an_error_has_the_drivers_words(driver):
    kernel, a = tile.compile(COPY).only, aligned(16, 64)
    ctypes.c_int.in_dll(driver, "wrong").value = 1
    with pytest.raises(tile.LaunchError, match=r"copy: CUDA_ERROR_INVALID_VALUE \(1\): invalid argument"):
        kernel.launch(OnGpu(a), OnGpu(np.asarray(a)))


def test_tensor_maps_are_encoded(driver, monkeypatch):
    torch = SimpleNamespace(cuda=SimpleNamespace(current_stream=lambda gpu: SimpleNamespace(cuda_stream=0)), _C=None)
    monkeypatch.setitem(sys.modules, "torch", torch)
    kernel, a = tile.compile(MAPS).only, aligned(16, 128).view(np.float16).reshape(64, 64)
    text = _tensor_map.maps_of(kernel)[0].text
    # The rows of each launch, how many maps were encoded by then, and the rows of the last of them.
    for rows, calls, last in ((40, 1, 40), (40, 1, 40), (64, 2, 64), (40, 2, 64)):
        kernel.launch(Tensor(a[:rows]), 8)
        got = Map.in_dll(driver, "map")
        assert (got.type, got.rank, got.base) == (6, 2, a.ctypes.data), text
        assert (list(got.dims)[:2], got.strides[0], list(got.box)[:2]) == ([64, last], 128, [64, 64]), text
        assert list(got.modes) == [0, 3, ["none", "64", "128", "256"].index(text.split("promotion=")[1].split(",")[0]), 0]
        assert ctypes.c_int.in_dll(driver, "encodings").value == calls, "a map that is the same is encoded once"
        passed = list((ctypes.c_uint64 * 4).in_dll(driver, "passed"))
        assert passed[:3] == [a.ctypes.data, rows, 8] and passed[3] == (2 if rows == 64 else 1) * 0x0101010101010101


def test_the_map_of_an_empty_array_is_of_an_element_of_its_own(driver):
    kernel, a = tile.compile(MAPS).only, aligned(16, 128).view(np.float16).reshape(64, 64)
    for calls in (1, 2):
        kernel.launch(OnGpu(a[:0]), 0)
        got = Map.in_dll(driver, "map")
        assert (list(got.dims)[:2], got.strides[0], list(got.box)[:2]) == ([1, 1], 16, [64, 64])
        assert got.base != a.ctypes.data and ctypes.string_at(got.base, 16) == bytes(16)
        assert ctypes.c_int.in_dll(driver, "encodings").value == calls, "a store may have changed the element"
        ctypes.memset(got.base, 1, 16)


def test_maps_of_pixels_are_encoded(driver):
    kernel, a = tile.compile(PIXELS).only, aligned(30, 64).view(np.float16).reshape(2, 6, 5, 64)
    kernel.launch(OnGpu(a))
    got, pair = Map.in_dll(driver, "map"), ctypes.c_int * 3 * 2
    assert (got.rank, list(got.dims)[:4], list(got.strides)[:3]) == (4, [64, 5, 6, 2], [128, 640, 3840])
    assert [list(corner)[:2] for corner in pair.in_dll(driver, "corners")] == [[1, 0], [-2, -1]], "the width comes first"
    assert list((ctypes.c_uint * 2).in_dll(driver, "walk")) == [64, 16]
    assert list((ctypes.c_uint * 5).in_dll(driver, "walked"))[:4] == [1, 2, 3, 1]


def test_a_map_that_the_driver_refuses(driver):
    kernel, a = tile.compile(MAPS).only, aligned(16, 128).view(np.float16).reshape(64, 64)
    ctypes.c_int.in_dll(driver, "refuses").value = 1
    with pytest.raises(tile.LaunchError, match=r"store: the tensor map of parameter 3 \(copy at -:.*, tile at -:.*\) has extents \[64, 64\].*invalid argument"):
        kernel.launch(OnGpu(a), 0)


def test_a_map_of_nothing_known(driver):
    lines = [one for one in tile.compile(MAPS).ptx.splitlines() if one.startswith("// tensor map of ")]
    kernel = tile.compile(MAPS).only
    bare = dataclasses.replace(kernel, ptx=kernel.ptx.replace(lines[0], ""))
    with pytest.raises(tile.LaunchError, match="parameter 3 is a tensor map that is not known to be made of arguments"):
        bare.launch(OnGpu(aligned(16, 128).view(np.float16).reshape(64, 64)), 0)


def test_arrays_of_a_kind_are_looked_at_once(driver, monkeypatch):
    stream = SimpleNamespace(cuda_stream=0)
    torch = SimpleNamespace(cuda=SimpleNamespace(current_stream=lambda gpu: stream), _C=None)
    monkeypatch.setitem(sys.modules, "torch", torch)
    monkeypatch.setattr(Tensor, "looked_at", 0)
    kernel, arrays = tile.compile(NUMBER).only, [aligned(16, 64) for _ in range(3)]
    for number, array in enumerate(arrays):
        kernel.launch(Tensor(array), number - 1)
        passed = list((ctypes.c_uint64 * 2).in_dll(driver, "passed"))
        assert passed == [array.ctypes.data, 16], "an address, and the extent"
    assert Tensor.looked_at == 1
    kernel.launch(Tensor(arrays[0]), 1, grid=2)
    kernel.launch(Tensor(arrays[0][:8]), 1)
    assert Tensor.looked_at == 3, "another grid, another shape"
    stream.cuda_stream = 5
    kernel.launch(Tensor(arrays[0]), 1)
    assert Tensor.looked_at == 4, "another stream of torch than that of the launch"
    kernel.launch(Tensor(arrays[0]), 1, stream=stream)
    assert Tensor.looked_at == 4 and ctypes.c_uint64.in_dll(driver, "stream").value == 5
    stream.cuda_stream = 0
    with pytest.raises(tile.ArgumentError, match="got 4294967296, expected a number of 32 bits"):
        kernel.launch(Tensor(arrays[0]), 1 << 32)
    with pytest.raises(tile.ArgumentError, match="expected a number for f32|expected an integer for i32"):
        kernel.launch(Tensor(arrays[0]), 1.5)
    with pytest.raises(tile.ArgumentError, match="got 3 arguments, expected 2"):
        kernel.launch(Tensor(arrays[0]), 1, 2)


def test_scans_count_their_epochs(driver):
    x, y = aligned(16, 2), aligned(16, 2)
    for launch in (1, 2, 3):
        assert tile.scan(OnGpu(x[:, 0].reshape(-1)[:1]), init=2.5, out=OnGpu(y[:1, 0])) is not None
        passed = list((ctypes.c_uint64 * 6).in_dll(driver, "passed"))
        assert passed[:2] == [x.ctypes.data, y.ctypes.data] and passed[3] == 1
        assert passed[4] & 0xFFFFFFFF == launch, "the epoch"
        assert np.uint32(passed[5] & 0xFFFFFFFF).view("float32") == 2.5
    pairs = """
^bb0(%left: vector<2xf32>, %right: vector<2xf32>):
  tile.yield %right : vector<2xf32>"""
    tile.scan(OnGpu(x), pairs, out=OnGpu(y), identity=(0, 0))
    assert (ctypes.c_uint64 * 6).in_dll(driver, "passed")[3] == 16, "vectors, not numbers"
    _scan._plan.cache_clear()


class Standard(OnGpu):
    """An array of the array API, whose namespace is not the module of its type."""

    def __array_namespace__(self):
        return SimpleNamespace(empty_like=lambda x: Standard(empty_like(x).array))


class Alone(OnGpu):
    """An array of a library that makes none like it."""

    __module__ = "alone.arrays"


def test_a_scan_without_out_returns_an_array_of_the_same_library(driver):
    x = aligned(16, 2).reshape(-1)
    for kind in (OnGpu, Standard):
        y = tile.scan(kind(x))
        assert type(y) is kind and y.array.dtype == x.dtype and y.array.shape == x.shape
        passed = list((ctypes.c_uint64 * 4).in_dll(driver, "passed"))
        assert passed[:2] == [x.ctypes.data, y.array.ctypes.data] and passed[3] == 32
    with pytest.raises(tile.ArgumentError, match="out: got none, expected an array .*, because alone has no empty_like"):
        tile.scan(Alone(x))
    _scan._plan.cache_clear()


def test_a_kernel_of_a_scan_is_made_once_for_its_text_and_chip(driver, monkeypatch):
    compiled = []

    def compile(text, chip, **options):
        compiled.append((text, chip))
        return tile.compile(text, chip, **options)

    monkeypatch.setattr(_scan, "compile", compile)
    x = aligned(16, 2).reshape(-1)
    for op, length in (("add", 32), ("add", 7), ("max", 32), ("add", 32)):
        tile.scan(OnGpu(x[:length]), op)
    assert [chip for _, chip in compiled] == ["sm_90a", "sm_90a"], "two operators, one GPU"
    assert ctypes.c_int.in_dll(driver, "loads").value == 2, "each is loaded once"
    tile.scan(OnGpu(x), chip="sm_80")
    tile.scan(OnGpu(x), chip="sm_80")
    assert [chip for _, chip in compiled[2:]] == ["sm_80"] and compiled[2][0] == compiled[0][0]
    _scan._plan.cache_clear()
