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


def block_of(kernel: Kernel, given: Any) -> tuple[int, int, int]:
    """The threads of a block: as given, or else as the kernel was compiled for."""
    if given is not None:
        return triple("block", given)
    if kernel.block is None:
        raise ArgumentError(f"{kernel.name}: got no block=, which the kernel's known_block_size does not say either")
    return kernel.block


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
    dynamic_shared: int = 0,
    schedule: str = "fair",
) -> dict[str, Counts]:
    """Runs a kernel on numpy arrays, writes results back into them, and counts instructions by opcode.

    `schedule` says which threads make progress: one of `tile.SCHEDULES`, possibly with another number, or `"all"` of them, one
    after the other, each from the same initial memory; the last one's results are kept. A checker's finding is raised as a
    `tile.Fault`, such as `tile.Race`; then no array has changed. Memory arguments of kernels are arrays; others are numbers.

    >>> import numpy, tile
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
    launch = lib.SimLaunch(
        triple("grid", grid),
        block_of(kernel, block),
        kernel.cluster or (0, 0, 0),
        _bytes("dynamic_shared", dynamic_shared),
    )
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


def _bytes(what: str, given: int) -> int:
    if not isinstance(given, (int, np.integer)) or not 0 <= given < 1 << 32:
        raise ArgumentError(f"{what}: got {given!r}, expected a number of bytes")
    return int(given)


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


class _Passed:
    """The arguments of a launch. The memory of an array is a copy of its bytes, from its first element to its last."""

    def __init__(self, kernel: Kernel, arrays: tuple[Any, ...]) -> None:
        self.pairs: list[tuple[np.ndarray, np.ndarray]] = []
        self.before: list[bytes] = []
        self.keeps: list[Any] = []
        raw: list[lib.SimArgument] = []
        for i, (argument, given) in enumerate(zip(kernel.arguments, arrays)):
            where = f"{kernel.name}, argument {i}"
            if not argument.is_pointer:
                raw.append(self._plain(scalar(where, argument, given)))
                continue
            memory, numbers = self._memory(where, argument, given)
            raw.append(lib.SimArgument(memory.ctypes.data, memory.nbytes, True))
            raw.extend(self._plain(int(number).to_bytes(8, "little")) for number in numbers)
        self.raw = (lib.SimArgument * len(raw))(*raw)

    def _plain(self, data: bytes) -> lib.SimArgument:
        kept = ctypes.create_string_buffer(data, len(data))
        self.keeps.append(kept)
        return lib.SimArgument(ctypes.addressof(kept), len(data), False)

    def _memory(self, where: str, argument: Argument, given: Any) -> tuple[np.ndarray, list[int]]:
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
        numbers = check(where, argument, array)
        for other, memory in self.pairs:
            # Two arrays of the same elements are the same memory.
            if (other.ctypes.data, other.shape, other.strides) == (given.ctypes.data, given.shape, given.strides):
                return memory, numbers
        size = 1 + sum((extent - 1) * stride for extent, stride in zip(given.shape, strides)) if given.size else 0
        # At least one byte, so that there is an address.
        memory = np.zeros(max(size * given.itemsize, 1), np.uint8)
        self.pairs.append((given, memory))
        return memory, numbers

    def _window(self, given: np.ndarray, memory: np.ndarray) -> np.ndarray:
        return np.ndarray(given.shape, given.dtype, memory.data, 0, given.strides)

    def refresh(self) -> None:
        """Copies the arrays to the memory."""
        for given, memory in self.pairs:
            if given.size:
                self._window(given, memory)[...] = given
        self.before = [b"" if given.flags.writeable else memory.tobytes() for given, memory in self.pairs]

    def write_back(self) -> None:
        """Copies the memory back to the arrays; changes none of them if the kernel wrote to a read-only one."""
        for (given, memory), before in zip(self.pairs, self.before):
            if not given.flags.writeable and memory.tobytes() != before:
                raise ArgumentError("got an array that may not be written, but the kernel has written it; pass a copy")
        for given, memory in self.pairs:
            if given.size and given.flags.writeable:
                given[...] = self._window(given, memory)
