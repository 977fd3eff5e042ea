"""Compilation of MLIR to kernels."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from typing import Any

from . import _library as lib
from .errors import ArgumentError, CompileError, expect
from .types import Argument, Memref

# MlirTileArgumentTensorMap.
_TENSOR_MAP = 4
_NUMBERS = {1: "offset", 2: "extent", 3: "stride"}


@dataclass(frozen=True)
class Remark:
    """A remark of the compiler about a copy or a scan: how it is lowered, or what prevented another way."""

    passed: bool
    name: str
    category: str
    function: str
    line: int
    column: int
    args: dict[str, str] = field(hash=False)

    def __str__(self) -> str:
        """The remark, as the tools print it.

        >>> str(Remark(True, "gmem_smem", "tile-copy", "load", 3, 5, {"Rounds": "8"}))
        '3:5: [Passed] gmem_smem | Rounds=8'
        """
        kind = "Passed" if self.passed else "Missed"
        args = ", ".join(f"{key}={value}" for key, value in self.args.items())
        return f"{self.line}:{self.column}: [{kind}] {self.name} | {args}"


@dataclass(frozen=True)
class Kernel:
    """A compiled kernel, and what a launch needs to know about it."""

    name: str
    ptx: str = field(repr=False)
    """The PTX of its module."""
    arguments: tuple[Argument, ...]
    block: tuple[int, int, int] | None
    """The threads of a block that it was compiled for."""
    cluster: tuple[int, int, int] | None
    shared_bytes: int
    """Bytes of static shared memory."""
    dynamic_shared_bytes: int
    """Bytes of dynamic shared memory that the compiler has planned; a launch gives it as many by default."""
    remarks: tuple[Remark, ...] = field(repr=False)
    """Remarks about its copies."""
    warnings: tuple[str, ...] = field(repr=False)
    calls: dict[Any, Any] = field(default_factory=dict, init=False, repr=False, compare=False)
    """Calls that `launch` has prepared."""

    def simulate(self, *arrays: Any, grid: Any = 1, **options: Any) -> Any:
        """Runs it on numpy arrays in the simulator, which writes results back; see `tile.simulate`."""
        from ._simulate import simulate

        return simulate(self, *arrays, grid=grid, **options)

    def launch(self, *arrays: Any, grid: Any = 1, **options: Any) -> None:
        """Runs it on the GPU, on arrays of torch, CuPy or JAX; see `tile.launch`."""
        from ._launch import launch

        launch(self, *arrays, grid=grid, **options)


class Kernels(dict):
    """The kernels of a module by name, with remarks and warnings.

    For a module with one kernel, use `kernel, = kernels.values()` or `kernels.only`.
    """

    ptx: str
    remarks: tuple[Remark, ...]
    warnings: tuple[str, ...]

    @property
    def only(self) -> Kernel:
        """The kernel of a module that has exactly one."""
        if len(self) != 1:
            raise ArgumentError(f"got a module with {len(self)} kernels ({', '.join(self)}), expected one")
        return next(iter(self.values()))


def compile(
    text: str,
    chip: str = "",
    *,
    name: str = "-",
    features: str = "",
    gpu_module: str = "",
    max_vector_bits: int = 128,
    argument_alignment: int = 256,
    line_info: bool = True,
    noalias: bool = True,
    passes: str = "",
) -> Kernels:
    """Compiles a module, at any stage, to kernels.

    `chip`, such as `"sm_90a"`, defaults to the one that the `gpu.module` names, else `sm_80`; errors refer to the text as
    `name`. Arrays must be aligned to `argument_alignment` bytes: pass less for a kernel that receives parts of arrays. `passes`,
    such as `"tile-build{order=false}"` or `"lower-tile-copy,tile-to-nvvm"`, run in place of `tile-build`; widths, alignment and
    `noalias` are then options of these passes.

    >>> import mlir_tile as tile
    >>> kernel = tile.compile('''
    ... gpu.module @kernels {
    ...   gpu.func @load(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    ...     %a = tile.view %A : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    ...     %s = tile.alloc : !tile.buffer<32x32xf32, shared>
    ...     tile.copy %a to %s scope(warp) : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    ...     gpu.return
    ...   }
    ... }''', chip="sm_90a").only
    >>> kernel.block, kernel.arguments[0].dtype, kernel.arguments[0].shape
    ((32, 1, 1), 'float32', (32, 32))
    >>> taken = [remark for remark in kernel.remarks if remark.passed]
    >>> print(taken[0].name, taken[0].args["Instructions"])
    gmem_smem 8 loads and 8 stores of 128 bits
    """
    expect(str, text=text, chip=chip, name=name, features=features, gpu_module=gpu_module, passes=passes)
    numbers = {"max_vector_bits": max_vector_bits, "argument_alignment": argument_alignment}
    expect(int, **numbers)
    for what, value in numbers.items():
        if not 0 <= value < 1 << 32:
            raise ArgumentError(f"{what}: got {value}, expected a number of 32 bits")
    library, errors, heard = lib.library(), lib.Errors(), Heard()
    strings = [lib.StringRef.of(one) for one in (chip, features, gpu_module)]
    options = lib.Options(*strings, max_vector_bits, argument_alignment, line_info, noalias, lib.StringRef.of(passes))
    listener = heard.listener(library)
    fine = library.mlirTileCompileTextWith(
        lib.StringRef.of(text), lib.StringRef.of(name), ctypes.byref(options), ctypes.byref(listener), errors.handler()
    )
    if not fine:
        raise CompileError(str(errors))
    return heard.kernels()


class Heard:
    """Collects what the compiler reports during a compilation."""

    def __init__(self) -> None:
        self.ptx, self.remarks, self.warnings = "", [], []
        self.described: list[tuple[str, Any, Any, int, int, tuple[Argument, ...]]] = []

    def listener(self, library: ctypes.CDLL) -> lib.CompileListener:
        """The listener to pass; it lives as long as this object."""
        self.library = library
        self.listens = lib.CompileListener(
            lib.STRING_CALLBACK(self._ptx),
            lib.KERNEL_CALLBACK(self.kernel),
            lib.REMARK_CALLBACK(self._remark),
            lib.STRING_CALLBACK(lambda text, _: self.warnings.append(text.text())),
            None,
        )
        return self.listens

    def _ptx(self, text: lib.StringRef, _: Any) -> None:
        self.ptx = text.text()

    def kernel(self, pointer: Any, _: Any) -> None:
        """Hears what a launch needs to know."""
        raw = pointer.contents
        triple = lambda it: tuple(it) if any(it) else None  # noqa: E731
        launch = (triple(raw.threads), triple(raw.cluster), raw.static_shared, raw.dynamic_shared)
        self.described.append((raw.name.text(), *launch, _arguments(raw)))

    def _remark(self, pointer: Any, _: Any) -> None:
        raw, at = pointer.contents, self.library
        place = (0, 0)
        if at.mlirLocationIsAFileLineColRange(raw.location):
            place = (
                at.mlirLocationFileLineColRangeGetStartLine(raw.location),
                at.mlirLocationFileLineColRangeGetStartColumn(raw.location),
            )
        args = {raw.keys[i].text(): raw.values[i].text() for i in range(raw.arg_count)}
        names = (raw.name.text(), raw.category.text(), raw.function.text())
        self.remarks.append(Remark(raw.passed, *names, *place, args))

    def kernels(self) -> Kernels:
        """The compiled kernels, with everything that was reported."""
        kernels = Kernels()
        kernels.ptx, kernels.remarks, kernels.warnings = self.ptx, tuple(self.remarks), tuple(self.warnings)
        for name, block, cluster, *shared, arguments in self.described:
            own = tuple(remark for remark in self.remarks if remark.function == name)
            kernels[name] = Kernel(name, self.ptx, arguments, block, cluster, *shared, own, kernels.warnings)
        return kernels


def _arguments(raw: lib.RawKernel) -> tuple[Argument, ...]:
    arguments: list[Argument] = []
    for one in raw.args[: raw.arg_count] if raw.arg_count else []:
        if one.number in _NUMBERS and arguments:
            last = arguments[-1]
            number = (_NUMBERS[one.number], one.dimension)
            arguments[-1] = Argument(**{**last.__dict__, "numbers": (*last.numbers, number)})
            continue
        if one.kind == _TENSOR_MAP:  # Made of the others.
            continue
        text = one.declared.text()
        memref = Memref.parse(text)
        arguments.append(Argument(text, memref, one.bits, one.kind == 1, one.alignment, ()))
    return tuple(arguments)
