// RUN: tile-opt --tile-align-layouts %s | FileCheck %s
// RUN: tile-opt --tile-align-layouts %s -o /dev/null --remarks-filter=tile-copy --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: tile-opt --tile-align-layouts %s | tile-opt --tile-vectorize-copy --tile-expand-copy | FileCheck %s --check-prefix=OPS
// RUN: tile-run %s --arg f32[64x256]=ones --arg f32[64x64]=poison --schedule=all --expect-unchanged 0 --print 1 --print-all | FileCheck %s --check-prefix=LEFT
// RUN: tile-translate --tile-to-ptx %s | FileCheck %s --check-prefix=PTX

// The next panel of a matrix is prefetched while one is copied: by bulk prefetches where all runs begin at multiples of 16
// bytes, by lines where they do not.

!matrix = !tile.buffer<64x256xf32, global>
!panel = !tile.buffer<64x64xf32, global>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @panels(%A: memref<64x256xf32> {llvm.align = 128 : index}, %B: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 96, 1, 1>} {
    %c1 = arith.constant 1 : index
    %block = gpu.block_id x
    %next = arith.addi %block, %c1 : index
    %c64 = arith.constant 64 : index
    %column = arith.muli %next, %c64 : index
    %a = tile.view %A : memref<64x256xf32> to !matrix
    %b = tile.view %B : memref<64x64xf32> to !panel
    // CHECK: tile.planned_copy %{{.*}}[%{{.*}}] scope(cta) plan<prefetch "bulk_prefetch", threads = 96, bits = 32, src = {layout = (64, 64) : (256, 1), space = global, align = 128, terms
    // REMARK: remark: [Passed] bulk_prefetch | {{.*}} Remark="prefetched by bulk_prefetch: 64 cp.async.bulk.prefetch.L2.global for 16384 bytes in 64 runs, 1 per thread"
    // OPS: arith.cmpi ult, %thread_id_x, %c64
    // OPS: nvvm.cp.async.bulk.prefetch %{{.*}}, %c256_i32
    // PTX: cp.async.bulk.prefetch.L2.global [%rd{{.*}}], %r{{.*}};
    tile.prefetch %a[0, %column] [64, 64] scope(cta) : !matrix
    // CHECK: plan<prefetch "prefetch", threads = 96, bits = 32, src = {layout = (64, 64) : (256, 1), space = global, align = 128, terms
    // REMARK: remark: [Passed] prefetch | {{.*}} Remark="prefetched by prefetch: 128 prefetch.global.L2 for 16384 bytes in 64 runs, 2 per thread"
    // OPS: nvvm.prefetch level = L2
    // PTX: prefetch.global.L2
    %later = arith.addi %column, %c64 : index
    tile.prefetch %a[0, %later] [64, 64] scope(cta) {variant = "prefetch"} : !matrix
    // REMARK: remark: [Missed] offset-not-divisible | {{.*}}Remark="bulk_prefetch declined"
    // REMARK: remark: [Passed] prefetch | {{.*}} Remark="prefetched by prefetch: 128 prefetch.global.L2 for 8192 bytes in 64 runs, 2 per thread"
    // CHECK: plan<prefetch "prefetch", threads = 96, bits = 32, last, src = {layout = (64, 32) : (256, 1) + 1
    tile.prefetch %a[0, 1] [64, 32] scope(cta) : !matrix
    tile.copy %a[0, %column] [64, 64] to %b scope(cta) : !matrix to !panel
    gpu.return
  }
}

// LEFT-COUNT-64: {{^}}1.0{{( 1.0){63}$}}
// LEFT: cp.async.bulk.prefetch.L2.global 2 16384
