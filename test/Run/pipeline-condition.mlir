// Rings through tensor maps beside a condition that only a run-time number decides: behind the ring, and in each iteration. What is under
// it touches no mbarrier, so it does not matter to the phases.
// RUN: tile-run %s --entry behind --schedule=all --arg f16[192x64]=random --arg f16[64x64]=random --arg u64=192 --arg u64=0 | FileCheck %s
// RUN: tile-run %s --entry behind --schedule=all --arg f16[192x64]=random --arg f16[64x64]=random --arg u64=128 --arg u64=1 | FileCheck %s
// RUN: tile-run %s --entry threads --schedule=all --arg f16[192x64]=random --arg f16[64x64]=random --arg u64=192 --arg u64=0 | FileCheck %s
// RUN: tile-run %s --entry inside --schedule=all --arg f16[320x64]=random --arg f16[320x64]=random --arg u64=320 --arg u64=1 | FileCheck %s
// RUN: tile-run %s --entry inside --schedule=all --arg f16[320x64]=random --arg f16[320x64]=random --arg u64=320 --arg u64=2 | FileCheck %s
// RUN: tile-run %s --entry around --schedule=all --arg f16[192x64]=random --arg f16[64x64]=random --arg u64=192 --arg u64=0 | FileCheck %s
// RUN: tile-run %s --entry around --schedule=all --arg f16[192x64]=random --arg f16[64x64]=random --arg u64=192 --arg u64=1
// CHECK: cp.async.bulk.tensor

// The trip count differs from entry to entry.
// RUN: tile-run %s --entry trips --schedule=all --arg f16[192x64]=random --arg f16[64x64]=random --arg u64=3 --arg u64=7 | FileCheck %s
// RUN: tile-opt %s --tile-build -o /dev/null --remarks-filter=tile-copy --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARKS
// REMARKS-DAG: [Passed] tensor-map-chosen {{.*}}Function=trips
// In two loops around, phases are not followed, so the ring is one of cp.async.
// REMARKS-DAG: [Missed] maps-not-proved {{.*}}Function=deeper{{.*}} Reason="the kernel is not known to be right with maps: {{.*}} is in a loop whose trip count may change each time it is entered

!matrix = !tile.buffer<192x64xf16, global>
!long = !tile.buffer<320x64xf16, global>
!out = !tile.buffer<64x64xf16, global>
!shared = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!r = !tile.buffer<64x64xf16, local, #tile.layout<(64, 64) : (1@tx, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @behind(%A: memref<192x64xf16>, %B: memref<64x64xf16>, %rows: index, %more: index) kernel
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

  // In some iterations, the rows that this one has are also exchanged between threads.
  gpu.func @inside(%A: memref<320x64xf16>, %B: memref<320x64xf16>, %rows: index, %period: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<320x64xf16>
    %b = tile.view %B : memref<320x64xf16>
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %o = tile.alloc : !shared
    %r = tile.alloc : !r
    scf.for %row = %c0 to %rows step %c64 {
      %s = tile.alloc : !shared
      tile.copy_async %a[%row, 0] [64, 64] to %s scope(cta) : !long to !shared
      tile.copy %s to %r scope(cta) : !shared to !r
      %tile = arith.divui %row, %c64 : index
      %rest = arith.remui %tile, %period : index
      %now = arith.cmpi eq, %rest, %c0 : index
      scf.if %now {
        tile.copy %r to %o scope(cta) : !r to !shared
        tile.copy %o to %b[%row, 0] [64, 64] scope(cta) : !shared to !long
      }
    } {tile.stages = 3 : i64}
    gpu.return
  }

  // Whether there is a ring is decided at run time: each of the two is followed.
  gpu.func @around(%A: memref<192x64xf16>, %B: memref<64x64xf16>, %rows: index, %more: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<192x64xf16>
    %b = tile.view %B : memref<64x64xf16>
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %r = tile.alloc : !r
    %zero = arith.constant 0.0 : f16
    tile.fill %zero to %r scope(cta) : f16 to !r
    %is = arith.cmpi eq, %more, %c0 : index
    scf.if %is {
      scf.for %row = %c0 to %rows step %c64 {
        %s = tile.alloc : !shared
        tile.copy_async %a[%row, 0] [64, 64] to %s scope(cta) : !matrix to !shared
        tile.copy %s to %r scope(cta) : !shared to !r
      } {tile.stages = 3 : i64}
    }
    tile.copy %r to %b scope(cta) : !r to !out
    gpu.return
  }

  gpu.func @trips(%A: memref<192x64xf16>, %B: memref<64x64xf16>, %rows: index, %tiles: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<192x64xf16>
    %b = tile.view %B : memref<64x64xf16>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %r = tile.alloc : !r
    scf.for %t = %c0 to %tiles step %c1 {
      %end = arith.minui %t, %rows : index
      scf.for %row = %c0 to %end step %c1 {
        %s = tile.alloc : !shared
        tile.copy_async %a[0, 0] [64, 64] to %s scope(cta) : !matrix to !shared
        tile.copy %s to %r scope(cta) : !shared to !r
      } {tile.stages = 3 : i64}
    }
    tile.copy %r to %b scope(cta) : !r to !out
    gpu.return
  }

  gpu.func @deeper(%A: memref<192x64xf16>, %B: memref<64x64xf16>, %rows: index, %tiles: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<192x64xf16>
    %b = tile.view %B : memref<64x64xf16>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %r = tile.alloc : !r
    scf.for %u = %c0 to %tiles step %c1 {
    scf.for %t = %c0 to %tiles step %c1 {
      %end = arith.minui %t, %rows : index
      scf.for %row = %c0 to %end step %c1 {
        %s = tile.alloc : !shared
        tile.copy_async %a[0, 0] [64, 64] to %s scope(cta) : !matrix to !shared
        tile.copy %s to %r scope(cta) : !shared to !r
      } {tile.stages = 3 : i64}
    }
    }
    tile.copy %r to %b scope(cta) : !r to !out
    gpu.return
  }
}
