"""Tensor maps of launches: what a line below the PTX of a kernel describes, encoded by the driver."""

from __future__ import annotations

import ctypes
import re
from ctypes import c_int, c_uint32, c_uint64, c_void_p
from typing import TYPE_CHECKING, Sequence

from .errors import LaunchError

if TYPE_CHECKING:
    from ._compile import Kernel
    from ._driver import Driver

# A map, and its alignment, in bytes.
_BYTES, _ALIGN = 128, 64
# The driver's numbers, by the words of the line: CUtensorMapDataType, CUtensorMapSwizzle, CUtensorMapL2promotion,
# CUtensorMapFloatOOBfill.
_TYPES = "u8 u16 u32 i32 u64 i64 f16 f32 f64 bf16 f32ftz tf32 tf32ftz".split()
_SWIZZLES, _PROMOTIONS, _FILLS = ["none", "32", "64", "128"], ["none", "64", "128", "256"], ["zero", "nan"]


class Product:
    """A factor times parameters of the kernel, over a number, rounded up.

    >>> Product("2*p1*p3").of([0, 5, 0, 7]), Product("16").of([]), Product("p0/64").of([130])
    (70, 16, 3)
    """

    def __init__(self, text: str) -> None:
        product, _, divisor = text.partition("/")
        self.divisor = int(divisor or 1)
        parts = product.split("*")
        self.parameters = [int(part[1:]) for part in parts if part.startswith("p")]
        self.factor = 1
        for part in parts:
            self.factor *= 1 if part.startswith("p") else int(part)

    def of(self, parameters: Sequence[int]) -> int:
        """The number, given the kernel's parameters."""
        number = self.factor
        for parameter in self.parameters:
            number *= parameters[parameter]
        return -(-number // self.divisor)


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
        fields = dict(field.split("=", 1) for field in text.split(","))
        products = {name: [Product(one) for one in fields[name].split("x") if one] for name in ("dims", "strides")}
        self.kernel, self.parameter, self.text = kernel, parameter, text
        self.base = [Product(one) for one in fields["base"].split("+")]
        self.numbers = [*products["dims"], *products["strides"]]
        rank = self.rank = len(products["dims"])
        self.element = _TYPES.index(fields["type"])
        self.boxes = _Pixels(fields) if "pixels" in fields else _Boxes(fields)
        self.steps = (c_uint32 * rank)(*_numbers(fields.get("element_strides", "x".join(["1"] * rank))))
        self.modes = [_SWIZZLES.index(fields["swizzle"]), _PROMOTIONS.index(fields["promotion"]), _FILLS.index(fields["fill"])]
        self.encoded: tuple[int, ...] | None = None
        self.room = ctypes.create_string_buffer(_BYTES + _ALIGN - 1)
        self.address = -(-ctypes.addressof(self.room) // _ALIGN) * _ALIGN

    def encode(self, driver: Driver, parameters: Sequence[int]) -> None:
        """Encodes the map for a launch with these parameters, unless it was the last time."""
        base = sum(part.of(parameters) for part in self.base)
        numbers = [number.of(parameters) for number in self.numbers]
        if self.encoded == (base, *numbers):
            return
        self.encoded = None
        dims, strides = numbers[: self.rank], numbers[self.rank :]
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
                f"{self.kernel}: the tensor map of parameter {self.parameter} ({self.text}) has extents {dims}, strides {strides} "
                f"in bytes, expected extents from 1, strides of multiples of 16 below 2^40, a base at 16 bytes: {error}"
            ) from None
        self.encoded = (base, *numbers)


def maps_of(kernel: Kernel) -> list[TensorMap]:
    """The maps that a kernel takes, by ascending parameter."""
    name = re.escape(kernel.name)
    lines = re.findall(rf"^// tensor map of {name}, parameter (\d+): (.+)$", kernel.ptx, re.MULTILINE)
    maps = [TensorMap(kernel.name, int(parameter), text) for parameter, text in lines]
    taken = {int(it) for it in re.findall(rf"\.align {_ALIGN} \.b8 {name}_param_(\d+)\[{_BYTES}\]", kernel.ptx)}
    unknown = sorted(taken - {one.parameter for one in maps})
    if unknown:
        raise LaunchError(
            f"{kernel.name}: parameter {unknown[0]} is a tensor map that is not known to be made of arguments, expected one that "
            "--tile-make-maps makes"
        )
    return sorted(maps, key=lambda one: one.parameter)
