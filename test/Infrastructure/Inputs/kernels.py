#!/usr/bin/env python3
"""Prints a module with MODULES gpu.modules of KERNELS kernels each, all with different copies: kernels.py MODULES KERNELS"""

import sys

modules, kernels = map(int, sys.argv[1:])
for m in range(modules):
    print(f"gpu.module @kernels{m} {{")
    for k in range(kernels):
        rows, warps = 8 * (1 + k), 1 + (m + k) % 4
        print(f"""  gpu.func @copy{m * kernels + k}(%A: memref<{rows}x64xf16>, %B: memref<{rows}x64xf16>, %i: index) kernel
      attributes {{known_block_size = array<i32: {32 * warps}, 1, 1>}} {{
    %a = tile.view %A : memref<{rows}x64xf16> to !tile.buffer<{rows}x64xf16, global>
    %b = tile.view %B : memref<{rows}x64xf16> to !tile.buffer<{rows}x64xf16, global>
    %s = tile.alloc : !tile.buffer<{rows}x64xf16, shared, #tile.layout<({rows}, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    tile.copy %a to %s scope(cta)
      : !tile.buffer<{rows}x64xf16, global> to !tile.buffer<{rows}x64xf16, shared, #tile.layout<({rows}, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    gpu.barrier
    tile.copy %s[0, 0] [8, 64] to %b[%i, 0] [8, 64] scope(cta) masked
      : !tile.buffer<{rows}x64xf16, shared, #tile.layout<({rows}, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>> to !tile.buffer<{rows}x64xf16, global>
    gpu.return
  }}""")
    print("}")
