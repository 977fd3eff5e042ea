// Reductions over warps and blocks: of 32, 64 and 16 bits, of three warps, of a block of two dimensions, in a loop.
// RUN: tile-run %s --entry sums --schedule=all --arg f32[96]=iota --arg f32[96]=poison --arg f64[96]=iota --arg f64[96]=poison \
// RUN:   --print 1 --print 3 | FileCheck %s --check-prefix=SUMS
// RUN: tile-run %s --entry extremes --schedule=all --arg i32[64]=iota --arg i32[64]=poison --print 1 | FileCheck %s --check-prefix=EXTREMES
// RUN: tile-run %s --entry loop --schedule=all --arg i64=3 --arg f16[128]=ones --arg f16[128]=poison --print 2 | FileCheck %s --check-prefix=LOOP
// RUN: tile-run %s --entry loop --schedule=all --delete-sync --arg i64=3 --arg f16[128]=ones --arg f16[128]=poison | FileCheck %s --check-prefix=NEEDED

// SUMS: argument 1, f32[96]:
// SUMS-NEXT: 4560.0 4560.0 {{.*}} 4560.0{{$}}
// SUMS: argument 3, f64[96]:
// SUMS-NEXT: 4560.0 4560.0 {{.*}} 4560.0{{$}}

// The largest number of each warp, 31 and 63, and then the smaller of these.
// EXTREMES: argument 1, i32[64]:
// EXTREMES-NEXT: 31 31 {{.*}} 31{{$}}

// Starting from 1, three times the sum over 128 threads, divided by 128.
// LOOP: argument 2, f16[128]:
// LOOP-NEXT: 1.0 1.0 {{.*}} 1.0{{$}}

// Both barriers are needed: one before the exchange, so that the previous round has been read, and one after it.
// NEEDED: 2 noticed, {{.*}} 0 missed

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @sums(%A: memref<96xf32>, %B: memref<96xf32>, %C: memref<96xf64>, %D: memref<96xf64>) kernel
      attributes {known_block_size = array<i32: 96, 1, 1>} {
    %t = gpu.thread_id x
    %a = memref.load %A[%t] : memref<96xf32>
    %b = gpu.all_reduce add %a uniform {} : (f32) -> (f32)
    memref.store %b, %B[%t] : memref<96xf32>
    %c = memref.load %C[%t] : memref<96xf64>
    %d = gpu.all_reduce add %c uniform {} : (f64) -> (f64)
    memref.store %d, %D[%t] : memref<96xf64>
    gpu.return
  }

  gpu.func @extremes(%A: memref<64xi32>, %B: memref<64xi32>) kernel
      attributes {known_block_size = array<i32: 16, 4, 1>} {
    %c16 = arith.constant 16 : index
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %down = arith.muli %y, %c16 : index
    %t = arith.addi %down, %x : index
    %a = memref.load %A[%t] : memref<64xi32>
    %b = gpu.subgroup_reduce maxsi %a uniform : (i32) -> i32
    %c = gpu.all_reduce minsi %b uniform {} : (i32) -> (i32)
    memref.store %c, %B[%t] : memref<64xi32>
    gpu.return
  }

  gpu.func @loop(%n: index, %A: memref<128xf16>, %B: memref<128xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %part = arith.constant 0.0078125 : f16
    %t = gpu.thread_id x
    %a = memref.load %A[%t] : memref<128xf16>
    %b = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> f16 {
      %s = gpu.all_reduce add %x uniform {} : (f16) -> (f16)
      %y = arith.mulf %s, %part : f16
      scf.yield %y : f16
    }
    memref.store %b, %B[%t] : memref<128xf16>
    gpu.return
  }
}
