"""For a machine with a GPU: compares launches with torch and CuPy, and measures the time that a call takes.

    python tests/gpu.py [torch] [cupy]

Not run by the tests.
"""

from __future__ import annotations

import sys
import time
from typing import Any, Callable

import mlir_tile as tile

COPY = """
gpu.module @kernels {
  gpu.func @copy(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c16 = arith.constant 16 : index
    %x = gpu.block_id x
    %row = arith.muli %x, %c16 : index
    %a = tile.view %A : memref<1024x64xf32> to !tile.buffer<1024x64xf32, global>
    %b = tile.view %B : memref<1024x64xf32> to !tile.buffer<1024x64xf32, global>
    tile.copy %a[%row, 0] [16, 64] to %b[%row, 0] [16, 64] scope(cta)
      : !tile.buffer<1024x64xf32, global> to !tile.buffer<1024x64xf32, global>
    gpu.return
  }
}"""


def arrays(library: str) -> tuple[Any, Any, Any, Any]:
    """A matrix of random numbers, memory for another one, a function that waits, and one that scans."""
    if library == "torch":
        import torch

        x = torch.rand(1024, 64, device="cuda")
        return x, torch.zeros_like(x), torch.cuda.synchronize, lambda it: torch.cumsum(it, 0)
    import cupy

    x = cupy.random.rand(1024, 64, dtype="float32")
    return x, cupy.zeros_like(x), cupy.cuda.Device().synchronize, cupy.cumsum


def compare(library: str) -> None:
    """Copies, scans, and times calls."""
    x, y, wait, cumsum = arrays(library)
    kernel = tile.compile(COPY, _chip(library)).only
    kernel.launch(x, y, grid=64)
    wait()
    assert bool((x == y).all()), f"{library}: the copy is wrong"
    whole = x.reshape(-1)
    for _ in range(3):
        out = tile.scan(whole, "add")
        wait()
        off = abs(out - cumsum(whole)) / cumsum(whole)
        assert float(off.max()) < 1e-4, f"{library}: the scan is off by {float(off.max())}"
    print(f"{library}: copies and scans are right")
    call = next(iter(kernel.calls.values()))
    calls = {
        "kernel.launch": lambda: kernel.launch(x, y, grid=64),
        "the driver's cuLaunchKernelEx in it": lambda: call.issue([], 0),
        f"{library}'s own addition": addition(library, x, y),
    }
    for name, one in calls.items():
        print(f"{library}: {microseconds(one, wait):6.2f} us  {name}")


def addition(library: str, x: Any, y: Any) -> Callable[[], Any]:
    """An operation of the library that writes into existing memory."""
    if library == "torch":
        import torch

        return lambda: torch.add(x, 1, out=y)
    import cupy

    return lambda: cupy.add(x, 1, out=y)


def microseconds(call: Callable[[], Any], wait: Callable[[], Any], calls: int = 500) -> float:
    """The time of a call, the least of several runs; the GPU is idle when each starts."""
    best = float("inf")
    for _ in range(10):
        wait()
        begin = time.perf_counter()
        for _ in range(calls):
            call()
        best = min(best, time.perf_counter() - begin)
    wait()
    return best / calls * 1e6


def _chip(library: str) -> str:
    if library == "torch":
        import torch

        major, minor = torch.cuda.get_device_capability()
    else:
        import cupy

        major, minor = divmod(int(cupy.cuda.Device().compute_capability), 10)
    return f"sm_{major}{minor}" + ("a" if major >= 9 else "")


if __name__ == "__main__":
    for name in sys.argv[1:] or ["torch", "cupy"]:
        compare(name)
