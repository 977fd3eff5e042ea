// Sums that are filled while other products are in flight: ptxas waits for none of these (C7517), writes no zeros, since the first product of
// each part ignores its sums, and sees no second wait where the ring ends its iteration, for which it would serialize all (C7514).
// REQUIRES: ptxas
// RUN: tile-translate --tile-to-ptx %s -o %t.ptx
// RUN: ptxas -arch=sm_90a -v %t.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=QUIET --implicit-check-not={{C7[0-9]+}}
// RUN: FileCheck %s --input-file=%t.ptx
// RUN: tile-run %s --schedule=all --arg f16[64x320]=ones --arg f16[320x64]=ones --arg f32[64x64]=poison --print 2 | FileCheck %s --check-prefix=SUMS
// QUIET: Compiling entry function 'parts'
// SUMS: 960

// CHECK:      wgmma.mma_async
// CHECK:      wgmma.commit_group
// CHECK-NOT:  mov.b32
// CHECK:      wgmma.fence
// CHECK:      wgmma.mma_async
// CHECK:      wgmma.wait_group{{.*}} 1
// CHECK-NOT:  wgmma.mma_async
// CHECK:      wgmma.wait_group{{.*}} 0
// CHECK-NOT:  wgmma.wait_group
// CHECK:      mbarrier.try_wait

!s = !tile.buffer<64x64xf16, shared, auto>
!sums = !tile.buffer<64x64xf32, local, #tile.fragment<wgmma.c>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @parts(%A: memref<?x?xf16>, %B: memref<?x?xf16>, %C: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %step = arith.constant 64 : index
    %zero = arith.constant 0.0 : f32
    %two = arith.constant 2.0 : f32
    %end = memref.dim %A, %c1 : memref<?x?xf16>
    %k = tile.assume %end divisible_by 64 : index
    %a = tile.view %A extents(%step, %k) strides(%k) : memref<?x?xf16> to !tile.buffer<?x?xf16, global>
    %b = tile.view %B extents(%k, %step) strides(%step) : memref<?x?xf16> to !tile.buffer<?x?xf16, global>
    %c = tile.view %C : memref<64x64xf32>
    %sa = tile.alloc : !s
    %sb = tile.alloc : !s
    %sums = tile.alloc : !sums
    %p = tile.alloc : !sums
    %q = tile.alloc : !sums
    tile.fill %zero to %sums scope(cta) : f32 to !sums
    scf.for %i = %c0 to %k step %step {
      tile.copy_async %a[0, %i] [64, 64] to %sa scope(cta) : !tile.buffer<?x?xf16, global> to !s
      tile.copy_async %b[%i, 0] [64, 64] to %sb scope(cta) : !tile.buffer<?x?xf16, global> to !s
      tile.fill %zero to %p scope(cta) : f32 to !sums
      tile.mma %sa, %sb, %p scope(cta) group : !s, !s, !sums
      tile.fill %zero to %q scope(cta) : f32 to !sums
      tile.mma %sb, %sa, %q scope(cta) group : !s, !s, !sums
      tile.map %sums, %p to %sums scope(cta) : !sums, !sums to !sums {
      ^bb0(%s: f32, %e: f32):
        %r = math.fma %e, %two, %s : f32
        tile.yield %r : f32
      }
      tile.map %sums, %q to %sums scope(cta) : !sums, !sums to !sums {
      ^bb0(%s: f32, %e: f32):
        %r = arith.addf %e, %s : f32
        tile.yield %r : f32
      }
    } {tile.stages = 4 : i64}
    tile.copy %sums to %c scope(cta) : !sums to !tile.buffer<64x64xf32, global>
    gpu.return
  }
}
