"""Execution of kernels in the simulator, on numpy arrays."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _library as lib
from ._compile import Kernel
from .errors import ArgumentError, Fault, LaunchError, Race
from .types import Argument, Array, check, scalar

SCHEDULES = ("fair", "random:0", "one-block-at-a-time", "reversed", "starve:0")
"""One schedule of each kind: a correct kernel is correct under all of them."""


@dataclass(frozen=True)
class Counts:
    """The totals of all executions of an opcode."""

    issued: int
    global_bytes: int
    shared_bytes: int
    sectors: int
    wavefronts: int
    conflicts: int


def triple(what: str, given: Any) -> tuple[int, int, int]:
    """One to three numbers; missing ones are 1.

    >>> triple("grid", 4), triple("grid", (2, 3))
    ((4, 1, 1), (2, 3, 1))
    """
    numbers = (given,) if isinstance(given, (int, np.integer)) else tuple(given) if hasattr(given, "__iter__") else None
    fine = numbers and len(numbers) <= 3 and all(isinstance(it, (int, np.integer)) and 0 < it < 1 << 32 for it in numbers)
    if not fine:
        raise ArgumentError(f"{what}: got {given!r}, expected one to three numbers from 1")
    return (*map(int, numbers), 1, 1)[:3]


def shape_of(kernel: Kernel, grid: Any, block: Any, dynamic_shared: int | None) -> lib.SimLaunch:
    """The shape of a launch: as given, or else as the kernel needs it. A shape that the kernel cannot have is a `LaunchError`."""
    if dynamic_shared is not None and not (isinstance(dynamic_shared, (int, np.integer)) and 0 <= dynamic_shared < 1 << 32):
        raise ArgumentError(f"dynamic_shared: got {dynamic_shared!r}, expected a number of bytes")
    given = (0, 0, 0) if block is None else triple("block", block)
    launch, errors = lib.SimLaunch(triple("grid", grid), given, (0, 0, 0), int(dynamic_shared or 0)), lib.Errors()
    ptx, name = lib.StringRef.of(kernel.ptx), lib.StringRef.of(kernel.name)
    if not lib.library().mlirTileCompleteLaunch(ptx, name, ctypes.byref(launch), errors.handler()):
        raise LaunchError(str(errors))
    return launch


def expect_count(kernel: Kernel, got: int) -> None:
    """Checks that there are as many arrays and numbers as the kernel has arguments."""
    if got != len(kernel.arguments):
        types = ", ".join(argument.type or "?" for argument in kernel.arguments)
        raise ArgumentError(f"{kernel.name}: got {got} arguments, expected {len(kernel.arguments)}: {types}")


def simulate(
    kernel: Kernel,
    *arrays: Any,
    grid: Any = 1,
    block: Any = None,
    dynamic_shared: int | None = None,
    schedule: str = "fair",
    no_check: Any = (),
) -> dict[str, Counts]:
    """Runs a kernel on numpy arrays, writes results back into them, and counts instructions by opcode.

    `schedule` says which threads make progress: one of `tile.SCHEDULES`, possibly with another number, or `"all"` of them, one
    after the other, each from the same initial memory; the last one's results are kept. A checker's finding is raised as a
    `tile.Fault`, such as `tile.Race`; then no array has changed. Memory arguments of kernels are arrays, which share memory if
    they overlap; others are numbers. `dynamic_shared` is by default what the kernel needs, as far as the compiler knows. `no_check`
    names checkers that are left out: `"uninit"`, `"race"`, `"proxy"`, `"leak"`, `"equal-stores"`, `"all"`.

    >>> import numpy, mlir_tile as tile
    >>> kernel = tile.compile('''
    ... gpu.module @kernels {
    ...   gpu.func @copy(%A: memref<?x32xf32>, %B: memref<?x32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    ...     %a = tile.view %A : memref<?x32xf32> to !tile.buffer<?x32xf32, global>
    ...     %b = tile.view %B : memref<?x32xf32> to !tile.buffer<?x32xf32, global>
    ...     tile.copy %a[0, 0] [8, 32] to %b[0, 0] [8, 32] scope(warp) masked
    ...       : !tile.buffer<?x32xf32, global> to !tile.buffer<?x32xf32, global>
    ...     gpu.return
    ...   }
    ... }''').only
    >>> x, y = numpy.ones((5, 32), "float32"), numpy.zeros((5, 32), "float32")
    >>> counts = kernel.simulate(x, y, schedule="all")
    >>> bool((x == y).all()), sum(it.global_bytes for it in counts.values())
    (True, 1280)
    """
    expect_count(kernel, len(arrays))
    names = (no_check,) if isinstance(no_check, str) else tuple(no_check)
    launch = shape_of(kernel, grid, block, dynamic_shared)
    launch.no_check = lib.StringRef.of(",".join(map(str, names)))
    schedules = SCHEDULES if schedule == "all" else (schedule,)
    passed = _Passed(kernel, arrays)
    counts: dict[str, Counts] = {}
    for one in schedules:
        if not isinstance(one, str):
            raise ArgumentError(f"schedule: got {type(one).__name__}, expected str")
        launch.schedule = lib.StringRef.of(one)
        passed.refresh()
        counts = _run(kernel, launch, passed)
    passed.write_back()
    return counts


def _run(kernel: Kernel, launch: lib.SimLaunch, passed: _Passed) -> dict[str, Counts]:
    library, errors = lib.library(), lib.Errors()
    counts: dict[str, Counts] = {}
    faults: list[Fault] = []

    def count(pointer: Any, _: Any) -> None:
        raw = pointer.contents
        numbers = (raw.issued, raw.global_bytes, raw.shared_bytes, raw.sectors, raw.wavefronts, raw.conflicts)
        counts[raw.opcode.text()] = Counts(*numbers)

    def fault(pointer: Any, _: Any) -> None:
        raw = pointer.contents
        kind = Race if raw.kind.text() == "race" else Fault
        place = (raw.file.text(), raw.line, raw.column, raw.ptx_line)
        faults.append(kind(raw.text.text(), raw.kind.text(), *place))

    listener = lib.SimListener(lib.COUNTS_CALLBACK(count), lib.FAULT_CALLBACK(fault), None)
    fine = library.mlirTileSimulate(
        lib.StringRef.of(kernel.ptx),
        lib.StringRef.of(kernel.name),
        ctypes.byref(launch),
        len(passed.raw),
        passed.raw,
        ctypes.byref(listener),
        errors.handler(),
    )
    if faults:
        raise faults[0]
    if not fine:
        raise LaunchError(str(errors))
    return counts


class _Memory:
    """A copy of the memory of an array: its bytes, from its first element to its last. Arrays that overlap share one."""

    def __init__(self, given: np.ndarray) -> None:
        self.given = given
        elements = 1 + sum((n - 1) * stride // given.itemsize for n, stride in zip(given.shape, given.strides))
        # At least one byte, so that there is an address.
        self.size = max(elements * given.itemsize if given.size else 0, 1)
        self.first = given.ctypes.data
        self.shared = np.zeros(0, np.uint8)
        self.offset = 0

    def place(self, shared: np.ndarray, first: int) -> None:
        """Puts the array into memory that stands for the host's from an address on."""
        self.shared, self.offset = shared, self.first - first

    def address(self) -> int:
        return self.shared.ctypes.data + self.offset

    def window(self) -> np.ndarray:
        """The elements, in the memory."""
        return np.ndarray(self.given.shape, self.given.dtype, self.shared.data, self.offset, self.given.strides)

    def bytes(self, shared: np.ndarray) -> np.ndarray:
        """The bytes of each element, in something as long as the memory."""
        shape, strides = (*self.given.shape, self.given.itemsize), (*self.given.strides, 1)
        return np.ndarray(shape, np.uint8, shared.data, self.offset, strides)


