"""Sorts, which manage kernels, workspace and epoch as scans do."""

from __future__ import annotations

import functools
import threading
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ._chained import _element
from ._compile import Kernel, compile
from ._driver import driver, stream_handle
from ._element import Element
from ._launch import launch
from ._scan import _chip, _empty_like, _look, _workspace
from ._simulate import simulate
from .errors import ArgumentError


@dataclass
class _Plan:
    """The kernels of a sort, and what their launches need; workspaces as those of scans."""

    kernels: dict[str, Kernel]
    args: dict[str, str]
    workspaces: dict[Any, list[Any]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def number(self, name: str) -> int:
        return int(self.args[name])

    def bytes(self, n: int) -> int:
        arrays = [-(-n * self.number(name) // 16) * 16 for name in ("KeyBytes", "ValueBytes")]
        return self.number("Header") + self.number("Words") * -(-n // self.number("Tile")) + sum(arrays)

    def launches(self, n: int, sm_count: int) -> list[tuple[Kernel, int]]:
        """The kernels, in order, and their blocks."""
        tiles = -(-n // self.number("Tile"))
        passes = [(self.kernels[f"sort_{digit}"], tiles) for digit in range(self.number("Passes"))]
        return [(self.kernels["sort_histogram"], min(sm_count, -(-n // 4096))), *passes]


@functools.cache
def _plan(key: Element, value: Element | None, is_descending: bool, chip: str) -> _Plan:
    elements = [key.type] + ([value.type] if value else [])
    types = ", ".join(f"memref<?x{one}>" for one in elements)
    named = lambda prefix: ", ".join(f"%{prefix}{at}" for at in range(len(elements)))  # noqa: E731
    given = [f"%{prefix}{at}: memref<?x{one}>" for prefix in ("in", "out") for at, one in enumerate(elements)]
    flags = (["descending"] if is_descending else []) + (["unsigned_keys"] if key.is_unsigned else [])
    kernels = compile(
        f"""
gpu.module @kernels {{}}
func.func @sort({", ".join(given)}, %space: memref<?xi8>, %epoch: i32) {{
  tile.sort @kernels::@sort ins({named("in")} : {types}) outs({named("out")} : {types})
    workspace(%space : memref<?xi8>) epoch(%epoch) {{{", ".join(flags)}}}
  return
}}""",
        chip,
    )
    remark = next(remark for remark in kernels.remarks if remark.category == "tile-sort" and remark.passed)
    return _Plan(dict(kernels), dict(remark.args))


def sort(keys: Any, values: Any = None, *, descending: bool = False, chip: str = "", stream: Any = None) -> Any:
    """The keys of a one-dimensional array in order, and the values of another one where their keys are. Equal keys keep their order.

    A numpy array is read in the simulator; an array on a GPU (torch, CuPy, JAX) on that GPU.

    >>> import numpy, mlir_tile as tile
    >>> tile.sort(numpy.array([3, -1, 2], "int32")).tolist()
    [-1, 2, 3]
    >>> keys, values = numpy.array([1, 3, 1], "float32"), numpy.array([10, 20, 30], "uint8")
    >>> [part.tolist() for part in tile.sort(keys, values, descending=True)]
    [[3.0, 1.0, 1.0], [20, 10, 30]]
    """
    ins = [keys] if values is None else [keys, values]
    elements = [_element(what, x, stream) for what, x in zip(("keys", "values"), ins)]
    looked = [_look(what, x, stream_handle(stream)) for what, x in zip(("keys", "values"), ins)]
    n, gpu, on_host = looked[0][1][0], looked[0][2], isinstance(keys, np.ndarray)
    if any(shape != (n,) for _, shape, _, _ in looked):
        raise ArgumentError(f"values: got shape {looked[-1][1]}, expected as many as the {n} keys")
    for what, (_, _, _, address) in zip(("keys", "values"), looked):
        if address % 256:
            raise ArgumentError(f"{what}: got memory at {address:#x}, expected a multiple of 256 bytes: copy the part first")
    if n >= 1 << 30:
        raise ArgumentError(f"keys: got {n} elements, expected fewer than 2^30")
    outs = [_empty_like(x) for x in ins]
    if n:
        _run(ins, outs, elements, descending, (n, gpu, on_host), chip, stream)
    return outs[0] if values is None else tuple(outs)


def _run(ins: Any, outs: Any, elements: Any, descending: bool, where: tuple[int, int, bool], chip: str, stream: Any) -> None:
    n, gpu, on_host = where
    chip = chip or ("" if on_host else _chip(gpu))
    plan = _plan(elements[0], elements[1] if len(elements) > 1 else None, descending, chip)
    launches = plan.launches(n, 132 if on_host else driver().sm_count(gpu))
    if on_host:
        workspace = np.zeros(plan.bytes(n), np.uint8)
        for kernel, grid in launches:
            simulate(kernel, *ins, *outs, workspace, n, 1, grid=grid)
        return
    with plan.lock:
        workspace, epoch = _workspace(plan, (gpu, stream_handle(stream)), plan.bytes(n))
        for kernel, grid in launches:
            launch(kernel, *ins, *outs, workspace, n, epoch, grid=grid, stream=stream)
