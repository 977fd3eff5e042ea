// Arg-reductions, executed: values and indices of all widths, registers, lanes and warps in any order along the dimension, equal
// elements, NaN, infinities and zeros of both signs, lanes that are no power of two, warpgroups in a loop, edges that are masked.
// REQUIRES: numpy
// RUN: mkdir -p %t && cd %t && %python %S/Inputs/arg-reductions.py
// RUN: cd %t && tile-run %s --entry both --schedule=all --arg f32[8x96]=rows.npy --arg f32[8x1]=poison --arg i32[8x1]=poison \
// RUN:   --arg f32[8x1]=poison --arg i32[8x1]=poison --expect 1=max_rows.npy --expect 2=argmax_rows.npy --expect 3=min_rows.npy \
// RUN:   --expect 4=argmin_rows.npy
// RUN: cd %t && tile-run %s --entry bytes --schedule=all --arg i8[8x96]=bytes.npy --arg i64[8x1]=poison --expect 1=argmin_bytes.npy
// RUN: cd %t && tile-run %s --entry half --schedule=all --arg f16[8x96]=half.npy --arg i16[8x1]=poison --expect 1=argmax_half.npy
// RUN: cd %t && tile-run %s --entry double --schedule=all --arg f64[8x96]=double.npy --arg f64[8x1]=poison --arg i32[8x1]=poison \
// RUN:   --expect 1=min_double.npy --expect 2=argmin_double.npy
// RUN: cd %t && tile-run %s --entry sums --schedule=all --arg f32[16x16]=sums.npy --arg i32[1x16]=poison --expect 1=argmax_sums.npy
// RUN: cd %t && tile-run %s --entry thirds --schedule=all --arg i32[10x3]=thirds.npy --arg i8[10x1]=poison --expect 1=argmax_thirds.npy
// RUN: cd %t && tile-run %s --entry groups --schedule=all --arg i32[6x128]=groups.npy --arg i32[6x1]=poison --arg i32[6x1]=poison \
// RUN:   --expect 1=max_groups.npy --expect 2=argmax_groups.npy
// RUN: cd %t && tile-run %s --entry edge --schedule=all --arg f32[5x13]=edge.npy --arg f32[5x1]=poison --arg i32[5x1]=poison \
// RUN:   --expect 1=max_edge.npy --expect 2=argmax_edge.npy
// RUN: tile-opt %s --lower-tile-copy --tile-check-sync -o /dev/null
// RUN: tile-opt %s --lower-tile-copy -o /dev/null --remarks-filter-passed=tile-reduce --remark-format=emitRemark 2>&1 | FileCheck %s
// CHECK: Remark="1 result of each thread: 12 registers, 2 shuffles, 2 warps through shared memory"

