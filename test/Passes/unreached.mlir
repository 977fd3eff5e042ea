// A copy that no thread of a block reaches is erased, whatever it requests: a kernel may be written for several block sizes.

// RUN: tile-opt --lower-tile-copy %s --remarks-filter-passed=tile-copy --remark-format=emitRemark 2>&1 | FileCheck %s
// RUN: tile-run %s --entry two_warps --schedule=all --arg f32[64x32]=random --arg f32[64x32]=poison --expect-equal 0,1 \
// RUN:   | FileCheck %s --check-prefix=RAN

// CHECK: remark: [Passed] unreached | Category:tile-copy | Function=two_warps |
// CHECK: remark: [Passed] unreached | Category:tile-copy | Function=asynchronous
// CHECK: remark: [Passed] unreached | Category:tile-copy | Function=asynchronous
// CHECK: remark: [Passed] unreached | Category:tile-copy | Function=asynchronous
// CHECK-NOT: remark: [Passed] unreached

// CHECK-LABEL: gpu.func @asynchronous
// CHECK-NOT: nvvm.cp.async
// CHECK-NOT: copy
// CHECK: gpu.return

// RAN: two_warps: 1x1x1 blocks of 64x1x1 threads

!global = !tile.buffer<64x32xf32, global>
!shared = !tile.buffer<64x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // A third warp would copy the last row; a block of 64 threads has none.
  gpu.func @two_warps(%A: memref<64x32xf32>, %B: memref<64x32xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<64x32xf32> to !global
    %b = tile.view %B : memref<64x32xf32> to !global
    %s = tile.alloc : !shared
    %thread = gpu.thread_id x
    %c64 = arith.constant 64 : index
    %more = arith.cmpi uge, %thread, %c64 : index
    tile.copy %a to %s scope(cta) : !global to !shared
    gpu.barrier
    scf.if %more {
      tile.copy %a[0, 0] [1, 32] to %s[63, 0] [1, 32] scope(warp) {variant = "gmem_smem"} : !global to !shared
    } else {
      tile.copy %s to %b scope(cta) : !shared to !global
    }
    gpu.return
  }

  // The group is not committed, no thread arrives on the barrier, and the requested variant need not accept the copy. An
  // undecidable condition inside does not matter.
  gpu.func @asynchronous(%A: memref<64x32xf32>, %barrier: !llvm.ptr<3>, %flags: memref<64xi1>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<64x32xf32> to !global
    %s = tile.alloc : !shared
    %thread = gpu.thread_id x
    %c96 = arith.constant 96 : index
    %more = arith.cmpi uge, %thread, %c96 : index
    scf.if %more {
      tile.copy_async %a to %s scope(warp) group : !global to !shared
      tile.copy_async %a to %s scope(warp) mbarrier(%barrier : !llvm.ptr<3>) : !global to !shared
      %flag = memref.load %flags[%thread] : memref<64xi1>
      scf.if %flag {
        tile.copy_async %a to %s scope(warp) {variant = "dsmem"} : !global to !shared
      }
    }
    gpu.return
  }
}
