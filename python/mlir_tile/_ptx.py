"""Kernels in PTX that any compiler has made, in the simulator."""

from __future__ import annotations

from typing import Any

from . import _library as lib
from ._compile import Heard, Kernel
from .errors import ArgumentError, LaunchError, expect


class PtxKernel(Kernel):
    """A kernel in the PTX of nvcc, Triton, numba, CUTLASS or another compiler."""

    def simulate(self, *arrays: Any, grid: Any = 1, check_equal_stores: bool = False, no_check: Any = (), **options: Any) -> Any:
        """Runs it on numpy arrays; see `mlir_tile.simulate`.

        For a parameter of 64 bits, pass an array, `None` for a null pointer, or a number; for an aggregate, its bytes. Stores of
        the same value to the same address by lanes of one instruction are checked only with `check_equal_stores`: other compilers
        rely on them.
        """
        names = [no_check] if isinstance(no_check, str) else list(no_check)
        return super().simulate(*arrays, grid=grid, no_check=names if check_equal_stores else [*names, "equal-stores"], **options)


def ptx(text: str, kernel: str = "") -> PtxKernel:
    """The kernel of a PTX text, by default its only one. What the simulator cannot run is a `LaunchError` that names the line.

    >>> import numpy, mlir_tile as tile
    >>> fill = tile.ptx('''
    ... .version 8.0
    ... .target sm_80
    ... .address_size 64
    ... .visible .entry fill(.param .u64 out, .param .u32 value) {
    ...   .reg .b32 %r<3>;
    ...   .reg .b64 %rd<3>;
    ...   ld.param.u64 %rd1, [out];
    ...   ld.param.u32 %r1, [value];
    ...   mov.u32 %r2, %tid.x;
    ...   mad.wide.u32 %rd2, %r2, 4, %rd1;
    ...   st.global.u32 [%rd2], %r1;
    ...   ret;
    ... }''')
    >>> out = numpy.zeros(32, "uint32")
    >>> counts = fill.simulate(out, 7, block=32, schedule="all")
    >>> int(out.min()), counts["st.global.u32"].sectors
    (7, 4)
    """
    expect(str, text=text, kernel=kernel)
    heard, errors = Heard(), lib.Errors()
    if not lib.library().mlirTileReadPtx(lib.StringRef.of(text), lib.KERNEL_CALLBACK(heard.kernel), None, errors.handler()):
        raise LaunchError(str(errors))
    kernels = {one[0]: one for one in heard.described}
    if kernel not in kernels and (kernel or len(kernels) != 1):
        wanted = f"kernel {kernel!r}" if kernel else "no kernel's name"
        raise ArgumentError(f"got {wanted}, expected one of {', '.join(kernels) or 'those that the text does not have'}")
    name, block, cluster, *shared, arguments = kernels[kernel] if kernel else next(iter(kernels.values()))
    return PtxKernel(name, text, arguments, block, cluster, *shared, (), ())
