// Accesses through run-time strides are compared by their coordinates. Regions lie inside their buffers: a loop along the columns
// never comes to the next row.

// RUN: tile-opt %s --tile-check-sync --verify-diagnostics -o /dev/null

!matrix = !tile.buffer<?x?xf16, global>
!transposed = !tile.buffer<?x?xf16, global, #tile.layout<(?, ?) : (1, ?)>>
!batch = !tile.buffer<?x?x?xf16, global>
!wide = !tile.buffer<32x8192xf16, global>
!odd = !tile.buffer<100x100xf16, global>
!rows = !tile.buffer<4x?x32xf16, global, #tile.layout<(4, ?, 32) : (272, ?, 1)>>
!known = !tile.buffer<4x2x32xf16, global, #tile.layout<(4, 2, 32) : (272, 136, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // Tiles beside each other have no element in common, nor do those below each other.
  gpu.func @apart(%A: memref<?x?xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<?x?xf16> to !matrix
    %zero = arith.constant 0.0 : f16
    tile.fill %zero to %a[0, 0] [32, 64] scope(cta) : f16 to !matrix
    tile.fill %zero to %a[32, 0] [64, 32] scope(cta) : f16 to !matrix
    tile.fill %zero to %a[0, 64] [16, 32] scope(cta) : f16 to !matrix
    gpu.return
  }

  // A stride that is another one in each iteration: rows are compared within an iteration.
  gpu.func @stride_of_iteration(%N: memref<4xindex>)
      workgroup(%S : memref<4096xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      %ld = memref.load %N[%i] : memref<4xindex>
      %m = memref.reinterpret_cast %S to offset: [0], sizes: [4, 32], strides: [%ld, 1]
        : memref<4096xf32, #gpu.address_space<workgroup>> to memref<4x32xf32, strided<[?, 1]>, #gpu.address_space<workgroup>>
      %v = memref.load %m[%c2, %t] : memref<4x32xf32, strided<[?, 1]>, #gpu.address_space<workgroup>>
      memref.store %v, %m[%c1, %t] : memref<4x32xf32, strided<[?, 1]>, #gpu.address_space<workgroup>>
      gpu.barrier
    }
    gpu.return
  }

  // Row 2 of one iteration may be row 1 of the next.
  gpu.func @stride_of_iteration_unordered(%N: memref<4xindex>)
      workgroup(%S : memref<4096xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      %ld = memref.load %N[%i] : memref<4xindex>
      %m = memref.reinterpret_cast %S to offset: [0], sizes: [4, 32], strides: [%ld, 1]
        : memref<4096xf32, #gpu.address_space<workgroup>> to memref<4x32xf32, strided<[?, 1]>, #gpu.address_space<workgroup>>
      // expected-error @below {{reads shared memory that an earlier operation may write, and nothing orders the two in a later iteration}}
      // expected-note @below {{nvvm.bar.warp.sync}}
      // expected-note @below {{reads it here}}
      %v = memref.load %m[%c2, %t] : memref<4x32xf32, strided<[?, 1]>, #gpu.address_space<workgroup>>
      // expected-error @below {{writes shared memory that an earlier operation may read, and nothing orders the two in a later iteration}}
      // expected-error @below {{writes shared memory that an earlier operation may write, and nothing orders the two in a later iteration}}
      // expected-note @below {{nvvm.bar.warp.sync}}
      // expected-note @below {{writes it here}}
      memref.store %v, %m[%c1, %t] : memref<4x32xf32, strided<[?, 1]>, #gpu.address_space<workgroup>>
    }
    gpu.return
  }

  gpu.func @shared_rows(%A: memref<?x?xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<?x?xf16> to !matrix
    %zero = arith.constant 0.0 : f16
    // expected-note@below {{'tile.fill' writes it here}}
    tile.fill %zero to %a[0, 0] [32, 64] scope(cta) : f16 to !matrix
    // expected-error@below {{writes global memory that an earlier operation writes, and nothing orders the two: for example thread 64 and thread 0, byte 0 after 31 * s0}}
    // expected-note@below {{gpu.barrier}}
    tile.fill %zero to %a[31, 0] [32, 64] scope(cta) : f16 to !matrix
    gpu.return
  }

  // Both share the elements out in the order of memory.
  gpu.func @transposed(%A: memref<?x?xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<?x?xf16> to !matrix
    %t = tile.permute %a [1, 0] : !matrix to !transposed
    %zero = arith.constant 0.0 : f16
    tile.fill %zero to %a[0, 0] [32, 64] scope(cta) : f16 to !matrix
    tile.fill %zero to %t[0, 0] [64, 32] scope(cta) : f16 to !transposed
    gpu.return
  }

  // Two views of one memory may have anything in common.
  gpu.func @views(%A: memref<?x?xf16>, %ld: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<?x?xf16> to !matrix
    %b = tile.view %A strides(%ld) : memref<?x?xf16> to !matrix
    %zero = arith.constant 0.0 : f16
    // expected-note@below {{'tile.fill' writes it here}}
    tile.fill %zero to %a[0, 0] [32, 64] scope(cta) : f16 to !matrix
    // expected-error@below {{writes global memory that an earlier operation may write}}
    // expected-note@below {{gpu.barrier}}
    tile.fill %zero to %b[64, 0] [32, 64] scope(cta) : f16 to !matrix
    gpu.return
  }

  gpu.func @loops(%A: memref<?x?x?xf16>, %n: index, %batches: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<?x?x?xf16> to !batch
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f16
    scf.for %i = %c0 to %batches step %c2 {
      scf.for %j = %c0 to %n step %c8 {
        scf.for %k = %c0 to %n step %c64 {
          tile.fill %zero to %a[%i, %j, %k] [2, 8, 64] scope(cta) masked : f16 to !batch
        }
      }
    }
    gpu.return
  }

  gpu.func @steps(%A: memref<?x?xf16>, %n: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<?x?xf16> to !matrix
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0.0 : f16
    scf.for %j = %c0 to %n step %c32 {
      // expected-error@below {{writes global memory that an earlier operation writes, and nothing orders the two one iteration later}}
      // expected-note@below {{gpu.barrier}}
      tile.fill %zero to %a[0, %j] [32, 64] scope(cta) : f16 to !matrix
    }
    gpu.return
  }

  // Rows of the one are columns of the other.
  gpu.func @crossed(%A: memref<?x?xf16>, %n: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<?x?xf16> to !matrix
    %t = tile.permute %a [1, 0] : !matrix to !transposed
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f16
    scf.for %i = %c0 to %n step %c64 {
      // expected-error@below {{writes global memory that an earlier operation writes, and nothing orders the two one iteration later}}
      // expected-note@below {{gpu.barrier}}
      // expected-note@below {{'tile.fill' writes it here}}
      tile.fill %zero to %a[%i, 0] [64, 64] scope(cta) : f16 to !matrix
      // expected-note@below {{'tile.fill' writes it here}}
      // expected-error@below {{writes global memory that an earlier operation may write, and nothing orders the two in a later iteration}}
      // expected-note@below {{gpu.barrier}}
      tile.fill %zero to %t[%i, 64] [32, 64] scope(cta) : f16 to !transposed
    }
    gpu.return
  }

  // 128 iterations later column 8192 would be the first one of the next row.
  gpu.func @columns(%A: memref<32x8192xf16>, %n: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x8192xf16> to !wide
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f16
    scf.for %j = %c0 to %n step %c64 {
      tile.fill %zero to %a[0, %j] [32, 64] scope(cta) : f16 to !wide
    }
    gpu.return
  }

  // The last tile of a row leaves the buffer, and writes nothing there.
  gpu.func @edges(%A: memref<100x100xf16>, %n: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<100x100xf16> to !odd
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f16
    scf.for %i = %c0 to %n step %c64 {
      scf.for %j = %c0 to %n step %c64 {
        tile.fill %zero to %a[%i, %j] [64, 64] scope(cta) masked : f16 to !odd
      }
    }
    gpu.return
  }

  // All threads have the same row, whichever it is.
  gpu.func @loaded(%A: memref<?x?xf16>, %I: memref<10xi32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<?x?xf16> to !matrix
    %block = gpu.block_id x
    %zero = arith.constant 0.0 : f16
    %loaded = memref.load %I[%block] : memref<10xi32>
    %row = arith.index_cast %loaded : i32 to index
    tile.fill %zero to %a[%row, 0] [16, 64] scope(cta) : f16 to !matrix
    gpu.return
  }

  // Within an iteration all threads have the same row; another iteration may have the same one again.
  gpu.func @loaded_again(%A: memref<?x?xf16>, %I: memref<?xi32>, %n: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<?x?xf16> to !matrix
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %zero = arith.constant 0.0 : f16
    scf.for %i = %c0 to %n step %c1 {
      %loaded = memref.load %I[%i] : memref<?xi32>
      %number = arith.index_cast %loaded : i32 to index
      %row = arith.remui %number, %c8 : index
      // expected-error@below {{writes global memory that an earlier operation may write, and nothing orders the two in a later iteration}}
      // expected-note@below {{of 2 warps}}
      tile.fill %zero to %a[%row, 0] [1, 64] scope(cta) : f16 to !matrix
    }
    gpu.return
  }

  // How far apart the iterations are, the grid decides.
  gpu.func @grid_stride(%A: memref<?x?xf16>, %n: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<?x?xf16> to !matrix
    %c32 = arith.constant 32 : index
    %block = gpu.block_id x
    %blocks = gpu.grid_dim x
    %zero = arith.constant 0.0 : f16
    %first = arith.muli %block, %c32 : index
    %step = arith.muli %blocks, %c32 : index
    scf.for %i = %first to %n step %step {
      tile.fill %zero to %a[%i, 0] [32, 64] scope(cta) : f16 to !matrix
      gpu.barrier
    }
    gpu.return
  }

  gpu.func @diagonal(%A: memref<?x?xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<?x?xf16> to !matrix
    %thread = gpu.thread_id x
    %zero = arith.constant 0.0 : f16
    tile.fill %zero to %a[128, 0] [1, 128] scope(cta) : f16 to !matrix
    gpu.barrier
    memref.store %zero, %A[%thread, %thread] : memref<?x?xf16>
    gpu.return
  }

  gpu.func @halves(%A: memref<?x?xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<?x?xf16> to !matrix
    %thread = gpu.thread_id x
    %c2 = arith.constant 2 : index
    %half = arith.divui %thread, %c2 : index
    %zero = arith.constant 0.0 : f16
    tile.fill %zero to %a[128, 0] [1, 128] scope(cta) : f16 to !matrix
    gpu.barrier
    // expected-error@below {{writes global memory that the same operation writes, and nothing orders the two: for example thread 1 and thread 0, byte 0}}
    // expected-note@below {{expected different bytes, or one thread that does it, in an scf.if}}
    memref.store %zero, %A[%half, %half] : memref<?x?xf16>
    gpu.return
  }

  // A cast states the stride: the second fill is at other offsets than those that are assumed for run-time strides.
  gpu.func @stated(%A: memref<1080xf16>, %n: index, %stride: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A extents(%n) strides(%stride) : memref<1080xf16> to !rows
    %zero = arith.constant 0.0 : f16
    // expected-note@below {{'tile.fill' writes it here}}
    tile.fill %zero to %a[0, 1, 0] [1, 2, 32] scope(cta) masked : f16 to !rows
    %known = tile.cast %a : !rows to !known
    // expected-error@below {{writes global memory that an earlier operation may write, and nothing orders the two}}
    // expected-note@below {{between the two, this orders them: gpu.barrier}}
    tile.fill %zero to %known[0, 0, 0] [1, 2, 32] scope(cta) : f16 to !known
    gpu.barrier
    tile.fill %zero to %a[0, 1, 0] [1, 2, 32] scope(cta) masked : f16 to !rows
    gpu.return
  }
}

// The launch has its numbers from around it.
func.func @launched(%A: memref<?x?xf16>, %rows: index) {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%bx = %c128, %by = %c1, %bz = %c1) {
    %a = tile.view %A : memref<?x?xf16> to !matrix
    %zero = arith.constant 0.0 : f16
    tile.fill %zero to %a[%rows, 0] [32, 64] scope(cta) : f16 to !matrix
    gpu.terminator
  }
  return
}
