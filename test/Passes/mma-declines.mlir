// Products that a variant cannot do, and why.
// RUN: tile-opt %s --split-input-file --verify-diagnostics --lower-tile-copy
// RUN: not tile-opt %s --split-input-file --lower-tile-copy --remarks-filter-missed=tile-mma --remark-format=emitRemark 2>&1 | FileCheck %s

// CHECK-DAG: remark: [Missed] depth-not-held | {{.*}}Variant=fma
// CHECK-DAG: remark: [Missed] fragment-too-small | {{.*}}Variant=mma_sync
// CHECK-DAG: remark: [Missed] fragment-mismatch | {{.*}}Variant=mma_sync
// CHECK-DAG: remark: [Missed] scope-not-whole-warps | {{.*}}Variant=mma_sync
// CHECK-DAG: remark: [Missed] not-all-threads-active | {{.*}}Variant=mma_sync
// CHECK-DAG: remark: [Missed] chip-lacks-mma | {{.*}}Variant=mma_sync
// CHECK-DAG: remark: [Missed] types-not-multiplied | {{.*}}Variant=fma
// CHECK-DAG: remark: [Missed] tile-too-large | {{.*}}Variant=fma
// CHECK-DAG: remark: [Missed] too-many-instructions | {{.*}}Variant=fma

!a = !tile.buffer<16x16xf16, local, #tile.layout<(2, 8, 2, 4, 2) : (2, 4@laneid, 4, 1@laneid, 1)>>
!b = !tile.buffer<16x8xf16, local, #tile.layout<(2, 4, 2, 8) : (2, 1@laneid, 1, 4@laneid)>>
!c = !tile.buffer<16x8xf32, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
!small = !tile.buffer<8x8xf16, local, #tile.layout<(8, 4, 2) : (4@laneid, 1@laneid, 1)>>
!small_b = !tile.buffer<8x8xf16, local, #tile.layout<(4, 2, 8) : (1@laneid, 1, 4@laneid)>>
!small_c = !tile.buffer<8x8xf32, local, #tile.layout<(8, 4, 2) : (4@laneid, 1@laneid, 1)>>

gpu.module @layouts [#nvvm.target<chip = "sm_80">] {
  gpu.func @kernel() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.alloc : !a
    %b = tile.alloc : !b
    %c = tile.alloc : !c
    // expected-error @below {{cannot be done by 'fma': threads 0 to 0 hold 4 of 16 depths of a}}
    tile.mma %a, %b, %c scope(warp) {variant = "fma"} : !a, !b, !c
    // expected-error @below {{got variant = "wmma", expected one of tcgen05, wgmma, mma_sync, fma}}
    tile.mma %a, %b, %c scope(warp) {variant = "wmma"} : !a, !b, !c
    %d = tile.alloc : !small
    %e = tile.alloc : !small_b
    %f = tile.alloc : !small_c
    // expected-error @below {{cannot be done by any variant}}
    // expected-note @below {{for other memories only: tcgen05, wgmma}}
    // expected-note @below {{mma_sync declined: m16n8k16: thread 0 holds elements of 1 rows of a product; needed a multiple of 2}}
    // expected-note @below {{fma declined: threads 0 to 0 hold 2 of 8 depths of a}}
    tile.mma %d, %e, %f scope(warp) : !small, !small_b, !small_c
    %rows = tile.alloc : !tile.buffer<16x16xf16, local, #tile.layout<(2, 8, 2, 4, 2) : (2, 1@laneid, 4, 8@laneid, 1)>>
    // expected-error @below {{cannot be done by 'mma_sync': m16n8k16: register 0 of thread 1 holds element (1, 0) of a; the instruction needs (0, 0) there; mma.m16n8k16 takes a in #tile.fragment<mma.m16n8k16.a>, b in #tile.fragment<mma.m16n8k16.b>, c in #tile.fragment<mma.m16n8k16.c>}}
    tile.mma %rows, %b, %c scope(warp) {variant = "mma_sync"}
      : !tile.buffer<16x16xf16, local, #tile.layout<(2, 8, 2, 4, 2) : (2, 1@laneid, 4, 8@laneid, 1)>>, !b, !c
    %one = tile.alloc : !tile.buffer<1x1xf16, local>
    %other = tile.alloc : !tile.buffer<1x1xf16, local>
    %sum = tile.alloc : !tile.buffer<1x1xf32, local>
    // expected-error @below {{cannot be done by 'mma_sync': scope thread; needed a warp or more, whose lanes multiply together}}
    tile.mma %one, %other, %sum scope(thread) {variant = "mma_sync"}
      : !tile.buffer<1x1xf16, local>, !tile.buffer<1x1xf16, local>, !tile.buffer<1x1xf32, local>
    %t = gpu.thread_id x
    %c16 = arith.constant 16 : index
    %first = arith.cmpi ult, %t, %c16 : index
    scf.if %first {
      // expected-error @below {{cannot be done by 'mma_sync': laneid narrowed to [0, 16) vs full [0, 32)}}
      tile.mma %a, %b, %c scope(warp) {variant = "mma_sync"} : !a, !b, !c
    }
    gpu.return
  }
}

