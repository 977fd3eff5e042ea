// Run-time extents and strides of memrefs, of pointers and of flat storage: copies by vectors, asynchronously, through registers
// and element by element. A kernel takes them after the pointer, in the order offset, extents, strides.
// RUN: tile-run %s --entry memrefs --grid 2,2 --arg f16[64x128]=random --arg u64=0 --arg u64=64 --arg u64=128 --arg u64=128 \
// RUN:   --arg f16[64x128]=poison --arg u64=64 --arg u64=128 --arg u64=128 --expect-equal 0,5 | FileCheck %s
// RUN: tile-run %s --entry pointers --grid 2 --arg f32[8x32]=random --arg f32[8x32]=poison --arg u64=8 --arg u64=32 --expect-equal 0,1 | FileCheck %s
// RUN: tile-run %s --entry rows --arg f32[16x32]=random --arg u64=16 --arg f32[16x32]=poison --expect-equal 0,2 | FileCheck %s
// RUN: tile-run %s --entry registers --arg f32[32x8]=random --arg u64=8 --arg f32[32x8]=poison --arg u64=8 --expect-equal 0,2 | FileCheck %s
// RUN: tile-run %s --entry elements --arg f32[3x5]=random --arg u64=3 --arg u64=5 --arg f32[3x5]=poison --expect-equal 0,3 | FileCheck %s
// CHECK: argument {{[1-5]}} holds what argument 0 holds

!open = !tile.buffer<?x?xf16, global>
!words = !tile.buffer<?x?xf32, global>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @memrefs(%A: memref<?x?xf16, strided<[?, 1], offset: ?>>, %B: memref<?x?xf16, strided<[?, 1]>>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<?x?xf16, strided<[?, 1], offset: ?>> to !open
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %B
      : memref<?x?xf16, strided<[?, 1]>> -> memref<f16>, index, index, index, index, index
    %ld = tile.assume %strides#0 divisible_by 8 : index
    %b = tile.view %B strides(%ld) : memref<?x?xf16, strided<[?, 1]>> to !open
    %x = gpu.block_id x
    %y = gpu.block_id y
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %row = arith.muli %y, %c32 : index
    %column = arith.muli %x, %c64 : index
    %s = tile.alloc : !tile.buffer<32x64xf16, shared>
    tile.copy %a[%row, %column] [32, 64] to %s scope(cta) : !open to !tile.buffer<32x64xf16, shared>
    gpu.barrier
    tile.copy %s to %b[%row, %column] [32, 64] scope(cta) : !tile.buffer<32x64xf16, shared> to !open
    gpu.return
  }

  gpu.func @pointers(%A: !llvm.ptr<1>, %B: !llvm.ptr<1>, %m: index, %n: index) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %ld = tile.assume %n divisible_by 4 : index
    %a = tile.view %A extents(%m, %n) strides(%ld) : !llvm.ptr<1> to !words
    %b = tile.view %B extents(%m, %n) strides(%ld) : !llvm.ptr<1> to !words
    %x = gpu.block_id x
    %c4 = arith.constant 4 : index
    %row = arith.muli %x, %c4 : index
    %s = tile.alloc : !tile.buffer<4x32xf32, shared>
    tile.copy_async %a[%row, 0] [4, 32] to %s scope(warp) group : !words to !tile.buffer<4x32xf32, shared>
    nvvm.cp.async.wait.group 0
    gpu.barrier
    tile.copy %s to %b[%row, 0] [4, 32] scope(warp) : !tile.buffer<4x32xf32, shared> to !words
    gpu.return
  }

  // Rows of a known length, in a number known only at run time.
  gpu.func @rows(%A: memref<?x32xf32>, %B: memref<16x32xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<?x32xf32> to !tile.buffer<?x32xf32, global>
    %b = tile.view %B : memref<16x32xf32> to !tile.buffer<16x32xf32, global>
    %s = tile.alloc : !tile.buffer<16x32xf32, shared>
    tile.copy %a[0, 0] [16, 32] to %s scope(warp) : !tile.buffer<?x32xf32, global> to !tile.buffer<16x32xf32, shared>
    gpu.barrier
    tile.copy %s to %b scope(warp) : !tile.buffer<16x32xf32, shared> to !tile.buffer<16x32xf32, global>
    gpu.return
  }

  // Known extents, and an unknown stride.
  gpu.func @registers(%A: memref<32x8xf32, strided<[?, 1]>>, %B: memref<32x8xf32, strided<[?, 1]>>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x8xf32, strided<[?, 1]>>
      to !tile.buffer<32x8xf32, global, #tile.layout<(32, 8) : (?, 1)>>
    %b = tile.view %B : memref<32x8xf32, strided<[?, 1]>>
      to !tile.buffer<32x8xf32, global, #tile.layout<(32, 8) : (?, 1)>>
    %r = tile.alloc : !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
    tile.copy %a to %r scope(warp) : !tile.buffer<32x8xf32, global, #tile.layout<(32, 8) : (?, 1)>>
      to !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
    tile.copy %r to %b scope(warp) : !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
      to !tile.buffer<32x8xf32, global, #tile.layout<(32, 8) : (?, 1)>>
    gpu.return
  }

  // Flat storage, dense rows; 15 elements form no vectors.
  gpu.func @elements(%A: memref<15xf32>, %m: index, %n: index, %B: memref<15xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A extents(%m, %n) strides(%n) : memref<15xf32> to !words
    %b = tile.view %B extents(%m, %n) strides(%n) : memref<15xf32> to !words
    %s = tile.alloc : !tile.buffer<3x5xf32, shared>
    tile.copy %a[0, 0] [3, 5] to %s scope(warp) : !words to !tile.buffer<3x5xf32, shared>
    gpu.barrier
    tile.copy %s to %b[0, 0] [3, 5] scope(warp) : !tile.buffer<3x5xf32, shared> to !words
    gpu.return
  }
}
