// Which copies stay inside their buffers: for each kind of proof, a correct kernel and an incorrect twin. The diagnostics of
// the incorrect ones are confirmed by execution in test/Run/check-bounds.mlir.
// RUN: tile-opt %s --tile-check-bounds --split-input-file --verify-diagnostics -o /dev/null
// RUN: not tile-opt %s --tile-check-bounds --split-input-file --remarks-filter-passed=tile-copy --remark-format=emitRemark \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: not tile-opt %s --tile-check-bounds=strict=true --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=STRICT
// STRICT-NOT: warning
// STRICT: error: 'tile.copy' op is not proved to stay inside its buffer

!matrix = !tile.buffer<100x64xf32, global>
!tile = !tile.buffer<16x64xf32, shared>

gpu.module @blocks {
  // REMARK: remark: [Passed] in-bounds | Category:tile-copy | Function=right
  gpu.func @right(%A: memref<100x64xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 6, 1, 1>} {
    %c16 = arith.constant 16 : index
    %a = tile.view %A : memref<100x64xf32> to !matrix
    %s = tile.alloc : !tile
    %x = gpu.block_id x
    %row = arith.muli %x, %c16 : index
    tile.copy %a[%row, 0] [16, 64] to %s scope(warp) : !matrix to !tile
    gpu.return
  }

  gpu.func @wrong(%A: memref<100x64xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 7, 1, 1>} {
    %c16 = arith.constant 16 : index
    // expected-note @below {{the source is of !tile.buffer<100x64xf32, global>}}
    %a = tile.view %A : memref<100x64xf32> to !matrix
    %s = tile.alloc : !tile
    %x = gpu.block_id x
    %row = arith.muli %x, %c16 : index
    // expected-error @below {{leaves its buffer in dimension 0: the source begins at 96, expected 0 to 84: element [4, 0] of the region is outside of the extent 100, with block x = 6}}
    tile.copy %a[%row, 0] [16, 64] to %s scope(warp) : !matrix to !tile
    gpu.return
  }

  gpu.func @fills(%A: memref<100x64xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 7, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %c16 = arith.constant 16 : index
    // expected-note @below {{the destination is of !tile.buffer<100x64xf32, global>}}
    %a = tile.view %A : memref<100x64xf32> to !matrix
    %x = gpu.block_id x
    %row = arith.muli %x, %c16 : index
    // expected-error @below {{leaves its buffer in dimension 0: the destination begins at 96}}
    tile.fill %zero to %a[%row, 0] [16, 64] scope(warp) : f32 to !matrix
    gpu.return
  }

  // The caller chooses the grid size.
  gpu.func @unknown(%A: memref<100x64xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c16 = arith.constant 16 : index
    %a = tile.view %A : memref<100x64xf32> to !matrix
    %s = tile.alloc : !tile
    %x = gpu.block_id x
    %row = arith.muli %x, %c16 : index
    // expected-warning @below {{is not proved to stay inside its buffer in dimension 0: the source begins at %2, expected 0 to 84}}
    // expected-note @below {{block x: known only that it is from 0 to 2147483646}}
    // expected-note @below {{for example the source begins at 96, expected 0 to 84: element [4, 0] of the region is outside of the extent 100, with block x = 6, the grid's size in x = 15}}
    // expected-note @below {{on the gpu.func, this proves it: known_grid_size = array<i32: 6, 1, 1>}}
    // expected-note @below {{around the copy, this proves it: %most = arith.constant 84 : index; %inside = arith.cmpi ule, %2, %most : index; scf.if %inside}}
    tile.copy %a[%row, 0] [16, 64] to %s scope(warp) : !matrix to !tile
    gpu.return
  }
}

// -----

!matrix = !tile.buffer<100x64xf32, global>
!tile = !tile.buffer<16x64xf32, shared>

