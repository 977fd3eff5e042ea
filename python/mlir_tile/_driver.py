"""The CUDA driver, and arrays of torch, CuPy or JAX through DLPack."""

from __future__ import annotations

import ctypes
import functools
from ctypes import POINTER, Structure, byref, c_char_p, c_int, c_int32, c_int64, c_uint, c_uint8, c_uint16, c_uint64, c_void_p
from typing import Any

from ._compile import Kernel
from .errors import ArgumentError, LaunchError, LibraryError
from .types import Argument, Array, dense

# DLDeviceType.
_CPU, _CUDA, _CUDA_HOST, _CUDA_MANAGED = 1, 2, 3, 13
_DEVICES = {_CPU: "the CPU", _CUDA_HOST: "the CPU, in pinned memory", 10: "a ROCm GPU", 7: "Vulkan", 8: "Metal"}
# DLDataTypeCode.
_CODES = {0: "int", 1: "uint", 2: "float", 4: "bfloat", 6: "bool", 10: "float8_e4m3fn", 12: "float8_e5m2"}


class _Device(Structure):
    _fields_ = [("kind", c_int32), ("number", c_int32)]


class _Type(Structure):
    _fields_ = [("code", c_uint8), ("bits", c_uint8), ("lanes", c_uint16)]


class _Tensor(Structure):
    """`DLTensor`."""

    _fields_ = [
        ("data", c_void_p),
        ("device", _Device),
        ("rank", c_int32),
        ("type", _Type),
        ("shape", POINTER(c_int64)),
        ("strides", POINTER(c_int64)),
        ("offset", c_uint64),
    ]


_PyCapsule_GetPointer = ctypes.pythonapi.PyCapsule_GetPointer
_PyCapsule_GetPointer.restype, _PyCapsule_GetPointer.argtypes = c_void_p, [ctypes.py_object, c_char_p]


