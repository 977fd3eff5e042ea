// A host program launches one kernel on rows of two lengths: the versions that auto-versions makes are in the kernel, so the launch
// does not differ.

// REQUIRES: mlir-runner
// RUN: tile-opt --tile-to-host=auto-versions=4 %s -o %t.mlir --remarks-filter-passed=tile-copy --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: mlir-runner %t.mlir --entry-point-result=i32 --shared-libs=%tile_runtime | FileCheck %s
// REMARK: remark: [Passed] kernel-versioned | {{.*}}divisible_by 4
// REMARK: Instructions="1 load and 1 store of 128 bits"
// REMARK: Instructions="4 loads and 4 stores of 32 bits"
// CHECK: {{^}}0{{$}}

!matrix = !tile.buffer<?x?xf32, global>
!shared = !tile.buffer<1x256xf32, shared>

module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
    gpu.func @copy(%A: memref<?x?xf32>, %B: memref<?x?xf32>) kernel
        attributes {known_block_size = array<i32: 64, 1, 1>} {
      %a = tile.view %A : memref<?x?xf32>
      %b = tile.view %B : memref<?x?xf32>
      %s = tile.alloc : !shared
      %row = gpu.block_id x
      tile.copy %a[%row, 0] [1, 256] to %s scope(cta) masked : !matrix to !shared
      tile.copy %s to %b[%row, 0] [1, 256] scope(cta) masked : !shared to !matrix
      gpu.return
    }
  }

  // Copies a matrix of three rows; the number of elements that are wrong then.
  func.func @wrong(%columns: index) -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c64 = arith.constant 64 : index
    %none = arith.constant 0 : i32
    %A = memref.alloc(%c3, %columns) {alignment = 256} : memref<?x?xf32>
    %B = memref.alloc(%c3, %columns) {alignment = 256} : memref<?x?xf32>
    scf.for %i = %c0 to %c3 step %c1 {
      scf.for %j = %c0 to %columns step %c1 {
        %row = arith.muli %i, %columns : index
        %number = arith.addi %row, %j : index
        %word = arith.index_cast %number : index to i32
        %x = arith.sitofp %word : i32 to f32
        memref.store %x, %A[%i, %j] : memref<?x?xf32>
      }
    }
    %a = memref.cast %A : memref<?x?xf32> to memref<*xf32>
    %b = memref.cast %B : memref<?x?xf32> to memref<*xf32>
    gpu.host_register %a : memref<*xf32>
    gpu.host_register %b : memref<*xf32>
    gpu.launch_func @kernels::@copy blocks in (%c3, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%A : memref<?x?xf32>, %B : memref<?x?xf32>)
    %count = scf.for %i = %c0 to %c3 step %c1 iter_args(%rows = %none) -> i32 {
      %inner = scf.for %j = %c0 to %columns step %c1 iter_args(%count = %rows) -> i32 {
        %from = memref.load %A[%i, %j] : memref<?x?xf32>
        %to = memref.load %B[%i, %j] : memref<?x?xf32>
        %differs = arith.cmpf une, %from, %to : f32
        %one = arith.extui %differs : i1 to i32
        %next = arith.addi %count, %one : i32
        scf.yield %next : i32
      }
      scf.yield %inner : i32
    }
    gpu.host_unregister %a : memref<*xf32>
    gpu.host_unregister %b : memref<*xf32>
    memref.dealloc %A : memref<?x?xf32>
    memref.dealloc %B : memref<?x?xf32>
    return %count : i32
  }

  func.func @main() -> i32 {
    %c252 = arith.constant 252 : index
    %c251 = arith.constant 251 : index
    %wide = func.call @wrong(%c252) : (index) -> i32
    %narrow = func.call @wrong(%c251) : (index) -> i32
    %all = arith.addi %wide, %narrow : i32
    return %all : i32
  }
}
