// A halo that begins one element early is an aligned body and its rims where the shared rows begin alike, at edges, too; one thread's
// copy of single elements is the judge.
// RUN: tile-opt %s --lower-tile-copy -o /dev/null --remarks-filter-passed=tile-copy --remark-format=emitRemark 2>&1 | FileCheck %s
// RUN: tile-run %s --entry halo --grid 3,2 --schedule=all --arg f32[32x192]=random --arg f32[2x3x18x66]=poison --arg f32[2x3x18x66]=poison \
// RUN:   --expect-equal 1,2
// RUN: tile-run %s --entry halo --grid 2,3 --arg f32[35x100]=random --arg f32[3x2x18x66]=poison --arg f32[3x2x18x66]=poison --expect-equal 1,2
// RUN: tile-run %s --entry halo --grid 1,1 --arg f32[1x4]=random --arg f32[1x1x18x66]=poison --arg f32[1x1x18x66]=poison --expect-equal 1,2
// RUN: tile-run %s --entry bytes --grid 2,1 --arg u8[2200]=random --arg u8[2x1040]=poison --arg u8[2x1040]=poison --expect-equal 1,2

!image = !tile.buffer<?x?xf32, global>
// Three elements into a vector, so that column 1 is at 16 bytes.
!halo = !tile.buffer<18x66xf32, shared, #tile.layout<(18, 66) : (72, 1) + 3>>
!dense = !tile.buffer<18x66xf32, shared>
!halos = !tile.buffer<?x?x18x66xf32, global>
!line = !tile.buffer<?xi8, global>
!window = !tile.buffer<1040xi8, shared, #tile.layout<(1040) : (1) + 8>>
!windows = !tile.buffer<?x1040xi8, global>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // CHECK: copied by gmem_smem: 2 loads and 2 stores of 128 bits per thread
  // CHECK: copied by gmem_smem: 1 load and 1 store of 32 bits per thread
  // CHECK: copied by gmem_smem: 2 loads and 2 stores of 128 bits per thread, 32 of 256 threads in the last round, checked against 2 limits
  // CHECK: copied by gmem_smem: 1 load and 1 store of 32 bits per thread, 36 of 256 threads in the last round, checked against 2 limits
  gpu.func @halo(%X: memref<?x?xf32>, %A: memref<?x?x18x66xf32>, %B: memref<?x?x18x66xf32>) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 256, 1, 1>} {  // in order, but not followed
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f32
    %m = memref.dim %X, %c0 : memref<?x?xf32>
    %n0 = memref.dim %X, %c1 : memref<?x?xf32>
    %n = tile.assume %n0 divisible_by 4 : index
    %x = tile.view %X extents(%m, %n) strides(%n) : memref<?x?xf32> to !image
    %a = tile.view %A : memref<?x?x18x66xf32> to !halos
    %b = tile.view %B : memref<?x?x18x66xf32> to !halos
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %row0 = arith.muli %by, %c16 : index
    %col0 = arith.muli %bx, %c64 : index
    %row = arith.subi %row0, %c1 : index
    %col = arith.subi %col0, %c1 : index
    %s = tile.alloc : !halo
    %t = tile.alloc : !dense
    tile.copy %x[%row, %col] [18, 66] to %s scope(cta) masked fill(%zero : f32) : !image to !halo
    tile.copy %x[%row, %col] [18, 66] to %t scope(cta) masked fill(%zero : f32) {variant = "fallback"} : !image to !dense
    gpu.barrier
    tile.copy %s to %a[%by, %bx, 0, 0] [1, 1, 18, 66] scope(cta) : !halo to !halos
    tile.copy %t to %b[%by, %bx, 0, 0] [1, 1, 18, 66] scope(cta) : !dense to !halos
    gpu.return
  }

  // 8 bytes before a body of 1024, and 8 after it.
  // CHECK: copied by gmem_smem: 2 loads and 2 stores of 128 bits per thread
  // CHECK: copied by gmem_smem: 1 load and 1 store of 64 bits per thread, 2 of 32 threads
  gpu.func @bytes(%X: memref<?xi8>, %A: memref<?x1040xi8>, %B: memref<?x1040xi8>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c8 = arith.constant 8 : index
    %c1024 = arith.constant 1024 : index
    %x = tile.view %X : memref<?xi8>
    %a = tile.view %A : memref<?x1040xi8>
    %b = tile.view %B : memref<?x1040xi8>
    %block = gpu.block_id x
    %from = arith.muli %block, %c1024 : index
    %first = arith.addi %from, %c8 : index
    %s = tile.alloc : !window
    %t = tile.alloc : !window
    tile.copy %x[%first] [1040] to %s scope(cta) : !line to !window
    tile.copy %x[%first] [1040] to %t scope(cta) {variant = "fallback"} : !line to !window
    gpu.barrier
    tile.copy %s to %a[%block, 0] [1, 1040] scope(cta) : !window to !windows
    tile.copy %t to %b[%block, 0] [1, 1040] scope(cta) : !window to !windows
    gpu.return
  }
}
