// What a promise of distinct numbers says nothing about still needs an order.

// RUN: tile-opt %s --tile-check-sync --split-input-file --verify-diagnostics -o /dev/null

!matrix = !tile.buffer<64x64xf32, global>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // Two ops may give the same number.
  gpu.func @two_promises(%rows: memref<64xindex>, %B: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %b = tile.view %B : memref<64x64xf32> to !matrix
    %thread = gpu.thread_id x
    %zero = arith.constant 0.0 : f32
    %c32 = arith.constant 32 : index
    %warp = arith.divui %thread, %c32 : index
    %row = memref.load %rows[%warp] : memref<64xindex>
    %one = tile.assume %row uniform(warp) distinct(cta) : index
    %other = tile.assume %row uniform(warp) distinct(cta) : index
    // expected-note @below {{writes it here}}
    tile.fill %zero to %b[%one, 0] [1, 64] scope(warp) : f32 to !matrix
    // expected-error @below {{writes global memory that an earlier operation may write, and nothing orders the two: too little is known of their offsets}}
    // expected-note @below {{between the two, this orders them}}
    tile.fill %zero to %b[%other, 0] [1, 64] scope(warp) : f32 to !matrix
    gpu.return
  }
}

// -----

!matrix = !tile.buffer<64x64xf32, global>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // The next row may be that of another warp.
  gpu.func @two_rows(%rows: memref<64xindex>, %B: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %b = tile.view %B : memref<64x64xf32> to !matrix
    %thread = gpu.thread_id x
    %zero = arith.constant 0.0 : f32
    %c32 = arith.constant 32 : index
    %warp = arith.divui %thread, %c32 : index
    %row = memref.load %rows[%warp] : memref<64xindex>
    %own = tile.assume %row uniform(warp) distinct(cta) : index
    // expected-error @below {{writes global memory that the same operation may write, and nothing orders the two: too little is known of their offsets}}
    // expected-note @below {{no barrier comes between them}}
    tile.fill %zero to %b[%own, 0] [2, 64] scope(warp) : f32 to !matrix
    gpu.return
  }
}

// -----

!matrix = !tile.buffer<64x64xf32, global>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // Within one row, threads of the warp meet.
  gpu.func @one_row(%rows: memref<64xindex>, %B: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %thread = gpu.thread_id x
    gpu.barrier
    %one = arith.constant 1.0 : f32
    %c32 = arith.constant 32 : index
    %warp = arith.divui %thread, %c32 : index
    %lane = arith.remui %thread, %c32 : index
    %next = arith.xori %lane, %warp : index
    %row = memref.load %rows[%warp] : memref<64xindex>
    %own = tile.assume %row uniform(warp) distinct(cta) : index
    // expected-note @below {{writes it here}}
    memref.store %one, %B[%own, %lane] : memref<64x64xf32>
    // expected-error @below {{reads global memory that an earlier operation writes, and nothing orders the two: for example thread 32 and thread 33, in what one execution of tile.assume … distinct selects}}
    // expected-note @below {{between the two, this orders them}}
    %back = memref.load %B[%own, %next] : memref<64x64xf32>
    gpu.return
  }
}

// -----

!matrix = !tile.buffer<64x64xf32, global>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // A number that is computed from the promised one may come twice.
  gpu.func @computed(%rows: memref<64xindex>, %B: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %b = tile.view %B : memref<64x64xf32> to !matrix
    %thread = gpu.thread_id x
    %zero = arith.constant 0.0 : f32
    %c32 = arith.constant 32 : index
    %warp = arith.divui %thread, %c32 : index
    %row = memref.load %rows[%warp] : memref<64xindex>
    %own = tile.assume %row uniform(warp) distinct(cta) : index
    %half = arith.divui %own, %c32 : index
    // expected-error @below {{writes global memory that the same operation may write, and nothing orders the two: too little is known of their offsets}}
    // expected-note @below {{no barrier comes between them}}
    tile.fill %zero to %b[%half, 0] [1, 64] scope(warp) : f32 to !matrix
    gpu.return
  }
}

// -----

!matrix = !tile.buffer<64x64xf32, global>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // In the next iteration the same number may come again where the op is outside the loop.
  gpu.func @again(%rows: memref<64xindex>, %B: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    gpu.barrier
    %thread = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %warp = arith.divui %thread, %c32 : index
    %lane = arith.remui %thread, %c32 : index
    %row = memref.load %rows[%warp] : memref<64xindex>
    %own = tile.assume %row uniform(warp) distinct(cta) : index
    scf.for %i = %c0 to %c8 step %c1 {
      %one = arith.constant 1.0 : f32
      %at = arith.addi %lane, %i : index
      // expected-error @below {{writes global memory that an earlier operation writes, and nothing orders the two one iteration later: for example thread 1 and thread 0, in what one execution of tile.assume … distinct selects}}
      // expected-note @below {{between the two, this orders them}}
      memref.store %one, %B[%own, %at] : memref<64x64xf32>
    }
    gpu.return
  }
}

// -----

