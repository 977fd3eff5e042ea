// A tensor without elements: loops over none of its boxes end, and masked copies of its boxes are all fill, or store nothing.
// REQUIRES: numpy
// RUN: mkdir -p %t && %python -c 'import numpy; [numpy.save(f"%t/{n}", numpy.full((64, 64), n, "f4")) for n in (7, 15)]; numpy.save("%t/ones", numpy.ones((64, 128), "f2"))'
// RUN: tile-run %s --schedule=all --entry depth --arg f16[64x0]=zeros --arg f32[64x64]=poison --expect 1=%t/7.npy
// RUN: tile-run %s --schedule=all --entry depth --arg f16[0x8]=zeros --arg f32[64x64]=poison --expect 1=%t/7.npy
// RUN: tile-run %s --schedule=all --entry depth --arg f16[64x8]=ones --arg f32[64x64]=poison --expect 1=%t/15.npy
// RUN: tile-run %tile_source/docs/examples/gemm.mlir --chip=sm_90a --schedule=all --grid 2 --arg f16[64x0]=zeros --arg f16[0x128]=zeros --arg f32[128]=ones \
// RUN:   --arg f16[64x128]=poison --expect 3=%t/ones.npy
// RUN: tile-run %tile_source/docs/examples/gemm.mlir --chip=sm_90a --schedule=all --grid 2 --arg f16[0x64]=zeros --arg f16[64x128]=ones --arg f32[128]=ones --arg f16[0x128]=poison
// RUN: tile-run %tile_source/docs/examples/gemm.mlir --chip=sm_90a --schedule=all --grid 2 --arg f16[64x64]=ones --arg f16[64x0]=zeros --arg f32[0]=ones --arg f16[64x0]=poison

!left = !tile.buffer<?x?xf16, global>
!a = !tile.buffer<64x32xf16, shared, auto>
!fa = !tile.buffer<64x32xf16, local, #tile.fragment<mma.m16n8k16.a over (4, 1) warps>>
!fb = !tile.buffer<32x64xf16, local, #tile.fragment<mma.m16n8k16.b over (4, 1) warps>>
!sums = !tile.buffer<64x64xf32, local, #tile.fragment<mma.m16n8k16.c over (4, 1) warps>>
gpu.module @k [#nvvm.target<chip = "sm_90a">] {
  // C = 7 + A x ones, where A has 64 rows and any number of columns, also none.
  gpu.func @depth(%A: memref<?x?xf16>, %C: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0.0 : f16
    %one = arith.constant 1.0 : f16
    %seven = arith.constant 7.0 : f32
    %m = memref.dim %A, %c0 : memref<?x?xf16>
    %depth = memref.dim %A, %c1 : memref<?x?xf16>
    %k = tile.assume %depth divisible_by 8 : index
    %a = tile.view %A extents(%m, %k) strides(%k) : memref<?x?xf16> to !left
    %c = tile.view %C : memref<64x64xf32>
    %sa = tile.alloc : !a
    %fa = tile.alloc : !fa
    %fb = tile.alloc : !fb
    %sums = tile.alloc : !sums
    tile.fill %one to %fb scope(cta) : f16 to !fb
    tile.fill %seven to %sums scope(cta) : f32 to !sums
    scf.for %i = %c0 to %k step %c32 {
      tile.copy_async %a[%c0, %i] [64, 32] to %sa scope(cta) masked fill(%zero : f16) : !left to !a
      tile.copy %sa to %fa scope(cta) : !a to !fa
      tile.mma %fa, %fb, %sums scope(cta) : !fa, !fb, !sums
    } {tile.stages = 3 : i64}
    tile.copy %sums to %c scope(cta) : !sums to !tile.buffer<64x64xf32, global>
    gpu.return
  }
}
