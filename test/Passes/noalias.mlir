// Arguments of a kernel, and globals, may overlap where the kernel or the option says so: accesses through one are then compared
// with those through another. What the kernel states takes precedence.
// RUN: tile-opt %s --tile-check-sync -o /dev/null
// RUN: not tile-opt %s --tile-check-sync=noalias=false -o /dev/null 2>&1 | FileCheck %s --check-prefix=CHECK --implicit-check-not=error:
// RUN: sed -e 's/ kernel attributes {/ kernel attributes {tile.noalias = false, /' %s > %t.stated.mlir
// RUN: not tile-opt %t.stated.mlir --tile-check-sync -o /dev/null 2>&1 | FileCheck %s --check-prefix=CHECK --implicit-check-not=error:
// RUN: not tile-opt %t.stated.mlir --tile-check-sync=noalias=true -o /dev/null 2>&1 | FileCheck %s --check-prefix=CHECK --implicit-check-not=error:
// RUN: sed -e 's/ kernel attributes {/ kernel attributes {tile.noalias = true, /' %s | tile-opt --tile-check-sync=noalias=false -o /dev/null
// RUN: tile-opt %s --tile-insert-sync | FileCheck %s --check-prefix=ALONE
// RUN: tile-opt %s --tile-insert-sync=noalias=false | FileCheck %s --check-prefix=INSERT
// RUN: tile-opt %t.stated.mlir --tile-insert-sync | FileCheck %s --check-prefix=INSERT
// RUN: tile-opt %t.stated.mlir --tile-insert-sync | tile-opt --tile-check-sync -o /dev/null

// RUN: tile-opt %s --tile-print-dependences -o /dev/null 2>&1 | FileCheck %s --check-prefix=ALONE-GRAPH --implicit-check-not=RAW
// RUN: tile-opt %s --tile-print-dependences=noalias=false -o /dev/null 2>&1 | FileCheck %s --check-prefix=GRAPH
// ALONE-GRAPH: digraph "turns"
// GRAPH: digraph "turns"
// GRAPH: RAW{{.*}}missing: gpu.barrier

!global = !tile.buffer<64x64xf32, global>
!rows = !tile.buffer<64x64xf32, local, #tile.layout<(64, 64) : (1@tx, 1)>>
!columns = !tile.buffer<64x64xf32, local, #tile.layout<(64, 64) : (1, 1@tx)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  memref.global @table : memref<64xf32>

  // What is written by rows through %A is read by columns through %B.
  // ALONE-LABEL: gpu.func @turns
  // ALONE-NOT: gpu.barrier
  // INSERT-LABEL: gpu.func @turns
  // INSERT: tile.copy
  // INSERT-NEXT: tile.copy
  // INSERT-NEXT: gpu.barrier
  // INSERT-NEXT: tile.copy
  gpu.func @turns(%A: memref<64x64xf32>, %B: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<64x64xf32> to !global
    %b = tile.view %B : memref<64x64xf32> to !global
    %r = tile.alloc : !rows
    %c = tile.alloc : !columns
    tile.copy %a to %r scope(cta) : !global to !rows
    tile.copy %r to %a scope(cta) : !rows to !global
    // CHECK: :[[@LINE+1]]:{{.*}} error: 'tile.copy' op reads global memory that an earlier operation may write
    tile.copy %b to %c scope(cta) : !global to !columns
    gpu.return
  }

  // A view of an argument is a part of it.
  // ALONE-LABEL: gpu.func @views
  // ALONE: memref.store
  // ALONE-NEXT: memref.load
  // INSERT-LABEL: gpu.func @views
  // INSERT: memref.store
  // INSERT-NEXT: gpu.barrier
  // INSERT-NEXT: memref.load
  gpu.func @views(%A: memref<64xf32>, %B: memref<64xf32>, %x: f32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %base, %offset, %size, %stride = memref.extract_strided_metadata %A : memref<64xf32> -> memref<f32>, index, index, index
    %a = memref.reinterpret_cast %base to offset: [0], sizes: [64], strides: [1] : memref<f32> to memref<64xf32, strided<[1]>>
    memref.store %x, %a[%t] : memref<64xf32, strided<[1]>>
    // CHECK: :[[@LINE+1]]:{{.*}} error: 'memref.load' op reads global memory that an earlier operation may write
    %v = memref.load %B[%t] : memref<64xf32>
    gpu.barrier
    memref.store %v, %a[%t] : memref<64xf32, strided<[1]>>
    gpu.return
  }

  // ALONE-LABEL: gpu.func @globals
  // ALONE: memref.store
  // ALONE-NEXT: memref.load
  // INSERT-LABEL: gpu.func @globals
  // INSERT: memref.store
  // INSERT-NEXT: gpu.barrier
  // INSERT-NEXT: memref.load
  gpu.func @globals(%A: memref<64xf32>, %x: f32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %table = memref.get_global @table : memref<64xf32>
    memref.store %x, %table[%t] : memref<64xf32>
    // CHECK: :[[@LINE+1]]:{{.*}} error: 'memref.load' op reads global memory that an earlier operation may write
    %v = memref.load %A[%t] : memref<64xf32>
    gpu.barrier
    memref.store %v, %table[%t] : memref<64xf32>
    gpu.return
  }
}
