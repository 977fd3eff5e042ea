"""Scans of arrays, which manage kernel, workspace and epoch."""

from __future__ import annotations

import ctypes
import functools
import sys
import threading
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ._compile import Kernel, compile
from ._driver import Memory, driver, read, stream_handle
from ._launch import launch
from ._simulate import simulate
from ._element import ELEMENTS, Element
from .errors import ArgumentError, expect
from .types import Argument, Memref, is_dense

OPERATORS = ("add", "mul", "min", "max", "and", "or", "xor")
# Bytes before the states of tiles (docs/scan.md).
_HEADER = 256
# A state has 30 bits for the epoch; after that a new workspace is needed.
_LAST_EPOCH = (1 << 30) - 1


@dataclass
class _Plan:
    """A scan kernel, and its workspaces: one for each GPU and stream, with the epoch of the last launch."""

    kernel: Kernel
    tile: int
    words: int
    dynamic_shared: int
    is_ring: bool
    resident: int = 0
    """Blocks of an SM that take several tiles each; 0 where each takes one, or those of a ring."""
    workspaces: dict[Any, list[Any]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)
    """Held from taking an epoch to its launch: epochs of a workspace grow in the order of launches."""

    def tiles(self, n: int) -> int:
        return -(-n // self.tile)

    def bytes(self, n: int) -> int:
        return _HEADER + self.words * self.tiles(n)

    def grid(self, n: int, sm_count: int) -> int:
        """The number of blocks: for a ring, such that no round is nearly empty; for persistent blocks, at most as many as run at a time;
        for others, one per tile."""
        tiles = self.tiles(n)
        if self.resident:
            return min(tiles, self.resident * sm_count)
        return -(-tiles // -(-tiles // sm_count)) if self.is_ring else tiles


@dataclass(frozen=True)
class _Question:
    """The parameters that a kernel is compiled for."""

    op: str
    element: Element
    is_inclusive: bool
    is_reverse: bool
    """Whether the arrays are scanned from their ends."""
    has_init: bool
    identity: str
    """An attribute, or the empty string."""
    chip: str

    def text(self) -> str:
        """The module with the scan."""
        element, is_named = self.element.type, self.op in OPERATORS
        kind = "inclusive" if self.is_inclusive else "exclusive"
        name = f"u{self.op}" if self.op in ("min", "max") and self.element.is_unsigned else self.op
        init = f" init(%init : {element})" if self.has_init else ""
        identity = f" identity({self.identity})" if self.identity else ""
        combine = "" if is_named else f" combine {{\n{self.op}\n}}"
        array = f"memref<?x{element}{', strided<[-1], offset: ?>' if self.is_reverse else ''}>"
        return f"""
gpu.module @kernels {{}}
func.func @scan(%x: {array}, %y: {array}, %w: memref<?xi8>, %epoch: i32, %init: {element}) {{
  tile.scan @kernels::@scan {kind} {name if is_named else "custom"} %x to %y workspace(%w) epoch(%epoch){init}{identity}
    : {array} to {array}, memref<?xi8>{combine}
  return
}}"""


@functools.cache
def _plan(question: _Question) -> _Plan:
    kernels = compile(question.text(), question.chip, name="scan")
    remark = next(it for it in kernels.remarks if it.category == "tile-scan" and it.passed)
    number = lambda key: int(remark.args.get(key, "0"))  # noqa: E731
    ring = remark.args.get("Shape") == "ring"
    return _Plan(kernels.only, number("Tile"), number("Words"), number("DynamicShared"), ring)


def scan(
    x: Any,
    op: str = "add",
    *,
    out: Any = None,
    inclusive: bool = True,
    reverse: bool = False,
    init: Any = None,
    identity: Any = None,
    chip: str = "",
    stream: Any = None,
) -> Any:
    """Scans a one-dimensional array: prefix sums, maxima, linear recurrences, ….

    A numpy array is scanned in the simulator; an array on a GPU (torch, CuPy, JAX) is scanned on that GPU. Returns `out`, or a
    new array of the same library. A kernel is compiled once for each operator, type and chip. The workspace is allocated and
    zeroed once, and kept together with its epoch.

    >>> import numpy, mlir_tile as tile
    >>> tile.scan(numpy.arange(6, dtype="int32")).tolist()
    [0, 1, 3, 6, 10, 15]
    >>> tile.scan(numpy.array([3, 1, 4, 1], "float32"), "max").tolist()
    [3.0, 3.0, 4.0, 4.0]
    >>> tile.scan(numpy.ones(4, "int64"), inclusive=False, init=10).tolist()
    [10, 11, 12, 13]

    With `reverse` each result covers the elements from that one to the end, and an operator's first argument is still the
    operand that was combined first, here the one further right:

    >>> tile.scan(numpy.array([3, 1, 4, 1, 5], "int32"), reverse=True).tolist()
    [14, 11, 10, 6, 5]

    `op` is one of `tile.OPERATORS`, or the region of a custom, associative operator, whose first argument is the operand
    further left. An exclusive scan by a custom operator needs its `identity`, or an `init`. An array of shape (n, k) has n
    elements, each a vector of k numbers, such as the pairs (a, b) of a recurrence y[i] = a[i] * y[i - 1] + b[i]:

    >>> pairs = numpy.array([[1, 1], [2, 1], [2, 1]], "float32")
    >>> tile.scan(pairs, '''
    ... ^bb0(%l: vector<2xf32>, %r: vector<2xf32>):
    ...   %la, %lb = vector.to_elements %l : vector<2xf32>
    ...   %ra, %rb = vector.to_elements %r : vector<2xf32>
    ...   %a = arith.mulf %la, %ra : f32
    ...   %m = arith.mulf %lb, %ra : f32
    ...   %b = arith.addf %m, %rb : f32
    ...   %p = vector.from_elements %a, %b : vector<2xf32>
    ...   tile.yield %p : vector<2xf32>''')[:, 1].tolist()
    [1.0, 3.0, 7.0]
    """
    expect(str, op=op)
    is_named = op in OPERATORS
    if not is_named and "^" not in op:
        named = ", ".join(OPERATORS)
        raise ArgumentError(f"op: got {op!r}, expected {named}, or a region: ^bb0(%left: T, %right: T): … tile.yield …")
    on_host = isinstance(x, np.ndarray)
    # The kernel's arguments are plain addresses, so dtype and shape are checked here.
    name, shape, gpu, at = _look("x", x, stream_handle(stream))
    if out is None:
        out = np.empty_like(x) if on_host else _empty_like(x)
    other, its, _, to = _look("out", out, stream_handle(stream))
    if (name, shape) != (other, its):
        raise ArgumentError(f"out: got {_counted(its)} of {other}, expected {_counted(shape)} of {name}, as x has")
    if name not in ELEMENTS:
        raise ArgumentError(f"x: got {name}, expected one of {', '.join(ELEMENTS)}")
    if len(shape) > 1 and is_named:
        raise ArgumentError(f"x: got shape {shape}, expected one dense dimension for {op}; vectors need an operator of their own")
    if not (inclusive or is_named) and init is None and identity is None:
        raise ArgumentError("identity: got none, expected one, or init=, for an exclusive scan by an operator of your own")
    n, element = shape[0], Element(name, shape[1] if len(shape) > 1 else 0)
    if n == 0:
        return out
    for what, address in (("x", at), ("out", to)):
        if address % 256:
            raise ArgumentError(f"{what}: got memory at {address:#x}, expected a multiple of 256 bytes: copy the part first")
    initial = () if init is None else (element.argument("init", init),)
    known = "" if identity is None else element.attribute("identity", identity)
    plan = _plan(_Question(op, element, bool(inclusive), bool(reverse), bool(initial), known, chip or ("" if on_host else _chip(gpu))))
    if on_host:
        workspace = np.zeros(plan.bytes(n), np.uint8)
        grid = plan.grid(n, 132)
        simulate(plan.kernel, x, out, workspace, n, 1, *initial, grid=grid, dynamic_shared=plan.dynamic_shared)
        return out
    grid = plan.grid(n, driver().sm_count(gpu))
    with plan.lock:
        workspace, epoch = _workspace(plan, (gpu, stream_handle(stream)), plan.bytes(n))
        given = (x, out, workspace, n, epoch, *initial)
        launch(plan.kernel, *given, grid=grid, dynamic_shared=plan.dynamic_shared, stream=stream)
    return out


def _counted(shape: tuple[int, ...]) -> str:
    return f"{shape[0]} elements" if len(shape) == 1 else f"shape {shape}"


def _empty_like(x: Any) -> Any:
    """A new array for results, made by the library that has made `x`."""
    library = type(x).__module__.partition(".")[0]
    namespace = x.__array_namespace__() if hasattr(x, "__array_namespace__") else sys.modules.get(library)
    make = getattr(namespace, "empty_like", None)
    if make is None:
        raise ArgumentError(f"out: got none, expected an array for the results, because {library} has no empty_like")
    return make(x)


def _look(what: str, x: Any, stream: int) -> tuple[str, tuple[int, ...], int, int]:
    """The dtype, shape, GPU and address of an array."""
    if isinstance(x, np.ndarray):
        strides = tuple(stride // x.itemsize for stride in x.strides)
        name, shape, gpu, at = x.dtype.name, x.shape, 0, 0
    else:
        array, gpu, _ = read(what, Argument("memref<?xf32>", Memref("f32", (None,), (1,), 0), 64, True, 0, ()), x, stream)
        name, shape, strides, at = array.dtype, array.shape, array.strides, array.address
    if len(shape) not in (1, 2) or not is_dense(shape, strides) or (len(shape) == 2 and shape[1] == 0):
        got = f"shape {shape} with strides {strides}"
        raise ArgumentError(f"{what}: got {got}, expected one dense dimension, or (n, k) for vectors")
    return name, shape, gpu, at


def _chip(gpu: int) -> str:
    cuda, major, minor = driver(), ctypes.c_int(), ctypes.c_int()
    cuda.call("cuDeviceGetAttribute", ctypes.byref(major), 75, gpu)
    cuda.call("cuDeviceGetAttribute", ctypes.byref(minor), 76, gpu)
    number = 10 * major.value + minor.value
    return f"sm_{number}a" if number >= 90 else f"sm_{number}"


def _workspace(plan: _Plan, where: tuple[int, int], size: int) -> tuple[Any, int]:
    """A workspace of at least that size, and the next epoch. Launches on the same stream run one after the other."""
    kept = plan.workspaces.get(where)
    if kept is None or kept[0].size < size or kept[1] == _LAST_EPOCH:
        kept = plan.workspaces[where] = [Memory(where[0], size), 0]
    kept[1] += 1
    return kept[0], kept[1]
