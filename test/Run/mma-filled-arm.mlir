// Sums that are filled in front of a product in an arm of a condition, and in front of the condition: LLVM had the value of the fill in one
// register with a sum, and moved that register while the product was in flight.
// RUN: tile-run %s --passes='tile-build{maps=false}' --schedule=all --arg f16[64x384]=ones --arg f16[384x64]=ones --arg f32[64x64]=zeros \
// RUN:   --arg f32[64x64]=zeros --arg i64=64 --arg i64=128 | FileCheck %s
// CHECK-COUNT-5: schedule
// CHECK: wgmma.mma_async.sync.aligned.m64n64k16

!left = !tile.buffer<64x384xf16, global>
!right = !tile.buffer<384x64xf16, global>
!result = !tile.buffer<64x64xf32, global>
!a = !tile.buffer<64x64xf16, shared, auto>
!b = !tile.buffer<64x64xf16, shared, auto>
!sums = !tile.buffer<64x64xf32, local, #tile.fragment<wgmma.c>>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @k(%A: memref<64x384xf16>, %B: memref<384x64xf16>, %S: memref<64x64xf32>,
      %C: memref<64x64xf32>, %end: index, %period: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<64x384xf16> to !left
    %b = tile.view %B : memref<384x64xf16> to !right
    %s = tile.view %S : memref<64x64xf32> to !result
    %c = tile.view %C : memref<64x64xf32> to !result
    %sa = tile.alloc : !a
    %sb = tile.alloc : !b
    %t0 = tile.alloc : !sums
    tile.fill %zero to %t0 scope(cta) : f32 to !sums
    scf.for %i = %c0 to %end step %c64 {
      tile.copy_async %a[0, %i] [64, 64] to %sa scope(cta) group : !left to !a
      tile.copy_async %b[%i, 0] [64, 64] to %sb scope(cta) group : !right to !b
      tile.copy %t0 to %s scope(cta) : !sums to !result
      %v1 = arith.remui %i, %period : index
      %v2 = arith.cmpi eq, %v1, %c0 : index
      scf.if %v2 {
        tile.fill %zero to %t0 scope(cta) : f32 to !sums
        tile.mma %sa, %sb, %t0 scope(cta) group : !a, !b, !sums
      }
      tile.fill %zero to %t0 scope(cta) : f32 to !sums
      tile.fill %zero to %t0 scope(cta) : f32 to !sums
    } {tile.stages = 4 : i64}
    tile.copy %t0 to %c scope(cta) : !sums to !result
    gpu.return
  }
}
