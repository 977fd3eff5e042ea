// A tensor map cannot store a box that starts before its tensor, and may store one that ends behind it: the assertion of
// --tile-insert-bounds-traps, executed.
// RUN: tile-opt %s --tile-insert-bounds-traps --mlir-print-debuginfo -o %t.mlir
// RUN: tile-run %t.mlir --arg f32[16x64]=random --arg f32[8x64]=zeros --arg i64=4 --expect-unchanged 0
// RUN: not tile-run %t.mlir --arg f32[16x64]=random --arg f32[8x64]=zeros --arg i64=-4 2>&1 | FileCheck %s --check-prefix=BEFORE

!result = !tile.buffer<16x64xf32, global>
!tile = !tile.buffer<16x64xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @before(%A: memref<16x64xf32>, %B: memref<8x64xf32>, %row: index) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<16x64xf32> to !result
    %b = tile.view %B : memref<8x64xf32> to !tile.buffer<8x64xf32, global>
    %s = tile.alloc : !tile
    tile.copy %a to %s scope(cta) : !result to !tile
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    // BEFORE: trap: {{.*}}bounds-traps-maps.mlir:[[#@LINE+1]]: tile.copy_async: the destination begins out of bounds in dimension 0, expected 0 or more
    tile.copy_async %s to %b[%row, 0] [16, 64] scope(cta) bulk_group masked {variant = "tma"} : !tile to !tile.buffer<8x64xf32, global>
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }
}