gpu.module @threads {
  // Only the threads that execute the copy matter; lane and warp ids are computed from thread ids.
  // REMARK: remark: [Passed] in-bounds | Category:tile-copy | Function=right
  gpu.func @right(%A: memref<100x64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c7 = arith.constant 7 : index
    %c16 = arith.constant 16 : index
    %a = tile.view %A : memref<100x64xf32> to !matrix
    %s = tile.alloc : !tile
    %thread = gpu.thread_id x
    %first = arith.cmpi ult, %thread, %c7 : index
    scf.if %first {
      %begin = arith.muli %thread, %c16 : index
      tile.copy %a[%begin, 0] [4, 4] to %s[0, 0] [4, 4] scope(thread) : !matrix to !tile
    }
    gpu.return
  }

  gpu.func @wrong(%A: memref<100x64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    // expected-note @below {{the source is of}}
    %a = tile.view %A : memref<100x64xf32> to !matrix
    %s = tile.alloc : !tile
    %thread = gpu.thread_id x
    %first = arith.cmpi ult, %thread, %c8 : index
    scf.if %first {
      %begin = arith.muli %thread, %c16 : index
      // expected-error @below {{the source begins at 112, expected 0 to 96: element [0, 0] of the region is outside of the extent 100, with thread x = 7}}
      tile.copy %a[%begin, 0] [4, 4] to %s[0, 0] [4, 4] scope(thread) : !matrix to !tile
    }
    gpu.return
  }

  // An argument decides which threads execute the copy: it is not proved that one of them leaves the buffer.
  gpu.func @chosen(%A: memref<100x64xf32>, %count: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c16 = arith.constant 16 : index
    %a = tile.view %A : memref<100x64xf32> to !matrix
    %s = tile.alloc : !tile
    %thread = gpu.thread_id x
    %first = arith.cmpi ult, %thread, %count : index
    scf.if %first {
      %begin = arith.muli %thread, %c16 : index
      // expected-warning @below {{is not proved to stay inside}}
      // expected-note @below {{for example the source begins at 112, expected 0 to 96: element [0, 0] of the region is outside of the extent 100, with thread x = 7, %arg1 = -1}}
      // expected-note @below {{around the copy, this proves it}}
      tile.copy %a[%begin, 0] [4, 4] to %s[0, 0] [4, 4] scope(thread) : !matrix to !tile
    }
    gpu.return
  }
}

// -----

!matrix = !tile.buffer<100x64xf32, global>
!tile = !tile.buffer<16x64xf32, shared>

gpu.module @loops {
  // Multiples of 16 below 99 are at most 96.
  // REMARK: remark: [Passed] in-bounds | Category:tile-copy | Function=right
  // REMARK: remark: [Passed] in-bounds | Category:tile-copy | Function=right
  gpu.func @right(%A: memref<100x64xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c99 = arith.constant 99 : index
    %a = tile.view %A : memref<100x64xf32> to !matrix
    %s = tile.alloc : !tile
    scf.for %i = %c0 to %c99 step %c16 {
      tile.copy %a[%i, 0] [4, 64] to %s[0, 0] [4, 64] scope(warp) : !matrix to !tile
    }
    affine.for %i = 0 to 5 {
      %row = affine.apply affine_map<(d0) -> (d0 * 16 + (d0 mod 2) * 4)>(%i)
      tile.copy %a[%row, 0] [16, 64] to %s scope(warp) : !matrix to !tile
    }
    gpu.return
  }

  gpu.func @wrong(%A: memref<100x64xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c99 = arith.constant 99 : index
    // expected-note @below {{the source is of}}
    %a = tile.view %A : memref<100x64xf32> to !matrix
    %s = tile.alloc : !tile
    scf.for %i = %c0 to %c99 step %c16 {
      // expected-error @below {{the source begins at 96, expected 0 to 92: element [4, 0] of the region is outside of the extent 100, with %arg1 = 96}}
      tile.copy %a[%i, 0] [8, 64] to %s[0, 0] [8, 64] scope(warp) : !matrix to !tile
    }
    affine.for %i = 0 to 6 {
      %row = affine.apply affine_map<(d0) -> (d0 * 16 + (d0 mod 2) * 8)>(%i)
      // expected-error @below {{the source begins at 88, expected 0 to 84: element [12, 0] of the region is outside of the extent 100, with %arg1 = 5}}
      tile.copy %a[%row, 0] [16, 64] to %s scope(warp) : !matrix to !tile
    }
    gpu.return
  }

  // Offsets before the first element.
  gpu.func @negative(%A: memref<100x64xf32>, %n: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c10 = arith.constant 10 : index
    // expected-note @below {{the source is of}}
    %a = tile.view %A : memref<100x64xf32> to !matrix
    %s = tile.alloc : !tile
    scf.for %i = %c0 to %c10 step %c1 {
      %row = arith.subi %i, %c1 : index
      // expected-error @below {{the source begins at -1, expected 0 to 84: element [0, 0] of the region is outside of the extent 100, with %arg2 = 0}}
      tile.copy %a[%row, 0] [16, 64] to %s scope(warp) : !matrix to !tile
    }
    gpu.return
  }
}

