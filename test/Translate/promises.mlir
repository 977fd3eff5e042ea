// The first pass that relies on a promise about a kernel's arguments records it on them, and every later tool reads it
// there: an alignment of 4 bytes gives 32-bit accesses in every pipeline. With 256 bytes, LLVM would merge them.

// RUN: split-file %s %t

// One tool after the other; only the first has an option.
// RUN: tile-opt --lower-tile-copy=argument-alignment=4 %t/row.mlir -o %t.lowered.mlir
// RUN: FileCheck %s --check-prefix=PROMISE --input-file=%t.lowered.mlir
// RUN: tile-translate --tile-to-ptx %t.lowered.mlir -o %t.ptx
// RUN: FileCheck %s --check-prefix=NARROW --implicit-check-not=.v4 --input-file=%t.ptx
// RUN: tile-opt --tile-to-nvvm %t.lowered.mlir | tile-translate --tile-to-ptx | diff %t.ptx -
// RUN: tile-opt --tile-prepare-kernels %t.lowered.mlir | tile-translate --tile-to-ptx | diff %t.ptx -

// Each stage in a separate tool; bytecode keeps the promise, too.
// RUN: tile-opt --tile-align-layouts=argument-alignment=4 %t/row.mlir | tile-opt --tile-vectorize-copy \
// RUN:   | tile-opt --tile-expand-copy --emit-bytecode | tile-opt --tile-to-nvvm | tile-translate --tile-to-ptx | diff %t.ptx -

// In a stock mlir-opt, with MLIR's own serialization.
// RUN: %if mlir-opt %{ mlir-opt %t/row.mlir --load-dialect-plugin=%tile_plugin --load-pass-plugin=%tile_plugin \
// RUN:   --pass-pipeline='builtin.module(gpu.module(gpu.func(lower-tile-copy{argument-alignment=4})),tile-to-nvvm,gpu-module-to-binary{format=isa})' \
// RUN:   | FileCheck %s --check-prefix=BINARY --implicit-check-not=.v4 %}

// The argument's own attribute takes precedence over any option; without either, accesses are wide.
// RUN: sed 's/%%A: memref<32x4xf32>/%%A: memref<32x4xf32> {llvm.align = 4 : i64}/; s/%%B: memref<32x4xf32>/%%B: memref<32x4xf32> {llvm.align = 4 : i64}/' \
// RUN:   %t/row.mlir | tile-opt --lower-tile-copy=argument-alignment=128 | tile-translate --tile-to-ptx | diff %t.ptx -
// RUN: tile-translate --tile-to-ptx %t/row.mlir | FileCheck %s --check-prefix=WIDE

// A gpu.launch has no arguments yet: its body records the promise, and the outlined kernel takes it from there.
// RUN: %if mlir-opt %{ mlir-opt %t/launch.mlir --load-dialect-plugin=%tile_plugin --load-pass-plugin=%tile_plugin \
// RUN:   --pass-pipeline='builtin.module(lower-tile-copy{argument-alignment=4},gpu-kernel-outlining)' \
// RUN:   | tile-translate --tile-to-ptx --chip=sm_90a | FileCheck %s --check-prefix=OUTLINED --implicit-check-not=.v4 %}
// OUTLINED: .align 4 main_kernel_param_0
// OUTLINED: .align 4 main_kernel_param_1
// OUTLINED: ld.global.nc.b32

// Narrow or wide, the copy is correct.
// RUN: tile-run %t.ptx --arg f32[32x4]=random --arg f32[32x4]=poison --expect-equal 0,1 | FileCheck %s --check-prefix=RIGHT
// RUN: tile-run %t/row.mlir --arg f32[32x4]=random --arg f32[32x4]=poison --expect-equal 0,1 | FileCheck %s --check-prefix=RIGHT
// RIGHT: argument 1 holds what argument 0 holds

