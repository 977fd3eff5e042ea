// The assertions of --tile-insert-bounds-traps, executed: a row in range is copied; a row out of range traps, and the
// report names the copy. Without the pass, the copy would read beyond the tile.
// RUN: tile-opt %s --tile-insert-bounds-traps --mlir-print-debuginfo -o %t.mlir
// RUN: tile-run %t.mlir --entry rows --arg f32[100x64]=random --arg f32[16x64]=poison --arg i64=84 --expect-unchanged 0
// RUN: not tile-run %t.mlir --entry rows --arg f32[100x64]=random --arg f32[16x64]=poison --arg i64=85 2>&1 | FileCheck %s
// RUN: not tile-run %t.mlir --entry rows --arg f32[100x64]=random --arg f32[16x64]=poison --arg i64=-1 2>&1 | FileCheck %s
// RUN: tile-opt %t.mlir --lower-tile-copy --mlir-print-debuginfo -o %t.lowered.mlir
// RUN: not tile-run %t.lowered.mlir --entry rows --arg f32[100x64]=random --arg f32[16x64]=poison --arg i64=100 2>&1 | FileCheck %s

!matrix = !tile.buffer<100x64xf32, global>
!result = !tile.buffer<16x64xf32, global>
!tile = !tile.buffer<16x64xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @rows(%A: memref<100x64xf32>, %B: memref<16x64xf32>, %row: index) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<100x64xf32> to !matrix
    %b = tile.view %B : memref<16x64xf32> to !result
    %s = tile.alloc : !tile
    // CHECK: trap: {{.*}}bounds-traps.mlir:[[#@LINE+1]]: tile.copy: the source begins out of bounds in dimension 0, expected 0 to 84
    tile.copy %a[%row, 0] [16, 64] to %s[0, 0] [16, 64] scope(warp) : !matrix to !tile
    gpu.barrier
    tile.copy %s to %b scope(warp) : !tile to !result
    gpu.return
  }

  // The extent of the source is known only at run time.
  // RUN: tile-run %t.mlir --entry open --arg f32[100x64]=random --arg i64=20 --arg f32[16x64]=poison --arg i64=4 --expect-unchanged 0
  // RUN: not tile-run %t.mlir --entry open --arg f32[100x64]=random --arg i64=20 --arg f32[16x64]=poison --arg i64=5 2>&1 | FileCheck %s --check-prefix=OPEN
  // RUN: not tile-run %t.mlir --entry open --arg f32[100x64]=random --arg i64=20 --arg f32[16x64]=poison --arg i64=-1 2>&1 | FileCheck %s --check-prefix=OPEN
  // RUN: not tile-run %t.mlir --entry open --arg f32[100x64]=random --arg i64=8 --arg f32[16x64]=poison --arg i64=0 2>&1 | FileCheck %s --check-prefix=OPEN
  gpu.func @open(%A: memref<?x64xf32>, %B: memref<16x64xf32>, %row: index) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<?x64xf32> to !tile.buffer<?x64xf32, global>
    %b = tile.view %B : memref<16x64xf32> to !result
    %s = tile.alloc : !tile
    // OPEN: trap: {{.*}}bounds-traps.mlir:[[#@LINE+1]]: tile.copy: the source begins out of bounds in dimension 0, expected 0 to its extent less 16
    tile.copy %a[%row, 0] [16, 64] to %s[0, 0] [16, 64] scope(warp) : !tile.buffer<?x64xf32, global> to !tile
    gpu.barrier
    tile.copy %s to %b scope(warp) : !tile to !result
    gpu.return
  }
}
