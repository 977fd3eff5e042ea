// A ring that could go through tensor maps, in a kernel that copies under a condition that only a run-time number decides: phases of
// mbarriers are not followed there, so the ring is one of cp.async.
// RUN: tile-opt %s --tile-build -o /dev/null --remarks-filter-missed=tile-copy --remark-format=emitRemark 2>&1 | FileCheck %s
// CHECK: [Missed] maps-not-proved {{.*}} Reason="the kernel is not known to be right with maps: {{.*}}pipeline-condition.mlir:35:7: 'tile.copy' op is under a condition that is decided only at run time
// RUN: tile-run %s --entry maps --schedule=all --arg f16[192x64]=random --arg f16[64x64]=random --arg u64=192 --arg u64=0 | FileCheck %s --check-prefix=GROUPS
// RUN: tile-run %s --entry maps --schedule=all --arg f16[192x64]=random --arg f16[64x64]=random --arg u64=128 --arg u64=1 | FileCheck %s --check-prefix=GROUPS
// RUN: tile-run %s --entry threads --schedule=all --arg f16[192x64]=random --arg f16[64x64]=random --arg u64=192 --arg u64=0 \
// RUN:   | FileCheck %s --check-prefix=MAPS
// GROUPS-NOT: tensor
// GROUPS: cp.async.cg.shared.global
// MAPS: cp.async.bulk.tensor

!matrix = !tile.buffer<192x64xf16, global>
!out = !tile.buffer<64x64xf16, global>
!shared = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!r = !tile.buffer<64x64xf16, local, #tile.layout<(64, 64) : (1@tx, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @maps(%A: memref<192x64xf16>, %B: memref<64x64xf16>, %rows: index, %more: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<192x64xf16>
    %b = tile.view %B : memref<64x64xf16>
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %o = tile.alloc : !shared
    %r = tile.alloc : !r
    scf.for %row = %c0 to %rows step %c64 {
      %s = tile.alloc : !shared
      tile.copy_async %a[%row, 0] [64, 64] to %s scope(cta) : !matrix to !shared
      tile.copy %s to %r scope(cta) : !shared to !r
    } {tile.stages = 3 : i64}
    tile.copy %r to %o scope(cta) : !r to !shared
    %is = arith.cmpi eq, %more, %c0 : index
    scf.if %is {
      tile.copy %o to %b scope(cta) : !shared to !out
    }
    gpu.return
  }

  // A condition on the thread id is followed.
  gpu.func @threads(%A: memref<192x64xf16>, %B: memref<64x64xf16>, %rows: index, %more: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<192x64xf16>
    %b = tile.view %B : memref<64x64xf16>
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %o = tile.alloc : !shared
    %r = tile.alloc : !r
    %thread = gpu.thread_id x
    scf.for %row = %c0 to %rows step %c64 {
      %s = tile.alloc : !shared
      tile.copy_async %a[%row, 0] [64, 64] to %s scope(cta) : !matrix to !shared
      tile.copy %s to %r scope(cta) : !shared to !r
    } {tile.stages = 3 : i64}
    %is = arith.cmpi ult, %thread, %c32 : index
    tile.copy %r to %o scope(cta) : !r to !shared
    scf.if %is {
      tile.copy %o to %b scope(warp) : !shared to !out
    }
    gpu.return
  }
}
