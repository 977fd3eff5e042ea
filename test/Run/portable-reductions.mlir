// Reductions in memory leave the same bits on Vulkan as in the simulator: operators that the languages have, loops of
// compare-and-swap of words and of halves of words, in global and in shared memory, masked.
// REQUIRES: vulkan
// RUN: split-file %s %t
// RUN: tile-run %t/kernels.mlir --entry floats --grid 4 --arg f32[64x64]=iota --arg f32[16x64]=ones --arg f16[64x64]=ones --arg f16[16x64]=zeros \
// RUN:   --write 1=%t/f32.npy --write 3=%t/f16.npy
// RUN: tile-run %t/kernels.mlir --entry floats --device vulkan --chip vulkan1.2-64 --grid 4 --arg f32[64x64]=iota --arg f32[16x64]=ones \
// RUN:   --arg f16[64x64]=ones --arg f16[16x64]=zeros --expect 1=%t/f32.npy --expect 3=%t/f16.npy | FileCheck %s --check-prefix=FLOATS
// RUN: tile-run %t/kernels.mlir --entry extremes --grid 4 --arg i32[64x64]=random --arg i32[16x64]=zeros --arg i32[16x64]=zeros \
// RUN:   --arg i32[16x64]=zeros --arg f32[64x64]=random --arg f32[16x64]=zeros --write 1=%t/min.npy --write 2=%t/umax.npy --write 3=%t/inc.npy \
// RUN:   --write 5=%t/max.npy
// RUN: tile-run %t/kernels.mlir --entry extremes --device vulkan --chip vulkan1.2-64 --grid 4 --arg i32[64x64]=random --arg i32[16x64]=zeros \
// RUN:   --arg i32[16x64]=zeros --arg i32[16x64]=zeros --arg f32[64x64]=random --arg f32[16x64]=zeros --expect 1=%t/min.npy \
// RUN:   --expect 2=%t/umax.npy --expect 3=%t/inc.npy --expect 5=%t/max.npy | FileCheck %s --check-prefix=EXTREMES
// RUN: tile-run %t/kernels.mlir --entry rows --arg bf16[30x64]=ones --arg bf16[30]=zeros --write 1=%t/rows.npy
// RUN: tile-run %t/kernels.mlir --entry rows --device vulkan --chip vulkan1.2-64 --arg bf16[30x64]=ones --arg bf16[30]=zeros \
// RUN:   --expect 1=%t/rows.npy | FileCheck %s --check-prefix=ROWS
// RUN: tile-translate %t/kernels.mlir --tile-to-wgsl --kernel=floats | FileCheck %s --check-prefix=WGSL
// RUN: tile-translate %t/kernels.mlir --tile-to-wgsl --kernel=extremes | FileCheck %s --check-prefix=NATIVE
// RUN: tile-translate %t/kernels.mlir --tile-to-msl --kernel=floats -o /dev/null
// RUN: tile-translate %t/kernels.mlir --tile-to-hlsl --kernel=extremes -o /dev/null
// RUN: not tile-translate %t/kernels.mlir --tile-to-wgsl --kernel=wide 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: not tile-translate %t/kernels.mlir --tile-to-wgsl --kernel=read_back 2>&1 | FileCheck %s --check-prefix=BACK
// RUN: not tile-translate %t/kernels.mlir --tile-to-wgsl --kernel=own 2>&1 | FileCheck %s --check-prefix=OWN

// FLOATS: argument 1 holds {{.*}}f32.npy holds
// FLOATS: argument 3 holds {{.*}}f16.npy holds
// EXTREMES: argument 1 holds {{.*}}min.npy holds
// EXTREMES: argument 2 holds {{.*}}umax.npy holds
// EXTREMES: argument 3 holds {{.*}}inc.npy holds
// EXTREMES: argument 5 holds {{.*}}max.npy holds
// ROWS: argument 1 holds {{.*}}rows.npy holds
// WGSL: atomicCompareExchangeWeak
// NATIVE: atomicMax
// WIDE: kernels.mlir:[[#]]:5: error: 'memref.generic_atomic_rmw' op updates elements of 64 bits atomically, webgpu those of at most 32 (target-lacks-64-bit-atomics)
// BACK: error: 'memref.generic_atomic_rmw' op has no form for webgpu: memref.generic_atomic_rmw; expected {{.*}} (target-lacks-operation)
// OWN: error: 'memref.generic_atomic_rmw' op has no form for webgpu: memref.generic_atomic_rmw; expected {{.*}} (target-lacks-operation)

