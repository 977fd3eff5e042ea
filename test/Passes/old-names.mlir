// Passes are accepted under their old names, with all their options.
// RUN: tile-opt %s --tile-align-layouts='chip=sm_100a max-vector-bits=32 variants=reg,gmem_smem argument-alignment=4' -o %t.new.mlir
// RUN: tile-opt %s --tile-align-copy='chip=sm_100a max-vector-bits=32 variants=reg,gmem_smem argument-alignment=4' -o %t.old.mlir
// RUN: diff %t.new.mlir %t.old.mlir
// RUN: FileCheck %s < %t.old.mlir
// RUN: tile-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(tile-align-copy{max-vector-bits=32 argument-alignment=4})))' \
// RUN:   -o %t.nested.mlir
// RUN: tile-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(tile-align-layouts{max-vector-bits=32 argument-alignment=4})))' \
// RUN:   | diff - %t.nested.mlir
// RUN: not tile-opt %s --tile-align-copy=chip=sm_1 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not tile-opt %s --tile-align-copy=wide=1 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: tile-opt --help | FileCheck %s --check-prefix=HELP
// RUN: %if mlir-opt %{ mlir-opt %s --load-dialect-plugin=%tile_plugin --load-pass-plugin=%tile_plugin -o %t.plugin.mlir \
// RUN:   --pass-pipeline='builtin.module(tile-align-copy{chip=sm_100a max-vector-bits=32 variants=reg,gmem_smem argument-alignment=4})' %}
// RUN: %if mlir-opt %{ diff %t.new.mlir %t.plugin.mlir %}

// CHECK:     gpu.module @kernels [#nvvm.target<chip = "sm_100a">]
// CHECK:     llvm.align = 4
// CHECK:     tile.matched_copy "gmem_smem"

// CHIP: error: in the options of the pass: unknown chip 'sm_1'; known chips: sm_75,
// OPTION: no such option wide
// HELP: --tile-align-copy {{ *}}- {{ *}}Old name of --tile-align-layouts

gpu.module @kernels {
  gpu.func @load(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %s = tile.alloc : !tile.buffer<32x32xf32, shared>
    tile.copy %a to %s scope(warp) : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    gpu.return
  }
}
