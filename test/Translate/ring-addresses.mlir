// Addresses in a ring of three swizzled stages, as an expert writes them: what the swizzle does is computed before the loop, the
// stage is added to it, and tiles that lie whole periods of the swizzle apart differ in the offset of the instruction.

// RUN: tile-opt %s --tile-build=lower=false -o %t.mlir
// RUN: tile-translate %t.mlir --tile-to-ptx | FileCheck %s
// RUN: tile-run %t.mlir --schedule=all --arg f16[512x64]=random --arg f16[512x64]=poison --expect-equal 0,1

// CHECK:          $L__BB0_{{[0-9]+}}:
// CHECK:          cp.async.commit_group
// CHECK-NOT:      {{mul|xor|sub|rem|div|mad}}
// CHECK-COUNT-4:  ldmatrix.sync.aligned.m8n8.x4.shared.b16 {{{.*}}}, [%rd{{[0-9]+}}];
// CHECK-NOT:      {{mul|xor|sub|rem|div|mad}}
// CHECK-COUNT-4:  ldmatrix.sync.aligned.m8n8.x4.shared.b16 {{{.*}}}, [%rd{{[0-9]+}}+2048];
// CHECK-NOT:      xor
// CHECK:          ret;

!matrix = !tile.buffer<512x64xf16, global>
!shared = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!fragment = !tile.buffer<32x64xf16, local, #tile.layout<(2, 2, 8, 4, 2, 4, 2) : (32, 2, 4@laneid, 8, 4, 1@laneid, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @rows(%A: memref<512x64xf16>, %B: memref<512x64xf16>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<512x64xf16> to !matrix
    %b = tile.view %B : memref<512x64xf16> to !matrix
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c512 = arith.constant 512 : index
    %t = gpu.thread_id x
    %w = arith.divui %t, %c32 : index
    %wm = arith.muli %w, %c32 : index
    %s = tile.alloc : !shared
    %f = tile.alloc : !fragment
    scf.for %row = %c0 to %c512 step %c64 {
      tile.copy_async %a[%row, 0] [64, 64] to %s scope(cta) group : !matrix to !shared
      tile.copy %s[%wm, 0] [32, 64] to %f scope(warp) : !shared to !fragment
      %mine = arith.addi %row, %wm : index
      tile.copy %f to %b[%mine, 0] [32, 64] scope(warp) : !fragment to !matrix
    } {tile.stages = 3 : i64}
    gpu.return
  }
}
