// Splits matched copies into rounds, threads and the widest vectors that are proven. tile-vectorize-copy-refused.mlir
// has the copies without such vectors.
// RUN: tile-opt %s --tile-vectorize-copy | FileCheck %s --implicit-check-not='plan<matched'

// Options: the widest vector; the chip (some have 256-bit accesses of global memory); the alignment of arguments.
// RUN: tile-opt %s --tile-vectorize-copy=max-vector-bits=64 | FileCheck %s --check-prefix=NARROW
// RUN: tile-opt %s '--tile-vectorize-copy=chip=sm_100a max-vector-bits=256' | FileCheck %s --check-prefix=WIDE
// RUN: tile-opt %s '--tile-vectorize-copy=max-vector-bits=256' | FileCheck %s --check-prefix=HOPPER
// RUN: sed 's/align = [0-9]*/align = 8/' %s | tile-opt --tile-vectorize-copy=argument-alignment=8 | FileCheck %s --check-prefix=ALIGNMENT

!global = !tile.buffer<32x64xf16, global>
!shared = !tile.buffer<32x64xf16, shared>
!rows = !tile.buffer<32x64xf16, local, #tile.layout<(32, 64) : (1@laneid, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // 2048 elements are 8 for each thread in each of 8 rounds.
  // CHECK-LABEL: gpu.func @memory
  // CHECK: tile.planned_copy %{{.*}} to %{{.*}} scope(warp) plan<vectors "gmem_smem", rounds = 8, threads = 32, vector = 8,{{.*}}src = {layout = (8, 32, 8) : (256, 8, 1), space{{.*}}dst = {layout = (8, 32, 8) : (256, 8, 1), space
  // NARROW: tile.planned_copy {{.*}} plan<vectors "gmem_smem", rounds = 16, threads = 32, vector = 4,
  // WIDE: tile.planned_copy {{.*}} plan<vectors "gmem_smem", rounds = 8, threads = 32, vector = 8,
  // ALIGNMENT: tile.planned_copy {{.*}} plan<vectors "gmem_smem", rounds = 16, threads = 32, vector = 4,
  gpu.func @memory(%A: memref<32x64xf16>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x64xf16> to !global
    %s = tile.alloc : !shared
    tile.planned_copy %a to %s scope(warp)
      plan<matched "gmem_smem", threads = 32, bits = 16,
           src = {layout = (2048) : (1), space = global, align = 16},
           dst = {layout = (2048) : (1), space = shared, align = 16}>
      : !global to !shared
    gpu.return
  }

  // If the leading iters are threads, only each thread's registers are split, and 8 lanes exchange their rows of 128 bytes.
  // CHECK-LABEL: gpu.func @registers
  // CHECK: tile.planned_copy %{{.*}} to %{{.*}} scope(warp) plan<vectors "reg", rounds = 8, threads = 32, vector = 8, {{.*}}thread_iters = 1, {{.*}}exchange = 8,{{.*}}src = {layout = (8, 32, 8) : (8, 64, 1), space{{.*}}dst = {layout = (8, 32, 8) : (8, 1@laneid, 1), space
  // NARROW: tile.planned_copy {{.*}} plan<vectors "reg", rounds = 16, threads = 32, vector = 4,
  // WIDE: tile.planned_copy {{.*}} plan<vectors "reg", rounds = 4, threads = 32, vector = 16,
  // HOPPER: tile.planned_copy {{.*}} plan<vectors "reg", rounds = 8, threads = 32, vector = 8,
  // ALIGNMENT: tile.planned_copy {{.*}} plan<vectors "reg", rounds = 16, threads = 32, vector = 4,
  gpu.func @registers(%A: memref<32x64xf16>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x64xf16> to !global
    %r = tile.alloc : !rows
    tile.planned_copy %a to %r scope(warp)
      plan<matched "reg", threads = 32, thread_iters = 1, bits = 16,
           src = {layout = (32, 64) : (64, 1), space = global, align = 128},
           dst = {layout = (32, 64) : (1@laneid, 1), space = local, align = 32}>
      : !global to !rows
    gpu.return
  }

  // A forced width is used exactly, whatever the options say, or is an error; guards and run-time terms are kept.
  // CHECK-LABEL: gpu.func @forced
  // CHECK: tile.planned_copy %{{.*}}[%{{.*}}] to {{.*}} scope(thread) plan<vectors "vec_32b", rounds = 1, threads = 1, vector = 2, {{.*}}guards = [{div = 1, extent = 2}], cache = {nc}{{.*}}src = {layout = (2) : (1), space{{.*}}terms = [{value = 0, stride = 64{{(, [^}]*)?}}}
  // NARROW: tile.planned_copy {{.*}} plan<vectors "vec_32b", {{.*}}vector = 2,
  gpu.func @forced(%A: memref<32x64xf16>, %i: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x64xf16> to !global
    %s = tile.alloc : !shared
    tile.planned_copy %a[%i] to %s scope(thread)
      plan<matched "vec_32b", threads = 1, bits = 16, forced_bits = 32, guards = [{div = 1, extent = 2}], cache = {nc},
           src = {layout = (2) : (1), space = global, align = 16, terms = [{value = 0, stride = 64}]},
           dst = {layout = (2) : (1), space = shared, align = 16}>
      : !global to !shared
    gpu.return
  }

  // cp.async copies 16, 8 or 4 bytes; its predicate, the fill where that is false, and its prefetch size are kept.
  // CHECK-LABEL: gpu.func @asynchronous
  // CHECK: tile.planned_copy {{.*}}predicate(%{{[^ ]*}}) {{.*}}zero_fill {{.*}}plan<vectors "ldgsts", rounds = 8, threads = 32, vector = 8, {{.*}}cache = {prefetch_size = "L2::128B"}
  // NARROW: tile.planned_copy {{.*}} plan<vectors "ldgsts", rounds = 16, threads = 32, vector = 4,
  // ALIGNMENT: tile.planned_copy {{.*}} plan<vectors "ldgsts", rounds = 16, threads = 32, vector = 4,
  gpu.func @asynchronous(%A: memref<32x64xf16>, %p: i1) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x64xf16> to !global
    %s = tile.alloc : !shared
    tile.planned_copy %a to %s scope(warp) predicate(%p) zero_fill
      plan<matched "ldgsts", threads = 32, bits = 16, cache = {prefetch_size = "L2::128B"},
           src = {layout = (2048) : (1), space = global, align = 16},
           dst = {layout = (2048) : (1), space = shared, align = 16}>
      : !global to !shared
    gpu.return
  }
}
