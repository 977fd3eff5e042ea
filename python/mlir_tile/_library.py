"""libTile, loaded once. Its functions are those of tile-c/Compile.h and tile-c/Simulate.h."""

from __future__ import annotations

import ctypes
import functools
import os
import platform
from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    c_bool,
    c_int,
    c_int64,
    c_size_t,
    c_ssize_t,
    c_uint32,
    c_uint64,
    c_void_p,
)
from pathlib import Path

from .errors import LibraryError


class StringRef(Structure):
    """`MlirStringRef`."""

    # The caller owns the memory, so the pointer is kept as a number.
    _fields_ = [("data", c_void_p), ("length", c_size_t)]

    @classmethod
    def of(cls, text: str) -> StringRef:
        """A reference to a text, which lives as long as the reference."""
        raw = text.encode()
        ref = cls(ctypes.cast(ctypes.c_char_p(raw), c_void_p), len(raw))
        ref._keeps = raw
        return ref

    def text(self) -> str:
        """A copy of the text."""
        return ctypes.string_at(self.data, self.length).decode(errors="replace") if self.length else ""


STRING_CALLBACK = CFUNCTYPE(None, StringRef, c_void_p)


class Location(Structure):
    """`MlirLocation`."""

    _fields_ = [("ptr", c_void_p)]


class ErrorHandler(Structure):
    """`MlirTileErrorHandler`."""

    _fields_ = [("say", STRING_CALLBACK), ("user_data", c_void_p)]


class Options(Structure):
    """`MlirTileCompileOptions`."""

    _fields_ = [
        ("chip", StringRef),
        ("features", StringRef),
        ("gpu_module", StringRef),
        ("max_vector_bits", c_uint32),
        ("argument_alignment", c_uint32),
        ("line_info", c_bool),
        ("noalias", c_bool),
        ("passes", StringRef),
    ]


class RawArgument(Structure):
    """`MlirTileArgument`."""

    _fields_ = [
        ("kind", c_int),
        ("bits", c_uint32),
        ("alignment", c_uint64),
        ("declared", StringRef),
        ("number", c_int),
        ("dimension", c_ssize_t),
    ]


class RawKernel(Structure):
    """`MlirTileKernel`."""

    _fields_ = [
        ("name", StringRef),
        ("threads", c_uint32 * 3),
        ("cluster", c_uint32 * 3),
        ("static_shared", c_uint64),
        ("dynamic_shared", c_uint64),
        ("arg_count", c_ssize_t),
        ("args", POINTER(RawArgument)),
    ]


class RawRemark(Structure):
    """`MlirTileRemark`."""

    _fields_ = [
        ("passed", c_bool),
        ("name", StringRef),
        ("category", StringRef),
        ("function", StringRef),
        ("location", Location),
        ("arg_count", c_ssize_t),
        ("keys", POINTER(StringRef)),
        ("values", POINTER(StringRef)),
    ]


KERNEL_CALLBACK = CFUNCTYPE(None, POINTER(RawKernel), c_void_p)
REMARK_CALLBACK = CFUNCTYPE(None, POINTER(RawRemark), c_void_p)


class CompileListener(Structure):
    """`MlirTileCompileListener`."""

    _fields_ = [
        ("ptx", STRING_CALLBACK),
        ("kernel", KERNEL_CALLBACK),
        ("remark", REMARK_CALLBACK),
        ("warning", STRING_CALLBACK),
        ("user_data", c_void_p),
    ]


class SimArgument(Structure):
    """`MlirTileSimArgument`."""

    _fields_ = [("data", c_void_p), ("bytes", c_ssize_t), ("is_memory", c_bool)]


class SimLaunch(Structure):
    """`MlirTileSimLaunch`."""

    _fields_ = [
        ("grid", c_uint32 * 3),
        ("block", c_uint32 * 3),
        ("cluster", c_uint32 * 3),
        ("dynamic_shared", c_uint32),
        ("schedule", StringRef),
        ("no_check", StringRef),
    ]


class RawCounts(Structure):
    """`MlirTileSimCounts`."""

    _fields_ = [
        ("opcode", StringRef),
        ("issued", c_uint64),
        ("global_bytes", c_uint64),
        ("shared_bytes", c_uint64),
        ("sectors", c_uint64),
        ("wavefronts", c_uint64),
        ("conflicts", c_uint64),
    ]


