// Asserts before each copy that its run-time offsets are in bounds, unless that is proved. Executed in test/Run/bounds-traps.mlir.
// RUN: tile-opt %s --tile-insert-bounds-traps --split-input-file --verify-diagnostics | FileCheck %s

!matrix = !tile.buffer<100x64xf32, global>
!tile = !tile.buffer<16x64xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // One unsigned comparison catches negative offsets, too. The second copy relies on the assertion of the first.
  // CHECK-LABEL: gpu.func @unknown
  gpu.func @unknown(%A: memref<100x64xf32>, %row: index, %barrier: i1) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<100x64xf32> to !matrix
    %s = tile.alloc : !tile
    // CHECK: %[[MOST:.*]] = arith.constant 84 : index
    // CHECK: %[[IN:.*]] = arith.cmpi ule, %{{.*}}, %[[MOST]] : index
    // CHECK: cf.assert %[[IN]], "tile.copy: the source begins out of bounds in dimension 0, expected 0 to 84"
    // CHECK-NEXT: tile.copy
    tile.copy %a[%row, 0] [16, 64] to %s[0, 0] [16, 64] scope(warp) : !matrix to !tile
    // CHECK-NEXT: tile.copy
    tile.copy %a[%row, 0] [8, 64] to %s[0, 0] [8, 64] scope(warp) : !matrix to !tile
    // CHECK: cf.assert %{{.*}}, "tile.copy: the destination begins out of bounds in dimension 0, expected 0 to 8"
    // CHECK-NEXT: tile.copy
    tile.copy %a[0, 0] [8, 64] to %s[%row, 0] [8, 64] scope(warp) : !matrix to !tile
    scf.if %barrier {
      // An assertion before a nested block also holds inside it.
      // CHECK-NOT: cf.assert
      // CHECK: tile.copy
      tile.copy %a[%row, 0] [16, 64] to %s[0, 0] [16, 64] scope(warp) : !matrix to !tile
    }
    gpu.return
  }

  // A loop bound that is a map with several results: an upper bound of 90 is not enough, 70 is.
  // CHECK-LABEL: gpu.func @affine
  gpu.func @affine(%A: memref<100x64xf32>, %n: index) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<100x64xf32> to !matrix
    %s = tile.alloc : !tile
    affine.for %i = 0 to min affine_map<(d0) -> (d0, 70)>(%n) {
      // CHECK-NOT: cf.assert
      // CHECK: tile.copy
      tile.copy %a[%i, 0] [16, 64] to %s[0, 0] [16, 64] scope(warp) : !matrix to !tile
    }
    affine.for %i = 0 to min affine_map<(d0) -> (d0, 90)>(%n) {
      // CHECK: cf.assert %{{.*}}, "tile.copy: the source begins out of bounds
      // CHECK-NEXT: tile.copy
      tile.copy %a[%i, 0] [16, 64] to %s[0, 0] [16, 64] scope(warp) : !matrix to !tile
    }
    gpu.return
  }

  // Multiples of 16 from 0 on, below 99, are at most 96; a remainder with a promise is bounded, and so are block ids.
  // CHECK-LABEL: gpu.func @proved
  // CHECK-NOT: cf.assert
  // CHECK: gpu.return
  gpu.func @proved(%A: memref<100x64xf32>, %n: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, known_grid_size = array<i32: 6, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c7 = arith.constant 7 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %c99 = arith.constant 99 : index
    %a = tile.view %A : memref<100x64xf32> to !matrix
    %s = tile.alloc : !tile
    scf.for %i = %c0 to %c99 step %c16 {
      tile.copy %a[%i, 0] [4, 64] to %s[0, 0] [4, 64] scope(cta) : !matrix to !tile
    }
    %rest = arith.remui %n, %c64 : index
    %even = tile.assume %rest divisible_by 16 : index
    tile.copy %a[%even, 0] [16, 64] to %s[0, 0] [16, 64] scope(cta) : !matrix to !tile
    %block = gpu.block_id x
    %row = arith.muli %block, %c16 : index
    tile.copy %a[%row, 0] [16, 64] to %s[0, 0] [16, 64] scope(cta) : !matrix to !tile
    // Only the threads that execute the copy matter.
    %thread = gpu.thread_id x
    %first = arith.cmpi ult, %thread, %c7 : index
    scf.if %first {
      %begin = arith.muli %thread, %c16 : index
      tile.copy %a[%begin, 0] [4, 4] to %s[0, 0] [4, 4] scope(thread) {variant = "fallback"} : !matrix to !tile
    }
    gpu.return
  }

  // The part that a view selects is checked against its buffer, also for a masked copy, whose limits are those of the part.
  // CHECK-LABEL: gpu.func @part
  gpu.func @part(%A: memref<100x64xf32>, %row: index, %true: i1) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<100x64xf32> to !matrix
    %s = tile.alloc : !tile
    %p = tile.subview %a[%row, 0] [32, 64] : !matrix to !tile.buffer<32x64xf32, global>
    %t = tile.permute %p [1, 0] : !tile.buffer<32x64xf32, global>
      to !tile.buffer<64x32xf32, global, #tile.layout<(64, 32) : (1, 64)>>
    scf.if %true {
      // CHECK: cf.assert %{{.*}}, "tile.copy: the view of the source begins out of bounds in dimension 0, expected 0 to 68"
      // CHECK-NEXT: tile.copy
      tile.copy %p[8, 0] [16, 64] to %s[0, 0] [16, 64] scope(warp) : !tile.buffer<32x64xf32, global> to !tile
    }
    scf.if %true {
      // CHECK: cf.assert %{{.*}}, "tile.copy: the view of the source begins out of bounds in dimension 0, expected 0 to 68"
      // CHECK-NEXT: tile.copy
      tile.copy %t[0, 8] [16, 16] to %s[0, 0] [16, 16] scope(warp) masked
        : !tile.buffer<64x32xf32, global, #tile.layout<(64, 32) : (1, 64)>> to !tile
    }
    // A part of a part: each must be inside the part that contains it. For the inner one, that is proved.
    %inner = arith.constant 4 : index
    %q = tile.subview %p[%inner, 0] [16, 64] : !tile.buffer<32x64xf32, global> to !tile.buffer<16x64xf32, global>
    // CHECK: cf.assert %{{.*}}, "tile.copy: the view of the source begins out of bounds in dimension 0, expected 0 to 68"
    // CHECK-NEXT: tile.copy
    tile.copy %q to %s scope(warp) : !tile.buffer<16x64xf32, global> to !tile
    gpu.return
  }

  // A masked copy may leave its buffer, whose extents must not be negative; the second copy relies on the first assertion.
  // CHECK-LABEL: gpu.func @limits
  gpu.func @limits(%A: memref<?xf32>, %D: memref<?x64xf32>, %n: index, %row: index) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c16 = arith.constant 16 : index
    %a = tile.view %A extents(%n) : memref<?xf32> to !tile.buffer<?x64xf32, global>
    %s = tile.alloc : !tile
    // CHECK: %[[LEAST:.*]] = arith.constant 0 : index
    // CHECK: %[[NATURAL:.*]] = arith.cmpi sge, %{{.*}}, %[[LEAST]] : index
    // CHECK: cf.assert %[[NATURAL]], "tile.copy: the extent of the source in dimension 0 is negative"
    // CHECK-NEXT: tile.copy
    tile.copy %a[%row, 0] [16, 64] to %s scope(warp) masked : !tile.buffer<?x64xf32, global> to !tile
    // CHECK-NOT: cf.assert
    // CHECK: tile.copy
    tile.copy %s to %a[%row, 0] [16, 64] scope(warp) masked : !tile to !tile.buffer<?x64xf32, global>
    // Extents of memrefs, and remainders, are at least 0.
    // CHECK-NOT: cf.assert
    // CHECK: gpu.return
    %d = tile.view %D : memref<?x64xf32> to !tile.buffer<?x64xf32, global>
    tile.copy %s to %d[%row, 0] [16, 64] scope(warp) masked : !tile to !tile.buffer<?x64xf32, global>
    %rest = arith.remui %row, %c16 : index
    %r = tile.view %A extents(%rest) : memref<?xf32> to !tile.buffer<?x64xf32, global>
    tile.copy %r[%row, 0] [16, 64] to %s scope(warp) masked : !tile.buffer<?x64xf32, global> to !tile
    gpu.return
  }

  // A tensor map stores no box that starts before its tensor.
  // CHECK-LABEL: gpu.func @before
  gpu.func @before(%A: memref<100x64xf32>, %row: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<100x64xf32> to !matrix
    %s = tile.alloc : !tile
    // CHECK: %[[IN:.*]] = arith.cmpi sge, %{{.*}}, %{{.*}} : index
    // CHECK: cf.assert %[[IN]], "tile.copy_async: the destination begins out of bounds in dimension 0, expected 0 or more"
    // CHECK-NEXT: tile.copy_async
    tile.copy_async %s to %a[%row, 0] [16, 64] scope(cta) bulk_group masked {variant = "tma"} : !tile to !matrix
    // CHECK-NOT: cf.assert
    // CHECK: gpu.return
    tile.copy_async %s to %a[%row, 32] [16, 64] scope(cta) bulk_group masked {variant = "tma"} : !tile to !matrix
    gpu.return
  }

  // A thread whose predicate is false does not read, so its source offset may be anything; with zero fill it still writes.
  // CHECK-LABEL: gpu.func @predicated
  gpu.func @predicated(%A: memref<100x64xf32>, %row: index, %p: i1) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<100x64xf32> to !matrix
    %s = tile.alloc : !tile
    // CHECK: %[[IN:.*]] = arith.cmpi ule
    // CHECK: %[[IDLE:.*]] = arith.xori %{{.*}}, %true
    // CHECK: %[[OR:.*]] = arith.ori %[[IDLE]], %[[IN]]
    // CHECK: cf.assert %[[OR]], "tile.copy_async: the source begins
    // CHECK-NOT: arith.ori
    // CHECK: cf.assert %{{.*}}, "tile.copy_async: the destination begins
    tile.copy_async %a[%row, 0] [8, 64] to %s[%row, 0] [8, 64] scope(warp) predicate(%p) {fill = "zero"} : !matrix to !tile
    nvvm.cp.async.commit.group
    nvvm.cp.async.wait.group 0
    gpu.return
  }
}