// -----

!open = !tile.buffer<?x64xf32, global>
!tile = !tile.buffer<16x64xf32, shared>

gpu.module @extents {
  // The extent is the bound of the loop.
  // REMARK: remark: [Passed] in-bounds | Category:tile-copy | Function=right
  // REMARK: remark: [Passed] in-bounds | Category:tile-copy | Function=right
  // REMARK: remark: [Passed] in-bounds | Category:tile-copy | Function=right
  gpu.func @right(%A: memref<?xf32>, %B: memref<?x64xf32>, %rows: index) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %n = tile.assume %rows divisible_by 16 : index
    %a = tile.view %A extents(%n) : memref<?xf32> to !open
    %b = tile.view %B : memref<?x64xf32> to !open
    %s = tile.alloc : !tile
    scf.for %i = %c0 to %n step %c16 {
      tile.copy %a[%i, 0] [16, 64] to %s scope(warp) : !open to !tile
    }
    %m = memref.dim %B, %c0 : memref<?x64xf32>
    %tiles = arith.divui %m, %c16 : index
    scf.for %i = %c0 to %tiles step %c1 {
      %row = arith.muli %i, %c16 : index
      tile.copy %b[%row, 0] [16, 64] to %s scope(warp) : !open to !tile
    }
    // The copy is executed only if it fits.
    %x = gpu.block_id x
    %row = arith.muli %x, %c16 : index
    %end = arith.addi %row, %c16 : index
    %fits = arith.cmpi ule, %end, %m : index
    scf.if %fits {
      tile.copy %b[%row, 0] [16, 64] to %s scope(warp) : !open to !tile
    }
    gpu.return
  }

  // expected-note @below {{%arg1: nothing is known}}
  gpu.func @wrong(%A: memref<?xf32>, %n: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %a = tile.view %A extents(%n) : memref<?xf32> to !open
    %s = tile.alloc : !tile
    scf.for %i = %c0 to %n step %c16 {
      // expected-warning @below {{is not proved to stay inside its buffer in dimension 0: the source begins at %arg2, expected 0 to %arg1 less 16}}
      // expected-note @below {{for example the source begins at 0, expected an extent of at least 16: element [1, 0] of the region is outside of the extent 1, with %arg1 = 1, %arg2 = 0}}
      // expected-note @below {{in place of %arg1, this proves it: %multiple = tile.assume %arg1 divisible_by 16 : index}}
      // expected-note @below {{around the copy, this proves it: %size = arith.constant 16 : index; %most = arith.subi %arg1, %size : index; %inside = arith.cmpi sle, %arg2, %most : index; scf.if %inside}}
      tile.copy %a[%i, 0] [16, 64] to %s scope(warp) : !open to !tile
    }
    gpu.return
  }
}

// -----

!matrix = !tile.buffer<100x64xf32, global>
!part = !tile.buffer<32x64xf32, global>
!tile = !tile.buffer<16x64xf32, shared>

