// Every reason for which bulk_prefetch and prefetch decline a prefetch that the verifier accepts. The next variant takes it:
// prefetch, and for what that declines, too, dropped.

// RUN: tile-opt %s --tile-align-layouts -o /dev/null --remarks-filter=tile-copy --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=remark:
// RUN: tile-opt %s --tile-align-layouts --tile-expand-copy --canonicalize | FileCheck %s --check-prefix=LEFT
// RUN: sed 's/\[#nvvm.*"sm_90a">\]//' %s | tile-opt --tile-align-layouts=chip=sm_80 -o /dev/null --remarks-filter=tile-copy \
// RUN:   --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: sed 's/\[#nvvm.*"sm_90a">\]//' %s | tile-opt --tile-to-portable=chip=webgpu -o /dev/null --remarks-filter=tile-copy \
// RUN:   --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=PORTABLE

!matrix = !tile.buffer<64x256xf32, global>
!columns = !tile.buffer<60xf32, global>
!padded = !tile.buffer<64x64xf32, global, #tile.layout<(64, 64) : (66, 1)>>
!swizzled = !tile.buffer<64x64xf32, global, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!blocks = !tile.buffer<64x64xf32, global, #tile.layout<(4, 16, 64) : (2048, 64, 1)>>
!open = !tile.buffer<?x64xf32, global, #tile.layout<(?, 64) : (?, 1)>>
!large = !tile.buffer<1048576x512xf32, global>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @declines(%A: memref<64x256xf32>, %C: memref<60xf32> {llvm.align = 4 : index}, %P: memref<4224xf32>,
      %S: memref<4096xf32>, %F: memref<8192xf32>, %O: memref<?x64xf32, strided<[?, 1]>>, %L: memref<1048576x512xf32>,
      %i: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<64x256xf32> to !matrix
    // OLD: remark: [Missed] chip-lacks-bulk-copy | {{.*}}Reason="a bulk prefetch needs sm_90 or later; got sm_80", Remark="bulk_prefetch declined"
    // OLD: remark: [Passed] prefetch |
    // PORTABLE: remark: [Missed] chip-lacks-bulk-copy |
    // PORTABLE: remark: [Missed] chip-lacks-prefetch | {{.*}}Reason="a prefetch needs an NVIDIA chip; got webgpu", Remark="prefetch declined"
    // PORTABLE: remark: [Passed] dropped | {{.*}}Remark="dropped: no instruction prefetches it"
    // CHECK: remark: [Missed] chunk-not-16-bytes | {{.*}}Reason="chunk_bytes=20, contiguous; needed 16 or a multiple"
    // CHECK: remark: [Passed] prefetch |
    tile.prefetch %a[0, 0] [64, 5] scope(cta) : !matrix
    // CHECK: remark: [Missed] offset-not-divisible |
    // CHECK: remark: [Passed] prefetch |
    tile.prefetch %a[0, 6] [64, 64] scope(cta) : !matrix
    // CHECK: remark: [Missed] dynamic-begin-not-divisible | {{.*}}tile.assume … divisible_by 4 would promise it
    // CHECK: remark: [Passed] prefetch |
    tile.prefetch %a[0, %i] [64, 64] scope(cta) : !matrix
    %c = tile.view %C : memref<60xf32> to !columns
    // CHECK: remark: [Missed] storage-alignment | {{.*}}llvm.align = 16 on the memory would promise it
    // CHECK: remark: [Passed] prefetch |
    tile.prefetch %c scope(cta) : !columns
    %p = tile.view %P : memref<4224xf32> to !padded
    // CHECK: remark: [Missed] stride-not-divisible |
    // CHECK: remark: [Passed] prefetch |
    tile.prefetch %p scope(cta) : !padded
    %o = tile.view %O : memref<?x64xf32, strided<[?, 1]>> to !open
    // CHECK: remark: [Missed] run-time-stride-not-divisible |
    // CHECK: remark: [Passed] prefetch |
    tile.prefetch %o[0, 0] [16, 64] scope(cta) : !open
    %l = tile.view %L : memref<1048576x512xf32> to !large
    // CHECK: remark: [Missed] too-many-bytes | {{.*}}Reason="chunk_bytes=2147483648, contiguous; needed 2147483632 at most, a size of 32 bits"
    // CHECK: remark: [Passed] prefetch | {{.*}}Instructions="16777216 prefetch.global.L2"
    tile.prefetch %l scope(cta) : !large
    %s = tile.view %S : memref<4096xf32> to !swizzled
    // CHECK: remark: [Missed] swizzled-source | {{.*}}Reason="swizzle<base = 3, bits = 3, shift = 3> moves parts of a line; needed a source without a swizzle", Remark="bulk_prefetch declined"
    // CHECK: remark: [Missed] swizzled-source | {{.*}}Remark="prefetch declined"
    // CHECK: remark: [Passed] dropped |
    tile.prefetch %s scope(cta) : !swizzled
    %f = tile.view %F : memref<8192xf32> to !blocks
    // CHECK: remark: [Missed] region-not-sliceable | {{.*}}Remark="bulk_prefetch declined"
    // CHECK: remark: [Missed] region-not-sliceable | {{.*}}Remark="prefetch declined"
    // CHECK: remark: [Passed] dropped |
    tile.prefetch %f[8, 0] [17, 64] scope(cta) : !blocks
    %thread = gpu.thread_id x
    %square = arith.muli %thread, %thread : index
    %some = arith.cmpi ult, %square, %i : index
    scf.if %some {
      // CHECK: remark: [Missed] active-unknown | {{.*}}Remark="bulk_prefetch declined"
      // CHECK: remark: [Missed] active-unknown | {{.*}}Remark="prefetch declined"
      // CHECK: remark: [Passed] dropped |
      tile.prefetch %a scope(cta) : !matrix
    }
    // Threads 0, 5 and 6: no formula computes ranks for these.
    %c0 = arith.constant 0 : index
    %c5 = arith.constant 5 : index
    %c6 = arith.constant 6 : index
    %is_0 = arith.cmpi eq, %thread, %c0 : index
    %is_5 = arith.cmpi eq, %thread, %c5 : index
    %is_6 = arith.cmpi eq, %thread, %c6 : index
    %two = arith.ori %is_0, %is_5 : i1
    %few = arith.ori %two, %is_6 : i1
    scf.if %few {
      // CHECK: remark: [Missed] not-all-threads-active | {{.*}}Remark="bulk_prefetch declined"
      // CHECK: remark: [Missed] not-all-threads-active | {{.*}}Remark="prefetch declined"
      // CHECK: remark: [Passed] dropped |
      tile.prefetch %a scope(cta) : !matrix
    }
    gpu.return
  }
}

// What is dropped leaves nothing behind.
// LEFT:     gpu.func @declines
// LEFT-NOT: tile.planned_copy
// LEFT-NOT: bulk.prefetch
// LEFT:     gpu.return