//--- kernels.mlir
!f32s = !tile.buffer<64x64xf32, global>
!f32 = !tile.buffer<16x64xf32, global>
!f16s = !tile.buffer<64x64xf16, global>
!f16 = !tile.buffer<16x64xf16, global>
!i32s = !tile.buffer<64x64xi32, global>
!i32 = !tile.buffer<16x64xi32, global>
!bf16s = !tile.buffer<30x64xbf16, global>
!sums = !tile.buffer<30x64xbf16, shared, #tile.layout<(30, 64) : (1, 0)>>
!line = !tile.buffer<30x1xbf16, global>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @floats(%A: memref<64x64xf32>, %B: memref<16x64xf32>, %C: memref<64x64xf16>, %D: memref<16x64xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xf32>
    %b = tile.view %B : memref<16x64xf32>
    %c = tile.view %C : memref<64x64xf16>
    %d = tile.view %D : memref<16x64xf16>
    %c16 = arith.constant 16 : index
    %block = gpu.block_id x
    %row = arith.muli %block, %c16 : index
    tile.copy %a[%row, 0] [16, 64] to %b scope(cta) reduce(add) : !f32s to !f32
    tile.copy %c[%row, 0] [16, 64] to %d scope(cta) reduce(add) : !f16s to !f16
    gpu.return
  }

  gpu.func @extremes(%A: memref<64x64xi32>, %B: memref<16x64xi32>, %C: memref<16x64xi32>, %D: memref<16x64xi32>,
      %E: memref<64x64xf32>, %F: memref<16x64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xi32>
    %b = tile.view %B : memref<16x64xi32>
    %c = tile.view %C : memref<16x64xi32>
    %d = tile.view %D : memref<16x64xi32>
    %e = tile.view %E : memref<64x64xf32>
    %f = tile.view %F : memref<16x64xf32>
    %c16 = arith.constant 16 : index
    %block = gpu.block_id x
    %row = arith.muli %block, %c16 : index
    tile.copy %a[%row, 0] [16, 64] to %b scope(cta) reduce(min) : !i32s to !i32
    tile.copy %a[%row, 0] [16, 64] to %c scope(cta) reduce(umax) : !i32s to !i32
    tile.copy %a[%row, 0] [16, 64] to %d scope(cta) reduce(inc) : !i32s to !i32
    tile.copy %e[%row, 0] [16, 64] to %f scope(cta) reduce(max) : !f32s to !f32
    gpu.return
  }

  // The sum of each row, in an element of shared memory.
  gpu.func @rows(%A: memref<30x64xbf16>, %B: memref<30xbf16>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<30x64xbf16>
    %b = tile.view %B : memref<30xbf16> to !line
    %s = tile.alloc : !sums
    %zero = arith.constant 0.0 : bf16
    %first = tile.subview %s[0, 0] [30, 1] : !sums
    tile.fill %zero to %first scope(cta) : bf16 to !tile.buffer<30x1xbf16, shared>
    gpu.barrier
    tile.copy %a to %s scope(cta) reduce(add) : !bf16s to !sums
    gpu.barrier
    tile.copy %first to %b scope(cta) : !tile.buffer<30x1xbf16, shared> to !line
    gpu.return
  }

  gpu.func @wide(%A: memref<64xi64>, %B: memref<64xi64>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<64xi64>
    %b = tile.view %B : memref<64xi64>
    tile.copy %a to %b scope(cta) reduce(add) : !tile.buffer<64xi64, global> to !tile.buffer<64xi64, global>
    gpu.return
  }

  // A counter whose value is used.
  gpu.func @read_back(%A: memref<1xi32>, %B: memref<64xi32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %t = gpu.thread_id x
    %n = memref.generic_atomic_rmw %A[%c0] : memref<1xi32> {
    ^bb0(%old: i32):
      %new = arith.addi %old, %one : i32
      memref.atomic_yield %new : i32
    }
    memref.store %n, %B[%t] : memref<64xi32>
    gpu.return
  }

  // Memory of one thread.
  gpu.func @own(%B: memref<64xi32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %t = gpu.thread_id x
    %own = memref.alloca() : memref<1xi32>
    memref.store %one, %own[%c0] : memref<1xi32>
    %n = memref.generic_atomic_rmw %own[%c0] : memref<1xi32> {
    ^bb0(%old: i32):
      %new = arith.addi %old, %one : i32
      memref.atomic_yield %new : i32
    }
    %m = memref.load %own[%c0] : memref<1xi32>
    memref.store %m, %B[%t] : memref<64xi32>
    gpu.return
  }
}
