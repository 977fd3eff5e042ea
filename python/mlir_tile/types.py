"""Types of kernel arguments: the MLIR types, and the arrays that fit them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from .errors import ArgumentError

# Element types by their names in MLIR; where numpy has no such type, that of ml_dtypes, or an unsigned integer of the same width.
_FLOATS = {"f16": "float16", "f32": "float32", "f64": "float64"}
_OTHER_FLOATS = {"bf16": "bfloat16", "f8E4M3FN": "float8_e4m3fn", "f8E5M2": "float8_e5m2"}


@dataclass(frozen=True)
class Memref:
    """A memref's type; `None` stands for a number that is known only at run time.

    >>> Memref.parse("memref<?x64xf16, strided<[?, 1], offset: ?>>")
    Memref(element='f16', shape=(None, 64), strides=(None, 1), offset=None)
    >>> Memref.parse("memref<4x8xf32>").strides
    (8, 1)
    >>> Memref.parse("i32") is None
    True
    """

    element: str
    shape: tuple[int | None, ...]
    strides: tuple[int | None, ...]
    offset: int | None

    @classmethod
    def parse(cls, text: str) -> Memref | None:
        """Parses the text of a type; returns `None` for other types, and for layouts other than strides."""
        found = re.fullmatch(
            r"memref<((?:(?:\?|\d+)x)*)([^,<>]+)(?:, strided<\[([^\]]*)\](?:, offset: (\?|\d+))?>)?(?:, [^,]*)?>", text
        )
        if not found:
            return None
        shape = tuple(_number(extent) for extent in found[1].split("x")[:-1])
        if found[3] is not None:
            strides = tuple(_number(stride.strip()) for stride in found[3].split(",") if stride.strip())
            return cls(found[2], shape, strides, _number(found[4] or "0"))
        dense: list[int | None] = []
        step: int | None = 1
        for extent in reversed(shape):
            dense.insert(0, step)
            step = None if step is None or extent is None else step * extent
        return cls(found[2], shape, tuple(dense), 0)


def _number(text: str) -> int | None:
    return None if text == "?" else int(text)


def dtype_names(element: str) -> list[str]:
    """The dtypes whose arrays hold elements of an MLIR type.

    >>> dtype_names("f32"), dtype_names("i8"), dtype_names("bf16")
    (['float32'], ['int8', 'uint8'], ['bfloat16', 'uint16'])
    """
    if element in _FLOATS:
        return [_FLOATS[element]]
    if element in _OTHER_FLOATS:
        return [_OTHER_FLOATS[element], "uint16" if element == "bf16" else "uint8"]
    if element == "index":
        return ["int64", "uint64"]
    if element == "i1":
        return ["bool"]
    if re.fullmatch(r"i(8|16|32|64)", element):
        return [f"int{element[1:]}", f"uint{element[1:]}"]
    return []


@dataclass(frozen=True)
class Argument:
    """An argument of a kernel, as its `gpu.func` declares it."""

    type: str
    """Its MLIR type, such as `memref<32x32xf32>`; in PTX of other compilers its type there, such as `u64` or `b8[128]`."""
    memref: Memref | None
    """The parsed type, if it is a memref."""
    bits: int
    """The width of a number; 64 for an address."""
    is_pointer: bool
    alignment: int
    """The promised alignment of its memory, in bytes; 0 without a promise."""
    numbers: tuple[tuple[str, int], ...]
    """The numbers that are passed after a memref's address: `("extent", 0)`, …"""

    @property
    def may_be_address(self) -> bool:
        """Whether it is a number of a PTX text of which only the caller knows whether it is an address."""
        return self.type in ("b64", "s64", "u64")

    @property
    def dtype(self) -> str | None:
        """The dtype of arrays that fit; `None` for numbers and plain addresses."""
        names = dtype_names(self.memref.element) if self.memref else []
        return names[0] if names else None

    @property
    def shape(self) -> tuple[int | None, ...] | None:
        """The shape of arrays that fit; `None` for numbers and plain addresses."""
        return self.memref.shape if self.memref else None


@dataclass(frozen=True)
class Array:
    """The description of an array, in any memory; strides count elements."""

    address: int
    dtype: str
    itemsize: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]


