"""Select, partition, run lengths and sums by key, which manage kernel, workspace and epoch as scans do."""

from __future__ import annotations

import ctypes
import functools
import sys
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._compile import compile
from ._driver import Memory, driver, stream_handle
from ._element import ELEMENTS, Element
from ._launch import launch
from ._scan import _chip, _empty_like, _look, _Plan, _workspace
from ._simulate import simulate
from .errors import ArgumentError


@dataclass(frozen=True)
class _Body:
    """The parameters that a kernel is compiled for: types of elements, and the regions on them."""

    ins: tuple[str, ...]
    outs: tuple[str, ...]
    init: str
    regions: str
    has_halo: bool
    chip: str

    def text(self) -> str:
        """The module."""
        arrays = lambda prefix, types: ", ".join(f"%{prefix}{at}" for at in range(len(types)))  # noqa: E731
        memrefs = lambda types: ", ".join(f"memref<?x{one}>" for one in types)  # noqa: E731
        given = [f"%{prefix}{at}: memref<?x{one}>" for prefix, types in (("in", self.ins), ("out", self.outs)) for at, one in enumerate(types)]
        return f"""
gpu.module @kernels {{}}
func.func @pass({", ".join(given)}, %number: memref<1xi32>, %space: memref<?xi8>, %epoch: i32) {{
  tile.chained @kernels::@pass ins({arrays("in", self.ins)} : {memrefs(self.ins)})
    outs({arrays("out", self.outs)} : {memrefs(self.outs)}) totals(%number : memref<1xi32>)
    init {self.init} workspace(%space : memref<?xi8>) epoch(%epoch){" {halo}" if self.has_halo else ""}
  {self.regions}
  return
}}"""


@functools.cache
def _plan(body: _Body) -> _Plan:
    kernels = compile(body.text(), body.chip, name="pass")
    remark = next(it for it in kernels.remarks if it.category == "tile-chained" and it.passed)
    number = lambda key, default: int(remark.args.get(key, default))  # noqa: E731
    resident = number("Resident", 1) if remark.args["Grid"].startswith("1 to") else 0
    return _Plan(kernels.only, number("Tile", 0), number("Words", 0), number("DynamicShared", 0), False, resident)


# The number of kept elements before each one is its place.
_COUNTED = """
combine {{
^bb0(%left: i32, %right: i32):
  %sum = arith.addi %left, %right : i32
  tile.yield %sum : i32
}} emit {{
^bb0(%index: i64, %before: i32, %after: i32, {elements}):
  %kept = arith.cmpi ne, %before, %after : i32
  {others}
  tile.yield %kept, %before, %x{yielded} : i1, i32, {type}{types}
}} finish {{
^bb0(%total: i32):
  tile.yield %total : i32
}}"""

_RUNS = """
summary {{
^bb0(%index: i64, {elements}, %first: i1, %last: i1):
  %differs = {differs} %key, %left : {key}
  %begins = arith.ori %differs, %first : i1
  %runs = arith.extui %begins : i1 to i32
  {value}
  tile.yield %runs, %value : i32, {type}
}} combine {{
^bb0(%lruns: i32, %lsum: {type}, %rruns: i32, %rsum: {type}):
  %zero = arith.constant 0 : i32
  %runs = arith.addi %lruns, %rruns : i32
  %both = {operator} %lsum, %rsum : {type}
  %begins = arith.cmpi ne, %rruns, %zero : i32
  %sum = arith.select %begins, %rsum, %both : {type}
  tile.yield %runs, %sum : i32, {type}
}} emit {{
^bb0(%index: i64, %bruns: i32, %bsum: {type}, %runs: i32, %sum: {type}, {elements}, %first: i1, %last: i1):
  %one = arith.constant 1 : i32
  %differs = {differs} %key, %right : {key}
  %ends = arith.ori %differs, %last : i1
  %place = arith.subi %runs, %one : i32
  tile.yield %ends, %place, %key, %ends, %place, %sum : i1, i32, {key}, i1, i32, {type}
}} finish {{
^bb0(%runs: i32, %sum: {type}):
  tile.yield %runs : i32
}}"""


def select(x: Any, by: Any, *, chip: str = "", stream: Any = None) -> Any:
    """The elements of a one-dimensional array that `by` keeps, in their order.

    `by` is an array of flags, bool or of 8 bits, or ops of MLIR that compute `%kept`, a bit, from an element `%x`. A numpy array is
    read in the simulator; an array on a GPU (torch, CuPy, JAX) on that GPU, whose stream is waited for.

    >>> import numpy, mlir_tile as tile
    >>> x = numpy.array([3, 1, 4, 1, 5, 9], "int32")
    >>> tile.select(x, x > 2).tolist()
    [3, 4, 5, 9]
    >>> tile.select(x, '''
    ... %two = arith.constant 2 : i32
    ... %kept = arith.cmpi slt, %x, %two : i32''').tolist()
    [1, 1]
    """
    return _kept(x, by, False, chip, stream)[0]


