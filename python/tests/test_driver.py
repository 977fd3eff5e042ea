"""What a launch tells the CUDA driver: a library that only writes down what it is told stands in for it."""

from __future__ import annotations

import ctypes
import shutil
import subprocess

import numpy as np
import pytest
from arrays import OnGpu, aligned

import tile
from tile import _launch

DRIVER = r"""
#include <stdint.h>
#include <string.h>
unsigned told[8]; uint64_t passed[4]; uint64_t stream; int wrong, loads, dynamic;
int cuInit(unsigned flags) { return 0; }
int cuDeviceGet(int *device, int number) { *device = number; return 0; }
int cuCtxGetCurrent(void **context) { *context = 0; return 0; }
int cuCtxGetDevice(int *device) { *device = 0; return 0; }
int cuDevicePrimaryCtxRetain(void **context, int device) { *context = (void *)1; return 0; }
int cuCtxSetCurrent(void *context) { return 0; }
int cuModuleLoadDataEx(void **module, const char *ptx, unsigned n, int *options, void **values) {
  *module = (void *)2; ++loads; return strstr(ptx, ".visible .entry") ? 0 : 218;
}
int cuModuleGetFunction(void **function, void *module, const char *name) { *function = (void *)3; return 0; }
int cuFuncSetAttribute(void *function, int attribute, int value) { dynamic = attribute == 8 ? value : -1; return 0; }
int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                   unsigned shared, void *on, void **params, void **extra) {
  unsigned all[] = {gx, gy, gz, bx, by, bz, shared, 0};
  memcpy(told, all, sizeof told);
  for (int i = 0; i < 2; ++i) passed[i] = *(uint64_t *)params[i];
  stream = (uint64_t)on;
  return wrong;
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


@pytest.fixture
def driver(tmp_path, monkeypatch):
    """The library in the driver's place."""
    if not shutil.which("cc"):
        pytest.fail("no C compiler to build the driver's stand-in with")
    (tmp_path / "driver.c").write_text(DRIVER)
    library = tmp_path / "libcuda.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-w", "-o", library, tmp_path / "driver.c"], check=True)
    fake = ctypes.CDLL(str(library))
    real = ctypes.CDLL
    monkeypatch.setattr(_launch.ctypes, "CDLL", lambda name: fake if "libcuda" in name else real(name))
    _launch.driver.cache_clear()
    yield fake
    _launch.driver.cache_clear()


def test_a_launch_says_all(driver):
    kernel, a, b = tile.compile(COPY).only, aligned(16, 64), aligned(16, 64)
    for _ in range(3):
        kernel.launch(OnGpu(a), OnGpu(b), grid=(4, 2), dynamic_shared=100_000)
    assert list((ctypes.c_uint * 7).in_dll(driver, "told")) == [4, 2, 1, 64, 1, 1, 100_000]
    assert list((ctypes.c_uint64 * 2).in_dll(driver, "passed")) == [a.ctypes.data, b.ctypes.data]
    assert ctypes.c_int.in_dll(driver, "loads").value == 1, "a kernel is loaded once"
    assert ctypes.c_int.in_dll(driver, "dynamic").value == 100_000


def test_an_error_has_the_drivers_words(driver):
    kernel, a = tile.compile(COPY).only, aligned(16, 64)
    ctypes.c_int.in_dll(driver, "wrong").value = 1
    with pytest.raises(tile.LaunchError, match=r"copy: CUDA_ERROR_INVALID_VALUE \(1\): invalid argument"):
        kernel.launch(OnGpu(a), OnGpu(np.asarray(a)))
