"""The exceptions: each says what was got, what was expected, and what to do."""

from __future__ import annotations


class TileError(Exception):
    """Any error of this package."""


class LibraryError(TileError, ImportError):
    """The compiler's shared library, or the CUDA driver, cannot be used."""


class CompileError(TileError, ValueError):
    """A module that cannot be compiled; the text has a line for each error, with its location."""


class ArgumentError(TileError, TypeError):
    """An array or a number that a kernel does not accept: wrong dtype, shape, strides or device."""


class LaunchError(TileError, RuntimeError):
    """A launch that the simulator or the driver refuses."""


class Fault(LaunchError):
    """The finding of a checker of the simulator in a kernel.

    `kind` is `"race"`, `"out of bounds"`, …; `file`, `line` and `column` are the location in the MLIR, if known, and
    `ptx_line` is the line of the PTX. The text of the exception describes both accesses of a race.
    """

    def __init__(self, text: str, kind: str, file: str, line: int, column: int, ptx_line: int) -> None:
        super().__init__(text)
        self.kind, self.file, self.line, self.column, self.ptx_line = kind, file, line, column, ptx_line


class Race(Fault):
    """Unordered accesses of two threads to the same bytes, one of them a write."""


def expect(kind: type, **arguments: object) -> None:
    """Refuses arguments of another type.

    >>> expect(str, text="module {}", name=3)
    Traceback (most recent call last):
    mlir_tile.errors.ArgumentError: name: got int, expected str
    """
    for what, value in arguments.items():
        if not isinstance(value, kind):
            raise ArgumentError(f"{what}: got {type(value).__name__}, expected {kind.__name__}")
