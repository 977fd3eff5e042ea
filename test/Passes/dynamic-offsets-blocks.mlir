// RUN: tile-opt --tile-align-layouts --tile-vectorize-copy %s 2>/dev/null | FileCheck %s

// Run-time offsets in a dimension with two iters. Row r of 96 is row r % 3 of block r / 3:
//
//   r = 3 b + c     address = 32 b + 1024 c + column
//
// A region of three rows is one block if its offset is a multiple of 3: its address is then (r floordiv 3) * 32
// elements. With any other offset it is copied element by element.

!blocks = !tile.buffer<96x32xf32, global, #tile.layout<(32, 3, 32) : (32, 1024, 1)>>
!three = !tile.buffer<3x32xf32, shared>
!row = !tile.buffer<1x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // CHECK-LABEL: gpu.func @blocks
  gpu.func @blocks(%A: memref<96x32xf32>, %i: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<96x32xf32> to !blocks
    %s = tile.alloc : !three
    %c3 = arith.constant 3 : index
    %c2 = arith.constant 2 : index
    %c6 = arith.constant 6 : index
    // CHECK: %[[R:.*]] = arith.muli
    // CHECK-NEXT: tile.planned_copy %{{[0-9]+}}[%[[R]]] to {{.*}}plan<vectors "gmem_smem", {{.*}}src = {layout{{.*}}terms = [{value = 0, div = 3, stride = 32{{(, [^}]*)?}}}
    %r = arith.muli %i, %c3 : index
    tile.copy %a[%r, 0] [3, 32] to %s scope(warp) : !blocks to !three
    // CHECK: tile.planned_copy %{{[0-9]+}}[%[[R6:[0-9]+]]] to {{.*}}plan<vectors "gmem_smem", {{.*}}terms = [{value = 0, div = 3, stride = 32{{(, [^}]*)?}}}
    %r6 = arith.muli %i, %c6 : index
    tile.copy %a[%r6, 0] [3, 32] to %s scope(warp) : !blocks to !three
    // CHECK: tile.planned_copy {{.*}}plan<scalar 
    %even = arith.muli %i, %c2 : index
    tile.copy %a[%even, 0] [3, 32] to %s scope(warp) : !blocks to !three
    // CHECK: tile.planned_copy {{.*}}plan<scalar 
    tile.copy %a[%i, 0] [3, 32] to %s scope(warp) : !blocks to !three
    gpu.return
  }

  // One row inside a block: 3 i + 1 is the second row of block i, at 1024 elements plus the term of i.
  // CHECK-LABEL: gpu.func @inside
  gpu.func @inside(%A: memref<96x32xf32>, %i: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<96x32xf32> to !blocks
    %s = tile.alloc : !row
    %c3 = arith.constant 3 : index
    %c1 = arith.constant 1 : index
    %r = arith.muli %i, %c3 : index
    // CHECK: tile.planned_copy %{{[0-9]+}}[%{{[0-9]+}}] to {{.*}}plan<vectors "gmem_smem", {{.*}}src = {layout = {{.*}} + 1024, space = global, {{.*}}terms = [{value = 0, div = 3, stride = 32{{(, [^}]*)?}}}
    %second = arith.addi %r, %c1 : index
    tile.copy %a[%second, 0] [1, 32] to %s scope(warp) : !blocks to !row
    gpu.return
  }

  // Narrow integers wrap at a power of two, which does not preserve multiples of 3 — unless they have a no-wrap flag.
  // CHECK-LABEL: gpu.func @narrow
  gpu.func @narrow(%A: memref<96x32xf32>, %i: i32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<96x32xf32> to !blocks
    %s = tile.alloc : !three
    %c3 = arith.constant 3 : i32
    // CHECK: tile.planned_copy {{.*}}plan<scalar 
    %wraps = arith.muli %i, %c3 : i32
    %index = arith.index_cast %wraps : i32 to index
    tile.copy %a[%index, 0] [3, 32] to %s scope(warp) : !blocks to !three
    // CHECK: tile.planned_copy %{{[0-9]+}}[%{{[0-9]+}}] to {{.*}}plan<vectors "gmem_smem", {{.*}}src = {layout{{.*}}terms = [{value = 0, div = 3, stride = 32{{(, [^}]*)?}}}
    %exact = arith.muli %i, %c3 overflow<nsw> : i32
    %exact_index = arith.index_cast %exact : i32 to index
    tile.copy %a[%exact_index, 0] [3, 32] to %s scope(warp) : !blocks to !three
    // A negative number read as an unsigned one is another multiple.
    // CHECK: tile.planned_copy {{.*}}plan<scalar 
    %unsigned = arith.extui %exact : i32 to i64
    %unsigned_index = arith.index_cast %unsigned : i64 to index
    tile.copy %a[%unsigned_index, 0] [3, 32] to %s scope(warp) : !blocks to !three
    gpu.return
  }

  // Run-time offsets on both sides and in several dimensions: each value has its own term.
  // CHECK-LABEL: gpu.func @both_sides
  // CHECK-SAME: (%{{.*}}: memref<64x64xf32> {llvm.align = 256 : i64}, %[[I:.*]]: index, %[[J:.*]]: index)
  // CHECK: %[[J8:.*]] = arith.muli
  // CHECK: tile.planned_copy %{{[0-9]+}}[%[[I]], %[[J8]]] to %{{[0-9]+}}[%[[J]]] scope({{.*}}plan<vectors "gmem_smem", {{.*}}vector = 4, {{.*}}terms = [{value = 0, stride = 64{{(, [^}]*)?}}}, {value = 1, stride = 1{{(, [^}]*)?}}}]{{.*}}terms = [{value = 0, stride = 32{{(, [^}]*)?}}}]
  gpu.func @both_sides(%A: memref<64x64xf32>, %i: index, %j: index) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<64x64xf32> to !tile.buffer<64x64xf32, global>
    %s = tile.alloc : !tile.buffer<32x32xf32, shared>
    %c8 = arith.constant 8 : index
    %j8 = arith.muli %j, %c8 : index
    tile.copy %a[%i, %j8] [8, 32] to %s[%j, 0] [8, 32] scope(warp)
      : !tile.buffer<64x64xf32, global> to !tile.buffer<32x32xf32, shared>
    gpu.return
  }
}
