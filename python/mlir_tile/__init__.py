"""Tile copies and scans on NVIDIA GPUs: MLIR in, PTX out; simulated on numpy arrays, launched on a GPU.

| function | does |
| --- | --- |
| `kernel` | a kernel that a Python function writes |
| `compile` | compiles MLIR to kernels, with PTX, remarks and what a launch needs to know |
| `lower` | runs a pipeline of passes on a module, and returns its text |
| `Kernel.simulate` | runs a kernel on numpy arrays, under checkers that a GPU does not have |
| `Kernel.launch` | runs it on the GPU, on arrays of torch, CuPy or JAX |
| `ptx` | reads a kernel in PTX that any compiler has made, to simulate it |
| `scan` | scans an array, in the simulator or on the GPU |
| `select`, `partition` | the elements that a predicate or flags keep, and the others |
| `run_length_encode`, `reduce_by_key` | runs of equal elements with their lengths, or with the sums of other elements |
| `sort` | sorts keys, and values with them |

The compiler is libTile.so. A wheel has it inside, with LLVM; `pip install ./python` of a checkout finds what
`cargo xtask install` builds.
"""

from .errors import ArgumentError, CompileError, Fault, LaunchError, LibraryError, Race, TileError

try:
    import numpy  # noqa: F401
except ImportError as error:
    raise LibraryError(f"mlir_tile needs numpy, which cannot be imported ({error}): pip install numpy") from None

from ._build import Builder, Part, PythonKernel, Value, kernel
from ._chained import partition, reduce_by_key, run_length_encode, select
from ._compile import Kernel, Kernels, Remark, compile
from ._launch import launch
from ._lower import lower
from ._ptx import PtxKernel, ptx
from ._scan import scan
from ._simulate import SCHEDULES, Counts, simulate
from ._sort import sort
from .types import Argument, Memref

__all__ = [
    "SCHEDULES",
    "Argument",
    "ArgumentError",
    "Builder",
    "CompileError",
    "Counts",
    "Fault",
    "Kernel",
    "Kernels",
    "LaunchError",
    "LibraryError",
    "Memref",
    "Part",
    "PtxKernel",
    "PythonKernel",
    "Race",
    "Remark",
    "TileError",
    "Value",
    "compile",
    "kernel",
    "launch",
    "lower",
    "partition",
    "ptx",
    "reduce_by_key",
    "run_length_encode",
    "scan",
    "select",
    "simulate",
    "sort",
]
