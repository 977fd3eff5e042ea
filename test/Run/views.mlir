// Copies of views of tiles: parts, transposed and reshaped tiles, in global and shared memory and in registers.
// RUN: tile-run %s --entry transposed --grid 2,2 --schedule=all --arg f32[64x128]=random --arg f32[128x64]=poison --arg f32[64x128]=poison --expect-equal 0,2 | FileCheck %s --check-prefix=TWO
// RUN: tile-run %s --entry stages --schedule=all --arg f16[4x32x64]=random --arg f16[4x32x64]=poison --expect-equal 0,1 | FileCheck %s --check-prefixes=ONE,STAGES
// RUN: tile-run %s --entry reshaped --schedule=all --arg f16[64x64]=random --arg f16[64x64]=poison --expect-equal 0,1 | FileCheck %s --check-prefix=ONE
// RUN: tile-run %s --entry registers --arg f32[32x8]=random --arg f32[32x8]=poison --expect-equal 0,1 | FileCheck %s --check-prefix=ONE
// RUN: tile-run %s --entry elements --arg f32[2x6]=random --arg f32[2x6]=poison --arg u64=1 --expect-equal 0,1 | FileCheck %s --check-prefix=ONE
// RUN: tile-run %s --entry open --grid 2 --arg f16[32x64]=random --arg u64=32 --arg u64=64 --arg u64=64 --arg f16[32x64]=poison --expect-equal 0,4 | FileCheck %s --check-prefix=FOUR
// TWO: argument 2 holds what argument 0 holds
// ONE: argument 1 holds what argument 0 holds
// FOUR: argument 4 holds what argument 0 holds

