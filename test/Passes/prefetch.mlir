// Prefetches in kernels: they need no order and give none, whatever the pass.
// RUN: tile-opt %s --tile-insert-sync --tile-check-sync | FileCheck %s --check-prefix=SYNC
// RUN: tile-opt %s --tile-check-bounds --tile-insert-bounds-traps | FileCheck %s --check-prefix=TRAPS
// RUN: tile-opt %s --tile-check-bounds -o /dev/null 2>&1 | FileCheck %s --check-prefix=BOUNDS
// RUN: tile-opt %s --tile-inline --symbol-dce | FileCheck %s --check-prefix=INLINE
// RUN: tile-opt %s --tile-pipeline --tile-insert-sync --tile-check-sync | FileCheck %s --check-prefix=RING
// RUN: tile-opt %s --tile-inline --symbol-dce --lower-tile-copy | FileCheck %s --check-prefix=ONE
// RUN: tile-opt %s --tile-inline --symbol-dce --tile-align-layouts --remarks-filter=tile-copy -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: tile-opt %s --tile-build -o /dev/null

!matrix = !tile.buffer<1024x64xf32, global>
!shared = !tile.buffer<32x64xf32, shared>
!columns = !tile.buffer<32x64xf32, local, #tile.layout<(32, 64) : (1, 1@tx)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // Memory is read and written next to prefetches of it.
  // SYNC-LABEL: gpu.func @unordered
  // SYNC:         tile.prefetch
  // SYNC-NEXT:    tile.copy
  // SYNC-NEXT:    tile.prefetch
  // SYNC-NEXT:    gpu.return
  gpu.func @unordered(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32> to !matrix
    %b = tile.view %B : memref<1024x64xf32> to !matrix
    tile.prefetch %b[0, 0] [32, 64] scope(cta) : !matrix
    tile.copy %a[0, 0] [32, 64] to %b[0, 0] [32, 64] scope(cta) : !matrix to !matrix
    tile.prefetch %b[0, 0] [64, 64] scope(warp) : !matrix
    gpu.return
  }

  // A barrier that a prefetch does not need is not inserted either where shared memory needs one.
  // SYNC-LABEL: gpu.func @rows
  // SYNC:         scf.for
  // SYNC-COUNT-2: gpu.barrier
  // SYNC-NOT:     gpu.barrier
  // SYNC:         gpu.return
  // TRAPS-LABEL: gpu.func @rows
  // TRAPS-NOT:     cf.assert
  // TRAPS:         gpu.return
  gpu.func @rows(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32> to !matrix
    %b = tile.view %B : memref<1024x64xf32> to !matrix
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c992 = arith.constant 992 : index
    %s = tile.alloc : !shared
    scf.for %row = %c0 to %c992 step %c32 {
      %next = arith.addi %row, %c32 : index
      tile.prefetch %a[%next, 0] [32, 64] scope(cta) : !matrix
      tile.copy %a[%row, 0] [32, 64] to %s scope(cta) : !matrix to !shared
      %mine = tile.alloc : !columns
      tile.copy %s to %mine scope(cta) : !shared to !columns
      tile.copy %mine to %b[%row, 0] [32, 64] scope(cta) : !columns to !matrix
    }
    gpu.return
  }

  // BOUNDS: warning: is not proved to stay inside its buffer in dimension 0: the source begins at %arg1, expected 0 to 992
  // BOUNDS: note: around the copy, this proves it: %most = {{.*}}scf.if %inside { … }{{$}}
  // TRAPS-LABEL: gpu.func @anywhere
  // TRAPS:         cf.assert
  // TRAPS:         tile.prefetch
  gpu.func @anywhere(%A: memref<1024x64xf32>, %row: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32> to !matrix
    tile.prefetch %a[%row, 0] [32, 64] scope(cta) : !matrix
    gpu.return
  }

  // INLINE-NOT:   func.func
  func.func private @ahead(%m: memref<1024x64xf32>, %row: index) {
    %a = tile.view %m : memref<1024x64xf32> to !matrix
    tile.prefetch %a[%row, 0] [32, 64] scope(cta) : !matrix
    return
  }

  // INLINE-LABEL: gpu.func @calls
  // INLINE:         tile.prefetch %{{.*}}[%{{.*}}, 0] [32, 64] scope(cta)
  gpu.func @calls(%A: memref<1024x64xf32>, %row: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    func.call @ahead(%A, %row) : (memref<1024x64xf32>, index) -> ()
    gpu.return
  }

  // The prefetch stays where it is; the copy is issued ahead.
  // RING-LABEL: gpu.func @ring
  // RING:         tile.alloc {{.*}}: !tile.buffer<2x32x64xf32, shared>
  // RING:         scf.for
  // RING-COUNT-1:   tile.prefetch
  // RING-NOT:       tile.prefetch
  // RING:         gpu.return
  gpu.func @ring(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32> to !matrix
    %b = tile.view %B : memref<1024x64xf32> to !matrix
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c768 = arith.constant 768 : index
    %c256 = arith.constant 256 : index
    %s = tile.alloc : !shared
    scf.for %row = %c0 to %c768 step %c32 {
      %later = arith.addi %row, %c256 : index
      tile.prefetch %a[%later, 0] [32, 64] scope(cta) : !matrix
      tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) group : !matrix to !shared
      tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !shared to !matrix
    } {tile.stages = 2 : i64}
    gpu.return
  }

  // More rounds than are unrolled become a loop; a swizzled tile is dropped.
  // ONE-LABEL: gpu.func @many
  // ONE:         %[[ID:.*]] = gpu.thread_id
  // ONE:         scf.for %{{.*}} = %c0 to %c32 step %c1
  // ONE:           nvvm.prefetch level = L2
  // ONE-NOT:     nvvm
  // ONE:         gpu.return
  // REMARK: remark: [Missed] swizzled-source | {{.*}}Reason="swizzle<base = 3, bits = 3, shift = 3> moves parts of a line; needed a source without a swizzle", Remark="bulk_prefetch declined"
  // REMARK: remark: [Missed] swizzled-source | {{.*}}Remark="prefetch declined"
  // REMARK: remark: [Passed] dropped | {{.*}}Remark="dropped: no instruction prefetches it", Variant=dropped
  gpu.func @many(%A: memref<1024x64xf32> {llvm.align = 128 : index}, %F: memref<512xf16>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32> to !matrix
    tile.prefetch %a scope(cta) {variant = "prefetch"} : !matrix
    %f = tile.view %F : memref<512xf16> to !tile.buffer<8x64xf16, global, #tile.layout<(8, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    tile.prefetch %f scope(warp) : !tile.buffer<8x64xf16, global, #tile.layout<(8, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    gpu.return
  }
}