def partition(x: Any, by: Any, *, chip: str = "", stream: Any = None) -> tuple[Any, Any]:
    """The elements that `by` keeps, and the others, both in their order; `by` is as in `select`.

    >>> import numpy, mlir_tile as tile
    >>> x = numpy.array([3, 1, 4, 1, 5, 9], "int32")
    >>> [part.tolist() for part in tile.partition(x, x > 2)]
    [[3, 4, 5, 9], [1, 1]]
    """
    kept, others = _kept(x, by, True, chip, stream)
    return kept, others


def run_length_encode(x: Any, *, chip: str = "", stream: Any = None) -> tuple[Any, Any]:
    """Each run of equal elements once, and the lengths of the runs as int32.

    >>> import numpy, mlir_tile as tile
    >>> [part.tolist() for part in tile.run_length_encode(numpy.array([7, 7, 2, 7, 7, 7], "uint8"))]
    [[7, 2, 7], [2, 1, 3]]
    """
    element = _element("x", x, stream)
    regions = _RUNS.format(
        elements=f"%key: {element.type}, %left: {element.type}, %right: {element.type}", differs=_differs(element),
        key=element.type, value="%value = arith.constant 1 : i32", type="i32", operator="arith.addi",
    )  # fmt: skip
    outs = [_empty_like(x), _integers_like(x)]
    count = _run((x,), outs, "[0 : i32, 0 : i32]", regions, True, chip, stream)
    return outs[0][:count], outs[1][:count]


def reduce_by_key(keys: Any, values: Any, op: str = "add", *, chip: str = "", stream: Any = None) -> tuple[Any, Any]:
    """Each run of equal keys once, and what `op`, one of `tile.OPERATORS`, makes of the values of each run.

    >>> import numpy, mlir_tile as tile
    >>> keys, values = numpy.array([7, 7, 2, 7], "int32"), numpy.array([1, 2, 3, 4], "float32")
    >>> [part.tolist() for part in tile.reduce_by_key(keys, values)]
    [[7, 2, 7], [3.0, 3.0, 4.0]]
    """
    key, value = _element("keys", keys, stream), _element("values", values, stream)
    operator = _operator(op, value)
    regions = _RUNS.format(
        elements=f"%key: {key.type}, %value: {value.type}, %left: {key.type}, %lvalue: {value.type}, %right: {key.type}, %rvalue: {value.type}",
        differs=_differs(key), key=key.type, value="", type=value.type, operator=operator,
    )  # fmt: skip
    outs = [_empty_like(keys), _empty_like(values)]
    zero = "0.0" if value.type.startswith(("f", "b")) else "0"
    count = _run((keys, values), outs, f"[0 : i32, {zero} : {value.type}]", regions, True, chip, stream)
    return outs[0][:count], outs[1][:count]


def _kept(x: Any, by: Any, is_partition: bool, chip: str, stream: Any) -> list[Any]:
    """The elements that `by` keeps and, for a partition, the others."""
    element = _element("x", x, stream)
    if isinstance(by, str):
        ins, elements, kept = [x], f"%x: {element.type}", by
    else:
        flags = _flags(by)
        ins, elements = [x, flags], f"%x: {element.type}, %flag: i8"
        kept = "%none = arith.constant 0 : i8\n  %kept = arith.cmpi ne, %flag, %none : i8"
    summary = f"""
summary {{
^bb0(%index: i64, {elements}):
  {kept}
  %one = arith.extui %kept : i1 to i32
  tile.yield %one : i32
}}"""
    others = """%true = arith.constant true
  %other = arith.xori %kept, %true : i1
  %narrow = arith.trunci %index : i64 to i32
  %place = arith.subi %narrow, %before : i32"""
    regions = summary + _COUNTED.format(
        elements=elements, type=element.type, others=others if is_partition else "",
        yielded=", %other, %place, %x" if is_partition else "",
        types=f", i1, i32, {element.type}" if is_partition else "",
    )  # fmt: skip
    outs = [_empty_like(x) for _ in range(1 + is_partition)]
    count = _run(tuple(ins), outs, "[0 : i32]", regions, False, chip, stream)
    n = x.shape[0]
    return [out[:length] for out, length in zip(outs, (count, n - count))]