gpu.module @views {
  // The part that a view selects is checked like a region, also for a masked copy, whose limits are those of the part.
  // REMARK: remark: [Passed] in-bounds | Category:tile-copy | Function=right
  // REMARK: remark: [Passed] in-bounds | Category:tile-copy | Function=right
  gpu.func @right(%A: memref<100x64xf32>, %row: index) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 3, 1, 1>} {
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %a = tile.view %A : memref<100x64xf32> to !matrix
    %s = tile.alloc : !tile
    %x = gpu.block_id x
    %first = arith.muli %x, %c32 : index
    %p = tile.subview %a[%first, 0] [32, 64] : !matrix to !part
    tile.copy %p[16, 0] [16, 64] to %s scope(warp) : !part to !tile
    tile.copy %p[%row, 0] [16, 64] to %s scope(warp) masked : !part to !tile
    gpu.return
  }

  gpu.func @wrong(%A: memref<100x64xf32>, %row: index) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 4, 1, 1>} {
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    // expected-note @below {{the view of the source is of}}
    %a = tile.view %A : memref<100x64xf32> to !matrix
    %s = tile.alloc : !tile
    %x = gpu.block_id x
    %first = arith.muli %x, %c32 : index
    %p = tile.subview %a[%first, 0] [32, 64] : !matrix to !part
    // expected-error @below {{the view of the source begins at 96, expected 0 to 68: element [4, 0] of the region is outside of the extent 100, with block x = 3}}
    tile.copy %p[16, 0] [16, 64] to %s scope(warp) : !part to !tile
    // expected-error @below {{the view of the source begins at 96}}
    tile.copy %p[%row, 0] [16, 64] to %s scope(warp) masked : !part to !tile
    gpu.return
  }
}

// -----

!huge = !tile.buffer<1099511627776xi8, global>
!tile = !tile.buffer<16xi8, shared>

gpu.module @overflow {
  // In 64 bits, 2^60 times 16 is 0, and 2^59 times 16 is negative: the analysis models wrapping arithmetic.
  // expected-note @below {{%arg1: nothing is known}}
  gpu.func @wraps(%A: memref<1099511627776xi8>, %n: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c16 = arith.constant 16 : index
    %most = arith.constant 1099511627760 : index
    %a = tile.view %A : memref<1099511627776xi8> to !huge
    %s = tile.alloc : !tile
    %row = arith.muli %n, %c16 : index
    %end = arith.addi %row, %c16 : index
    %past = arith.constant 1099511627776 : index
    %signed = arith.cmpi sle, %end, %past : index
    scf.if %signed {
      // expected-warning @below {{is not proved to stay inside}}
      // expected-note @below {{for example the source begins at -}}
      // expected-note @below {{around the copy, this proves it: %most = arith.constant 1099511627760 : index; %inside = arith.cmpi ule, %}}
      tile.copy %a[%row] [16] to %s scope(warp) : !huge to !tile
    }
    %inside = arith.cmpi ule, %row, %most : index
    scf.if %inside {
      tile.copy %a[%row] [16] to %s scope(warp) : !huge to !tile
    }
    gpu.return
  }
}

// -----

// A number without a sign is never negative, and one with a sign may be.
!matrix = !tile.buffer<64x32xf32, global>
!row = !tile.buffer<1x32xf32, shared>

gpu.module @unsigned {
  gpu.func @right(%A: memref<64x32xf32>, %T: memref<8xi32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %a = tile.view %A : memref<64x32xf32> to !matrix
    %s = tile.alloc : !row
    %n = memref.load %T[%c0] : memref<8xi32>
    %i = arith.index_castui %n : i32 to index
    %in = arith.cmpi slt, %i, %c64 : index
    scf.if %in {
      tile.copy %a[%i, 0] [1, 32] to %s scope(warp) : !matrix to !row
    }
    gpu.return
  }

  gpu.func @wrong(%A: memref<64x32xf32>, %T: memref<8xi32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %a = tile.view %A : memref<64x32xf32> to !matrix
    %s = tile.alloc : !row
    // expected-note @below {{known only that it is from -2147483648 to 2147483647}}
    %n = memref.load %T[%c0] : memref<8xi32>
    %i = arith.index_cast %n : i32 to index
    %in = arith.cmpi slt, %i, %c64 : index
    scf.if %in {
      // expected-warning @below {{is not proved to stay inside its buffer in dimension 0}}
      // expected-note @below {{for example the source begins at -1, expected 0 to 63}}
      // expected-note @below {{around the copy, this proves it}}
      tile.copy %a[%i, 0] [1, 32] to %s scope(warp) : !matrix to !row
    }
    gpu.return
  }
}

