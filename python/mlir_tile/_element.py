"""Elements of scans: numbers and vectors of numbers, by the dtype of their array."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .errors import ArgumentError

ELEMENTS = {
    "float16": "f16",
    "bfloat16": "bf16",
    "float32": "f32",
    "float64": "f64",
    **{f"{sign}int{bits}": f"i{bits}" for bits in (8, 16, 32, 64) for sign in ("", "u")},
}
"""MLIR types of elements by dtype; bfloat16 is that of ml_dtypes, torch or JAX."""


@dataclass(frozen=True)
class Element:
    """The element of an array."""

    dtype: str
    lanes: int
    """The length of a vector; 0 for an element that is a single number."""

    @property
    def type(self) -> str:
        """The MLIR type.

        >>> Element("uint8", 0).type, Element("float32", 2).type
        ('i8', 'vector<2xf32>')
        """
        number = ELEMENTS[self.dtype]
        return f"vector<{self.lanes}x{number}>" if self.lanes else number

    @property
    def is_unsigned(self) -> bool:
        """Whether the type is an unsigned integer."""
        return self.dtype.startswith("u")

    def argument(self, what: str, value: Any) -> int | float:
        """A number that is passed to a kernel; raises an `ArgumentError` if it is no number, or is out of range."""
        if self.lanes or self.dtype == "bfloat16":
            raise ArgumentError(f"{what}: got a value for {self.type}, which launches do not pass; expected identity=")
        self.attribute(what, value)
        return value

    def attribute(self, what: str, value: Any) -> str:
        """The MLIR attribute of a value; raises an `ArgumentError` if it does not fit the type, or is out of range.

        >>> Element("int8", 0).attribute("identity", -3), Element("float32", 2).attribute("identity", (1, 0))
        ('-3 : i8', 'dense<[0x3F800000, 0x00000000]> : vector<2xf32>')
        """
        if not self.lanes:
            return f"{self._number(what, value)} : {self.type}"
        values = list(value) if hasattr(value, "__iter__") else [value]
        if len(values) != self.lanes:
            raise ArgumentError(f"{what}: got {value!r}, expected {self.lanes} numbers for {self.type}")
        return f"dense<[{', '.join(self._number(what, one) for one in values)}]> : {self.type}"

    def _number(self, what: str, value: Any) -> str:
        is_float = not self.dtype.startswith(("int", "uint"))
        if is_float and isinstance(value, (int, float, np.integer, np.floating)):
            # Written as bits, so that nothing is rounded, and since NaN and infinity have no other text form.
            bits = np.array(value, "float32" if self.dtype == "bfloat16" else self.dtype)
            if self.dtype == "bfloat16":
                return f"0x{_bfloat16(int(bits.view('uint32'))):04X}"
            return f"0x{int(bits.view(f'uint{8 * bits.itemsize}')):0{2 * bits.itemsize}X}"
        if not is_float and isinstance(value, (int, np.integer)) and not isinstance(value, bool):
            limits = np.iinfo(self.dtype)
            if limits.min <= value <= limits.max:
                return str(int(value))
            raise ArgumentError(f"{what}: got {value}, expected {limits.min} to {limits.max} for {self.dtype}")
        raise ArgumentError(f"{what}: got {value!r}, expected {'a number' if is_float else 'an integer'} for {self.dtype}")


def _bfloat16(bits: int) -> int:
    """The upper half of a float's bits, rounded to nearest even; a NaN stays a NaN.

    >>> hex(_bfloat16(0x3F808000)), hex(_bfloat16(0x3F818000)), hex(_bfloat16(0x7F800001))
    ('0x3f80', '0x3f82', '0x7fc0')
    """
    if bits & 0x7FFFFFFF > 0x7F800000:
        return bits >> 16 | 0x40
    return bits + 0x7FFF + (bits >> 16 & 1) >> 16 & 0xFFFF
