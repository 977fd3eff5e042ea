"""Launches of kernels on the GPU. A call is prepared once for all arrays of the same kind."""

from __future__ import annotations

import ctypes
import sys
from ctypes import c_uint64, c_void_p
from threading import get_ident
from typing import Any, Callable

from ._compile import Kernel
from ._driver import Config, Memory, driver, read, stream_handle
from ._library import SimLaunch
from ._simulate import expect_count, shape_of
from ._tensor_map import maps_of
from .errors import ArgumentError, LaunchError
from .types import Array, check, scalar

# The most prepared calls that a kernel keeps; with more kinds of arrays it discards them all.
_MAX_CALLS = 1024


def launch(
    kernel: Kernel,
    *arrays: Any,
    grid: Any = 1,
    block: Any = None,
    dynamic_shared: int | None = None,
    stream: Any = None,
) -> None:
    """Launches a kernel on the GPU that its arrays are on; it returns before the kernel has ended.

    Arrays may be those of torch, CuPy or JAX, or any that support DLPack; `stream` is a stream of torch or CuPy, or its
    number; without one the default stream is used. `dynamic_shared` is by default what the kernel needs, as far as the compiler
    knows. Tensor maps of a kernel are encoded from its arrays and numbers.
    """
    handle = 0 if stream is None else stream_handle(stream)
    seen = [_seen(array, handle) for array in arrays]
    call = None
    if None not in seen:
        key = (get_ident(), grid, block, dynamic_shared, *(kind for kind, _ in seen))
        try:
            call = kernel.calls.get(key)
        except TypeError:  # A grid that is a list.
            key = None
        if call is not None and call.launch([value for _, value in seen], handle):
            return
    else:
        key = None
    shape = shape_of(kernel, grid, block, dynamic_shared)
    constants, values, gpu, _keeps = passed(kernel, arrays, handle)
    call = _Call(kernel, gpu, shape, constants)
    if key is not None:
        if len(kernel.calls) >= _MAX_CALLS:
            kernel.calls.clear()
        kernel.calls[key] = call
    call.issue(values, handle)


class _Call:
    """A prepared call of a kernel on a GPU with arrays of given kinds: a launch only fills in addresses and numbers."""

    def __init__(self, kernel: Kernel, gpu: int, shape: SimLaunch, constants: list[int | None]) -> None:
        cuda = driver()
        cuda.enter(gpu)
        self.kernel, self.gpu, self.driver = kernel, gpu, cuda
        self.function = cuda.function(kernel, gpu)
        if shape.dynamic_shared > 48 << 10:
            # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
            cuda.call("cuFuncSetAttribute", self.function, 8, shape.dynamic_shared)
        self.config = Config(*shape.grid, *shape.block, shape.dynamic_shared, None, None, 0)
        self.config_place, self.cu_launch = ctypes.addressof(self.config), cuda.cuda.cuLaunchKernelEx
        self.maps = maps_of(kernel)
        for one in self.maps:
            constants.insert(one.parameter, 0)
        self.slots = (c_uint64 * max(1, len(constants)))(*(number or 0 for number in constants))
        first = ctypes.addressof(self.slots)
        self.places = (c_void_p * len(self.slots))(*range(first, first + 8 * len(self.slots), 8))
        for one in self.maps:
            self.places[one.parameter] = one.address
        self.places_place = ctypes.addressof(self.places)
        free = (slot for slot, number in enumerate(constants) if number is None)
        # The slot of each argument, and the alignment of its value or its width in bits.
        self.parts = [
            (slot, argument.alignment or 1, 0) if argument.is_pointer else (slot, 0, argument.bits)
            for slot, argument in zip(free, kernel.arguments)
        ]

    def launch(self, values: list[int], stream: int) -> bool:
        """Launches; returns false if a value does not fit, in which case the caller determines the reason."""
        for (_, alignment, bits), value in zip(self.parts, values):
            if value % alignment if alignment else not -(1 << (bits - 1)) <= value < 1 << bits:
                return False
        self.issue(values, stream)
        return True

    def issue(self, values: list[int], stream: int) -> None:
        """Launches with values that fit."""
        slots = self.slots
        for (slot, _, _), value in zip(self.parts, values):
            slots[slot] = value
        self.config.stream = stream
        self.driver.enter(self.gpu)
        for one in self.maps:
            one.encode(self.driver, self.gpu, slots)
        code = self.cu_launch(self.config_place, self.function, self.places_place, None)
        if code:
            raise LaunchError(f"{self.kernel.name}: {self.driver.text(code)}")


