// Reductions over blocks and warps, and exchanges of lanes, leave the same bits on Vulkan as in the simulator: lanes exchange
// through shared memory, in the order of the shuffles.
// REQUIRES: vulkan
// RUN: split-file %s %t
// RUN: tile-run %t/kernels.mlir --entry sums --grid 2 --arg i64=3 --arg f32[192]=iota --arg f32[192]=poison --arg f16[192]=iota \
// RUN:   --arg f16[192]=poison --arg i32[192]=random --arg i32[192]=poison --write 2=%t/f32.npy --write 4=%t/f16.npy --write 6=%t/i32.npy
// RUN: tile-run %t/kernels.mlir --entry sums --device vulkan --grid 2 --arg i64=3 --arg f32[192]=iota --arg f32[192]=poison --arg f16[192]=iota \
// RUN:   --arg f16[192]=poison --arg i32[192]=random --arg i32[192]=poison --expect 2=%t/f32.npy --expect 4=%t/f16.npy --expect 6=%t/i32.npy \
// RUN:   | FileCheck %s
// RUN: tile-translate %t/kernels.mlir --tile-to-wgsl --kernel=sums -o /dev/null
// RUN: not tile-translate %t/kernels.mlir --tile-to-wgsl --kernel=some 2>&1 | FileCheck %s --check-prefix=SOME

// CHECK: argument 2 holds {{.*}}f32.npy holds
// CHECK: argument 4 holds {{.*}}f16.npy holds
// CHECK: argument 6 holds {{.*}}i32.npy holds
// SOME: error: 'gpu.shuffle' op got a condition around a barrier that differs between threads of the cta

//--- kernels.mlir
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @sums(%n: index, %A: memref<192xf32>, %B: memref<192xf32>, %C: memref<192xf16>, %D: memref<192xf16>, %E: memref<192xi32>,
      %F: memref<192xi32>) kernel attributes {known_block_size = array<i32: 96, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c96 = arith.constant 96 : index
    %one = arith.constant 1 : i32
    %width = arith.constant 32 : i32
    %x = gpu.thread_id x
    %b = gpu.block_id x
    %begin = arith.muli %b, %c96 : index
    %t = arith.addi %begin, %x : index
    %tenth = arith.constant 0.1 : f32
    %a0 = memref.load %A[%t] : memref<192xf32>
    %a = arith.mulf %a0, %tenth : f32
    %s = scf.for %i = %c0 to %n step %c1 iter_args(%y = %a) -> f32 {
      %all = gpu.all_reduce add %y uniform {} : (f32) -> (f32)
      %next = arith.mulf %all, %a : f32
      scf.yield %next : f32
    }
    memref.store %s, %B[%t] : memref<192xf32>
    %small = arith.constant 0.1 : f16
    %d0 = memref.load %C[%t] : memref<192xf16>
    %c = arith.mulf %d0, %small : f16
    %m = gpu.all_reduce add %c uniform {} : (f16) -> (f16)
    memref.store %m, %D[%t] : memref<192xf16>
    %e = memref.load %E[%t] : memref<192xi32>
    %w = gpu.subgroup_reduce maxsi %e uniform : (i32) -> i32
    %o, %valid = gpu.shuffle xor %e, %one, %width : i32
    %f = arith.xori %w, %o : i32
    memref.store %f, %F[%t] : memref<192xi32>
    gpu.return
  }

  gpu.func @some(%A: memref<64xi32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c32 = arith.constant 32 : index
    %one = arith.constant 1 : i32
    %width = arith.constant 32 : i32
    %t = gpu.thread_id x
    %first = arith.cmpi ult, %t, %c32 : index
    scf.if %first {
      %a = memref.load %A[%t] : memref<64xi32>
      %o, %valid = gpu.shuffle xor %a, %one, %width : i32
      memref.store %o, %A[%t] : memref<64xi32>
    }
    gpu.return
  }
}
