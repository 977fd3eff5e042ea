"""Running passes on the text of a module."""

from __future__ import annotations

import warnings

from . import _library as lib
from .errors import CompileError, expect


def lower(text: str, pipeline: str = "builtin.module(lower-tile-copy)", *, name: str = "-") -> str:
    """Runs a pipeline on a module, and returns its text; errors refer to the module as `name`.

    >>> import mlir_tile as tile
    >>> text = tile.lower('''
    ... gpu.module @kernels {
    ...   gpu.func @load(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    ...     %a = tile.view %A : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    ...     %s = tile.alloc : !tile.buffer<32x32xf32, shared>
    ...     tile.copy %a to %s scope(warp) : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    ...     gpu.return
    ...   }
    ... }''', "builtin.module(tile-align-layouts{chip=sm_90a})")
    >>> 'plan<matched "gmem_smem",' in text
    True

    Warnings of the compiler become Python warnings; errors are raised as a `CompileError` with their text.
    """
    expect(str, text=text, pipeline=pipeline, name=name)
    library, errors = lib.library(), lib.Errors()
    lowered, warned = [], []
    fine = library.mlirTileLowerText(
        *(lib.StringRef.of(one) for one in (text, name, pipeline)),
        lib.STRING_CALLBACK(lambda one, _: lowered.append(one.text())),
        lib.STRING_CALLBACK(lambda one, _: warned.append(one.text())),
        None,
        errors.handler(),
    )
    if not fine:
        raise CompileError(str(errors))
    for one in warned:
        warnings.warn(one, stacklevel=2)
    return "".join(lowered)