def passed(kernel: Kernel, arrays: tuple[Any, ...], stream: int) -> tuple[list[int | None], list[int], int, list[Any]]:
    """Checks arrays and numbers. Returns the parameters of the kernel, with `None` for each address and number of the call;
    these addresses and numbers; the number of the GPU; and objects that keep the arrays alive.
    """
    expect_count(kernel, len(arrays))
    constants: list[int | None] = []
    values: list[int] = []
    keeps: list[Any] = []
    gpu, first = None, ""
    for i, (argument, given) in enumerate(zip(kernel.arguments, arrays)):
        where = f"{kernel.name}, argument {i}"
        constants.append(None)
        if not argument.is_pointer:
            values.append(int.from_bytes(scalar(where, argument, given), "little"))
            continue
        if isinstance(given, Memory):
            array, number, kept = Array(given.address, "uint8", 1, (given.size,), (1,)), given.gpu, given
        else:
            array, number, kept = read(where, argument, given, stream)
        if gpu is not None and number != gpu:
            raise ArgumentError(f"{where}: got an array of GPU {number}, expected one of GPU {gpu}, as {first}")
        gpu, first = number, first or f"argument {i}"
        constants.extend(check(where, argument, array))
        values.append(array.address)
        keeps.append(kept)
    return constants, values, gpu or 0, keeps


def _seen(given: Any, stream: int) -> tuple[Any, int] | None:
    """The kind of an argument, which selects a prepared call, and its address or number; `None` if DLPack must read it."""
    kind = type(given)
    if kind is int:
        return int, given
    reader = _READERS.get(kind)
    if reader is None:
        reader = _READERS[kind] = _OF_MODULE.get(kind.__module__.partition(".")[0], _unseen)
    return reader(given, stream)


def _unseen(_given: Any, _stream: int) -> None:
    return None


def _memory(given: Any, _stream: int) -> tuple[Any, int]:
    return (Memory, given.size, given.gpu), given.address


def _torch(given: Any, stream: int) -> tuple[Any, int] | None:
    """Only on torch's current stream, where no ordering is needed; for another stream DLPack orders the work."""
    if not given.is_cuda or given.requires_grad or given.is_sparse:
        return None
    gpu = given.get_device()
    if _torch_stream(gpu) != stream:
        return None
    return (given.dtype, given.shape, given.stride(), gpu), given.data_ptr()


def _torch_stream(gpu: int) -> int:
    """The handle of torch's current stream on a GPU. Creating a torch object for it takes 20 times as long."""
    torch = sys.modules["torch"]
    raw = getattr(torch._C, "_cuda_getCurrentRawStream", None)
    return raw(gpu) if raw else torch.cuda.current_stream(gpu).cuda_stream


def _cupy(given: Any, stream: int) -> tuple[Any, int] | None:
    if sys.modules["cupy"].cuda.get_current_stream().ptr != stream:
        return None
    memory = given.data
    return (given.dtype, given.shape, given.strides, memory.device_id), memory.ptr


_Reader = Callable[[Any, int], "tuple[Any, int] | None"]
_READERS: dict[type, _Reader] = {Memory: _memory}
_OF_MODULE: dict[str, _Reader] = {"torch": _torch, "cupy": _cupy}
