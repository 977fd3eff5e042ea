// RUN: tile-opt --tile-align-layouts --tile-vectorize-copy %s | FileCheck %s
// RUN: tile-opt --tile-align-layouts --tile-vectorize-copy='chip=sm_80' %s | FileCheck %s --check-prefix=OLD
// RUN: tile-opt --tile-align-layouts --tile-vectorize-copy %s -o /dev/null --remarks-filter-passed=tile-copy --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: tile-translate --tile-to-ptx %s | FileCheck %s --check-prefix=PTX
// RUN: tile-translate --tile-to-ptx --chip=sm_80 %s | FileCheck %s --check-prefix=PTX80
// RUN: tile-run %s --arg f32[32x32]=ones --arg f32[32x32]=ones --arg f16[8x64]=ones --arg i32[8x64]=ones --arg i32[8]=zeros --grid 4 --schedule=all --print 1 --print 2 --print 4 --print-all | FileCheck %s --check-prefix=LEFT

// Blocks add their tiles to one tile in global memory; f16 elements are reduced in vectors of pairs, i32 elements one by one,
// a whole row into one element.

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>
!halves = !tile.buffer<8x64xf16, global>
!small = !tile.buffer<8x64xf16, shared>
!words = !tile.buffer<8x64xi32, global>
!sums = !tile.buffer<8x64xi32, global, #tile.layout<(8, 64) : (1, 0)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @reduces(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %H: memref<8x64xf16>, %W: memref<8x64xi32>,
                    %S: memref<8xi32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %b = tile.view %B : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    tile.copy %a to %s scope(cta) : !global to !shared
    gpu.barrier
    // CHECK: tile.planned_copy {{.*}} plan<vectors "gmem_smem", rounds = 8, threads = 32, vector = 4, {{.*}}effect = reduced("add {{.*}}"), {{.*}}thread_iters = 
    // OLD: tile.planned_copy {{.*}} plan<vectors "gmem_smem", rounds = 8, threads = 32, vector = 4, {{.*}}accesses = (1, 4), {{.*}}effect = reduced("add {{.*}}")
    // REMARK: remark: [Passed] gmem_smem | {{.*}} Instructions="8 loads of 128 bits and 8 reductions of 128 bits", Reduces=add, Remark="reduced by gmem_smem: 8 loads of 128 bits and 8 reductions of 128 bits per thread"
    // PTX-COUNT-8: red.relaxed.gpu.global.add.v4.f32
    // PTX80: {{red|atom}}.{{.*}}global.add.f32
    tile.copy %s to %b scope(cta) reduce(add) : !shared to !global
    %two = arith.constant 2.0 : f16
    %h = tile.view %H : memref<8x64xf16> to !halves
    %t = tile.alloc : !small
    tile.fill %two to %t scope(cta) : f16 to !small
    gpu.barrier
    // CHECK: tile.planned_copy {{.*}} plan<vectors "gmem_smem", rounds = 2, threads = 32, vector = 8, {{.*}}effect = reduced("max {{.*}}")
    // OLD: tile.planned_copy {{.*}} plan<vectors "gmem_smem", rounds = 2, threads = 32, vector = 8, {{.*}}accesses = (1, 8), {{.*}}effect = reduced("max {{.*}}")
    // PTX-COUNT-2: red.relaxed.gpu.global.max.noftz.v4.f16x2
    // PTX80: atom.relaxed.gpu.global.cas.b16
    tile.copy %t to %h scope(cta) reduce(max) : !small to !halves
    %w = tile.view %W : memref<8x64xi32> to !words
    // The view maps all elements of a row to one address.
    %sums = tile.view %S : memref<8xi32> to !sums
    // CHECK: tile.planned_copy {{.*}} plan<vectors "same_memory", {{.*}}vector = 4, {{.*}}accesses = (1, 4), {{.*}}effect = reduced("add {{.*}}")
    // REMARK: remark: [Passed] same_memory | {{.*}} Narrowed=reduction-width, {{.*}}NarrowedWhy="sm_90a reduces by 32 bits at a time; needed 128"
    // PTX: {{red|atom}}.{{.*}}global.add.{{[us]}}32
    tile.copy %w to %sums scope(cta) reduce(add) : !words to !sums
    gpu.return
  }
}

// LEFT: argument 1, f32[32x32]:
// LEFT-COUNT-32: 5.0 5.0 5.0 5.0
// LEFT: argument 2, f16[8x64]:
// LEFT-COUNT-8: 2.0 2.0 2.0 2.0
// LEFT: argument 4, i32[8]:
// LEFT-NEXT: 256 256 256 256 256 256 256 256