def read(where: str, argument: Argument, given: Any, stream: int) -> tuple[Array, int, Any]:
    """Reads an array through DLPack: returns its description, the number of its GPU, and an object that keeps it alive."""
    if not hasattr(given, "__dlpack__") or not hasattr(given, "__dlpack_device__"):
        raise ArgumentError(
            f"{where}: got {type(given).__module__}.{type(given).__name__}, expected an array that supports DLPack (torch, CuPy, "
            f"JAX) for {argument.type}"
        )
    kind, number = (int(it) for it in given.__dlpack_device__())
    if kind not in (_CUDA, _CUDA_MANAGED):
        place = _DEVICES.get(kind, f"device {kind} of DLPack")
        raise ArgumentError(
            f"{where}: got an array on {place}, expected one of an NVIDIA GPU; move it there, or run it on numpy arrays by simulate"
        )
    try:
        # Orders the producer's work before that of our stream; 1 is the legacy default stream.
        capsule = given.__dlpack__(stream=stream or 1)
    except (BufferError, RuntimeError, TypeError) as error:
        raise ArgumentError(f"{where}: the array cannot be shared by DLPack: {error}") from None
    tensor = _Tensor.from_address(_PyCapsule_GetPointer(capsule, b"dltensor"))
    if tensor.type.lanes != 1:
        raise ArgumentError(f"{where}: got elements that are vectors of {tensor.type.lanes}, expected numbers")
    shape = tuple(tensor.shape[: tensor.rank])
    if tensor.strides:
        strides = tuple(tensor.strides[: tensor.rank])
    else:
        strides = dense(shape)
    address = (tensor.data or 0) + tensor.offset
    array = Array(address, _dtype(tensor.type), tensor.type.bits // 8, shape, strides)
    return array, number, capsule


def _dtype(it: _Type) -> str:
    name = _CODES.get(it.code, f"type {it.code} of DLPack")
    return name if name.startswith(("bool", "float8")) else f"{name}{it.bits}"


class Config(Structure):
    """`CUlaunchConfig`."""

    _fields_ = [
        *((f"{what}_{axis}", c_uint) for what in ("grid", "block") for axis in "xyz"),
        ("shared", c_uint),
        ("stream", c_void_p),
        ("attributes", c_void_p),
        ("attribute_count", c_uint),
    ]


class Driver:
    """libcuda, and the kernels that are loaded."""

    def __init__(self) -> None:
        for name in ("libcuda.so.1", "libcuda.so"):
            try:
                self.cuda = ctypes.CDLL(name)
                break
            except OSError as error:
                reason = error
        else:
            raise LibraryError(
                f"there is no CUDA driver ({reason}): launch needs one, and a GPU; without them kernels run by simulate"
            )
        self.cuda.cuLaunchKernelEx.argtypes = [c_void_p] * 4
        self.call("cuInit", 0)
        self.functions: dict[tuple[int, str, str], c_void_p] = {}
        self.contexts: dict[int, int | None] = {}

    def call(self, name: str, *args: Any) -> None:
        """Calls a function; raises a `LaunchError` with the driver's message if it fails."""
        code = getattr(self.cuda, name)(*args)
        if code:
            raise LaunchError(f"{name}: {self.text(code)}")

    def text(self, code: int) -> str:
        """The name and description of an error."""
        name, text = c_char_p(), c_char_p()
        self.cuda.cuGetErrorName(code, byref(name))
        self.cuda.cuGetErrorString(code, byref(text))
        return f"{(name.value or b'unknown').decode()} ({code}): {(text.value or b'').decode()}"

    def enter(self, number: int) -> None:
        """Makes the GPU's primary context, which torch, CuPy and JAX use, the thread's current one."""
        primary, current = self.contexts.get(number), c_void_p()
        if primary is None:
            device, context = c_int(), c_void_p()
            self.call("cuDeviceGet", byref(device), number)
            self.call("cuDevicePrimaryCtxRetain", byref(context), device)
            primary = self.contexts[number] = context.value
        self.cuda.cuCtxGetCurrent(byref(current))
        if current.value != primary:
            self.call("cuCtxSetCurrent", c_void_p(primary))

    def function(self, kernel: Kernel, number: int) -> c_void_p:
        """The function of a kernel, which is loaded once on each GPU."""
        key = (number, kernel.name, kernel.ptx)
        found = self.functions.get(key)
        if found is None:
            module, found = c_void_p(), c_void_p()
            log = ctypes.create_string_buffer(8192)
            # CU_JIT_ERROR_LOG_BUFFER and its size.
            options, values = (c_int * 2)(5, 6), (c_void_p * 2)(ctypes.addressof(log), len(log))
            code = self.cuda.cuModuleLoadDataEx(byref(module), kernel.ptx.encode() + b"\0", 2, options, values)
            if code:
                raise LaunchError(f"{kernel.name} cannot be loaded: {self.text(code)} {log.value.decode(errors='replace')}")
            self.call("cuModuleGetFunction", byref(found), module, kernel.name.encode())
            self.functions[key] = found
        return found

    def sm_count(self, number: int) -> int:
        """The number of SMs of a GPU."""
        count = c_int()
        self.call("cuDeviceGetAttribute", byref(count), 16, number)
        return count.value


@functools.cache
def driver() -> Driver:
    """The driver; raises a `LibraryError` if there is none."""
    return Driver()


def stream_handle(given: Any) -> int:
    """A stream's handle: a number, or an object of torch (`cuda_stream`) or CuPy (`ptr`)."""
    for name in ("cuda_stream", "ptr", "handle"):
        given = getattr(given, name, given)
    if given is None:
        return 0
    if isinstance(given, int) and given >= 0:
        return given
    raise ArgumentError(f"stream: got {type(given).__name__}, expected a stream of torch or CuPy, or its number")


class Memory:
    """Zeroed memory of a GPU, which `launch` accepts as an array."""

    def __init__(self, gpu: int, size: int) -> None:
        cuda, address = driver(), c_uint64()
        cuda.enter(gpu)
        cuda.call("cuMemAlloc_v2", byref(address), ctypes.c_size_t(size))
        cuda.call("cuMemsetD8_v2", address, ctypes.c_ubyte(0), ctypes.c_size_t(size))
        cuda.call("cuCtxSynchronize")
        self.gpu, self.size, self.address = gpu, size, address.value

    def __del__(self) -> None:
        """Waits until it is no longer used, and frees it."""
        address = getattr(self, "address", 0)
        if address:
            driver().cuda.cuMemFree_v2(c_uint64(address))
