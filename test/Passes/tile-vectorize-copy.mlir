// Splits matched copies into rounds, threads and the widest vectors that are proven. tile-vectorize-copy-refused.mlir
// has the copies without such vectors.
// RUN: tile-opt %s --tile-vectorize-copy | FileCheck %s --implicit-check-not=tile.matched_copy

// Options: the widest vector; the chip (some have 256-bit accesses of global memory); the alignment of arguments.
// RUN: tile-opt %s --tile-vectorize-copy=max-vector-bits=64 | FileCheck %s --check-prefix=NARROW
// RUN: tile-opt %s '--tile-vectorize-copy=chip=sm_100a max-vector-bits=256' | FileCheck %s --check-prefix=WIDE
// RUN: tile-opt %s '--tile-vectorize-copy=max-vector-bits=256' | FileCheck %s --check-prefix=HOPPER
// RUN: tile-opt %s --tile-vectorize-copy=argument-alignment=8 | FileCheck %s --check-prefix=ALIGNMENT

!global = !tile.buffer<32x64xf16, global>
!shared = !tile.buffer<32x64xf16, shared>
!rows = !tile.buffer<32x64xf16, local, #tile.layout<(32, 64) : (1@laneid, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // 2048 elements are 8 for each thread in each of 8 rounds.
  // CHECK-LABEL: gpu.func @memory
  // CHECK: tile.vector_copy "gmem_smem" %{{.*}} as #tile.layout<(8, 32, 8) : (256, 8, 1)> to %{{.*}} as #tile.layout<(8, 32, 8) : (256, 8, 1)> scope(warp) rounds(8) threads(32) vector(8)
  // NARROW: tile.vector_copy "gmem_smem" {{.*}} rounds(16) threads(32) vector(4)
  // WIDE: tile.vector_copy "gmem_smem" {{.*}} rounds(8) threads(32) vector(8)
  // ALIGNMENT: tile.vector_copy "gmem_smem" {{.*}} rounds(16) threads(32) vector(4)
  gpu.func @memory(%A: memref<32x64xf16>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x64xf16> to !global
    %s = tile.alloc : !shared
    tile.matched_copy "gmem_smem" %a as #tile.layout<(2048) : (1)> to %s as #tile.layout<(2048) : (1)>
      scope(warp) threads(32) : !global to !shared
    gpu.return
  }

  // If the leading iters are threads, only each thread's registers are split, and 8 lanes exchange their rows of 128 bytes.
  // CHECK-LABEL: gpu.func @registers
  // CHECK: tile.vector_copy "reg" %{{.*}} as #tile.layout<(8, 32, 8) : (8, 64, 1)> to %{{.*}} as #tile.layout<(8, 32, 8) : (8, 1@laneid, 1)> scope(warp) rounds(8) threads(32) vector(8) {exchange = 8 : i64, thread_iters = 1 : i64}
  // NARROW: tile.vector_copy "reg" {{.*}} rounds(16) threads(32) vector(4)
  // WIDE: tile.vector_copy "reg" {{.*}} rounds(4) threads(32) vector(16)
  // HOPPER: tile.vector_copy "reg" {{.*}} rounds(8) threads(32) vector(8)
  // ALIGNMENT: tile.vector_copy "reg" {{.*}} rounds(16) threads(32) vector(4)
  gpu.func @registers(%A: memref<32x64xf16>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x64xf16> to !global
    %r = tile.alloc : !rows
    tile.matched_copy "reg" %a as #tile.layout<(32, 64) : (64, 1)> to %r as #tile.layout<(32, 64) : (1@laneid, 1)>
      scope(warp) threads(32) {thread_iters = 1 : i64} : !global to !rows
    gpu.return
  }

  // A forced width is used exactly, whatever the options say, or is an error; guards and run-time terms are kept.
  // CHECK-LABEL: gpu.func @forced
  // CHECK: tile.vector_copy "vec_32b" %{{.*}}[%{{.*}} * 64] as #tile.layout<(2) : (1)> to {{.*}} scope(thread) rounds(1) threads(1) vector(2) {cache = "nc", guards = array<i64: 1, 2>}
  // NARROW: tile.vector_copy "vec_32b" {{.*}} vector(2)
  gpu.func @forced(%A: memref<32x64xf16>, %i: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x64xf16> to !global
    %s = tile.alloc : !shared
    tile.matched_copy "vec_32b" %a[%i * 64] as #tile.layout<(2) : (1)> to %s as #tile.layout<(2) : (1)>
      scope(thread) threads(1) {forced_bits = 32 : i64, cache = "nc", guards = array<i64: 1, 2>} : !global to !shared
    gpu.return
  }

  // cp.async copies 16, 8 or 4 bytes; its predicate, the fill where that is false, and its prefetch size are kept.
  // CHECK-LABEL: gpu.func @asynchronous
  // CHECK: tile.vector_copy "ldgsts" {{.*}} rounds(8) threads(32) vector(8) predicate(%{{[^ ]*}}) {prefetch_size = "L2::128B", {{.*}}zero_fill}
  // NARROW: tile.vector_copy "ldgsts" {{.*}} rounds(16) threads(32) vector(4)
  // ALIGNMENT: tile.vector_copy "ldgsts" {{.*}} rounds(16) threads(32) vector(4)
  gpu.func @asynchronous(%A: memref<32x64xf16>, %p: i1) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x64xf16> to !global
    %s = tile.alloc : !shared
    tile.matched_copy "ldgsts" %a as #tile.layout<(2048) : (1)> to %s as #tile.layout<(2048) : (1)>
      scope(warp) threads(32) predicate(%p) {zero_fill, prefetch_size = "L2::128B"} : !global to !shared
    gpu.return
  }
}