// PROMISE: gpu.func @row(%{{.*}}: memref<32x4xf32> {llvm.align = 4 : i64}, %{{.*}}: memref<32x4xf32> {llvm.align = 4 : i64})
// NARROW:   .align 4 row_param_0
// NARROW-COUNT-4: ld.global.nc.b32
// NARROW-COUNT-4: st.global.b32
// BINARY:   .align 4 row_param_0
// WIDE:     .align 256 row_param_0
// WIDE:     ld.global.nc.v4.b32
// WIDE:     st.global.v4.b32

// The same holds for the promise that arguments do not overlap: every tool respects a kernel that denies it.
// RUN: tile-opt --tile-prepare-kernels=noalias=false %t/overlap.mlir -o %t.prepared.mlir
// RUN: FileCheck %s --check-prefix=DENIED --implicit-check-not=llvm.noalias --input-file=%t.prepared.mlir
// RUN: tile-translate --tile-to-ptx %t.prepared.mlir | FileCheck %s --check-prefix=COHERENT --implicit-check-not=.nc
// RUN: sed 's/kernel {/kernel attributes {tile.noalias = false} {/' %t/overlap.mlir | tile-translate --tile-to-ptx \
// RUN:   | FileCheck %s --check-prefix=COHERENT --implicit-check-not=.nc
// RUN: sed 's/kernel {/kernel attributes {tile.noalias = false} {/' %t/overlap.mlir | tile-opt --tile-to-nvvm \
// RUN:   | FileCheck %s --check-prefix=GONE --implicit-check-not=noalias
// RUN: tile-translate --tile-to-ptx %t/overlap.mlir | FileCheck %s --check-prefix=APART
// RUN: sed 's/kernel {/kernel attributes {tile.noalias = "no"} {/' %t/overlap.mlir | not tile-opt --tile-to-nvvm 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NO-BOOLEAN
// DENIED:   tile.noalias = false
// COHERENT: ld.global.b32
// GONE:     llvm.func @add
// APART:    ld.global.nc.b32
// NO-BOOLEAN: error: 'gpu.func' op has tile.noalias = "no", expected true or false

//--- row.mlir
!global = !tile.buffer<32x4xf32, global>
!rows = !tile.buffer<32x4xf32, local, #tile.layout<(32, 4) : (1@laneid, 1)>>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @row(%A: memref<32x4xf32>, %B: memref<32x4xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x4xf32> to !global
    %b = tile.view %B : memref<32x4xf32> to !global
    %r = tile.alloc : !rows
    tile.copy %a to %r scope(warp) : !global to !rows
    tile.copy %r to %b scope(warp) : !rows to !global
    gpu.return
  }
}

//--- overlap.mlir
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @add(%A: memref<32xf32>, %B: memref<32xf32>) kernel {
    %i = gpu.thread_id x
    %x = memref.load %A[%i] : memref<32xf32>
    memref.store %x, %B[%i] : memref<32xf32>
    gpu.return
  }
}

//--- launch.mlir
module attributes {gpu.container_module} {
  func.func @main(%A: memref<32x4xf32>, %B: memref<32x4xf32>) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %a = tile.view %A : memref<32x4xf32> to !tile.buffer<32x4xf32, global>
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
      %b = tile.view %B : memref<32x4xf32> to !tile.buffer<32x4xf32, global>
      %r = tile.alloc : !tile.buffer<32x4xf32, local, #tile.layout<(32, 4) : (1@laneid, 1)>>
      tile.copy %a to %r scope(warp) : !tile.buffer<32x4xf32, global> to !tile.buffer<32x4xf32, local, #tile.layout<(32, 4) : (1@laneid, 1)>>
      tile.copy %r to %b scope(warp) : !tile.buffer<32x4xf32, local, #tile.layout<(32, 4) : (1@laneid, 1)>> to !tile.buffer<32x4xf32, global>
      gpu.terminator
    }
    return
  }
}