// -----

!matrix = !tile.buffer<100x64xf32, global>
!tile = !tile.buffer<16x64xf32, shared>

gpu.module @kernels {
  gpu.func @outside(%A: memref<100x64xf32>, %n: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %c90 = arith.constant 90 : index
    // expected-note @below {{the source is of !tile.buffer<100x64xf32, global>}}
    %a = tile.view %A : memref<100x64xf32> to !matrix
    // expected-note @below {{the destination is of !tile.buffer<16x64xf32, shared>}}
    %s = tile.alloc : !tile
    %rest = arith.remui %n, %c8 : index
    %late = arith.addi %rest, %c90 : index
    // expected-error @below {{leaves its buffer in dimension 0: the source begins at 90, expected 0 to 84: element [10, 0] of the region is outside of the extent 100, with %arg1 = 0}}
    tile.copy %a[%late, 0] [16, 64] to %s[0, 0] [16, 64] scope(cta) : !matrix to !tile
    %thread = gpu.thread_id x
    %row = arith.muli %thread, %c2 : index
    // expected-error @below {{leaves its buffer in dimension 0: the destination begins at 14, expected 0 to 12: element [2, 0] of the region is outside of the extent 16, with thread x = 7}}
    tile.copy %a[0, 0] [4, 4] to %s[%row, 0] [4, 4] scope(thread) {variant = "fallback"} : !matrix to !tile
    gpu.return
  }
}

// -----

!matrix = !tile.buffer<100x64xf32, global>
!tile = !tile.buffer<16x64xf32, shared>

// What the assertion before the first copy would imply, that no thread reaches the second one, is no excuse for it:
// --tile-check-bounds reports the same error.
gpu.module @kernels {
  gpu.func @excused(%A: memref<100x64xf32>, %n: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c84 = arith.constant 84 : index
    %c90 = arith.constant 90 : index
    // expected-note @below {{the source is of !tile.buffer<100x64xf32, global>}}
    %a = tile.view %A : memref<100x64xf32> to !matrix
    %s = tile.alloc : !tile
    tile.copy %a[%n, 0] [16, 64] to %s[0, 0] [16, 64] scope(cta) : !matrix to !tile
    %beyond = arith.cmpi sgt, %n, %c84 : index
    scf.if %beyond {
      // expected-error @below {{leaves its buffer in dimension 0: the source begins at 90, expected 0 to 84: element [10, 0] of the region is outside of the extent 100}}
      tile.copy %a[%c90, 0] [16, 64] to %s[0, 0] [16, 64] scope(cta) : !matrix to !tile
    }
    gpu.return
  }
}