!row = !tile.buffer<1x64xf16, shared>
!rows = !tile.buffer<16x64xf16, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  llvm.mlir.global internal @received() {addr_space = 3 : i32, alignment = 8 : i64} : i64

  // Thread 0 sends a row to the other block, in which another thread may have the same number.
  gpu.func @blocks(%rows: memref<2x2xindex>) kernel
      attributes {known_block_size = array<i32: 2, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {
    %s = tile.alloc : !row
    %t = tile.alloc : !rows
    %barrier = llvm.mlir.addressof @received : !llvm.ptr<3>
    %one = arith.constant 1 : i32
    %zero = arith.constant 0.0 : f16
    %bytes = arith.constant 128 : i32
    %phase = arith.constant 0 : i32
    %true = arith.constant true
    %c0 = arith.constant 0 : index
    %thread = gpu.thread_id x
    %is_thread_0 = arith.cmpi eq, %thread, %c0 : index
    %block = gpu.block_id x
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %other = arith.xori %rank, %one : i32
    %row = memref.load %rows[%block, %thread] : memref<2x2xindex>
    %own = tile.assume %row distinct(cta) : index
    scf.if %is_thread_0 {
      nvvm.mbarrier.init %barrier, %one : !llvm.ptr<3>, i32
      nvvm.mbarrier.arrive.expect_tx %barrier, %bytes : !llvm.ptr<3>, i32
      tile.fill %zero to %s scope(thread) : f16 to !row
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    }
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    scf.if %is_thread_0 {
      // expected-note @below {{writes it here}}
      tile.copy_async %s to %t[%own, 0] [1, 64] scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%other) : !row to !rows
    } else {
      // expected-error @below {{writes shared memory that an earlier operation may write, and nothing orders the two: too little is known of their offsets}}
      // expected-note @below {{between the two, this orders them}}
      tile.fill %zero to %t[%own, 0] [1, 64] scope(thread) : f16 to !rows
    }
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %barrier, %phase : !llvm.ptr<3>, i32 -> i1
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    gpu.return
  }
}

// -----

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // A block of one warp executes the op once in each iteration: no two iterations have the same rows.
  gpu.func @one_warp(%A: memref<4x64xi32>, %B: memref<4x64xi32>, %I: memref<2xi64>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<4x64xi32>
    %b = tile.view %B : memref<4x64xi32>
    %t = gpu.thread_id x
    %c32 = arith.constant 32 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %warp = arith.divui %t, %c32 : index
    scf.for %i = %warp to %c2 step %c1 {
      %number = memref.load %I[%i] : memref<2xi64>
      %row = arith.index_cast %number : i64 to index
      %own = tile.assume %row uniform(warp) distinct(cta) : index
      %to = arith.muli %own, %c2 : index
      %from = arith.muli %i, %c2 : index
      tile.copy %a[%from, 0] [2, 64] to %b[%to, 0] [2, 64] scope(warp) : !tile.buffer<4x64xi32, global> to !tile.buffer<4x64xi32, global>
    }
    gpu.return
  }

  // In two loops, one around the other.
  gpu.func @two_loops(%B: memref<64x64xf32>, %I: memref<8x8xindex>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    gpu.barrier
    %t = gpu.thread_id x
    %one = arith.constant 1.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    scf.for %i = %c0 to %c8 step %c1 {
      scf.for %j = %c0 to %c8 step %c1 {
        %row = memref.load %I[%i, %j] : memref<8x8xindex>
        %own = tile.assume %row uniform(cta) distinct(cta) : index
        %column = arith.addi %t, %j : index
        memref.store %one, %B[%own, %column] : memref<64x64xf32>
      }
    }
    gpu.return
  }
}

// -----

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // Two rows each, but the numbers only differ by one.
  gpu.func @overlapping(%B: memref<64x64xf32>, %I: memref<8xindex>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %b = tile.view %B : memref<64x64xf32>
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    scf.for %i = %c0 to %c8 step %c1 {
      %row = memref.load %I[%i] : memref<8xindex>
      %own = tile.assume %row uniform(warp) distinct(cta) : index
      // expected-error @below {{writes global memory that an earlier operation writes, and nothing orders the two in a later iteration}}
      // expected-note @below {{between the two, this orders them}}
      tile.fill %zero to %b[%own, 0] [2, 48] scope(warp) : f32 to !tile.buffer<64x64xf32, global>
    }
    gpu.return
  }
}

// -----

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // Iterations that do not execute the op may have any number.
  gpu.func @not_always(%B: memref<64x64xf32>, %I: memref<8xindex>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    gpu.barrier
    %b = tile.view %B : memref<64x64xf32>
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    scf.for %i = %c0 to %c8 step %c1 {
      %row = memref.load %I[%i] : memref<8xindex>
      %odd = arith.andi %i, %c1 : index
      %is_even = arith.cmpi eq, %odd, %c0 : index
      scf.if %is_even {
        %own = tile.assume %row uniform(warp) distinct(cta) : index
        %next = arith.addi %own, %c1 : index
      }
      %t = gpu.thread_id x
      %at = arith.addi %t, %i : index
      // expected-error @below {{writes global memory that an earlier operation may write, and nothing orders the two in a later iteration: too little is known of their offsets}}
      // expected-note @below {{between the two, this orders them}}
      memref.store %zero, %B[%row, %at] : memref<64x64xf32>
    }
    gpu.return
  }
}
