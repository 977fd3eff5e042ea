// A ring of swizzled stages by hand, in which warps read the stage that is still being copied to: the check finds it, and so does the
// simulator.

// RUN: tile-opt %s --tile-check-sync --verify-diagnostics -o /dev/null
// RUN: not tile-run %s --schedule=all --arg f16[512x64]=random --arg f16[512x64]=zeros 2>&1 | FileCheck %s
// CHECK: error: {{.*(race|uninitialized|not waited for)}}

!matrix = !tile.buffer<512x64xf16, global>
!shared = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!stages = !tile.buffer<3x64x64xf16, shared, #tile.layout<(3, 64, 64) : (4096, 64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!stage = !tile.buffer<1x64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!fragment = !tile.buffer<32x64xf16, local, #tile.layout<(2, 2, 8, 4, 2, 4, 2) : (32, 2, 4@laneid, 8, 4, 1@laneid, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @next(%A: memref<512x64xf16>, %B: memref<512x64xf16>) kernel attributes {tile.order = "by_hand", known_block_size = array<i32: 64, 1, 1>} {  // not in order, on purpose
    %a = tile.view %A : memref<512x64xf16> to !matrix
    %b = tile.view %B : memref<512x64xf16> to !matrix
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %t = gpu.thread_id x
    %w = arith.divui %t, %c32 : index
    %wm = arith.muli %w, %c32 : index
    %s = tile.alloc : !stages
    %f = tile.alloc : !fragment
    scf.for %k = %c0 to %c8 step %c1 {
      %own = arith.remui %k, %c3 : index
      %so = tile.subview %s[%own, 0, 0] [1, 64, 64] : !stages to !stage
      %to = tile.reshape %so : !stage to !shared
      %from = arith.muli %k, %c64 : index
      // expected-note@below {{writes it here}}
      tile.copy_async %a[%from, 0] [64, 64] to %to scope(cta) group : !matrix to !shared
      nvvm.cp.async.wait.group 1
      gpu.barrier
      // expected-error@below {{reads shared memory that an earlier operation writes, and nothing orders the two}}
      // expected-note@below {{this orders them: nvvm.cp.async.wait.group 0}}
      tile.copy %to[%wm, 0] [32, 64] to %f scope(warp) : !shared to !fragment
      tile.copy %f to %b[%wm, 0] [32, 64] scope(warp) : !fragment to !matrix
      gpu.barrier
    }
    nvvm.cp.async.wait.group 0
    gpu.return
  }
}