def _element(what: str, x: Any, stream: Any) -> Element:
    """The element of a one-dimensional array of numbers."""
    name, shape, _, _ = _look(what, x, stream_handle(stream))
    if name not in ELEMENTS:
        raise ArgumentError(f"{what}: got {name}, expected one of {', '.join(ELEMENTS)}")
    if len(shape) != 1:
        raise ArgumentError(f"{what}: got shape {shape}, expected one dimension")
    return Element(name, 0)


def _flags(by: Any) -> Any:
    """Flags as an array of bytes, which shares their memory."""
    if isinstance(by, np.ndarray):
        return by.view(np.uint8) if by.dtype == np.bool_ else by
    return by.view(sys.modules["torch"].uint8) if str(getattr(by, "dtype", "")) == "torch.bool" else by


def _differs(element: Element) -> str:
    """Whether two keys differ; NaN differs from itself."""
    return "arith.cmpf une," if element.type.startswith(("f", "b")) else "arith.cmpi ne,"


def _operator(op: str, element: Element) -> str:
    """The op of MLIR for an operator."""
    is_float = element.type.startswith(("f", "b"))
    sign = "f" if is_float else "ui" if element.is_unsigned else "si"
    extreme = "imum" if is_float else ""
    known = {"add": f"add{sign[-1]}", "mul": f"mul{sign[-1]}", "min": f"min{extreme}{sign}", "max": f"max{extreme}{sign}"}
    if not is_float:
        known.update({"and": "andi", "or": "ori", "xor": "xori"})
    if op not in known:
        raise ArgumentError(f"op: got {op!r}, expected one of {', '.join(known)} for {element.dtype}")
    return f"arith.{known[op]}"


def _integers_like(x: Any) -> Any:
    """A new array of int32, as long as `x`, made by the library that has made `x`."""
    if isinstance(x, np.ndarray):
        return np.empty(x.shape, np.int32)
    library = type(x).__module__.partition(".")[0]
    namespace = x.__array_namespace__() if hasattr(x, "__array_namespace__") else sys.modules.get(library)
    make, integers = getattr(namespace, "empty_like", None), getattr(namespace, "int32", None)
    if make is None or integers is None:
        raise ArgumentError(f"x: got an array of {library}, which has no empty_like for the lengths")
    return make(x, dtype=integers)


def _run(ins: tuple[Any, ...], outs: list[Any], init: str, regions: str, has_halo: bool, chip: str, stream: Any) -> int:
    """Runs a body; the number of its results."""
    looked = [_look("x" if at == 0 else f"array {at}", x, stream_handle(stream)) for at, x in enumerate(ins)]
    names = [name for name, *_ in looked] + [_look("out", out, stream_handle(stream))[0] for out in outs]
    n, gpu, on_host = looked[0][1][0], looked[0][2], isinstance(ins[0], np.ndarray)
    for at, (name, shape, _, address) in enumerate(looked):
        if name not in ELEMENTS or shape != (n,):
            raise ArgumentError(f"array {at}: got {name} of shape {shape}, expected numbers, as many as the {n} of the first")
        if address % 256:
            raise ArgumentError(f"array {at}: got memory at {address:#x}, expected a multiple of 256 bytes: copy the part first")
    if n >= 1 << 31:
        raise ArgumentError(f"x: got {n} elements, expected fewer than 2^31, which places of 32 bits count")
    if n == 0:
        return 0
    types = [ELEMENTS[name] for name in names]
    chip = chip or ("" if on_host else _chip(gpu))
    plan = _plan(_Body(tuple(types[: len(ins)]), tuple(types[len(ins) :]), init, regions, has_halo, chip))
    grid = plan.grid(n, 132 if on_host else driver().sm_count(gpu))
    if on_host:
        count, workspace = np.zeros(1, np.int32), np.zeros(plan.bytes(n), np.uint8)
        simulate(plan.kernel, *ins, *outs, count, workspace, n, 1, grid=grid, dynamic_shared=plan.dynamic_shared)
        return int(count[0])
    with plan.lock:
        workspace, epoch = _workspace(plan, (gpu, stream_handle(stream)), plan.bytes(n))
        total = Memory(gpu, 4)
        launch(plan.kernel, *ins, *outs, total, workspace, n, epoch, grid=grid, dynamic_shared=plan.dynamic_shared, stream=stream)
    count = ctypes.c_int32()
    driver().call("cuStreamSynchronize", ctypes.c_void_p(stream_handle(stream)))
    driver().call("cuMemcpyDtoH_v2", ctypes.byref(count), ctypes.c_uint64(total.address), ctypes.c_size_t(4))
    return count.value