// Columns: 3 blocks of registers, then lanes, then warps, then lanes, then pairs of pairs of registers.
#mixed = #tile.layout<(8, 3, 2, 2, 2, 4) : (4@laneid, 4, 1@laneid, 1@warpid, 2@laneid, 1)>
#row = #tile.layout<(8, 1) : (4@laneid, 1) + R(4 : 1@laneid)>
!all = !tile.buffer<8x96xf32, global>
!x = !tile.buffer<8x96xf32, local, #mixed>
!value = !tile.buffer<8x1xf32, local, #row>
!index = !tile.buffer<8x1xi32, local, #row>
!c = !tile.buffer<16x16xf32, local, #tile.fragment<mma.m16n8k16.c>>
!columns = !tile.buffer<1x16xi32, local, #tile.fragment<mma.m16n8k16.columns>>
!thirds = !tile.buffer<10x3xi32, local, #tile.layout<(10, 3) : (3@laneid, 1@laneid)>>
!third = !tile.buffer<10x1xi8, local, #tile.layout<(10, 1) : (3@laneid, 1)>>
!group = !tile.buffer<1x128xi32, local, #tile.layout<(1, 128) : (1, 1@tid_in_wg)>>
!one = !tile.buffer<1x1xi32, local, #tile.layout<(1, 1) : (1, 1) + R(128 : 1@tid_in_wg)>>
!wide = !tile.buffer<8x16xf32, local, #tile.layout<(8, 4, 4) : (4@laneid, 1@laneid, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  gpu.func @both(%A: memref<8x96xf32>, %B: memref<8x1xf32>, %C: memref<8x1xi32>, %D: memref<8x1xf32>, %E: memref<8x1xi32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<8x96xf32>
    %b = tile.view %B : memref<8x1xf32>
    %c = tile.view %C : memref<8x1xi32>
    %d = tile.view %D : memref<8x1xf32>
    %e = tile.view %E : memref<8x1xi32>
    %x = tile.alloc : !x
    %most = tile.alloc : !value
    %at = tile.alloc : !index
    tile.copy %a to %x scope(cta) : !all to !x
    tile.reduce argmax %x to %most, %at dim(1) scope(cta) : !x to !value, !index
    tile.copy %most to %b scope(cta) : !value to !tile.buffer<8x1xf32, global>
    tile.copy %at to %c scope(cta) : !index to !tile.buffer<8x1xi32, global>
    gpu.barrier
    tile.reduce argmin %x to %most, %at dim(1) scope(cta) : !x to !value, !index
    tile.copy %most to %d scope(cta) : !value to !tile.buffer<8x1xf32, global>
    tile.copy %at to %e scope(cta) : !index to !tile.buffer<8x1xi32, global>
    gpu.return
  }

  // The index alone, of another width than the elements.
  gpu.func @bytes(%A: memref<8x96xi8>, %B: memref<8x1xi64>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<8x96xi8>
    %b = tile.view %B : memref<8x1xi64>
    %x = tile.alloc : !tile.buffer<8x96xi8, local, #mixed>
    %at = tile.alloc : !tile.buffer<8x1xi64, local, #row>
    tile.copy %a to %x scope(cta) : !tile.buffer<8x96xi8, global> to !tile.buffer<8x96xi8, local, #mixed>
    tile.reduce argmin %x to %at dim(1) scope(cta) : !tile.buffer<8x96xi8, local, #mixed> to !tile.buffer<8x1xi64, local, #row>
    tile.copy %at to %b scope(cta) : !tile.buffer<8x1xi64, local, #row> to !tile.buffer<8x1xi64, global>
    gpu.return
  }

  gpu.func @half(%A: memref<8x96xf16>, %B: memref<8x1xi16>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<8x96xf16>
    %b = tile.view %B : memref<8x1xi16>
    %x = tile.alloc : !tile.buffer<8x96xf16, local, #mixed>
    %at = tile.alloc : !tile.buffer<8x1xi16, local, #row>
    tile.copy %a to %x scope(cta) : !tile.buffer<8x96xf16, global> to !tile.buffer<8x96xf16, local, #mixed>
    tile.reduce argmax %x to %at dim(1) scope(cta) : !tile.buffer<8x96xf16, local, #mixed> to !tile.buffer<8x1xi16, local, #row>
    tile.copy %at to %b scope(cta) : !tile.buffer<8x1xi16, local, #row> to !tile.buffer<8x1xi16, global>
    gpu.return
  }

  gpu.func @double(%A: memref<8x96xf64>, %B: memref<8x1xf64>, %C: memref<8x1xi32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<8x96xf64>
    %b = tile.view %B : memref<8x1xf64>
    %c = tile.view %C : memref<8x1xi32>
    %x = tile.alloc : !tile.buffer<8x96xf64, local, #mixed>
    %least = tile.alloc : !tile.buffer<8x1xf64, local, #row>
    %at = tile.alloc : !index
    tile.copy %a to %x scope(cta) : !tile.buffer<8x96xf64, global> to !tile.buffer<8x96xf64, local, #mixed>
    tile.reduce argmin %x to %least, %at dim(1) scope(cta)
      : !tile.buffer<8x96xf64, local, #mixed> to !tile.buffer<8x1xf64, local, #row>, !index
    tile.copy %least to %b scope(cta) : !tile.buffer<8x1xf64, local, #row> to !tile.buffer<8x1xf64, global>
    tile.copy %at to %c scope(cta) : !index to !tile.buffer<8x1xi32, global>
    gpu.return
  }

  // Columns of the sums of a product.
  gpu.func @sums(%A: memref<16x16xf32>, %B: memref<1x16xi32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<16x16xf32>
    %b = tile.view %B : memref<1x16xi32>
    %x = tile.alloc : !c
    %at = tile.alloc : !columns
    tile.copy %a to %x scope(warp) : !tile.buffer<16x16xf32, global> to !c
    tile.reduce argmax %x to %at dim(0) scope(warp) : !c to !columns
    tile.copy %at to %b scope(warp) : !columns to !tile.buffer<1x16xi32, global>
    gpu.return
  }

  // Lanes 0 to 29, in tens of three: the last two hold nothing.
  gpu.func @thirds(%A: memref<10x3xi32>, %B: memref<10x1xi8>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<10x3xi32>
    %b = tile.view %B : memref<10x1xi8>
    %x = tile.alloc : !thirds
    %at = tile.alloc : !third
    tile.copy %a to %x scope(warp) : !tile.buffer<10x3xi32, global> to !thirds
    tile.reduce argmax %x to %at dim(1) scope(warp) : !thirds to !third
    tile.copy %at to %b scope(warp) : !third to !tile.buffer<10x1xi8, global>
    gpu.return
  }

  // Two warpgroups, each with rows of its own, three times over the same memory.
  gpu.func @groups(%A: memref<6x128xi32>, %B: memref<6x1xi32>, %C: memref<6x1xi32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c6 = arith.constant 6 : index
    %c128 = arith.constant 128 : index
    %a = tile.view %A : memref<6x128xi32>
    %b = tile.view %B : memref<6x1xi32>
    %c = tile.view %C : memref<6x1xi32>
    %x = tile.alloc : !group
    %most = tile.alloc : !one
    %at = tile.alloc : !one
    %t = gpu.thread_id x
    %own = arith.divui %t, %c128 : index
    scf.for %i = %c0 to %c6 step %c2 {
      %row = arith.addi %i, %own : index
      tile.copy %a[%row, 0] [1, 128] to %x scope(warpgroup) : !tile.buffer<6x128xi32, global> to !group
      tile.reduce argmax %x to %most, %at dim(1) scope(warpgroup) : !group to !one, !one
      tile.copy %most to %b[%row, 0] [1, 1] scope(warpgroup) : !one to !tile.buffer<6x1xi32, global>
      tile.copy %at to %c[%row, 0] [1, 1] scope(warpgroup) : !one to !tile.buffer<6x1xi32, global>
    }
    gpu.return
  }

  // Rows and columns beyond the matrix are less than all others.
  gpu.func @edge(%A: memref<?x?xf32>, %B: memref<?x1xf32>, %C: memref<?x1xi32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %nothing = arith.constant 0xFF800000 : f32
    %a = tile.view %A : memref<?x?xf32>
    %b = tile.view %B : memref<?x1xf32>
    %c = tile.view %C : memref<?x1xi32>
    %x = tile.alloc : !wide
    %most = tile.alloc : !value
    %at = tile.alloc : !index
    tile.copy %a[0, 0] [8, 16] to %x scope(warp) masked fill(%nothing : f32) : !tile.buffer<?x?xf32, global> to !wide
    tile.reduce argmax %x to %most, %at dim(1) scope(warp) : !wide to !value, !index
    tile.copy %most to %b[0, 0] [8, 1] scope(warp) masked : !value to !tile.buffer<?x1xf32, global>
    tile.copy %at to %c[0, 0] [8, 1] scope(warp) masked : !index to !tile.buffer<?x1xi32, global>
    gpu.return
  }
}
