// A feature that a kernel with copies needs and a portable target lacks is an error at the op, with the name of its cause.
// RUN: split-file %s %t
// RUN: not tile-translate %t/kernels.mlir --tile-to-wgsl --kernel=unknown_block 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not tile-translate %t/kernels.mlir --tile-to-wgsl --kernel=large_block 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: not tile-translate %t/kernels.mlir --tile-to-wgsl --kernel=shared 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: tile-translate %t/kernels.mlir --tile-to-spirv --chip=vulkan1.2-64 --kernel=shared -o /dev/null
// RUN: not tile-translate %t/kernels.mlir --tile-to-wgsl --kernel=doubles 2>&1 | FileCheck %s --check-prefix=DOUBLES
// RUN: tile-translate %t/kernels.mlir --tile-to-spirv --chip=vulkan1.2-64 --kernel=doubles -o /dev/null
// RUN: not tile-translate %t/kernels.mlir --tile-to-wgsl --kernel=large_index 2>&1 | FileCheck %s --check-prefix=INDEX
// RUN: tile-translate %t/kernels.mlir --tile-to-wgsl --kernel=bytes | FileCheck %s --check-prefix=BYTES
// RUN: not tile-translate %t/kernels.mlir --tile-to-wgsl --kernel=calls 2>&1 | FileCheck %s --check-prefix=CALLS
// RUN: not tile-translate %t/kernels.mlir --tile-to-wgsl --kernel=some_threads 2>&1 | FileCheck %s --check-prefix=SOME
// RUN: not tile-translate %t/kernels.mlir --tile-to-spirv --kernel=unproved 2>&1 | FileCheck %s --check-prefix=UNPROVED
// RUN: tile-translate %t/kernels.mlir --tile-to-spirv --kernel=promised -o /dev/null
// RUN: not tile-translate %t/kernels.mlir --tile-to-spirv --kernel=until 2>&1 | FileCheck %s --check-prefix=UNTIL
// RUN: not tile-translate %t/kernels.mlir --tile-to-spirv --chip=vulkan1.2-64 --kernel=function 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: not tile-translate %t/kernels.mlir --tile-to-wgsl --kernel=integer 2>&1 | FileCheck %s --check-prefix=INTEGER
// RUN: not tile-translate %t/kernels.mlir --tile-to-wgsl --kernel=overlap 2>&1 | FileCheck %s --check-prefix=OVERLAP
// RUN: not tile-translate %t/kernels.mlir --tile-to-wgsl --kernel=exchange 2>&1 | FileCheck %s --check-prefix=EXCHANGE
// RUN: not tile-opt %t/kernels.mlir --lower-tile-copy=chip=webgpu -o /dev/null --remarks-filter=.* --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SHUFFLE
// RUN: tile-translate %t/kernels.mlir --tile-to-wgsl --kernel=group | FileCheck %s --check-prefix=GROUP
// RUN: not tile-translate %t/kernels.mlir --tile-to-wgsl --kernel=warps 2>&1 | FileCheck %s --check-prefix=WARPS
// RUN: not tile-translate %t/kernels.mlir --tile-to-wgsl --kernel=other 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not tile-opt %t/scan.mlir --lower-tile-scan=chip=webgpu 2>&1 | FileCheck %s --check-prefix=SCAN

// UNKNOWN: kernels.mlir:6:3: error: 'gpu.func' op webgpu takes kernels of one block size; got none, expected known_block_size (block-size-unknown)
// LARGE: error: 'gpu.func' op got blocks of 512x1x1 threads, webgpu has at most 256, of them 64 in z; vulkan1.3-64-subgroup32 has 512 (block-exceeds-target)
// SHARED: error: 'gpu.func' op needs 16640 bytes of shared memory, webgpu has 16384 (shared-memory-exceeds-target)
// DOUBLES: error: 'arith.addf' op computes with f64, which webgpu does not (target-lacks-64-bit-floats)
// INDEX: error: 'memref.load' op uses index 4294967296; those of webgpu have 32 bits, with their sign (index-beyond-32-bits)
// BYTES: array<atomic<u32>>
// BYTES: atomicAnd(
// BYTES: atomicOr(
// CALLS: error: 'func.call' op has no form for webgpu: func.call; expected {{.*}} (target-lacks-operation)
// SOME: kernels.mlir:[[#]]:{{.*}}error: 'gpu.barrier' op got a condition around a barrier that differs between threads of the cta: 'arith.cmpi' is 1 for thread 0 and 0 for thread 16; expected one value for all of them
// UNPROVED: error: 'gpu.barrier' op got a bound of a loop around a barrier, {{.*}}, that is not known to be the same for all threads of the cta; expected one value for all of them, proved or promised by tile.assume
// UNTIL: error: 'gpu.barrier' op got the condition of a loop around a barrier that differs between threads of the cta
// FUNCTION: error: 'llvm.call_intrinsic' op has no form for vulkan1.2-64: llvm.fma.f64; expected tile copies without NVIDIA's instructions, {{.*}} (target-lacks-operation)
// INTEGER: error: 'gpu.func' op has a value of type i128, for which webgpu has no form; expected {{.*}} (target-lacks-type)
// OVERLAP: error: 'gpu.func' op has arguments that may overlap, tile.noalias = false; the buffers of webgpu are different ones (arguments-overlap)
// EXCHANGE: error: 'tile.copy' op cannot be done by 'shuffle': shuffles lanes of warps; the subgroups of webgpu are not known to be warps
// SHUFFLE: remark: [Missed] target-lacks-shuffles |
// A group is copied at once.
// GROUP: var<workgroup>
// GROUP: fn group(
// WARPS: error: 'nvvm.bar.warp.sync' op has no form for webgpu: nvvm.bar.warp.sync; expected {{.*}} (target-lacks-operation)
// OTHER: error: {{.*}}has neither a scan nor a kernel @other, expected one of @unknown_block, @large_block,
// SCAN: got webgpu, expected one of NVIDIA's chips: tile-translate writes a scan for portable targets