class RawFault(Structure):
    """`MlirTileSimFault`."""

    _fields_ = [
        ("kind", StringRef),
        ("text", StringRef),
        ("ptx_line", c_uint32),
        ("file", StringRef),
        ("line", c_uint64),
        ("column", c_uint64),
    ]


COUNTS_CALLBACK = CFUNCTYPE(None, POINTER(RawCounts), c_void_p)
FAULT_CALLBACK = CFUNCTYPE(None, POINTER(RawFault), c_void_p)


class SimListener(Structure):
    """`MlirTileSimListener`."""

    _fields_ = [("counts", COUNTS_CALLBACK), ("fault", FAULT_CALLBACK), ("user_data", c_void_p)]


_FUNCTIONS = {
    "mlirTileCompileOptionsGetDefault": (Options, []),
    "mlirTileCompileTextWith": (
        c_bool,
        [StringRef, StringRef, POINTER(Options), POINTER(CompileListener), ErrorHandler],
    ),
    "mlirTileLowerText": (
        c_bool,
        [StringRef, StringRef, StringRef, STRING_CALLBACK, STRING_CALLBACK, c_void_p, ErrorHandler],
    ),
    "mlirTileOpSignatures": (StringRef, []),
    "mlirTileReadPtx": (c_bool, [StringRef, KERNEL_CALLBACK, c_void_p, ErrorHandler]),
    "mlirTileCompleteLaunch": (c_bool, [StringRef, StringRef, POINTER(SimLaunch), ErrorHandler]),
    "mlirTileSimulate": (
        c_bool,
        [StringRef, StringRef, POINTER(SimLaunch), c_ssize_t, POINTER(SimArgument), POINTER(SimListener), ErrorHandler],
    ),
    "mlirLocationIsAFileLineColRange": (c_bool, [Location]),
    "mlirLocationFileLineColRangeGetStartLine": (c_int, [Location]),
    "mlirLocationFileLineColRangeGetStartColumn": (c_int, [Location]),
}

_ADVICE = "install it again (cargo xtask install, pip install ./python), or set TILE_PREFIX to the folder of a whole package"


def _path() -> Path:
    library, prefix = os.environ.get("TILE_LIBRARY"), os.environ.get("TILE_PREFIX")
    if library:
        return Path(library)
    if not prefix:
        try:
            from _mlir_tile_prefix import PREFIX as prefix
        except ImportError:
            raise LibraryError(
                "this package does not know where the compiler is: it was not installed, or only in part; type pip "
                "install ./python in a checkout, or set TILE_PREFIX to what cargo xtask install has made"
            ) from None
    return Path(prefix) / "lib/libTile.so"


def _needs(path: Path) -> str:
    """What a library needs that cannot be loaded."""
    if path != Path(__file__).resolve().parent / "_native/lib/libTile.so":
        return "it needs the LLVM 22 that it was built with: install that, or build again"
    here = f"{platform.system()} on {platform.machine()} with {' '.join(platform.libc_ver()).strip() or 'another libc'}"
    return f"the wheel is for Linux on x86_64 with glibc 2.28 or later, and this is {here}"


@functools.cache
def _load(path: Path) -> ctypes.CDLL:
    if not path.exists():
        raise LibraryError(f"there is no {path}: the compiler's package was moved, or is not complete; {_ADVICE}")
    try:
        library = ctypes.CDLL(str(path))
    except OSError as error:
        raise LibraryError(f"cannot load {path}: {error}; {_needs(path)}; {_ADVICE}") from None
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, name, None)
        if function is None:
            raise LibraryError(f"{path} has no {name}: it is no libTile, or one of another release; {_ADVICE}")
        function.restype, function.argtypes = result, arguments
    return library


def library() -> ctypes.CDLL:
    """The library; raises a `LibraryError` that says why it cannot be loaded, and what to do."""
    return _load(_path())


class Errors:
    """Collects the library's error messages."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._call = STRING_CALLBACK(lambda text, _: self.lines.append(text.text()))

    def handler(self) -> ErrorHandler:
        """The handler to pass; it lives as long as this object."""
        return ErrorHandler(self._call, None)

    def __str__(self) -> str:
        return "\n".join(self.lines) or "no reason given"


__all__ = ["Errors", "c_int64", "library"]