def _share(memories: list[_Memory]) -> None:
    """Makes memory for all arrays: one for those that overlap, as on a GPU."""
    groups: list[list[_Memory]] = []
    end = 0
    for memory in sorted(memories, key=lambda it: it.first):
        if not memory.given.size:
            memory.place(np.zeros(1, np.uint8), memory.first)
            continue
        if not groups or memory.first >= end:
            groups.append([])
        groups[-1].append(memory)
        end = max(end, memory.first + memory.size)
    for group in groups:
        first = group[0].first
        shared = np.zeros(max(it.first + it.size for it in group) - first, np.uint8)
        for memory in group:
            memory.place(shared, first)


class _Passed:
    """The arguments of a launch."""

    def __init__(self, kernel: Kernel, arrays: tuple[Any, ...]) -> None:
        self.memories: list[_Memory] = []
        self.before: list[np.ndarray] = []
        self.keeps: list[Any] = []
        arguments: list[lib.SimArgument | _Memory] = []
        for i, (argument, given) in enumerate(zip(kernel.arguments, arrays)):
            where = f"{kernel.name}, argument {i}"
            if not (argument.is_pointer or (argument.may_be_address and isinstance(given, np.ndarray))):
                arguments.append(self._plain(scalar(where, argument, given)))
                continue
            if given is None and argument.memref is None:
                arguments.append(self._plain(bytes(8)))
                continue
            numbers = self._check(where, argument, given)
            self.memories.append(_Memory(given))
            arguments.append(self.memories[-1])
            arguments.extend(self._plain(int(number).to_bytes(8, "little")) for number in numbers)
        _share(self.memories)
        raw = [lib.SimArgument(it.address(), it.size, True) if isinstance(it, _Memory) else it for it in arguments]
        self.raw = (lib.SimArgument * len(raw))(*raw)

    def _plain(self, data: bytes) -> lib.SimArgument:
        kept = ctypes.create_string_buffer(data, len(data))
        self.keeps.append(kept)
        return lib.SimArgument(ctypes.addressof(kept), len(data), False)

    def _check(self, where: str, argument: Argument, given: Any) -> list[int]:
        """Checks an array; returns the numbers that follow its address."""
        if not isinstance(given, np.ndarray):
            raise ArgumentError(
                f"{where}: got {type(given).__module__}.{type(given).__name__}, expected a numpy array for {argument.type}; "
                "arrays of a GPU go to launch"
            )
        if given.dtype.hasobject or given.dtype.fields or given.dtype.byteorder == ">":
            raise ArgumentError(f"{where}: got dtype {given.dtype}, expected plain numbers in the machine's order of bytes")
        if any(stride % given.itemsize for stride in given.strides):
            raise ArgumentError(f"{where}: got strides {given.strides} of bytes, expected whole elements of {given.itemsize}")
        strides = tuple(stride // given.itemsize for stride in given.strides)
        # The copy is aligned, whatever the alignment of the array.
        array = Array(0, given.dtype.name, given.itemsize, given.shape, strides)
        return check(where, argument, array)

    def refresh(self) -> None:
        """Copies the arrays to the memory."""
        for memory in self.memories:
            if memory.given.size:
                memory.window()[...] = memory.given
        self.before = [memory.shared.copy() for memory in self.memories]

    def write_back(self) -> None:
        """Copies the memory back to the arrays; changes none of them if the kernel wrote to a read-only one."""
        for memory, before in zip(self.memories, self.before):
            if memory.given.size and not memory.given.flags.writeable and self._has_changed(memory, before):
                raise ArgumentError("got an array that may not be written, but the kernel has written it; pass a copy")
        for memory in self.memories:
            if memory.given.size and memory.given.flags.writeable:
                memory.given[...] = memory.window()

    def _has_changed(self, memory: _Memory, before: np.ndarray) -> bool:
        """Whether any byte of an array differs, other than those of an overlapping array that may be written."""
        may = np.zeros(len(memory.shared), np.uint8)
        for other in self.memories:
            if other.shared is memory.shared and other.given.flags.writeable:
                other.bytes(may)[...] = 1
        differs = memory.bytes(memory.shared) != memory.bytes(before)
        return bool((differs & (memory.bytes(may) == 0)).any())
