// Tile ops in a gpu.launch: which outside values the body may use, and the lowering. test/Run/launch.mlir executes such kernels.

// RUN: split-file %s %t
// RUN: tile-opt %t/lowered.mlir --lower-tile-copy=chip=sm_90a --canonicalize | FileCheck %s --implicit-check-not=tile. --implicit-check-not=memref.global
// RUN: tile-opt %t/lowered.mlir --canonicalize | FileCheck %s --check-prefix=SUNK
// RUN: not tile-opt %t/refused.mlir --lower-tile-copy 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: not tile-opt %t/staged.mlir --tile-expand-copy 2>&1 | FileCheck %s --check-prefix=STAGED

// Views outside a launch are rebuilt inside, with the alignment of arguments; each of two launches has its own shared memory.
// CHECK-LABEL: func.func @two
// CHECK:       gpu.launch
// CHECK-SAME:    workgroup(%[[S:[a-z0-9]+]] : memref<1024xf32, #gpu.address_space<workgroup>>)
// CHECK:       %[[ALIGNED:.*]] = memref.assume_alignment %[[S]], 16
// CHECK:       %[[FROM:.*]] = memref.assume_alignment %arg0, 256
// CHECK:       %[[A:.*]] = memref.reinterpret_cast %[[FROM]]
// CHECK:       vector.load %[[A]]{{.*}} {alignment = 16 : i64}
// CHECK:       vector.store %{{.*}}, %[[ALIGNED]]
// CHECK:       gpu.terminator
// CHECK:       gpu.launch
// CHECK-SAME:    workgroup(%[[S:[a-z0-9]+]] : memref<1024xf32, #gpu.address_space<workgroup>>)
// CHECK:       memref.assume_alignment %[[S]], 16
// CHECK:       %[[FROM:.*]] = memref.assume_alignment %arg0, 256
// CHECK:       memref.reinterpret_cast %[[FROM]]
// CHECK:       gpu.terminator

// SUNK-LABEL:     func.func @two
// SUNK-NOT:         tile.view
// SUNK:             gpu.launch
// SUNK:             tile.view %arg0
// SUNK:             gpu.terminator
// SUNK-NOT:         tile.view
// SUNK:             gpu.launch
// SUNK:             tile.view %arg0

// REFUSED: refused.mlir:11:5: error: 'tile.copy' op uses a tile.alloc outside the gpu.launch, expected it inside: shared memory belongs to a block, registers to a thread
// REFUSED: error: 'tile.copy' op has scope cta, but the function's block size is not known

// A pass on the kernel alone does not change the kernel's arguments.
// RUN: not tile-opt %t/outlined.mlir --pass-pipeline='builtin.module(gpu.module(gpu.func(lower-tile-copy)))' 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: error: 'tile.copy' op uses a buffer that is an argument of the kernel; --canonicalize before --gpu-kernel-outlining takes views into the launch
// RUN: tile-opt %t/outlined.mlir --lower-tile-copy | FileCheck %s --check-prefix=AROUND
// AROUND: gpu.func @kernel(%{{.*}}: !llvm.ptr<1>)

// STAGED: error: 'tile.planned_copy' op uses a tile.alloc outside the gpu.launch

//--- lowered.mlir
!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

func.func @two(%A: memref<32x32xf32>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %a = tile.view %A : memref<32x32xf32> to !global
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%bx = %c32, %by = %c1, %bz = %c1) {
    %s = tile.alloc : !shared
    tile.copy %a to %s scope(cta) : !global to !shared
    tile.copy %s to %a scope(cta) : !shared to !global
    gpu.terminator
  }
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%bx = %c32, %by = %c1, %bz = %c1) {
    %s = tile.alloc : !shared
    tile.copy %a to %s scope(cta) : !global to !shared
    tile.copy %s to %a scope(cta) : !shared to !global
    gpu.terminator
  }
  return
}

//--- refused.mlir
!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

func.func @outside(%A: memref<32x32xf32>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %a = tile.view %A : memref<32x32xf32> to !global
  %s = tile.alloc : !shared
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%bx = %c32, %by = %c1, %bz = %c1) {
    tile.copy %a to %s scope(cta) : !global to !shared
    gpu.terminator
  }
  return
}

func.func @unknown_size(%A: memref<32x32xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  %a = tile.view %A : memref<32x32xf32> to !global
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%bx = %n, %by = %c1, %bz = %c1) {
    %s = tile.alloc : !shared
    tile.copy %a to %s scope(cta) : !global to !shared
    gpu.terminator
  }
  return
}

//--- outlined.mlir
!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

gpu.module @outlined {
  gpu.func @kernel(%a: !global) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %s = tile.alloc : !shared
    tile.copy %a to %s scope(cta) : !global to !shared
    gpu.return
  }
}

//--- staged.mlir
func.func @outside(%A: memref<32x32xf32>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %a = tile.view %A : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
  %s = tile.alloc : !tile.buffer<32x32xf32, shared>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%bx = %c32, %by = %c1, %bz = %c1) {
    tile.planned_copy %a to %s scope(warp)
      plan<vectors "gmem_smem", rounds = 8, threads = 32, vector = 4, bits = 32,
           src = {layout = (8, 32, 4) : (128, 4, 1), space = global, align = 16},
           dst = {layout = (8, 32, 4) : (128, 4, 1), space = shared, align = 16}>
      : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    gpu.terminator
  }
  return
}
