// Blocks of a cluster that access each other's shared memory: kernels that --tile-check-sync accepts run, the others fail.
// RUN: tile-opt %s --tile-check-sync --verify-diagnostics -o /dev/null
// RUN: %python %tile_source/test/tools/npy.py %t.in.npy "<i4" 4,64 0:4
// RUN: %python %tile_source/test/tools/npy.py %t.next.npy "<i4" 4,64 1:4 0
// RUN: %python %tile_source/test/tools/npy.py %t.last.npy "<i4" 4,64 3 0:3
// RUN: tile-run %s --entry neighbours --schedule=all --grid 4 --arg i32[4x64]=%t.in.npy --arg i32[4x64]=poison --expect 1=%t.next.npy
// RUN: not tile-run %s --entry begins --schedule=all --grid 4 --arg i32[4x64]=random --arg i32[4x64]=poison 2>&1 | FileCheck %s --check-prefix=BEGINS
// BEGINS: error: {{.*}}does not know that it has started
// RUN: not tile-run %s --entry relaxed --schedule=all --grid 4 --arg i32[4x64]=random --arg i32[4x64]=poison 2>&1 | FileCheck %s --check-prefix=RELAXED
// RELAXED: error: {{.*}}race
// RUN: not tile-run %s --entry ends --schedule=all --grid 4 --arg i32[4x64]=random --arg i32[4x64]=poison 2>&1 | FileCheck %s --check-prefix=ENDS
// ENDS: error: {{.*}}which may have ended before
// RUN: tile-run %s --entry arrivals --schedule=all --grid 4 --arg i32[4x64]=random --arg i32[4x64]=zeros
// RUN: not tile-run %s --entry unfenced --schedule=all --grid 4 --arg i32[4x64]=random --arg i32[4x64]=zeros 2>&1 | FileCheck %s --check-prefix=UNFENCED
// UNFENCED: error: {{.*}}without `fence.mbarrier_init` between that and this use by another block
// RUN: not tile-run %s --entry missing --schedule=all --grid 4 --arg i32[4x64]=random --arg i32[4x64]=zeros 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: {{.*livelock}}
// RUN: tile-run %s --entry turns --schedule=all --grid 4 --arg i32[4x64]=%t.in.npy --arg i32[4x64]=poison --expect 1=%t.last.npy
// RUN: tile-run %s --entry some --schedule=all --grid 4 --arg i32[4x64]=random --arg i32[4x64]=zeros

