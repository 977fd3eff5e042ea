// Loads through a tensor map to the blocks of a cluster that a mask names: kernels that --tile-check-sync accepts run under all
// schedules, the others fail.
// RUN: tile-opt %s --tile-check-sync --verify-diagnostics -o /dev/null
// RUN: %python %tile_source/test/tools/npy.py %t.in.npy "<i4" 64,32 0:64
// RUN: %python %tile_source/test/tools/npy.py %t.next.npy "<i4" 64,32 48:64 0:48
// RUN: tile-run %s --entry next --schedule=all --grid 4 --arg i32[64x32]=%t.in.npy --arg i32[64x32]=poison --expect 1=%t.next.npy
// RUN: %python %tile_source/test/tools/npy.py %t.tiles.npy "<i4" 3,64,32 0:192
// RUN: %python %tile_source/test/tools/npy.py %t.last.npy "<i4" 128,32 128:192 128:192
// RUN: tile-run %s --entry rounds --schedule=all --grid 2 --arg i32[3x64x32]=%t.tiles.npy --arg i32[128x32]=poison --arg i64=3 --expect 1=%t.last.npy
// RUN: not tile-run %s --entry reused --schedule=all --grid 2 --arg i32[3x64x32]=%t.tiles.npy --arg i32[128x32]=poison --arg i64=3 2>&1 | FileCheck %s --check-prefix=REUSED
// REUSED: asynchronous copy not waited for
// RUN: not tile-run %s --entry begins --schedule=all --grid 2 --arg i32[64x32]=random --arg i32[128x32]=poison 2>&1 | FileCheck %s --check-prefix=BEGINS
// BEGINS: does not know that it has started
// RUN: not tile-run %s --entry half --schedule=all --grid 2 --arg i32[64x32]=random --arg i32[128x32]=poison 2>&1 | FileCheck %s --check-prefix=HALF
// HALF: {{race|not waited for}}
// RUN: not tile-run %s --entry beyond --schedule=all --grid 2 --arg i32[64x32]=random --arg i32[128x32]=poison 2>&1 | FileCheck %s --check-prefix=BEYOND
// BEYOND: invalid operation: got mask 0b110 in a cluster of 2, expected one or more of its lowest 2 bits
// RUN: not tile-run %s --entry nobody --schedule=all --grid 2 --arg i32[64x32]=random --arg i32[128x32]=poison 2>&1 | FileCheck %s --check-prefix=NOBODY
// NOBODY: invalid operation: got mask 0b0 in a cluster of 2

