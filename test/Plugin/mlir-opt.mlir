// The dialect and the passes in a stock mlir-opt, which knows neither. Only --pass-pipeline accepts passes of a
// plugin.

// REQUIRES: mlir-opt
// RUN: mlir-opt %s --load-dialect-plugin=%tile_plugin --load-pass-plugin=%tile_plugin \
// RUN:   --pass-pipeline='builtin.module(lower-tile-copy{chip=sm_90a})' | FileCheck %s
// RUN: mlir-opt %s --load-dialect-plugin=%tile_plugin --load-pass-plugin=%tile_plugin \
// RUN:   --pass-pipeline='builtin.module(gpu.module(gpu.func(lower-tile-copy)))' | FileCheck %s

// Run one by one, the stages give the same result as in tile-opt.
// RUN: mlir-opt %s --load-dialect-plugin=%tile_plugin --load-pass-plugin=%tile_plugin \
// RUN:   --pass-pipeline='builtin.module(tile-align-layouts,tile-vectorize-copy)' -o %t.plugin.mlir
// RUN: tile-opt %s --tile-align-layouts --tile-vectorize-copy -o %t.tool.mlir
// RUN: diff %t.tool.mlir %t.plugin.mlir

// The dialect alone reads, verifies and prints.
// RUN: mlir-opt %s --load-dialect-plugin=%tile_plugin | FileCheck %s --check-prefix=ROUND

// Followed by MLIR's own serialization, all the way to PTX.
// RUN: mlir-opt %s --load-dialect-plugin=%tile_plugin --load-pass-plugin=%tile_plugin \
// RUN:   --pass-pipeline='builtin.module(lower-tile-copy,tile-to-nvvm,gpu-module-to-binary{format=isa})' \
// RUN:   | FileCheck %s --check-prefix=BINARY

// A mistake in an option is an error, and the module is not left half lowered.
// RUN: not mlir-opt %s --load-dialect-plugin=%tile_plugin --load-pass-plugin=%tile_plugin \
// RUN:   --pass-pipeline='builtin.module(lower-tile-copy{chip=sm_1})' 2>&1 | FileCheck %s --check-prefix=CHIP

// RUN: not mlir-opt %s --load-dialect-plugin=%tile_plugin --load-pass-plugin=%tile_plugin -lower-tile-copy 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FLAG
// FLAG: Unknown command line argument '-lower-tile-copy'

// CHECK-NOT:      tile.
// CHECK-COUNT-16: vector.{{load|store}}
// CHECK-NOT:      tile.

// ROUND: tile.copy %{{.*}} to %{{.*}} scope(warp)

// BINARY: gpu.binary @kernels [#gpu.object<#nvvm.target<chip = "sm_90a">
// BINARY-SAME: .target sm_90a
// BINARY-SAME: ld.global.{{(nc\.)?}}v4.b32
// BINARY-SAME: st.global.v4.b32

// CHIP-NOT: see current operation
// CHIP: error: in the options of the pass: unknown chip 'sm_1'; known chips: sm_75,

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @round_trip(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %b = tile.view %B : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %s = tile.alloc : !tile.buffer<32x32xf32, shared>
    tile.copy %a to %s scope(warp) : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    gpu.barrier
    tile.copy %s to %b scope(warp) : !tile.buffer<32x32xf32, shared> to !tile.buffer<32x32xf32, global>
    gpu.return
  }
}
