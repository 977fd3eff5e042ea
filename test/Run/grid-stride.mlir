// Grid-stride loops: what an iteration writes, no other iteration touches, since the step is a multiple of the tile. Nothing is
// inserted, and all schedules copy. Where the step is smaller, or the offset beside it moves, iterations meet.

// RUN: tile-opt %s --tile-check-sync --verify-diagnostics -o /dev/null
// RUN: tile-run %s --entry block --grid 2 --schedule=all --arg f32[5000]=random --arg f32[5000]=random:7 --expect-equal 0,1
// RUN: tile-run %s --entry warp --grid 2 --schedule=all --arg f32[5000]=random --arg f32[5000]=random:7 --expect-equal 0,1
// RUN: tile-run %s --entry thread --grid 2 --schedule=all --arg f32[5000]=random --arg f32[5000]=random:7 --expect-equal 0,1
// RUN: tile-run %s --entry rows --grid 2 --schedule=all --arg f32[70x150]=random --arg f32[70x150]=random:7 --expect-equal 0,1
// RUN: tile-run %s --entry vectors --schedule=all --arg f32[1003]=random --arg f32[1003]=random:7 --expect-equal 0,1
// RUN: not tile-run %s --entry halves --schedule=all --arg f32[4096]=random --arg f32[4096]=zeros 2>&1 | FileCheck %s --check-prefix=FAULT
// RUN: not tile-run %s --entry shifted --schedule=all --arg f32[8192]=random --arg f32[8192]=zeros 2>&1 | FileCheck %s --check-prefix=FAULT
// RUN: not tile-run %s --entry past_vectors --schedule=all --arg f32[1004]=random --arg f32[1004]=zeros 2>&1 | FileCheck %s --check-prefix=FAULT
// FAULT: error: {{.*race}}