!g = !tile.buffer<4x64xi32, global>
!s = !tile.buffer<64xi32, shared>
gpu.module @clusters [#nvvm.target<chip = "sm_90a">] {
  llvm.mlir.global internal @row() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<64 x i32>
  llvm.mlir.global internal @bar() {addr_space = 3 : i32, alignment = 8 : i64} : i64

  // Each block reads what the next block has written.
  gpu.func @neighbours(%A: memref<4x64xi32>, %B: memref<4x64xi32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, nvvm.cluster_dim = array<i32: 4, 1, 1>} {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %number = arith.index_cast %t : index to i32
    %block = gpu.block_id x
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %one = arith.constant 1 : i32
    %three = arith.constant 3 : i32
    %sum = arith.addi %rank, %one : i32
    %next = arith.andi %sum, %three : i32
    %row = llvm.mlir.addressof @row : !llvm.ptr<3>
    %own = llvm.getelementptr %row[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %value = memref.load %A[%block, %t] : memref<4x64xi32>
    llvm.store %value, %own : i32, !llvm.ptr<3>
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    %there = nvvm.mapa %own, %next : !llvm.ptr<3> -> !llvm.ptr<7>
    %got = llvm.load %there : !llvm.ptr<7> -> i32
    memref.store %got, %B[%block, %t] : memref<4x64xi32>
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    gpu.return
  }

  // The next block may not have started, nor have written.
  gpu.func @begins(%A: memref<4x64xi32>, %B: memref<4x64xi32>) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 64, 1, 1>, nvvm.cluster_dim = array<i32: 4, 1, 1>} {  // not in order, on purpose
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %number = arith.index_cast %t : index to i32
    %block = gpu.block_id x
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %one = arith.constant 1 : i32
    %three = arith.constant 3 : i32
    %sum = arith.addi %rank, %one : i32
    %next = arith.andi %sum, %three : i32
    %row = llvm.mlir.addressof @row : !llvm.ptr<3>
    %own = llvm.getelementptr %row[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %value = memref.load %A[%block, %t] : memref<4x64xi32>
    // expected-note @below {{'llvm.store' writes it here}}
    llvm.store %value, %own : i32, !llvm.ptr<3>
    gpu.barrier
    %there = nvvm.mapa %own, %next : !llvm.ptr<3> -> !llvm.ptr<7>
    // expected-error @below {{reads shared memory of block 1, which may not have begun: for example thread 0 of block 0}}
    // expected-error @below {{reads shared memory (@row) that an earlier operation writes, and nothing orders the two}}
    // expected-note @below {{between the two, this orders them: nvvm.cluster.arrive, then nvvm.cluster.wait: the two are of different blocks}}
    %got = llvm.load %there : !llvm.ptr<7> -> i32
    memref.store %got, %B[%block, %t] : memref<4x64xi32>
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    gpu.return
  }

  // A relaxed arrival only guarantees that the block has started.
  gpu.func @relaxed(%A: memref<4x64xi32>, %B: memref<4x64xi32>) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 64, 1, 1>, nvvm.cluster_dim = array<i32: 4, 1, 1>} {  // not in order, on purpose
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %number = arith.index_cast %t : index to i32
    %block = gpu.block_id x
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %one = arith.constant 1 : i32
    %three = arith.constant 3 : i32
    %sum = arith.addi %rank, %one : i32
    %next = arith.andi %sum, %three : i32
    %row = llvm.mlir.addressof @row : !llvm.ptr<3>
    %own = llvm.getelementptr %row[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %value = memref.load %A[%block, %t] : memref<4x64xi32>
    // expected-note @below {{'llvm.store' writes it here}}
    llvm.store %value, %own : i32, !llvm.ptr<3>
    nvvm.cluster.arrive.relaxed {aligned}
    nvvm.cluster.wait {aligned}
    %there = nvvm.mapa %own, %next : !llvm.ptr<3> -> !llvm.ptr<7>
    // expected-error @below {{reads shared memory (@row) that an earlier operation writes, and nothing orders the two}}
    // expected-note @below {{between the two, this orders them: nvvm.cluster.arrive, then nvvm.cluster.wait}}
    %got = llvm.load %there : !llvm.ptr<7> -> i32
    memref.store %got, %B[%block, %t] : memref<4x64xi32>
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    gpu.return
  }

  // The next block may have ended.
  gpu.func @ends(%A: memref<4x64xi32>, %B: memref<4x64xi32>) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 64, 1, 1>, nvvm.cluster_dim = array<i32: 4, 1, 1>} {  // not in order, on purpose
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %number = arith.index_cast %t : index to i32
    %block = gpu.block_id x
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %one = arith.constant 1 : i32
    %three = arith.constant 3 : i32
    %sum = arith.addi %rank, %one : i32
    %next = arith.andi %sum, %three : i32
    %row = llvm.mlir.addressof @row : !llvm.ptr<3>
    %own = llvm.getelementptr %row[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %value = memref.load %A[%block, %t] : memref<4x64xi32>
    llvm.store %value, %own : i32, !llvm.ptr<3>
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    %there = nvvm.mapa %own, %next : !llvm.ptr<3> -> !llvm.ptr<7>
    // expected-error @below {{reads shared memory of block 1, which may have ended by then: for example thread 0 of block 0; expected nvvm.cluster.arrive, then nvvm.cluster.wait before the end}}
    %got = llvm.load %there : !llvm.ptr<7> -> i32
    memref.store %got, %B[%block, %t] : memref<4x64xi32>
    // expected-note @below {{the block ends here, and its shared memory with it}}
    gpu.return
  }

  // All blocks arrive on an mbarrier of block 0, which waits for them.
  gpu.func @arrivals(%A: memref<4x64xi32>, %B: memref<4x64xi32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, nvvm.cluster_dim = array<i32: 4, 1, 1>} {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %number = arith.index_cast %t : index to i32
    %block = gpu.block_id x
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %one = arith.constant 1 : i32
    %three = arith.constant 3 : i32
    %sum = arith.addi %rank, %one : i32
    %next = arith.andi %sum, %three : i32
    %row = llvm.mlir.addressof @row : !llvm.ptr<3>
    %zero = arith.constant 0 : i32
    %count = arith.constant 4 : i32
    %true = arith.constant true
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %first = arith.cmpi eq, %t, %c0 : index
    %leads = arith.cmpi eq, %rank, %zero : i32
    scf.if %first {
      nvvm.mbarrier.init %bar, %count : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    // Each block stores its rank in block 0, in a separate slot.
    %slot = llvm.getelementptr %row[%rank] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %slot_there = nvvm.mapa %slot, %zero : !llvm.ptr<3> -> !llvm.ptr<7>
    %bar_there = nvvm.mapa %bar, %zero : !llvm.ptr<3> -> !llvm.ptr<7>
    scf.if %first {
      llvm.store %rank, %slot_there : i32, !llvm.ptr<7>
      nvvm.mbarrier.arrive %bar_there {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<7>
    }
    scf.if %leads {
      scf.while : () -> () {
        %done = nvvm.mbarrier.try_wait %bar, %zero {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<3>, i32 -> i1
        %again = arith.xori %done, %true : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
      %which = arith.andi %number, %three : i32
      %place = llvm.getelementptr %row[%which] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      %got = llvm.load %place : !llvm.ptr<3> -> i32
      memref.store %got, %B[%block, %t] : memref<4x64xi32>
    }
    gpu.return
  }

  // Without a fence, other blocks may not see the initialized mbarrier.
  gpu.func @unfenced(%A: memref<4x64xi32>, %B: memref<4x64xi32>) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 64, 1, 1>, nvvm.cluster_dim = array<i32: 4, 1, 1>} {  // not in order, on purpose
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %number = arith.index_cast %t : index to i32
    %block = gpu.block_id x
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %one = arith.constant 1 : i32
    %three = arith.constant 3 : i32
    %sum = arith.addi %rank, %one : i32
    %next = arith.andi %sum, %three : i32
    %row = llvm.mlir.addressof @row : !llvm.ptr<3>
    %zero = arith.constant 0 : i32
    %count = arith.constant 4 : i32
    %true = arith.constant true
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %first = arith.cmpi eq, %t, %c0 : index
    %leads = arith.cmpi eq, %rank, %zero : i32
    scf.if %first {
      // expected-note @below {{'nvvm.mbarrier.init' writes it here}}
      nvvm.mbarrier.init %bar, %count : !llvm.ptr<3>, i32
    }
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    // Each block stores its rank in block 0, in a separate slot.
    %slot = llvm.getelementptr %row[%rank] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %slot_there = nvvm.mapa %slot, %zero : !llvm.ptr<3> -> !llvm.ptr<7>
    %bar_there = nvvm.mapa %bar, %zero : !llvm.ptr<3> -> !llvm.ptr<7>
    scf.if %first {
      llvm.store %rank, %slot_there : i32, !llvm.ptr<7>
      // expected-error @below {{writes shared memory (@bar) that an earlier operation writes, and nothing orders the two: for example thread 0 of block 0 and thread 0 of block 1}}
      // expected-note @below {{between the two, this orders them: nvvm.fence.mbarrier.init after the first}}
      nvvm.mbarrier.arrive %bar_there {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<7>
    }
    scf.if %leads {
      scf.while : () -> () {
        %done = nvvm.mbarrier.try_wait %bar, %zero {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<3>, i32 -> i1
        %again = arith.xori %done, %true : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
      %which = arith.andi %number, %three : i32
      %place = llvm.getelementptr %row[%which] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      %got = llvm.load %place : !llvm.ptr<3> -> i32
      memref.store %got, %B[%block, %t] : memref<4x64xi32>
    }
    gpu.return
  }

  // The mbarrier expects one arrival more than there are blocks.
  gpu.func @missing(%A: memref<4x64xi32>, %B: memref<4x64xi32>) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 64, 1, 1>, nvvm.cluster_dim = array<i32: 4, 1, 1>} {  // not in order, on purpose
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %number = arith.index_cast %t : index to i32
    %block = gpu.block_id x
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %one = arith.constant 1 : i32
    %three = arith.constant 3 : i32
    %sum = arith.addi %rank, %one : i32
    %next = arith.andi %sum, %three : i32
    %row = llvm.mlir.addressof @row : !llvm.ptr<3>
    %zero = arith.constant 0 : i32
    %count = arith.constant 5 : i32
    %true = arith.constant true
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %first = arith.cmpi eq, %t, %c0 : index
    %leads = arith.cmpi eq, %rank, %zero : i32
    scf.if %first {
      // expected-note @below {{the mbarrier is made here, with a count of 5}}
      nvvm.mbarrier.init %bar, %count : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    // Each block stores its rank in block 0, in a separate slot.
    %slot = llvm.getelementptr %row[%rank] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %slot_there = nvvm.mapa %slot, %zero : !llvm.ptr<3> -> !llvm.ptr<7>
    %bar_there = nvvm.mapa %bar, %zero : !llvm.ptr<3> -> !llvm.ptr<7>
    scf.if %first {
      llvm.store %rank, %slot_there : i32, !llvm.ptr<7>
      // expected-note @below {{arrival 4 of the phase is here}}
      nvvm.mbarrier.arrive %bar_there {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<7>
    }
    scf.if %leads {
      // expected-error @below {{waits for phase 0 of an mbarrier of block 0, which is never completed: got 4 of 5 arrivals before it}}
      scf.while : () -> () {
        %done = nvvm.mbarrier.try_wait %bar, %zero {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<3>, i32 -> i1
        %again = arith.xori %done, %true : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
      %which = arith.andi %number, %three : i32
      %place = llvm.getelementptr %row[%which] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      %got = llvm.load %place : !llvm.ptr<3> -> i32
      memref.store %got, %B[%block, %t] : memref<4x64xi32>
    }
    gpu.return
  }

  // Blocks send their tiles to the next block repeatedly: each copy waits until the previous one has been read.
  gpu.func @turns(%A: memref<4x64xi32>, %B: memref<4x64xi32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, nvvm.cluster_dim = array<i32: 4, 1, 1>} {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %number = arith.index_cast %t : index to i32
    %block = gpu.block_id x
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %one = arith.constant 1 : i32
    %three = arith.constant 3 : i32
    %sum = arith.addi %rank, %one : i32
    %next = arith.andi %sum, %three : i32
    %row = llvm.mlir.addressof @row : !llvm.ptr<3>
    %zero = arith.constant 0 : i32
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %bytes = arith.constant 256 : i32
    %true = arith.constant true
    %a = tile.view %A : memref<4x64xi32> to !g
    %b = tile.view %B : memref<4x64xi32> to !g
    %s = tile.alloc : !s
    %got = tile.alloc : !s
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      nvvm.mbarrier.init %bar, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    tile.copy %a[%block, 0] [1, 64] to %s scope(cta) : !g to !s
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    scf.for %i = %c0 to %c4 step %c1 {
      %turn = arith.index_cast %i : index to i32
      %parity = arith.andi %turn, %one : i32
      scf.if %first {
        nvvm.mbarrier.arrive.expect_tx %bar, %bytes : !llvm.ptr<3>, i32
        tile.copy_async %s to %got scope(thread) mbarrier(%bar : !llvm.ptr<3>) remote_cta(%next) : !s to !s
      }
      scf.while : () -> () {
        %done = nvvm.mbarrier.try_wait %bar, %parity : !llvm.ptr<3>, i32 -> i1
        %again = arith.xori %done, %true : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
      tile.copy %got to %b[%block, 0] [1, 64] scope(cta) : !s to !g
      nvvm.cluster.arrive {aligned}
      nvvm.cluster.wait {aligned}
    }
    gpu.return
  }

  // One thread of block 0 reads memory that only block 1 wrote: one condition on rank and thread, and one on the rank.
  gpu.func @some(%A: memref<4x64xi32>, %B: memref<4x64xi32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, nvvm.cluster_dim = array<i32: 4, 1, 1>} {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %number = arith.index_cast %t : index to i32
    %block = gpu.block_id x
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %one = arith.constant 1 : i32
    %three = arith.constant 3 : i32
    %sum = arith.addi %rank, %one : i32
    %next = arith.andi %sum, %three : i32
    %row = llvm.mlir.addressof @row : !llvm.ptr<3>
    %zero = arith.constant 0 : i32
    %first = arith.cmpi eq, %t, %c0 : index
    %leads = arith.cmpi eq, %rank, %zero : i32
    %second = arith.cmpi eq, %rank, %one : i32
    %reads = arith.andi %first, %leads : i1
    %own = llvm.getelementptr %row[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    scf.if %second {
      llvm.store %number, %own : i32, !llvm.ptr<3>
    }
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    scf.if %reads {
      %there = nvvm.mapa %row, %one : !llvm.ptr<3> -> !llvm.ptr<7>
      %got = llvm.load %there : !llvm.ptr<7> -> i32
      memref.store %got, %B[%block, %t] : memref<4x64xi32>
    }
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    gpu.return
  }
}
