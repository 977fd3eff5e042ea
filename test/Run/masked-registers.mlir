// A masked region of registers at a negative offset, where no thread holds a contiguous run of it: each copies what it owns.
// RUN: tile-run %s --entry before --arg f16[32x32]=iota --arg f16[32x28:32x1]=poison --arg f16[32x28]=poison --schedule all --expect-equal 1,2
// RUN: tile-run %s --entry moved --arg f16[32x32]=iota --arg f16[32x28:32x1]=poison --arg f16[32x28]=poison --arg i64=-8 --schedule all --expect-equal 1,2
// RUN: tile-opt %s --lower-tile-copy -o /dev/null 2>&1 | FileCheck %s
// CHECK: warning: is copied by the scalar fallback (each thread copies the elements that it owns)

!memory = !tile.buffer<32x32xf16, global>
!window = !tile.buffer<32x28xf16, global>
!inside = !tile.buffer<32x28xf16, global, #tile.layout<(32, 28) : (32, 1)>>
!rows = !tile.buffer<32x32xf16, local, #tile.layout<(4, 8, 4, 4, 2) : (1@warpid, 4@laneid, 2, 1@laneid, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // Columns 0 to 27 of the registers go to columns 4 to 31, and from there to rows of 28.
  gpu.func @before(%A: memref<32x32xf16>, %B: memref<32x28xf16, strided<[32, 1]>>, %C: memref<32x28xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf16> to !memory
    %b = tile.view %B : memref<32x28xf16, strided<[32, 1]>> to !inside
    %c = tile.view %C : memref<32x28xf16> to !window
    %r = tile.alloc : !rows
    tile.copy %a to %r scope(cta) : !memory to !rows
    tile.copy %r[0, -4] [32, 32] to %b[0, -4] [32, 32] scope(cta) masked : !rows to !inside
    tile.copy %a[0, 0] [32, 28] to %c scope(cta) : !memory to !window
    gpu.return
  }
  gpu.func @moved(%A: memref<32x32xf16>, %B: memref<32x28xf16, strided<[32, 1]>>, %C: memref<32x28xf16>, %n: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf16> to !memory
    %b = tile.view %B : memref<32x28xf16, strided<[32, 1]>> to !inside
    %c = tile.view %C : memref<32x28xf16> to !window
    %r = tile.alloc : !rows
    %at = tile.assume %n divisible_by 8 : index
    tile.copy %a to %r scope(cta) : !memory to !rows
    tile.copy %r[0, %at] [32, 40] to %b[0, %at] [32, 40] scope(cta) masked : !rows to !inside
    tile.copy %a[0, 0] [32, 28] to %c scope(cta) : !memory to !window
    gpu.return
  }
}