// -----

!matrix = !tile.buffer<100x64xf32, global>
!tile = !tile.buffer<16x64xf32, shared>

gpu.module @maps {
  // What goes through a tensor map may end behind its tensor, but the engine stores no box that starts before it; nor does a load whose
  // rows have another end. Columns of such a load may begin anywhere.
  // REMARK: remark: [Passed] in-bounds | Category:tile-copy | Function=right
  // REMARK: remark: [Passed] in-bounds | Category:tile-copy | Function=right
  // REMARK: remark: [Passed] in-bounds | Category:tile-copy | Function=right
  gpu.func @right(%A: memref<100x64xf32>, %row: index, %column: index, %end: index) workgroup(%barrier: memref<1xi64, 3>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<100x64xf32> to !matrix
    %s = tile.alloc : !tile
    %x = gpu.block_id x
    %first = arith.muli %x, %c16 : index
    tile.copy_async %s to %a[%first, 32] [16, 64] scope(cta) bulk_group masked {variant = "tma"} : !tile to !matrix
    tile.copy_async %a[%first, %column] [16, 64] to %s scope(cta) mbarrier(%barrier : memref<1xi64, 3>) masked until(%end) fill(%zero : f32)
      : !matrix to !tile
    %begins = arith.cmpi sge, %row, %c0 : index
    scf.if %begins {
      tile.copy_async %s to %a[%row, 0] [16, 64] scope(cta) bulk_group masked {variant = "tma"} : !tile to !matrix
    }
    // A load fills what is before the tensor.
    tile.copy_async %a[%row, %column] [16, 64] to %s scope(cta) mbarrier(%barrier : memref<1xi64, 3>) masked fill(%zero : f32)
      {variant = "tma"} : !matrix to !tile
    gpu.return
  }

  // expected-note @below {{%arg1: nothing is known}}
  gpu.func @unknown(%A: memref<100x64xf32>, %row: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<100x64xf32> to !matrix
    %s = tile.alloc : !tile
    // expected-warning @below {{is not proved to begin inside its buffer in dimension 0: the destination begins at %arg1, expected 0 or more}}
    // expected-note @below {{for example the destination begins at -1, expected 0 or more, with %arg1 = -1}}
    // expected-note @below {{around the copy, this proves it: %zero = arith.constant 0 : index; %inside = arith.cmpi sge, %arg1, %zero : index; scf.if %inside { … }}}
    tile.copy_async %s to %a[%row, 0] [16, 64] scope(cta) bulk_group masked {variant = "tma"} : !tile to !matrix
    gpu.return
  }

  gpu.func @wrong(%A: memref<100x64xf32>, %end: index) workgroup(%barrier: memref<1xi64, 3>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 4, 1, 1>} {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant 0.0 : f32
    // expected-note @below {{the source is of}}
    %a = tile.view %A : memref<100x64xf32> to !matrix
    %s = tile.alloc : !tile
    %x = gpu.block_id x
    %before = arith.subi %x, %c1 : index
    %row = arith.muli %before, %c16 : index
    // expected-error @below {{begins before its buffer in dimension 0: the source begins at -16, expected 0 or more, with block x = 0}}
    tile.copy_async %a[%row, 0] [16, 64] to %s scope(cta) mbarrier(%barrier : memref<1xi64, 3>) masked until(%end) fill(%zero : f32)
      : !matrix to !tile
    gpu.return
  }
}