def check(where: str, argument: Argument, array: Array) -> list[int]:
    """The numbers that are passed after an array's address; raises an `ArgumentError` if the array does not fit."""
    memref = argument.memref
    if memref is None:
        if not is_dense(array.shape, array.strides):
            raise ArgumentError(f"{where}: got an array with strides {array.strides}, expected a dense one for {argument.type}")
        return []
    names = dtype_names(memref.element)
    if names and array.dtype not in names:
        raise ArgumentError(
            f"{where}: got an array of {array.dtype}, expected {' or '.join(names)} for {argument.type}; "
            f"convert it: .astype({names[0]!r})"
        )
    if len(array.shape) != len(memref.shape):
        raise ArgumentError(f"{where}: got an array of rank {len(array.shape)}, expected {len(memref.shape)} for {argument.type}")
    if any(want not in (None, got) for got, want in zip(array.shape, memref.shape)):
        raise ArgumentError(f"{where}: got shape {array.shape}, expected {_shown(memref.shape)} for {argument.type}")
    if 0 in array.shape:
        return _numbers(argument, array)
    # The stride of a dimension with one element is not used.
    wanted = memref.strides if "strided" in argument.type else dense(array.shape)
    for extent, got, want in zip(array.shape, array.strides, wanted):
        if extent > 1 and want is not None and got != want:
            raise ArgumentError(
                f"{where}: got strides {array.strides} (of elements), expected {_shown(wanted)} for {argument.type}; make it "
                "dense (numpy.ascontiguousarray, .contiguous()), or declare the memref with strided<[?, …]>"
            )
        if got < 0 and extent > 1:
            raise ArgumentError(f"{where}: got strides {array.strides}, expected none below 0")
    if argument.alignment and array.address % argument.alignment:
        raise ArgumentError(
            f"{where}: got memory at {array.address:#x}, expected a multiple of {argument.alignment} bytes: compile with "
            f"argument_alignment={array.address & -array.address}, or pass an array that begins an allocation"
        )
    return _numbers(argument, array)


def _numbers(argument: Argument, array: Array) -> list[int]:
    kinds = {"offset": lambda _: 0, "extent": array.shape.__getitem__, "stride": array.strides.__getitem__}
    return [kinds[kind](dimension) for kind, dimension in argument.numbers]


def dense(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Row-major strides.

    >>> dense((2, 3, 4))
    (12, 4, 1)
    """
    strides, step = [], 1
    for extent in reversed(shape):
        strides.insert(0, step)
        step *= extent
    return tuple(strides)


def is_dense(shape: tuple[int, ...], strides: tuple[int, ...]) -> bool:
    """Whether the elements are contiguous; the strides of dimensions with at most one element are ignored.

    >>> is_dense((2, 3), (3, 1)), is_dense((2, 1), (1, 7)), is_dense((0, 4), (9, 9)), is_dense((2, 3), (4, 1))
    (True, True, True, False)
    """
    return 0 in shape or all(extent == 1 or got == want for extent, got, want in zip(shape, strides, dense(shape)))


def _shown(numbers: tuple[int | None, ...]) -> str:
    return "(" + ", ".join("any" if number is None else str(number) for number in numbers) + ")"


def scalar(where: str, argument: Argument, value: Any) -> bytes:
    """The bytes of a number, of a null pointer or of an aggregate; raises an `ArgumentError` if it does not fit the type."""
    text = argument.type
    if value is None and argument.may_be_address:
        return bytes(8)
    if isinstance(value, bytes) and text == f"b8[{len(value)}]":
        return value
    if text in _FLOATS:
        if not isinstance(value, (int, float, np.integer, np.floating)):
            raise ArgumentError(f"{where}: got {type(value).__name__}, expected a number for {text}")
        return np.dtype(_FLOATS[text]).type(value).tobytes()
    if text in _OTHER_FLOATS:
        # Only its own package can round a number to such a type.
        if isinstance(value, np.generic) and value.dtype.name in dtype_names(text):
            return value.tobytes()
        names = " or ".join(dtype_names(text))
        raise ArgumentError(f"{where}: got {type(value).__name__}, expected a number of {names} for {text}")
    if isinstance(value, (bool, int, np.integer, np.bool_)) and (text == "index" or re.fullmatch(r"i\d+", text) or argument.bits):
        bits = argument.bits
        if not -(1 << (bits - 1)) <= int(value) < (1 << bits):
            raise ArgumentError(f"{where}: got {value}, expected a number of {bits} bits for {text or f'i{bits}'}")
        return (int(value) & ((1 << bits) - 1)).to_bytes((bits + 7) // 8, "little")
    wanted = "bytes" if text.startswith("b8[") else "an array, None or an integer" if argument.may_be_address else "an integer"
    raise ArgumentError(f"{where}: got {type(value).__name__}, expected {wanted} for {text or f'i{argument.bits}'}")
