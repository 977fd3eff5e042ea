"""Scans of arrays: kernel, workspace and epoch are seen to."""

from __future__ import annotations

import ctypes
import functools
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ._compile import Kernel, compile
from ._driver import Memory, driver, read, stream_handle
from ._launch import launch
from ._simulate import simulate
from .errors import ArgumentError
from .types import Argument, Memref

OPERATORS = ("add", "mul", "min", "max", "and", "or", "xor")
_ELEMENTS = {
    "float32": "f32",
    "float64": "f64",
    "float16": "f16",
    "int32": "i32",
    "int64": "i64",
    "uint32": "i32",
    "uint64": "i64",
}
# Bytes in front of the states of tiles (docs/scan.md).
_HEADER = 256
# A state has 30 bits for it; then the workspace begins anew.
_LAST_EPOCH = (1 << 30) - 1


@dataclass
class _Plan:
    """A kernel that scans, and its workspaces: one for each GPU and stream, with the epoch of its last launch."""

    kernel: Kernel
    tile: int
    words: int
    dynamic_shared: int
    is_ring: bool
    workspaces: dict[Any, list[Any]] = field(default_factory=dict)

    def tiles(self, n: int) -> int:
        return -(-n // self.tile)

    def bytes(self, n: int) -> int:
        return _HEADER + self.words * self.tiles(n)

    def grid(self, n: int, multiprocessors: int) -> int:
        """A ring leaves no round nearly empty; other shapes take a block for each tile."""
        tiles = self.tiles(n)
        return -(-tiles // -(-tiles // multiprocessors)) if self.is_ring else tiles


@functools.cache
def _plan(op: str, element: str, inclusive: bool, chip: str) -> _Plan:
    kind = "inclusive" if inclusive else "exclusive"
    text = f"""
gpu.module @kernels {{}}
func.func @scan(%x: memref<?x{element}>, %y: memref<?x{element}>, %w: memref<?xi8>, %epoch: i32) {{
  tile.scan @kernels::@scan {kind} {op} %x to %y workspace(%w) epoch(%epoch)
    : memref<?x{element}> to memref<?x{element}>, memref<?xi8>
  return
}}"""
    kernels = compile(text, chip)
    remark = next(it for it in kernels.remarks if it.category == "tile-scan" and it.passed)
    number = lambda key: int(remark.args.get(key, "0"))  # noqa: E731
    ring = remark.args.get("Shape") == "ring"
    return _Plan(kernels.only, number("Tile"), number("Words"), number("DynamicShared"), ring)


def scan(x: Any, op: str = "add", *, out: Any = None, inclusive: bool = True, chip: str = "", stream: Any = None) -> Any:
    """Scans an array of one dimension: prefix sums, maxima, ….

    An array of numpy is scanned in the simulator, one of a GPU (torch, CuPy, JAX) on that GPU, into `out`, which must be
    given there. The workspace is made here, zeroed once, and kept with its epoch. Returns `out`.

    >>> import numpy, tile
    >>> tile.scan(numpy.arange(6, dtype="int32")).tolist()
    [0, 1, 3, 6, 10, 15]
    >>> tile.scan(numpy.array([3, 1, 4, 1], "float32"), "max").tolist()
    [3.0, 3.0, 4.0, 4.0]
    >>> tile.scan(numpy.ones(4, "int64"), inclusive=False).tolist()
    [0, 1, 2, 3]
    """
    if op not in OPERATORS:
        raise ArgumentError(f"op: got {op!r}, expected {', '.join(OPERATORS)}")
    on_host = isinstance(x, np.ndarray)
    if out is None and on_host:
        out = np.empty_like(x)
    if out is None:
        raise ArgumentError("out: got none, expected an array of the GPU for the results, such as torch.empty_like(x)")
    # What the kernel's own arguments, plain addresses, do not say.
    name, n, gpu, at = _look("x", x, stream_handle(stream))
    other, m, _, to = _look("out", out, stream_handle(stream))
    if (name, n) != (other, m):
        raise ArgumentError(f"out: got {m} elements of {other}, expected {n} of {name}, as x has")
    if op in ("min", "max") and name.startswith("u"):
        op = f"u{op}"
    if name not in _ELEMENTS:
        raise ArgumentError(f"x: got {name}, expected one of {', '.join(_ELEMENTS)}")
    if n == 0:
        return out
    for what, address in (("x", at), ("out", to)):
        if address % 256:
            raise ArgumentError(f"{what}: got memory at {address:#x}, expected a multiple of 256 bytes: copy the part first")
    if on_host:
        plan = _plan(op, _ELEMENTS[name], inclusive, chip)
        workspace = np.zeros(plan.bytes(n), np.uint8)
        simulate(plan.kernel, x, out, workspace, n, 1, grid=plan.grid(n, 132), dynamic_shared=plan.dynamic_shared)
        return out
    plan = _plan(op, _ELEMENTS[name], inclusive, chip or _chip(gpu))
    workspace, epoch = _workspace(plan, (gpu, stream_handle(stream)), plan.bytes(n))
    grid = plan.grid(n, driver().multiprocessors(gpu))
    launch(plan.kernel, x, out, workspace, n, epoch, grid=grid, dynamic_shared=plan.dynamic_shared, stream=stream)
    return out


def _look(what: str, x: Any, stream: int) -> tuple[str, int, int, int]:
    """Dtype, length, GPU and address of an array."""
    if isinstance(x, np.ndarray):
        if x.ndim != 1 or not x.flags.c_contiguous:
            raise ArgumentError(f"{what}: got shape {x.shape} with strides {x.strides}, expected one dense dimension: .ravel()")
        return x.dtype.name, x.shape[0], 0, 0
    array, gpu, _ = read(what, Argument("memref<?xf32>", Memref("f32", (None,), (1,), 0), 64, True, 0, ()), x, stream)
    if len(array.shape) != 1 or (array.strides not in ((1,), ()) and array.shape[0] > 1):
        raise ArgumentError(f"{what}: got shape {array.shape} with strides {array.strides}, expected one dense dimension")
    return array.dtype, array.shape[0], gpu, array.address


def _chip(gpu: int) -> str:
    cuda, major, minor = driver(), ctypes.c_int(), ctypes.c_int()
    cuda.call("cuDeviceGetAttribute", ctypes.byref(major), 75, gpu)
    cuda.call("cuDeviceGetAttribute", ctypes.byref(minor), 76, gpu)
    number = 10 * major.value + minor.value
    return f"sm_{number}a" if number >= 90 else f"sm_{number}"


def _workspace(plan: _Plan, where: tuple[int, int], size: int) -> tuple[Any, int]:
    """A workspace of at least that size, and the next epoch. Launches on one stream follow each other."""
    kept = plan.workspaces.get(where)
    if kept is None or kept[0].size < size or kept[1] == _LAST_EPOCH:
        kept = plan.workspaces[where] = [Memory(where[0], size), 0]
    kept[1] += 1
    return kept[0], kept[1]
