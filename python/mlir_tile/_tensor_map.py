"""Tensor maps of launches: what a line below the PTX of a kernel describes, encoded by the driver."""

from __future__ import annotations

import ast
import ctypes
import operator
import re
from ctypes import c_int, c_size_t, c_ubyte, c_uint32, c_uint64, c_void_p
from typing import TYPE_CHECKING, Callable, Sequence

from ._driver import Driver, Memory
from .errors import LaunchError

if TYPE_CHECKING:
    from ._compile import Kernel

# A map, its alignment, and the element in place of an empty tensor, in bytes.
_BYTES, _ALIGN, _FILLER = 128, 64, 16
# The driver's numbers, by the words of the line: CUtensorMapDataType, CUtensorMapSwizzle, CUtensorMapL2promotion,
# CUtensorMapFloatOOBfill.
_TYPES = "u8 u16 u32 i32 u64 i64 f16 f32 f64 bf16 f32ftz tf32 tf32ftz".split()
_SWIZZLES, _PROMOTIONS, _FILLS = ["none", "32", "64", "128"], ["none", "64", "128", "256"], ["zero", "nan"]


_OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul}
_FUNCTIONS: dict[str, Callable[[int, int], int]] = {
    "div": lambda a, b: a // b if (a < 0) == (b < 0) else -(-a // b),
    "floordiv": lambda a, b: a // b,
    "ceildiv": lambda a, b: -(-a // b),
    "rem": lambda a, b: a - b * _FUNCTIONS["div"](a, b),
    "min": min,
    "max": max,
}


class Number:
    """An integer that is computed of the kernel's parameters, as the line says: signed, of 64 bits.

    >>> Number("2*p1*p3").of([0, 5, 0, 7]), Number("16").of([]), Number("ceildiv(p0+2;64)").of([128])
    (70, 16, 3)
    >>> [Number(f"{function}(p0-10;4)").of([3]) for function in _FUNCTIONS]
    [-1, -2, -1, -3, -7, 4]
    >>> Number("i8(2*p0)").of([64])
    Traceback (most recent call last):
    OverflowError: got 128, which is beyond 8 bits
    """

    def __init__(self, text: str) -> None:
        self.tree = ast.parse(text.replace(";", ","), mode="eval").body

    def of(self, parameters: Sequence[int]) -> int:
        """The number, given the kernel's parameters; an `ArithmeticError` where it has no value."""
        return _value(self.tree, parameters)


def _value(tree: ast.expr, parameters: Sequence[int]) -> int:
    if isinstance(tree, ast.Constant) and isinstance(tree.value, int):
        return tree.value
    bits = 64
    if isinstance(tree, ast.Name):
        number = parameters[int(tree.id[1:])]
    elif isinstance(tree, ast.BinOp):
        number = _OPERATORS[type(tree.op)](_value(tree.left, parameters), _value(tree.right, parameters))
    elif isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name):
        operands, name = [_value(operand, parameters) for operand in tree.args], tree.func.id
        number = _FUNCTIONS[name](*operands) if name in _FUNCTIONS else operands[0]
        bits = 64 if name in _FUNCTIONS else int(name[1:])
    else:
        raise ValueError(f"got {ast.dump(tree)}, expected numbers of parameters")
    if not -1 << (bits - 1) <= number < 1 << (bits - 1):
        raise OverflowError(f"got {number}, which is beyond {bits} bits")
    return number


def _numbers(text: str) -> list[int]:
    return [int(number) for number in text.split("x")]


class _Boxes:
    """What a map of boxes has of its own."""

    encoder = "cuTensorMapEncodeTiled"

    def __init__(self, fields: dict[str, str]) -> None:
        extents = _numbers(fields["box"])
        self.arguments = [(c_uint32 * len(extents))(*extents)]


class _Pixels:
    """What a map of pixels of images has of its own.

    >>> fields = {"lower": "-1x-1", "upper": "-1x-2", "channels": "64", "pixels": "128"}
    >>> [getattr(it, "value", None) or list(it) for it in _Pixels(fields).arguments]
    [[-1, -1], [-1, -2], 64, 128]
    """

    encoder = "cuTensorMapEncodeIm2col"

    def __init__(self, fields: dict[str, str]) -> None:
        corners = [_numbers(fields[name]) for name in ("lower", "upper")]
        counts = [c_uint32(int(fields[name])) for name in ("channels", "pixels")]
        self.arguments = [*((c_int * len(corner))(*corner) for corner in corners), *counts]