!matrix = !tile.buffer<64x128xf32, global>
!turned = !tile.buffer<128x64xf32, global>
!block = !tile.buffer<32x64xf32, shared, #tile.layout<(32, 64) : (65, 1)>>
!block_turned = !tile.buffer<64x32xf32, shared, #tile.layout<(64, 32) : (1, 65)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // B is A transposed, through a transposed view of shared memory; C is B transposed, through a transposed view of C.
  gpu.func @transposed(%A: memref<64x128xf32>, %B: memref<128x64xf32>, %C: memref<64x128xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x128xf32> to !matrix
    %b = tile.view %B : memref<128x64xf32> to !turned
    %c = tile.view %C : memref<64x128xf32> to !matrix
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %y = gpu.block_id y
    %x = gpu.block_id x
    %row = arith.muli %y, %c32 : index
    %column = arith.muli %x, %c64 : index
    %own = tile.subview %a[%row, %column] [32, 64] : !matrix to !tile.buffer<32x64xf32, global, #tile.layout<(32, 64) : (128, 1)>>
    %s = tile.alloc : !block
    tile.copy %own to %s scope(cta) : !tile.buffer<32x64xf32, global, #tile.layout<(32, 64) : (128, 1)>> to !block
    gpu.barrier
    %t = tile.permute %s [1, 0] : !block to !block_turned
    tile.copy %t to %b[%column, %row] [64, 32] scope(cta) : !block_turned to !turned
    gpu.barrier
    %d = tile.permute %c [1, 0] : !matrix to !tile.buffer<128x64xf32, global, #tile.layout<(128, 64) : (1, 128)>>
    %part = tile.subview %d[%column, %row] [64, 32] : !tile.buffer<128x64xf32, global, #tile.layout<(128, 64) : (1, 128)>>
      to !tile.buffer<64x32xf32, global, #tile.layout<(64, 32) : (1, 128)>>
    tile.copy %b[%column, %row] [64, 32] to %part scope(cta) : !turned to !tile.buffer<64x32xf32, global, #tile.layout<(64, 32) : (1, 128)>>
    gpu.return
  }

  // A ring of swizzled stages, each a two-dimensional tile, and parts of their parts.
  // STAGES: ld.global{{.*}}v4
  // STAGES: st.global.v4
  gpu.func @stages(%A: memref<4x32x64xf16>, %B: memref<4x32x64xf16>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<4x32x64xf16> to !tile.buffer<4x32x64xf16, global>
    %b = tile.view %B : memref<4x32x64xf16> to !tile.buffer<4x32x64xf16, global>
    %ring = tile.alloc : !tile.buffer<2x32x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    scf.for %k = %c0 to %c4 step %c1 {
      %slot = arith.remui %k, %c2 : index
      %stage = tile.subview %ring[%slot, 0, 0] [1, 32, 64]
        : !tile.buffer<2x32x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
        to !tile.buffer<1x32x64xf16, shared, #tile.layout<(32, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
      %tile = tile.reshape %stage : !tile.buffer<1x32x64xf16, shared, #tile.layout<(32, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
        to !tile.buffer<32x64xf16, shared, #tile.layout<(32, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
      %from = tile.subview %a[%k, 0, 0] [1, 32, 64] : !tile.buffer<4x32x64xf16, global> to !tile.buffer<1x32x64xf16, global>
      tile.copy %from to %tile scope(cta) : !tile.buffer<1x32x64xf16, global>
        to !tile.buffer<32x64xf16, shared, #tile.layout<(32, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
      gpu.barrier
      %half = tile.subview %tile[16, 0] [16, 64] : !tile.buffer<32x64xf16, shared, #tile.layout<(32, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
        to !tile.buffer<16x64xf16, shared, #tile.layout<(16, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
      tile.copy %half to %b[%k, 16, 0] [1, 16, 64] scope(cta)
        : !tile.buffer<16x64xf16, shared, #tile.layout<(16, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>> to !tile.buffer<4x32x64xf16, global>
      tile.copy %tile[0, 0] [16, 64] to %b[%k, 0, 0] [1, 16, 64] scope(cta)
        : !tile.buffer<32x64xf16, shared, #tile.layout<(32, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>> to !tile.buffer<4x32x64xf16, global>
      gpu.barrier
    }
    gpu.return
  }

  // 64x64 as 8x8x64 with the outer two exchanged on both sides.
  gpu.func @reshaped(%A: memref<64x64xf16>, %B: memref<64x64xf16>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %b = tile.view %B : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %ra = tile.reshape %a : !tile.buffer<64x64xf16, global> to !tile.buffer<8x8x64xf16, global>
    %rb = tile.reshape %b : !tile.buffer<64x64xf16, global> to !tile.buffer<8x8x64xf16, global>
    %pa = tile.permute %ra [1, 0, 2] : !tile.buffer<8x8x64xf16, global>
      to !tile.buffer<8x8x64xf16, global, #tile.layout<(8, 8, 64) : (64, 512, 1)>>
    %pb = tile.permute %rb [1, 0, 2] : !tile.buffer<8x8x64xf16, global>
      to !tile.buffer<8x8x64xf16, global, #tile.layout<(8, 8, 64) : (64, 512, 1)>>
    %s = tile.alloc : !tile.buffer<4096xf16, shared>
    %rs = tile.reshape %s : !tile.buffer<4096xf16, shared> to !tile.buffer<8x8x64xf16, shared>
    tile.copy %pa to %rs scope(warp) : !tile.buffer<8x8x64xf16, global, #tile.layout<(8, 8, 64) : (64, 512, 1)>>
      to !tile.buffer<8x8x64xf16, shared>
    gpu.barrier
    tile.copy %rs to %pb scope(warp) : !tile.buffer<8x8x64xf16, shared>
      to !tile.buffer<8x8x64xf16, global, #tile.layout<(8, 8, 64) : (64, 512, 1)>>
    gpu.return
  }

  // Halves of each thread's registers.
  gpu.func @registers(%A: memref<32x8xf32>, %B: memref<32x8xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x8xf32> to !tile.buffer<32x8xf32, global>
    %b = tile.view %B : memref<32x8xf32> to !tile.buffer<32x8xf32, global>
    %r = tile.alloc : !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
    %low = tile.subview %r[0, 0] [32, 4] : !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
      to !tile.buffer<32x4xf32, local, #tile.layout<(32, 4) : (1@laneid, 1)>>
    %high = tile.subview %r[0, 4] [32, 4] : !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
      to !tile.buffer<32x4xf32, local, #tile.layout<(32, 4) : (1@laneid, 1) + 4>>
    tile.copy %a[0, 0] [32, 4] to %low scope(warp) : !tile.buffer<32x8xf32, global> to !tile.buffer<32x4xf32, local, #tile.layout<(32, 4) : (1@laneid, 1)>>
    tile.copy %a[0, 4] [32, 4] to %high scope(warp) : !tile.buffer<32x8xf32, global> to !tile.buffer<32x4xf32, local, #tile.layout<(32, 4) : (1@laneid, 1) + 4>>
    // A part shares its registers with the whole tile: one of the lower registers is negated twice.
    %m = tile.local_view %low : !tile.buffer<32x4xf32, local, #tile.layout<(32, 4) : (1@laneid, 1)>> to memref<4xf32>
    %c3 = arith.constant 3 : index
    %x = memref.load %m[%c3] : memref<4xf32>
    %n = arith.negf %x : f32
    memref.store %n, %m[%c3] : memref<4xf32>
    %w = tile.local_view %high : !tile.buffer<32x4xf32, local, #tile.layout<(32, 4) : (1@laneid, 1) + 4>> to memref<8xf32>
    %y = memref.load %w[%c3] : memref<8xf32>
    %z = arith.negf %y : f32
    memref.store %z, %w[%c3] : memref<8xf32>
    tile.copy %r to %b scope(warp) : !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>> to !tile.buffer<32x8xf32, global>
    gpu.return
  }

  // A part of a part of a blocked tile, at a run-time offset inside a block: element by element.
  gpu.func @elements(%A: memref<2x6xf32>, %B: memref<2x6xf32>, %one: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<2x6xf32> to !tile.buffer<2x6xf32, global>
    %b = tile.view %B : memref<2x6xf32> to !tile.buffer<2x6xf32, global>
    %s = tile.alloc : !tile.buffer<8x6xf32, shared, #tile.layout<(2, 4, 6) : (32, 6, 1)>>
    %p = tile.subview %s[%one, 0] [3, 6] : !tile.buffer<8x6xf32, shared, #tile.layout<(2, 4, 6) : (32, 6, 1)>>
      to !tile.buffer<3x6xf32, shared>
    tile.copy %a to %p[%one, 0] [2, 6] scope(warp) : !tile.buffer<2x6xf32, global> to !tile.buffer<3x6xf32, shared>
    gpu.barrier
    tile.copy %s[2, 0] [2, 6] to %b scope(warp) : !tile.buffer<8x6xf32, shared, #tile.layout<(2, 4, 6) : (32, 6, 1)>> to !tile.buffer<2x6xf32, global>
    gpu.return
  }

  // Views of a tile with run-time extents and strides: transposed, a part of that, cast to a known stride.
  gpu.func @open(%A: memref<?x?xf16, strided<[?, 1]>>, %B: memref<32x64xf16>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<?x?xf16, strided<[?, 1]>> to !tile.buffer<?x?xf16, global>
    %b = tile.view %B : memref<32x64xf16> to !tile.buffer<32x64xf16, global>
    %c16 = arith.constant 16 : index
    %x = gpu.block_id x
    %row = arith.muli %x, %c16 : index
    %t = tile.permute %a [1, 0] : !tile.buffer<?x?xf16, global> to !tile.buffer<?x?xf16, global, #tile.layout<(?, ?) : (1, ?)>>
    %p = tile.subview %t[0, %row] [64, 16] : !tile.buffer<?x?xf16, global, #tile.layout<(?, ?) : (1, ?)>>
      to !tile.buffer<64x16xf16, global, #tile.layout<(64, 16) : (1, ?)>>
    %k = tile.cast %p : !tile.buffer<64x16xf16, global, #tile.layout<(64, 16) : (1, ?)>>
      to !tile.buffer<64x16xf16, global, #tile.layout<(64, 16) : (1, 64)>>
    %u = tile.permute %b [1, 0] : !tile.buffer<32x64xf16, global> to !tile.buffer<64x32xf16, global, #tile.layout<(64, 32) : (1, 64)>>
    tile.copy %k to %u[0, %row] [64, 16] scope(cta) : !tile.buffer<64x16xf16, global, #tile.layout<(64, 16) : (1, 64)>>
      to !tile.buffer<64x32xf16, global, #tile.layout<(64, 32) : (1, 64)>>
    gpu.return
  }
}