!source = !tile.buffer<64x32xi32, global>
!sources = !tile.buffer<3x64x32xi32, global>
!target = !tile.buffer<128x32xi32, global>
!tile = !tile.buffer<64x32xi32, shared, #tile.layout<(64, 32) : (32, 1), swizzle<base = 2, bits = 3, shift = 3>>>
!quarter = !tile.buffer<16x32xi32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // Each block of four loads a part for the next one alone: the mask follows from the rank.
  gpu.func @next(%A: memref<64x32xi32>, %B: memref<64x32xi32>) workgroup(%barriers: memref<1xi64, 3> {llvm.align = 16}) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, nvvm.cluster_dim = array<i32: 4, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %bytes = arith.constant 2048 : i32
    %phase = arith.constant 0 : i32
    %true = arith.constant true
    %index = memref.extract_aligned_pointer_as_index %barriers : memref<1xi64, 3> -> index
    %address = arith.index_cast %index : index to i64
    %full = llvm.inttoptr %address : i64 to !llvm.ptr<3>
    %thread = gpu.thread_id x
    %is_thread_0 = arith.cmpi eq, %thread, %c0 : index
    %block = gpu.block_id x
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %c16 = arith.constant 16 : i32
    %three = arith.constant 3 : i32
    %a = tile.view %A : memref<64x32xi32>
    %b = tile.view %B : memref<64x32xi32>
    %s = tile.alloc : !quarter
    %first = arith.muli %rank, %c16 : i32
    %row = arith.index_cast %first : i32 to index
    %sum = arith.addi %rank, %one : i32
    %other = arith.andi %sum, %three : i32
    %bit = arith.shli %one, %other : i32
    %mask = arith.trunci %bit : i32 to i16
    scf.if %is_thread_0 {
      nvvm.mbarrier.init %full, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    scf.if %is_thread_0 {
      nvvm.mbarrier.arrive.expect_tx %full, %bytes : !llvm.ptr<3>, i32
    }
    tile.copy_async %a[%row, 0] [16, 32] to %s scope(cta) mbarrier(%full : !llvm.ptr<3>) cta_mask(%mask)
      {variant = "tma"} : !source to !quarter
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %full, %phase : !llvm.ptr<3>, i32 -> i1
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    tile.copy_async %s to %b[%row, 0] [16, 32] scope(cta) bulk_group {variant = "tma"} : !quarter to !source
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }

  // Both blocks have read a tile before the next one overwrites it: a barrier of the cluster.
  gpu.func @rounds(%A: memref<3x64x32xi32>, %B: memref<128x32xi32>, %n: index) workgroup(%barriers: memref<1xi64, 3> {llvm.align = 16}) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %bytes = arith.constant 8192 : i32
    %phase = arith.constant 0 : i32
    %true = arith.constant true
    %index = memref.extract_aligned_pointer_as_index %barriers : memref<1xi64, 3> -> index
    %address = arith.index_cast %index : index to i64
    %full = llvm.inttoptr %address : i64 to !llvm.ptr<3>
    %thread = gpu.thread_id x
    %is_thread_0 = arith.cmpi eq, %thread, %c0 : index
    %block = gpu.block_id x
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %half_rows = arith.constant 32 : i32
    %both = arith.constant 3 : i16
    %a = tile.view %A : memref<3x64x32xi32>
    %b = tile.view %B : memref<128x32xi32>
    %s = tile.alloc : !tile
    %first = arith.muli %rank, %half_rows : i32
    %row = arith.index_cast %first : i32 to index
    %c1 = arith.constant 1 : index
    %rows = arith.constant 64 : index
    %own = arith.muli %block, %rows : index
    scf.if %is_thread_0 {
      nvvm.mbarrier.init %full, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    scf.for %i = %c0 to %n step %c1 {
      %odd = arith.andi %i, %c1 : index
      %parity = arith.index_cast %odd : index to i32
      scf.if %is_thread_0 {
        nvvm.mbarrier.arrive.expect_tx %full, %bytes : !llvm.ptr<3>, i32
      }
      tile.copy_async %a[%i, %row, 0] [1, 32, 32] to %s[%row, 0] [32, 32] scope(cta) mbarrier(%full : !llvm.ptr<3>) cta_mask(%both)
        {variant = "tma"} : !sources to !tile
      scf.while : () -> () {
        %done = nvvm.mbarrier.try_wait %full, %parity : !llvm.ptr<3>, i32 -> i1
        %again = arith.xori %done, %true : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
      tile.copy %s to %b[%own, 0] [64, 32] scope(cta) : !tile to !target
      nvvm.cluster.arrive {aligned}
      nvvm.cluster.wait {aligned}
    }
    gpu.return
  }

  // A barrier of the block does not tell that the other block has read the tile.
  gpu.func @reused(%A: memref<3x64x32xi32>, %B: memref<128x32xi32>, %n: index) workgroup(%barriers: memref<1xi64, 3> {llvm.align = 16}) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 128, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {  // not in order, on purpose
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %bytes = arith.constant 8192 : i32
    %phase = arith.constant 0 : i32
    %true = arith.constant true
    %index = memref.extract_aligned_pointer_as_index %barriers : memref<1xi64, 3> -> index
    %address = arith.index_cast %index : index to i64
    %full = llvm.inttoptr %address : i64 to !llvm.ptr<3>
    %thread = gpu.thread_id x
    %is_thread_0 = arith.cmpi eq, %thread, %c0 : index
    %block = gpu.block_id x
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %half_rows = arith.constant 32 : i32
    %both = arith.constant 3 : i16
    %a = tile.view %A : memref<3x64x32xi32>
    %b = tile.view %B : memref<128x32xi32>
    %s = tile.alloc : !tile
    %first = arith.muli %rank, %half_rows : i32
    %row = arith.index_cast %first : i32 to index
    %c1 = arith.constant 1 : index
    %rows = arith.constant 64 : index
    %own = arith.muli %block, %rows : index
    scf.if %is_thread_0 {
      // expected-note @below {{the mbarrier is made here, with a count of 1}}
      nvvm.mbarrier.init %full, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    scf.for %i = %c0 to %n step %c1 {
      %odd = arith.andi %i, %c1 : index
      %parity = arith.index_cast %odd : index to i32
      scf.if %is_thread_0 {
        nvvm.mbarrier.arrive.expect_tx %full, %bytes : !llvm.ptr<3>, i32
      }
      // expected-error @below {{writes shared memory that an earlier operation writes, and nothing orders the two one iteration later}}
      // expected-note @below {{between the two, this orders them: a wait for the phase of the first one's mbarrier}}
      // expected-error @below {{writes shared memory that an earlier operation reads, and nothing orders the two one iteration later: for example thread 0 of block 1 and thread 0 of block 0, byte 0}}
      // expected-note @below {{between the two, this orders them: nvvm.cluster.arrive, then nvvm.cluster.wait: the two are of different blocks}}
      // expected-error @below {{arrives in phase 1 of an mbarrier, and nothing says that phase 0 is over: expected a wait for phase 0 before it}}
      tile.copy_async %a[%i, %row, 0] [1, 32, 32] to %s[%row, 0] [32, 32] scope(cta) mbarrier(%full : !llvm.ptr<3>) cta_mask(%both)
        {variant = "tma"} : !sources to !tile
      scf.while : () -> () {
        %done = nvvm.mbarrier.try_wait %full, %parity : !llvm.ptr<3>, i32 -> i1
        %again = arith.xori %done, %true : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
      // expected-note @below {{'tile.copy' reads it here}}
      tile.copy %s to %b[%own, 0] [64, 32] scope(cta) : !tile to !target
      gpu.barrier
    }
    gpu.return
  }

  // The other block may not have begun.
  gpu.func @begins(%A: memref<64x32xi32>, %B: memref<128x32xi32>) workgroup(%barriers: memref<1xi64, 3> {llvm.align = 16}) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 128, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {  // not in order, on purpose
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %bytes = arith.constant 8192 : i32
    %phase = arith.constant 0 : i32
    %true = arith.constant true
    %index = memref.extract_aligned_pointer_as_index %barriers : memref<1xi64, 3> -> index
    %address = arith.index_cast %index : index to i64
    %full = llvm.inttoptr %address : i64 to !llvm.ptr<3>
    %thread = gpu.thread_id x
    %is_thread_0 = arith.cmpi eq, %thread, %c0 : index
    %block = gpu.block_id x
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %half_rows = arith.constant 32 : i32
    %both = arith.constant 3 : i16
    %a = tile.view %A : memref<64x32xi32>
    %b = tile.view %B : memref<128x32xi32>
    %s = tile.alloc : !tile
    %first = arith.muli %rank, %half_rows : i32
    %row = arith.index_cast %first : i32 to index
    scf.if %is_thread_0 {
      nvvm.mbarrier.init %full, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    scf.if %is_thread_0 {
      nvvm.mbarrier.arrive.expect_tx %full, %bytes : !llvm.ptr<3>, i32
    }
    // expected-error @below {{writes shared memory of block 1, which may not have begun: for example thread 0 of block 0; expected nvvm.cluster.arrive, then nvvm.cluster.wait before it}}
    // expected-error @below {{names an mbarrier that nothing has made before: expected nvvm.mbarrier.init}}
    tile.copy_async %a[%row, 0] [32, 32] to %s[%row, 0] [32, 32] scope(cta) mbarrier(%full : !llvm.ptr<3>) cta_mask(%both)
      {variant = "tma"} : !source to !tile
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %full, %phase : !llvm.ptr<3>, i32 -> i1
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    %rows = arith.constant 64 : index
    %own = arith.muli %block, %rows : index
    tile.copy %s to %b[%own, 0] [64, 32] scope(cta) : !tile to !target
    gpu.return
  }

  // Each block expects the bytes of its own half only, and reads both.
  gpu.func @half(%A: memref<64x32xi32>, %B: memref<128x32xi32>) workgroup(%barriers: memref<1xi64, 3> {llvm.align = 16}) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 128, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {  // not in order, on purpose
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %bytes = arith.constant 4096 : i32
    %phase = arith.constant 0 : i32
    %true = arith.constant true
    %index = memref.extract_aligned_pointer_as_index %barriers : memref<1xi64, 3> -> index
    %address = arith.index_cast %index : index to i64
    %full = llvm.inttoptr %address : i64 to !llvm.ptr<3>
    %thread = gpu.thread_id x
    %is_thread_0 = arith.cmpi eq, %thread, %c0 : index
    %block = gpu.block_id x
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %half_rows = arith.constant 32 : i32
    %both = arith.constant 3 : i16
    %a = tile.view %A : memref<64x32xi32>
    %b = tile.view %B : memref<128x32xi32>
    %s = tile.alloc : !tile
    %first = arith.muli %rank, %half_rows : i32
    %row = arith.index_cast %first : i32 to index
    scf.if %is_thread_0 {
      // expected-note @below {{the mbarrier is made here, with a count of 1}}
      nvvm.mbarrier.init %full, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    scf.if %is_thread_0 {
      nvvm.mbarrier.arrive.expect_tx %full, %bytes : !llvm.ptr<3>, i32
    }
    // expected-note @below {{'tile.copy_async' writes it here}}
    // expected-error @below {{arrives in phase 1 of an mbarrier, and nothing says that phase 0 is over: expected a wait for phase 0 before it}}
    // expected-error @below {{may be in flight when the block ends, and its shared memory with it}}
    // expected-error @below {{writes shared memory of block 0, which may have ended by then}}
    tile.copy_async %a[%row, 0] [32, 32] to %s[%row, 0] [32, 32] scope(cta) mbarrier(%full : !llvm.ptr<3>) cta_mask(%both)
      {variant = "tma"} : !source to !tile
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %full, %phase : !llvm.ptr<3>, i32 -> i1
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    %rows = arith.constant 64 : index
    %own = arith.muli %block, %rows : index
    // expected-error @below {{reads shared memory that an earlier operation writes, and nothing orders the two: for example thread 0 of block 1 and thread 0 of block 0, byte 4096}}
    // expected-note @below {{between the two, this orders them: a wait for the phase of the first one's mbarrier}}
    tile.copy %s to %b[%own, 0] [64, 32] scope(cta) : !tile to !target
    // expected-note @below {{the block ends here}}
    gpu.return
  }

  // The second block names a third, of a cluster of two.
  gpu.func @beyond(%A: memref<64x32xi32>, %B: memref<128x32xi32>) workgroup(%barriers: memref<1xi64, 3> {llvm.align = 16}) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 128, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {  // not in order, on purpose
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %bytes = arith.constant 8192 : i32
    %phase = arith.constant 0 : i32
    %true = arith.constant true
    %index = memref.extract_aligned_pointer_as_index %barriers : memref<1xi64, 3> -> index
    %address = arith.index_cast %index : index to i64
    %full = llvm.inttoptr %address : i64 to !llvm.ptr<3>
    %thread = gpu.thread_id x
    %is_thread_0 = arith.cmpi eq, %thread, %c0 : index
    %block = gpu.block_id x
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %half_rows = arith.constant 32 : i32
    %both = arith.constant 3 : i16
    %a = tile.view %A : memref<64x32xi32>
    %b = tile.view %B : memref<128x32xi32>
    %s = tile.alloc : !tile
    %first = arith.muli %rank, %half_rows : i32
    %row = arith.index_cast %first : i32 to index
    %three = arith.constant 3 : i32
    %bits = arith.shli %three, %rank : i32
    %mask = arith.trunci %bits : i32 to i16
    scf.if %is_thread_0 {
      nvvm.mbarrier.init %full, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    scf.if %is_thread_0 {
      nvvm.mbarrier.arrive.expect_tx %full, %bytes : !llvm.ptr<3>, i32
    }
    // expected-error @below {{reaches block 2 of a cluster of 2, from block 1: expected a rank below 2}}
    tile.copy_async %a[%row, 0] [32, 32] to %s[%row, 0] [32, 32] scope(cta) mbarrier(%full : !llvm.ptr<3>) cta_mask(%mask)
      {variant = "tma"} : !source to !tile
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %full, %phase : !llvm.ptr<3>, i32 -> i1
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    %rows = arith.constant 64 : index
    %own = arith.muli %block, %rows : index
    tile.copy %s to %b[%own, 0] [64, 32] scope(cta) : !tile to !target
    gpu.return
  }

  // The first block names none.
  gpu.func @nobody(%A: memref<64x32xi32>, %B: memref<128x32xi32>) workgroup(%barriers: memref<1xi64, 3> {llvm.align = 16}) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 128, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {  // not in order, on purpose
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %bytes = arith.constant 8192 : i32
    %phase = arith.constant 0 : i32
    %true = arith.constant true
    %index = memref.extract_aligned_pointer_as_index %barriers : memref<1xi64, 3> -> index
    %address = arith.index_cast %index : index to i64
    %full = llvm.inttoptr %address : i64 to !llvm.ptr<3>
    %thread = gpu.thread_id x
    %is_thread_0 = arith.cmpi eq, %thread, %c0 : index
    %block = gpu.block_id x
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %half_rows = arith.constant 32 : i32
    %both = arith.constant 3 : i16
    %a = tile.view %A : memref<64x32xi32>
    %b = tile.view %B : memref<128x32xi32>
    %s = tile.alloc : !tile
    %first = arith.muli %rank, %half_rows : i32
    %row = arith.index_cast %first : i32 to index
    %mask = arith.trunci %rank : i32 to i16
    scf.if %is_thread_0 {
      nvvm.mbarrier.init %full, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    scf.if %is_thread_0 {
      nvvm.mbarrier.arrive.expect_tx %full, %bytes : !llvm.ptr<3>, i32
    }
    // expected-error @below {{got a cta_mask of 0, expected one that names a block of the cluster}}
    tile.copy_async %a[%row, 0] [32, 32] to %s[%row, 0] [32, 32] scope(cta) mbarrier(%full : !llvm.ptr<3>) cta_mask(%mask)
      {variant = "tma"} : !source to !tile
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %full, %phase : !llvm.ptr<3>, i32 -> i1
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    %rows = arith.constant 64 : index
    %own = arith.muli %block, %rows : index
    tile.copy %s to %b[%own, 0] [64, 32] scope(cta) : !tile to !target
    gpu.return
  }
}