!vec = !tile.buffer<?xf32, global>
!matrix = !tile.buffer<?x?xf32, global>
!regs = !tile.buffer<1024xf32, local, #tile.layout<(256, 4) : (1@tx, 1)>>
!turned = !tile.buffer<1024xf32, local, #tile.layout<(4, 256) : (1, 1@tx)>>
!row = !tile.buffer<1x128xf32, local, #tile.layout<(1, 128) : (1, 1@tx)>>
!lane = !tile.buffer<128xf32, local, #tile.layout<(32, 4) : (1@laneid, 1)>>
!four = !tile.buffer<4xf32, local>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @block(%X: memref<?xf32>, %Y: memref<?xf32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1024 = arith.constant 1024 : index
    %n = memref.dim %X, %c0 : memref<?xf32>
    %x = tile.view %X extents(%n) : memref<?xf32> to !vec
    %y = tile.view %Y extents(%n) : memref<?xf32> to !vec
    %b = gpu.block_id x
    %g = gpu.grid_dim x
    %first = arith.muli %b, %c1024 : index
    %step = arith.muli %g, %c1024 : index
    %r = tile.alloc : !regs
    scf.for %o = %first to %n step %step {
      tile.copy %y[%o] [1024] to %r scope(cta) masked : !vec to !regs
      tile.copy %x[%o] [1024] to %r scope(cta) masked : !vec to !regs
      tile.copy %r to %y[%o] [1024] scope(cta) masked : !regs to !vec
    }
    gpu.return
  }

  gpu.func @warp(%X: memref<?xf32>, %Y: memref<?xf32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %n = memref.dim %X, %c0 : memref<?xf32>
    %x = tile.view %X extents(%n) : memref<?xf32> to !vec
    %y = tile.view %Y extents(%n) : memref<?xf32> to !vec
    %t = gpu.thread_id x
    %w = arith.divui %t, %c32 : index
    %b = gpu.block_id x
    %g = gpu.grid_dim x
    %of_block = arith.muli %b, %c8 : index
    %number = arith.addi %of_block, %w : index
    %count = arith.muli %g, %c8 : index
    %first = arith.muli %number, %c128 : index
    %step = arith.muli %count, %c128 : index
    %r = tile.alloc : !lane
    scf.for %o = %first to %n step %step {
      tile.copy %x[%o] [128] to %r scope(warp) masked : !vec to !lane
      tile.copy %r to %y[%o] [128] scope(warp) masked : !lane to !vec
    }
    gpu.return
  }

  gpu.func @thread(%X: memref<?xf32>, %Y: memref<?xf32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c1024 = arith.constant 1024 : index
    %n = memref.dim %X, %c0 : memref<?xf32>
    %x = tile.view %X extents(%n) : memref<?xf32> to !vec
    %y = tile.view %Y extents(%n) : memref<?xf32> to !vec
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %g = gpu.grid_dim x
    %of_block = arith.muli %b, %c1024 : index
    %of_thread = arith.muli %t, %c4 : index
    %first = arith.addi %of_block, %of_thread : index
    %step = arith.muli %g, %c1024 : index
    %r = tile.alloc : !four
    scf.for %o = %first to %n step %step {
      %p = tile.assume %o divisible_by 4 : index
      tile.copy %x[%p] [4] to %r scope(thread) masked : !vec to !four
      tile.copy %r to %y[%p] [4] scope(thread) masked : !four to !vec
    }
    gpu.return
  }

  // Rows of any stride, one after the other.
  gpu.func @rows(%X: memref<?x?xf32>, %Y: memref<?x?xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %rows = memref.dim %X, %c0 : memref<?x?xf32>
    %columns = memref.dim %X, %c1 : memref<?x?xf32>
    %x = tile.view %X : memref<?x?xf32> to !matrix
    %y = tile.view %Y : memref<?x?xf32> to !matrix
    %b = gpu.block_id x
    %g = gpu.grid_dim x
    %r = tile.alloc : !row
    scf.for %i = %b to %rows step %g {
      scf.for %j = %c0 to %columns step %c128 {
        tile.copy %x[%i, %j] [1, 128] to %r scope(cta) masked : !matrix to !row
        tile.copy %r to %y[%i, %j] [1, 128] scope(cta) masked : !row to !matrix
      }
    }
    gpu.return
  }

  // Whole vectors in a loop, and what is left after it: the last vector ends where the rest begins.
  gpu.func @vectors(%X: memref<?xf32>, %Y: memref<?xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c256 = arith.constant 256 : index
    %n = memref.dim %X, %c0 : memref<?xf32>
    %x = tile.view %X : memref<?xf32> to !vec
    %y = tile.view %Y : memref<?xf32> to !vec
    %t = gpu.thread_id x
    %first = arith.muli %t, %c4 : index
    %rest = arith.remui %n, %c4 : index
    %whole = arith.subi %n, %rest : index
    %r = tile.alloc : !four
    scf.for %o = %first to %whole step %c256 {
      tile.copy %x[%o] [4] to %r scope(thread) : !vec to !four
      tile.copy %r to %y[%o] [4] scope(thread) : !four to !vec
    }
    %tail = arith.addi %whole, %t : index
    %has = arith.cmpi ult, %tail, %n : index
    scf.if %has {
      %e = memref.load %X[%tail] : memref<?xf32>
      memref.store %e, %Y[%tail] : memref<?xf32>
    }
    gpu.return
  }

  // Steps of half a tile.
  gpu.func @halves(%X: memref<?xf32>, %Y: memref<?xf32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c512 = arith.constant 512 : index
    %n = memref.dim %X, %c0 : memref<?xf32>
    %x = tile.view %X extents(%n) : memref<?xf32> to !vec
    %y = tile.view %Y extents(%n) : memref<?xf32> to !vec
    %g = gpu.grid_dim x
    %step = arith.muli %g, %c512 : index
    %r = tile.alloc : !regs
    scf.for %o = %c0 to %n step %step {
      tile.copy %x[%o] [1024] to %r scope(cta) masked : !vec to !regs
      // expected-error@below {{writes global memory that an earlier operation writes, and nothing orders the two in a later iteration}}
      // expected-note@below {{this orders them: gpu.barrier}}
      tile.copy %r to %y[%o] [1024] scope(cta) masked : !regs to !vec
    }
    gpu.return
  }

  // What an iteration writes, other threads read in the next.
  gpu.func @shifted(%X: memref<?xf32>, %Y: memref<?xf32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1024 = arith.constant 1024 : index
    %n = memref.dim %X, %c0 : memref<?xf32>
    %x = tile.view %X extents(%n) : memref<?xf32> to !vec
    %y = tile.view %Y extents(%n) : memref<?xf32> to !vec
    %g = gpu.grid_dim x
    %step = arith.muli %g, %c1024 : index
    %zero = arith.constant 0.0 : f32
    %r = tile.alloc : !regs
    tile.fill %zero to %r scope(cta) : f32 to !regs
    %s = tile.alloc : !turned
    scf.for %o = %c0 to %n step %step {
      // expected-error@below {{reads global memory that an earlier operation writes, and nothing orders the two in a later iteration}}
      // expected-note@below {{this orders them: gpu.barrier}}
      tile.copy %x[%o] [1024] to %s scope(cta) masked : !vec to !turned
      tile.copy %s to %y[%o] [1024] scope(cta) masked : !turned to !vec
      %next = arith.addi %o, %c1024 : index
      // expected-note@below {{writes it here}}
      tile.copy %r to %x[%next] [1024] scope(cta) masked : !regs to !vec
    }
    gpu.return
  }

  // The loop goes as far as the rest does.
  gpu.func @past_vectors(%X: memref<?xf32>, %Y: memref<?xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c256 = arith.constant 256 : index
    %n = memref.dim %X, %c0 : memref<?xf32>
    %x = tile.view %X : memref<?xf32> to !vec
    %y = tile.view %Y : memref<?xf32> to !vec
    %t = gpu.thread_id x
    %first = arith.muli %t, %c4 : index
    %rest = arith.remui %n, %c4 : index
    %whole = arith.subi %n, %rest : index
    %before = arith.subi %whole, %c4 : index
    %r = tile.alloc : !four
    scf.for %o = %first to %whole step %c256 {
      tile.copy %x[%o] [4] to %r scope(thread) : !vec to !four
      // expected-note@below {{writes it here}}
      tile.copy %r to %y[%o] [4] scope(thread) : !four to !vec
    }
    %tail = arith.addi %before, %t : index
    %has = arith.cmpi ult, %tail, %n : index
    scf.if %has {
      %e = memref.load %X[%tail] : memref<?xf32>
      // expected-error@below {{writes global memory that an earlier operation may write, and nothing orders the two}}
      // expected-note@below {{this orders them: gpu.barrier}}
      memref.store %e, %Y[%tail] : memref<?xf32>
    }
    gpu.return
  }
}