class TensorMap:
    """A map of a kernel, and the 128 bytes that the driver encodes for the last launch."""

    def __init__(self, kernel: str, parameter: int, text: str) -> None:
        text, _, places = text.partition(" // ")
        fields = dict(field.split("=", 1) for field in text.split(","))
        # An x after a number or an expression, none that a function's name ends with.
        dims, strides = ([Number(one) for one in re.split(r"(?<=[\d)])x", fields[name]) if one] for name in ("dims", "strides"))
        self.what = f"{kernel}: the tensor map of parameter {parameter} ({places or text})"
        self.parameter, self.text = parameter, text
        self.base, self.numbers = Number(fields["base"]), [*dims, *strides]
        rank = self.rank = len(dims)
        self.element = _TYPES.index(fields["type"])
        self.boxes = _Pixels(fields) if "pixels" in fields else _Boxes(fields)
        self.steps = (c_uint32 * rank)(*_numbers(fields.get("element_strides", "x".join(["1"] * rank))))
        self.modes = [_SWIZZLES.index(fields["swizzle"]), _PROMOTIONS.index(fields["promotion"]), _FILLS.index(fields["fill"])]
        self.encoded: tuple[int, ...] | None = None
        self.filler: Memory | None = None
        self.room = ctypes.create_string_buffer(_BYTES + _ALIGN - 1)
        self.address = -(-ctypes.addressof(self.room) // _ALIGN) * _ALIGN

    def encode(self, driver: Driver, gpu: int, parameters: Sequence[int]) -> None:
        """Encodes the map for a launch with these parameters, unless it was the last time."""
        try:
            base, *numbers = (number.of(parameters) for number in (self.base, *self.numbers))
        except ArithmeticError as error:
            raise LaunchError(f"{self.what} cannot be made: {error}") from None
        if self.encoded == (base, *numbers):
            return
        self.encoded = None
        dims, strides = numbers[: self.rank], numbers[self.rank :]
        is_empty = 0 in dims and isinstance(self.boxes, _Boxes)
        if is_empty:
            # The driver encodes no empty tensor. Instead one of one element that nothing else uses, which is what is read outside.
            self.filler = Memory(gpu, _FILLER)
            driver.call("cuMemsetD8_v2", c_uint64(self.filler.address), c_ubyte(255 * self.modes[2]), c_size_t(_FILLER))
            base, dims, strides = self.filler.address, [1] * self.rank, [_FILLER] * len(strides)
        interleave, (swizzle, promotion, fill) = c_int(0), map(c_int, self.modes)
        try:
            driver.call(
                self.boxes.encoder,
                c_void_p(self.address),
                c_int(self.element),
                c_uint32(self.rank),
                c_void_p(base),
                (c_uint64 * self.rank)(*dims),
                (c_uint64 * max(1, self.rank - 1))(*strides),
                *self.boxes.arguments,
                self.steps,
                interleave,
                swizzle,
                promotion,
                fill,
            )
        except LaunchError as error:
            raise LaunchError(
                f"{self.what} has extents {dims}, strides {strides} in bytes, base {base:#x}, expected extents from 0, strides of "
                f"multiples of 16 below 2^40, a base at 16 bytes: {error}"
            ) from None
        # Stores may have changed the element of an empty tensor by the next launch.
        self.encoded = None if is_empty else (base, *numbers)


def maps_of(kernel: Kernel) -> list[TensorMap]:
    """The maps that a kernel takes, by ascending parameter."""
    name = re.escape(kernel.name)
    lines = re.findall(rf"^// tensor map of {name}, parameter (\d+): (.+)$", kernel.ptx, re.MULTILINE)
    maps = [TensorMap(kernel.name, int(parameter), text) for parameter, text in lines if not text.startswith("unknown")]
    taken = {int(it) for it in re.findall(rf"\.align {_ALIGN} \.b8 {name}_param_(\d+)\[{_BYTES}\]", kernel.ptx)}
    unknown = sorted(taken - {one.parameter for one in maps})
    if unknown:
        places = dict(lines).get(str(unknown[0]), "").partition("unknown // ")[2]
        raise LaunchError(
            f"{kernel.name}: parameter {unknown[0]} is a tensor map that is not known to be made of arguments, expected one that "
            f"--tile-make-maps makes{places and f' ({places})'}"
        )
    return sorted(maps, key=lambda one: one.parameter)