//--- kernels.mlir
!rows = !tile.buffer<32x2xf32, local, #tile.layout<(32, 2) : (1@laneid, 1)>>
!turned = !tile.buffer<32x2xf32, local, #tile.layout<(16, 2, 2) : (2@laneid, 1, 1@laneid)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // The block size is not stated.
  gpu.func @unknown_block(%A: memref<32xf32>) kernel {
    gpu.return
  }
  gpu.func @large_block(%A: memref<32xf32>) kernel attributes {known_block_size = array<i32: 512, 1, 1>} {
    gpu.return
  }
  gpu.func @shared(%A: memref<65x64xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<65x64xf32> to !tile.buffer<65x64xf32, global>
    %s = tile.alloc : !tile.buffer<65x64xf32, shared>
    tile.copy %a to %s scope(cta) : !tile.buffer<65x64xf32, global> to !tile.buffer<65x64xf32, shared>
    gpu.barrier
    tile.copy %s to %a scope(cta) : !tile.buffer<65x64xf32, shared> to !tile.buffer<65x64xf32, global>
    gpu.return
  }
  gpu.func @doubles(%A: memref<32xf64>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %i = gpu.thread_id x
    %a = memref.load %A[%i] : memref<32xf64>
    %sum = arith.addf %a, %a : f64
    memref.store %sum, %A[%i] : memref<32xf64>
    gpu.return
  }
  gpu.func @large_index(%A: memref<32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %i = arith.constant 4294967296 : index
    %a = memref.load %A[%i] : memref<32xf32>
    memref.store %a, %A[%i] : memref<32xf32>
    gpu.return
  }
  gpu.func @bytes(%A: memref<32xi8>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %i = gpu.thread_id x
    %zero = arith.constant 0 : i8
    memref.store %zero, %A[%i] : memref<32xi8>
    gpu.return
  }
  func.func private @wait()
  gpu.func @calls() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    func.call @wait() : () -> ()
    gpu.return
  }
  gpu.func @some_threads() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %i = gpu.thread_id x
    %c16 = arith.constant 16 : index
    %low = arith.cmpi ult, %i, %c16 : index
    scf.if %low {
      gpu.barrier
    }
    gpu.return
  }
  gpu.func @unproved(%A: memref<32xi32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %i = gpu.thread_id x
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %n = memref.load %A[%i] : memref<32xi32>
    scf.for %k = %c0 to %n step %c1 : i32 {
      gpu.barrier
    }
    gpu.return
  }
  gpu.func @promised(%A: memref<32xi32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %i = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = memref.load %A[%i] : memref<32xi32>
    %given = arith.index_cast %a : i32 to index
    %n = tile.assume %given uniform(cta) : index
    scf.for %k = %c0 to %n step %c1 {
      gpu.barrier
    }
    gpu.return
  }
  gpu.func @until() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %i = gpu.thread_id x
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.while : () -> () {
      %goes_on = arith.cmpi ult, %i, %c4 : index
      scf.condition(%goes_on)
    } do {
      gpu.barrier
      scf.yield
    }
    gpu.return
  }
  gpu.func @function(%A: memref<32xf64>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %i = gpu.thread_id x
    %a = memref.load %A[%i] : memref<32xf64>
    %e = math.fma %a, %a, %a : f64
    memref.store %e, %A[%i] : memref<32xf64>
    gpu.return
  }
  gpu.func @integer(%x: i128) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    gpu.return
  }
  gpu.func @overlap(%A: memref<32xf32>, %B: memref<32xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, tile.noalias = false} {
    gpu.return
  }
  gpu.func @exchange(%A: memref<32x2xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x2xf32> to !tile.buffer<32x2xf32, global>
    %r = tile.alloc : !rows
    %t = tile.alloc : !turned
    tile.copy %a to %r scope(warp) : !tile.buffer<32x2xf32, global> to !rows
    tile.copy %r to %t scope(warp) {variant = "shuffle"} : !rows to !turned
    tile.copy %t to %a scope(warp) : !turned to !tile.buffer<32x2xf32, global>
    gpu.return
  }
  gpu.func @group(%A: memref<32x4xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x4xf32> to !tile.buffer<32x4xf32, global>
    %s = tile.alloc : !tile.buffer<32x4xf32, shared>
    tile.copy_async %a to %s scope(warp) group : !tile.buffer<32x4xf32, global> to !tile.buffer<32x4xf32, shared>
    gpu.return
  }
  gpu.func @warps(%A: memref<32xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %all = arith.constant -1 : i32
    nvvm.bar.warp.sync %all : i32
    gpu.return
  }
}
//--- scan.mlir
func.func @host(%x: memref<?xi32>, %y: memref<?xi32>, %w: memref<?xi8>, %epoch: i32) {
  tile.scan @k::@scan inclusive add %x to %y workspace(%w) epoch(%epoch) : memref<?xi32> to memref<?xi32>, memref<?xi8>
  return
}
