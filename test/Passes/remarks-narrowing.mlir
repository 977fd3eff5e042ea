// RUN: tile-opt --lower-tile-copy %s -o /dev/null --remarks-filter-passed=tile-copy --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=remark: --implicit-check-not=Narrowed

// The passed remark of a copy that does not use the widest vectors says which operand prevents the next wider ones,
// as a name for programs and in words: what was proven, and what was needed. All elements here are f32, 32 bits.

!tile = !tile.buffer<8x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @operands(%A: memref<64x64xf32>, %P: memref<8x32xf32, strided<[33, 1]>>,
                     %Q: memref<8x32xf32, strided<[34, 1]>>, %R: memref<8x32xf32> {llvm.align = 8 : i64},
                     %T: memref<32x8xf32>, %o: index, %U: memref<?x?xf32, strided<[?, 1]>>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<64x64xf32> to !tile.buffer<64x64xf32, global>
    %p = tile.view %P : memref<8x32xf32, strided<[33, 1]>>
      to !tile.buffer<8x32xf32, global, #tile.layout<(8, 32) : (33, 1)>>
    %q = tile.view %Q : memref<8x32xf32, strided<[34, 1]>>
      to !tile.buffer<8x32xf32, global, #tile.layout<(8, 32) : (34, 1)>>
    %r = tile.view %R : memref<8x32xf32> to !tile.buffer<8x32xf32, global>
    %t = tile.view %T : memref<32x8xf32> to !tile.buffer<32x8xf32, global>
    %s = tile.alloc : !tile
    %padded = tile.alloc : !tile.buffer<8x32xf32, shared, #tile.layout<(8, 32) : (33, 1)>>
    %swizzled = tile.alloc : !tile.buffer<8x32xf32, shared, #tile.layout<(8, 32) : (32, 1), swizzle<base = 1, bits = 3, shift = 3>>>
    %columns = tile.alloc : !tile.buffer<32x8xf32, shared, #tile.layout<(32, 8) : (1, 32)>>
    %c6 = arith.constant 6 : index
    %o6 = arith.muli %o, %c6 : index

    // The widest vectors: no such remark.
    // CHECK: :[[#@LINE+1]]:5: remark: [Passed] gmem_smem {{.*}} Remark="{{.*}} gmem_smem: 2 {{.*}} 2 {{.*}} 128 {{.*}}", {{.*}} VectorBits=128
    tile.copy %a[0, 0] [8, 32] to %s scope(warp) : !tile.buffer<64x64xf32, global> to !tile

    // Rows 33 elements apart: every second row starts at an odd element.
    // CHECK: :[[#@LINE+3]]:5: remark: [Passed] gmem_smem
    // CHECK-SAME: Narrowed=stride-not-divisible, NarrowedWhy="{{[^"]*}} source: 2 {{[^"]*}} 8:33 {{[^"]*}} 2, {{[^"]*}} 33;
    // CHECK-SAME: Remark="{{.*}} gmem_smem: 8 {{.*}} 8 {{.*}} 32 {{.*}} thread; 64 {{.*}}", {{.*}} VectorBits=32
    tile.copy %p to %s scope(warp) : !tile.buffer<8x32xf32, global, #tile.layout<(8, 32) : (33, 1)>> to !tile
    // CHECK: :[[#@LINE+3]]:5: remark: [Passed] gmem_smem
    // CHECK-SAME: Narrowed=stride-not-divisible, NarrowedWhy="{{[^"]*}} destination: 2 {{[^"]*}} 8:33 {{[^"]*}} 2, {{[^"]*}} 33;
    // CHECK-SAME: 64 bits are too wide"
    tile.copy %a[0, 0] [8, 32] to %padded scope(warp)
      : !tile.buffer<64x64xf32, global> to !tile.buffer<8x32xf32, shared, #tile.layout<(8, 32) : (33, 1)>>
    // 34 elements apart: two at a time.
    // CHECK: :[[#@LINE+3]]:5: remark: [Passed] gmem_smem
    // CHECK-SAME: Narrowed=stride-not-divisible, NarrowedWhy="{{[^"]*}} source: 4 {{[^"]*}} 8:34 {{[^"]*}} 4, {{[^"]*}} 34;
    // CHECK-SAME: 128 bits are too wide", {{.*}} VectorBits=64
    tile.copy %q to %s scope(warp) : !tile.buffer<8x32xf32, global, #tile.layout<(8, 32) : (34, 1)>> to !tile

    // Rows with a run-time stride, first with nothing known about it, then with a stride that is a multiple of two.
    %open = tile.view %U : memref<?x?xf32, strided<[?, 1]>> to !tile.buffer<?x?xf32, global>
    // CHECK: :[[#@LINE+3]]:5: remark: [Passed] gmem_smem
    // CHECK-SAME: Narrowed=run-time-stride-not-divisible, NarrowedWhy="{{[^"]*}} source {{[^"]*}} s0, {{[^"]*}} 1; {{[^"]*}} 2, {{[^"]*}} divisible_by 2 {{[^"]*}}"
    // CHECK-SAME: 64 bits are too wide", {{.*}} VectorBits=32
    tile.copy %open[8, 0] [8, 32] to %s scope(warp) : !tile.buffer<?x?xf32, global> to !tile
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %U
      : memref<?x?xf32, strided<[?, 1]>> -> memref<f32>, index, index, index, index, index
    %ld = tile.assume %strides#0 divisible_by 2 : index
    %even = tile.view %U strides(%ld) : memref<?x?xf32, strided<[?, 1]>> to !tile.buffer<?x?xf32, global>
    // CHECK: :[[#@LINE+3]]:5: remark: [Passed] gmem_smem
    // CHECK-SAME: Narrowed=run-time-stride-not-divisible, NarrowedWhy="{{[^"]*}} source {{[^"]*}} s0, {{[^"]*}} 2; {{[^"]*}} 4, {{[^"]*}} divisible_by 4 {{[^"]*}}"
    // CHECK-SAME: 128 bits are too wide", {{.*}} VectorBits=64
    tile.copy %even[8, 0] [8, 32] to %s scope(warp) : !tile.buffer<?x?xf32, global> to !tile

    // A region that starts at an odd column.
    // CHECK: :[[#@LINE+3]]:5: remark: [Passed] gmem_smem
    // CHECK-SAME: Narrowed=offset-not-divisible, NarrowedWhy="{{[^"]*}} source: 2 {{[^"]*}} 2, {{[^"]*}} 197;
    // CHECK-SAME: 64 bits are too wide"
    tile.copy %a[3, 5] [8, 32] to %s scope(warp) : !tile.buffer<64x64xf32, global> to !tile

    // An offset about which nothing is proven, and one that is proven to be a multiple of two.
    // CHECK: :[[#@LINE+3]]:5: remark: [Passed] gmem_smem
    // CHECK-SAME: Narrowed=dynamic-begin-not-divisible, NarrowedWhy="{{[^"]*}} source: 2 {{[^"]*}} 0, 1 {{[^"]*}} 0 {{[^"]*}} 1, {{[^"]*}} 2 {{[^"]*}} 1;
    // CHECK-SAME: 64 bits are too wide"
    tile.copy %a[0, %o] [8, 32] to %s scope(warp) : !tile.buffer<64x64xf32, global> to !tile
    // CHECK: :[[#@LINE+3]]:5: remark: [Passed] gmem_smem
    // CHECK-SAME: Narrowed=dynamic-begin-not-divisible, NarrowedWhy="{{[^"]*}} source: 4 {{[^"]*}} 1, 1 {{[^"]*}} 0 {{[^"]*}} 6, {{[^"]*}} 4 {{[^"]*}} 6;
    // CHECK-SAME: 128 bits are too wide"
    tile.copy %a[%o, %o6] [8, 32] to %s scope(warp) : !tile.buffer<64x64xf32, global> to !tile
    // CHECK: :[[#@LINE+2]]:5: remark: [Passed] gmem_smem
    // CHECK-SAME: Narrowed=dynamic-begin-not-divisible, NarrowedWhy="{{[^"]*}} destination: 2 {{[^"]*}} 0
    tile.copy %s to %a[0, %o] [8, 32] scope(warp) : !tile to !tile.buffer<64x64xf32, global>

    // Storage that is aligned to eight bytes.
    // CHECK: :[[#@LINE+3]]:5: remark: [Passed] gmem_smem
    // CHECK-SAME: Narrowed=storage-alignment, NarrowedWhy="{{[^"]*}} source: 4 {{[^"]*}} 16 {{[^"]*}} 8;
    // CHECK-SAME: 128 bits are too wide"
    tile.copy %r to %s scope(warp) : !tile.buffer<8x32xf32, global> to !tile

    // A swizzle that keeps two elements together.
    // CHECK: :[[#@LINE+3]]:5: remark: [Passed] gmem_smem
    // CHECK-SAME: Narrowed=swizzle-chunk-too-small, NarrowedWhy="{{[^"]*}} destination{{[^"]*}} 2 {{[^"]*}} 4"
    // CHECK-SAME: 128 bits are too wide"
    tile.copy %a[0, 0] [8, 32] to %swizzled scope(warp)
      : !tile.buffer<64x64xf32, global> to !tile.buffer<8x32xf32, shared, #tile.layout<(8, 32) : (32, 1), swizzle<base = 1, bits = 3, shift = 3>>>

    // A transposed destination.
    // CHECK: :[[#@LINE+2]]:5: remark: [Passed] gmem_smem
    // CHECK-SAME: Narrowed=not-contiguous, NarrowedWhy="{{[^"]*}} destination: 2
    tile.copy %t to %columns scope(warp)
      : !tile.buffer<32x8xf32, global> to !tile.buffer<32x8xf32, shared, #tile.layout<(32, 8) : (1, 32)>>

    // Two elements per thread: four elements for half of the threads would take the same number of rounds.
    // CHECK: :[[#@LINE+3]]:5: remark: [Passed] gmem_smem
    // CHECK-SAME: Narrowed=elements-per-thread, NarrowedWhy="{{[^"]*}} 32 {{[^"]*}} 2 {{[^"]*}} 4"
    // CHECK-SAME: 128 bits are too wide"
    tile.copy %a[0, 0] [2, 32] to %s[0, 0] [2, 32] scope(warp) : !tile.buffer<64x64xf32, global> to !tile

    // Three elements per thread: four elements for most of the threads take one round instead of three.
    // CHECK: :[[#@LINE+2]]:5: remark: [Passed] gmem_smem
    // CHECK-SAME: LastRound="24 of 32 threads"
    tile.copy %a[0, 0] [3, 32] to %s[0, 0] [3, 32] scope(warp) : !tile.buffer<64x64xf32, global> to !tile
    gpu.return
  }
}