// -----

!brain_a = !tile.buffer<16x8xbf16, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
!brain_b = !tile.buffer<8x8xbf16, local, #tile.layout<(4, 2, 8) : (1@laneid, 1, 4@laneid)>>
!c = !tile.buffer<16x8xf32, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
!bytes_a = !tile.buffer<1x4xf8E4M3FN, local>
!bytes_b = !tile.buffer<4x1xf8E4M3FN, local>
!single_a = !tile.buffer<1x4xf32, local>
!single_b = !tile.buffer<4x1xf32, local>
!sum = !tile.buffer<1x1xf32, local>

gpu.module @chips [#nvvm.target<chip = "sm_75">] {
  gpu.func @kernel() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.alloc : !brain_a
    %b = tile.alloc : !brain_b
    %c = tile.alloc : !c
    // expected-error @below {{cannot be done by 'mma_sync': mma.sync needs sm_80 or later; got sm_75}}
    tile.mma %a, %b, %c scope(warp) {variant = "mma_sync"} : !brain_a, !brain_b, !c
    %d = tile.alloc : !bytes_a
    %e = tile.alloc : !bytes_b
    %f = tile.alloc : !sum
    // expected-error @below {{cannot be done by 'fma': f8E4M3FN x f8E4M3FN + f32; needed f16, bf16, f32, f64 or integers}}
    tile.mma %d, %e, %f scope(thread) {variant = "fma"} : !bytes_a, !bytes_b, !sum
    %g = tile.alloc : !single_a
    %h = tile.alloc : !single_b
    // expected-error @below {{cannot be done by 'fma': f32 as tf32; needed elements that are multiplied as they are}}
    tile.mma %g, %h, %f scope(thread) convert(tf32) {variant = "fma"} : !single_a, !single_b, !sum
    // expected-error @below {{cannot be done by 'mma_sync': does not multiply f32 x f32 + f32; needed f16 x f16 + f16 or f32, bf16 x bf16 + f32, tf32 x tf32 + f32, f64 x f64 + f64, f8E4M3FN or f8E5M2 + f32, or signed or unsigned i8 + i32}}
    tile.mma %g, %h, %f scope(thread) {variant = "mma_sync"} : !single_a, !single_b, !sum
    gpu.return
  }
}

// -----

!wide = !tile.buffer<1024x512xf32, local, #tile.layout<(1024, 512) : (1@tx, 1)>>
!tall = !tile.buffer<512x1xf32, local>
!sums = !tile.buffer<1024x1xf32, local, #tile.layout<(1024, 1) : (1@tx, 1)>>
!short = !tile.buffer<1024x1xf32, local, #tile.layout<(1024, 1) : (1@tx, 1)>>
!flat = !tile.buffer<1x2xf32, local>
!far = !tile.buffer<1024x2xf32, local, #tile.layout<(1024, 2) : (1@tx, 4096)>>

gpu.module @large [#nvvm.target<chip = "sm_80">] {
  gpu.func @kernel() kernel attributes {known_block_size = array<i32: 1024, 1, 1>} {
    %a = tile.alloc : !wide
    %b = tile.alloc : !tall
    %c = tile.alloc : !sums
    %short = tile.alloc : !short
    %flat = tile.alloc : !flat
    %far = tile.alloc : !far
    // expected-error @below {{cannot be done by 'fma': a has 524288 elements; at most 262144 are followed}}
    tile.mma %a, %b, %c scope(cta) {variant = "fma"} : !wide, !tall, !sums
    %square = tile.alloc : !tile.buffer<32x32xf32, local>
    %other = tile.alloc : !tile.buffer<32x32xf32, local>
    %sum = tile.alloc : !tile.buffer<32x32xf32, local>
    // expected-error @below {{cannot be done by 'fma': every thread would execute 32768 instructions; at most 16384 are written out}}
    tile.mma %square, %other, %sum scope(thread) {variant = "fma"}
      : !tile.buffer<32x32xf32, local>, !tile.buffer<32x32xf32, local>, !tile.buffer<32x32xf32, local>
    // expected-error @below {{cannot be done by 'fma': c has 4097 registers in each of 1024 threads; at most 4194304 are followed}}
    tile.mma %short, %flat, %far scope(cta) {variant = "fma"} : !short, !flat, !far
    gpu.return
  }
}
