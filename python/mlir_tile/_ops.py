"""What each op takes and gives, and MLIR's text of numbers and attributes."""

from __future__ import annotations

import difflib
import functools
import json
import math
import re
import struct
from typing import Any

from . import _library as lib
from .errors import ArgumentError

# Formats of struct for floats, by their type in MLIR.
_FLOATS = {"f16": "e", "f32": "f", "f64": "d"}


@functools.cache
def signatures() -> dict[str, dict[str, Any]]:
    """What each op takes and gives, by its name: `mlirTileOpSignatures` says it."""
    return json.loads(lib.library().mlirTileOpSignatures().text())


def nearest(got: str, known: Any, what: str) -> ArgumentError:
    """The error for a name that there is not."""
    near = difflib.get_close_matches(got, list(known), 3) or sorted(known)[:8]
    return ArgumentError(f"got the {what} {got!r}, expected one such as {', '.join(near)}")


def element_of(type: str) -> str:
    """The type of the elements of a memref, a tile or a vector; other types themselves.

    >>> element_of("!tile.buffer<32x64xf16, shared, auto>"), element_of("memref<f32>"), element_of("index")
    ('f16', 'f32', 'index')
    """
    found = re.match(r"(?:memref|vector|!tile\.buffer)<(?:[\d?]+x)*([^,>]+)", type)
    return found[1] if found else type


def literal(number: Any, type: str) -> str:
    """A number in MLIR's text.

    >>> literal(1e-5, "f32"), literal(-math.inf, "f16"), literal(3, "index")
    ('1.00000000000000008e-05 : f32', '0xFC00 : f16', '3 : index')
    """
    if type[:1] not in "fb":
        return f"{int(number)} : {type}"
    if math.isfinite(number):
        return f"{float(number):.17e} : {type}"
    if type == "bf16":
        return f"0x{struct.pack('>f', number)[:2].hex().upper()} : {type}"
    if type not in _FLOATS:
        raise ArgumentError(f"got {number} of {type}, expected a finite number, or one of {', '.join(_FLOATS)}")
    return f"0x{struct.pack('>' + _FLOATS[type], number).hex().upper()} : {type}"


def attribute(what: str, kind: Any, value: Any) -> str:
    """An attribute in MLIR's text, by its kind in the signature of the op."""
    if isinstance(kind, dict):
        if value not in kind or not value:
            raise nearest(str(value), [one for one in kind if one], f"case of {what}")
        return f"{kind[value]} : {kind['']}"
    if kind in ("i32s", "i64s"):
        return f"array<{kind[:-1]}: {', '.join(map(str, value))}>" if value else f"array<{kind[:-1]}>"
    words = {"unit": "unit", "bool": str(bool(value)).lower(), "string": json.dumps(str(value)), "symbol": f"@{value}"}
    if kind in words:
        return words[kind]
    if "$" in kind:
        return kind.replace("$", str(value))
    return str(value) if kind == "text" else f"{value} : {kind}"
