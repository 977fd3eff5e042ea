// Rings that go on across the entries of a loop: stages and phases follow from a number that both loops carry, and what is done in the first
// or in a given iteration is known.
// RUN: tile-opt %s -split-input-file -verify-diagnostics --tile-check-sync -o /dev/null

!matrix = !tile.buffer<?x64xf32, global>
!ring = !tile.buffer<2x32x64xf32, shared>
!box = !tile.buffer<32x64xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  llvm.mlir.global internal @full() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<2 x i64>
  llvm.mlir.global internal @empty() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<2 x i64>

  // Whatever the number of steps of a tile.
  gpu.func @persistent(%A: memref<?x64xf32>, %B: memref<?x64xf32>, %tiles: index, %steps: index, %blocks: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<?x64xf32>
    %b = tile.view %B : memref<?x64xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %one = arith.constant 1 : i32
    %warp = arith.constant 32 : i32
    %true = arith.constant true
    %s = tile.alloc : !ring
    %full = llvm.mlir.addressof @full : !llvm.ptr<3>
    %empty = llvm.mlir.addressof @empty : !llvm.ptr<3>
    %thread = gpu.thread_id x
    %first = arith.cmpi eq, %thread, %c0 : index
    %produces = arith.cmpi ult, %thread, %c32 : index
    scf.if %first {
      %f1 = llvm.getelementptr %full[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
      %e1 = llvm.getelementptr %empty[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
      nvvm.mbarrier.init %full, %one : !llvm.ptr<3>, i32
      nvvm.mbarrier.init %f1, %one : !llvm.ptr<3>, i32
      nvvm.mbarrier.init %empty, %warp : !llvm.ptr<3>, i32
      nvvm.mbarrier.init %e1, %warp : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    %block = gpu.block_id x
    scf.if %produces {
      %last = scf.for %tile = %block to %tiles step %blocks iter_args(%before = %c0) -> (index) {
        %behind = scf.for %k = %c0 to %steps step %c1 iter_args(%t = %before) -> (index) {
          %stage = arith.remui %t, %c2 : index
          %round = arith.divui %t, %c2 : index
          %odd = arith.remui %round, %c2 : index
          %parity = arith.index_cast %odd : index to i32
          %number = arith.index_cast %stage : index to i32
          %f = llvm.getelementptr %full[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          %e = llvm.getelementptr %empty[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          %earlier = arith.xori %parity, %one : i32
          scf.while : () -> () {
            %done = nvvm.mbarrier.try_wait %e, %earlier : !llvm.ptr<3>, i32 -> i1
            %again = arith.xori %done, %true : i1
            scf.condition(%again)
          } do {
            scf.yield
          }
          %all = arith.constant -1 : i32
          nvvm.bar.warp.sync %all : i32
          %row = arith.muli %k, %c32 : index
          tile.copy_async %a[%row, 0] [32, 64] to %s[%stage, 0, 0] [1, 32, 64] scope(warp) mbarrier(%f : !llvm.ptr<3>)
            {variant = "bulk"} : !matrix to !ring
          %next = arith.addi %t, %c1 : index
          scf.yield %next : index
        }
        scf.yield %behind : index
      }
    } else {
      %all = arith.constant -1 : i32
      %last = scf.for %tile = %block to %tiles step %blocks iter_args(%before = %c0) -> (index) {
        %row = arith.muli %tile, %c32 : index
        %behind = scf.for %k = %c0 to %steps step %c1 iter_args(%t = %before) -> (index) {
          %stage = arith.remui %t, %c2 : index
          %round = arith.divui %t, %c2 : index
          %odd = arith.remui %round, %c2 : index
          %parity = arith.index_cast %odd : index to i32
          %number = arith.index_cast %stage : index to i32
          %f = llvm.getelementptr %full[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          %e = llvm.getelementptr %empty[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          scf.while : () -> () {
            %done = nvvm.mbarrier.try_wait %f, %parity : !llvm.ptr<3>, i32 -> i1
            %again = arith.xori %done, %true : i1
            scf.condition(%again)
          } do {
            scf.yield
          }
          nvvm.bar.warp.sync %all : i32
          tile.copy %s[%stage, 0, 0] [1, 32, 64] to %b[%row, 0] [32, 64] scope(warp) : !ring to !matrix
          nvvm.mbarrier.arrive %e : !llvm.ptr<3>
          %next = arith.addi %t, %c1 : index
          scf.yield %next : index
        }
        scf.yield %behind : index
      }
    }
    gpu.return
  }

  // A stage is released one step later, but for the first step of all.
  gpu.func @released_late(%A: memref<?x64xf32>, %B: memref<?x64xf32>, %tiles: index, %steps: index, %blocks: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<?x64xf32>
    %b = tile.view %B : memref<?x64xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %one = arith.constant 1 : i32
    %warp = arith.constant 32 : i32
    %true = arith.constant true
    %s = tile.alloc : !ring
    %full = llvm.mlir.addressof @full : !llvm.ptr<3>
    %empty = llvm.mlir.addressof @empty : !llvm.ptr<3>
    %thread = gpu.thread_id x
    %first = arith.cmpi eq, %thread, %c0 : index
    %produces = arith.cmpi ult, %thread, %c32 : index
    scf.if %first {
      %f1 = llvm.getelementptr %full[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
      %e1 = llvm.getelementptr %empty[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
      nvvm.mbarrier.init %full, %one : !llvm.ptr<3>, i32
      nvvm.mbarrier.init %f1, %one : !llvm.ptr<3>, i32
      nvvm.mbarrier.init %empty, %warp : !llvm.ptr<3>, i32
      nvvm.mbarrier.init %e1, %warp : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    %block = gpu.block_id x
    scf.if %produces {
      %last = scf.for %tile = %block to %tiles step %blocks iter_args(%before = %c0) -> (index) {
        %behind = scf.for %k = %c0 to %steps step %c1 iter_args(%t = %before) -> (index) {
          %stage = arith.remui %t, %c2 : index
          %round = arith.divui %t, %c2 : index
          %odd = arith.remui %round, %c2 : index
          %parity = arith.index_cast %odd : index to i32
          %number = arith.index_cast %stage : index to i32
          %f = llvm.getelementptr %full[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          %e = llvm.getelementptr %empty[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          %earlier = arith.xori %parity, %one : i32
          scf.while : () -> () {
            %done = nvvm.mbarrier.try_wait %e, %earlier : !llvm.ptr<3>, i32 -> i1
            %again = arith.xori %done, %true : i1
            scf.condition(%again)
          } do {
            scf.yield
          }
          %all = arith.constant -1 : i32
          nvvm.bar.warp.sync %all : i32
          %row = arith.muli %k, %c32 : index
          tile.copy_async %a[%row, 0] [32, 64] to %s[%stage, 0, 0] [1, 32, 64] scope(warp) mbarrier(%f : !llvm.ptr<3>)
            {variant = "bulk"} : !matrix to !ring
          %next = arith.addi %t, %c1 : index
          scf.yield %next : index
        }
        scf.yield %behind : index
      }
    } else {
      %all = arith.constant -1 : i32
      %last = scf.for %tile = %block to %tiles step %blocks iter_args(%before = %c0) -> (index) {
        %row = arith.muli %tile, %c32 : index
        %behind = scf.for %k = %c0 to %steps step %c1 iter_args(%t = %before) -> (index) {
          %stage = arith.remui %t, %c2 : index
          %round = arith.divui %t, %c2 : index
          %odd = arith.remui %round, %c2 : index
          %parity = arith.index_cast %odd : index to i32
          %number = arith.index_cast %stage : index to i32
          %f = llvm.getelementptr %full[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          %e = llvm.getelementptr %empty[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          scf.while : () -> () {
            %done = nvvm.mbarrier.try_wait %f, %parity : !llvm.ptr<3>, i32 -> i1
            %again = arith.xori %done, %true : i1
            scf.condition(%again)
          } do {
            scf.yield
          }
          nvvm.bar.warp.sync %all : i32
          tile.copy %s[%stage, 0, 0] [1, 32, 64] to %b[%row, 0] [32, 64] scope(warp) : !ring to !matrix
          // The stage of the step before is released under this one.
          %is_behind = arith.cmpi ugt, %t, %c0 : index
          scf.if %is_behind {
            %p = arith.addi %t, %c1 : index
            %previous = arith.remui %p, %c2 : index
            %index = arith.index_cast %previous : index to i32
            %pe = llvm.getelementptr %empty[%index] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
            nvvm.mbarrier.arrive %pe : !llvm.ptr<3>
          }
          %next = arith.addi %t, %c1 : index
          scf.yield %next : index
        }
        scf.yield %behind : index
      }
    }
    gpu.return
  }
}

// -----

!matrix = !tile.buffer<?x64xf32, global>
!ring = !tile.buffer<2x32x64xf32, shared>
!box = !tile.buffer<32x64xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  llvm.mlir.global internal @full() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<2 x i64>
  llvm.mlir.global internal @empty() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<2 x i64>

  // The stage is released before it is read.
  gpu.func @released_early(%A: memref<?x64xf32>, %B: memref<?x64xf32>, %tiles: index, %steps: index, %blocks: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<?x64xf32>
    %b = tile.view %B : memref<?x64xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %one = arith.constant 1 : i32
    %warp = arith.constant 32 : i32
    %true = arith.constant true
    %s = tile.alloc : !ring
    %full = llvm.mlir.addressof @full : !llvm.ptr<3>
    %empty = llvm.mlir.addressof @empty : !llvm.ptr<3>
    %thread = gpu.thread_id x
    %first = arith.cmpi eq, %thread, %c0 : index
    %produces = arith.cmpi ult, %thread, %c32 : index
    scf.if %first {
      %f1 = llvm.getelementptr %full[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
      %e1 = llvm.getelementptr %empty[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
      nvvm.mbarrier.init %full, %one : !llvm.ptr<3>, i32
      nvvm.mbarrier.init %f1, %one : !llvm.ptr<3>, i32
      nvvm.mbarrier.init %empty, %warp : !llvm.ptr<3>, i32
      nvvm.mbarrier.init %e1, %warp : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    %block = gpu.block_id x
    scf.if %produces {
      %last = scf.for %tile = %block to %tiles step %blocks iter_args(%before = %c0) -> (index) {
        %behind = scf.for %k = %c0 to %steps step %c1 iter_args(%t = %before) -> (index) {
          %stage = arith.remui %t, %c2 : index
          %round = arith.divui %t, %c2 : index
          %odd = arith.remui %round, %c2 : index
          %parity = arith.index_cast %odd : index to i32
          %number = arith.index_cast %stage : index to i32
          %f = llvm.getelementptr %full[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          %e = llvm.getelementptr %empty[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          %earlier = arith.xori %parity, %one : i32
          scf.while : () -> () {
            %done = nvvm.mbarrier.try_wait %e, %earlier : !llvm.ptr<3>, i32 -> i1
            %again = arith.xori %done, %true : i1
            scf.condition(%again)
          } do {
            scf.yield
          }
          %all = arith.constant -1 : i32
          nvvm.bar.warp.sync %all : i32
          %row = arith.muli %k, %c32 : index
          // expected-error@below {{'tile.copy_async' op writes shared memory that an earlier operation reads, and nothing orders the two: for example thread 32 and thread 0, byte 0, from the start of the first}}
          // expected-note@below {{between the two, this orders them: an arrival on an mbarrier after the first, and a wait for its phase before the second}}
          tile.copy_async %a[%row, 0] [32, 64] to %s[%stage, 0, 0] [1, 32, 64] scope(warp) mbarrier(%f : !llvm.ptr<3>)
            {variant = "bulk"} : !matrix to !ring
          %next = arith.addi %t, %c1 : index
          scf.yield %next : index
        }
        scf.yield %behind : index
      }
    } else {
      %all = arith.constant -1 : i32
      %last = scf.for %tile = %block to %tiles step %blocks iter_args(%before = %c0) -> (index) {
        %row = arith.muli %tile, %c32 : index
        %behind = scf.for %k = %c0 to %steps step %c1 iter_args(%t = %before) -> (index) {
          %stage = arith.remui %t, %c2 : index
          %round = arith.divui %t, %c2 : index
          %odd = arith.remui %round, %c2 : index
          %parity = arith.index_cast %odd : index to i32
          %number = arith.index_cast %stage : index to i32
          %f = llvm.getelementptr %full[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          %e = llvm.getelementptr %empty[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          scf.while : () -> () {
            %done = nvvm.mbarrier.try_wait %f, %parity : !llvm.ptr<3>, i32 -> i1
            %again = arith.xori %done, %true : i1
            scf.condition(%again)
          } do {
            scf.yield
          }
          nvvm.mbarrier.arrive %e : !llvm.ptr<3>
          nvvm.bar.warp.sync %all : i32
          // expected-note@below {{'tile.copy' reads it here}}
          tile.copy %s[%stage, 0, 0] [1, 32, 64] to %b[%row, 0] [32, 64] scope(warp) : !ring to !matrix
          %next = arith.addi %t, %c1 : index
          scf.yield %next : index
        }
        scf.yield %behind : index
      }
    }
    gpu.return
  }
}

// -----

!matrix = !tile.buffer<?x64xf32, global>
!ring = !tile.buffer<2x32x64xf32, shared>
!box = !tile.buffer<32x64xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  llvm.mlir.global internal @full() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<2 x i64>
  llvm.mlir.global internal @empty() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<2 x i64>

  // Each tile begins with stage 0 and an even phase, which an odd number of steps leaves odd.
  gpu.func @begun_anew(%A: memref<?x64xf32>, %B: memref<?x64xf32>, %tiles: index, %steps: index, %blocks: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<?x64xf32>
    %b = tile.view %B : memref<?x64xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %one = arith.constant 1 : i32
    %warp = arith.constant 32 : i32
    %true = arith.constant true
    %s = tile.alloc : !ring
    %full = llvm.mlir.addressof @full : !llvm.ptr<3>
    %empty = llvm.mlir.addressof @empty : !llvm.ptr<3>
    %thread = gpu.thread_id x
    %first = arith.cmpi eq, %thread, %c0 : index
    %produces = arith.cmpi ult, %thread, %c32 : index
    scf.if %first {
      %f1 = llvm.getelementptr %full[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
      %e1 = llvm.getelementptr %empty[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
      // expected-note@below {{the mbarrier is made here, with a count of 1}}
      nvvm.mbarrier.init %full, %one : !llvm.ptr<3>, i32
      nvvm.mbarrier.init %f1, %one : !llvm.ptr<3>, i32
      // expected-note@below {{the mbarrier is made here, with a count of 32}}
      nvvm.mbarrier.init %empty, %warp : !llvm.ptr<3>, i32
      nvvm.mbarrier.init %e1, %warp : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    %block = gpu.block_id x
    scf.if %produces {
      %last = scf.for %tile = %block to %tiles step %blocks iter_args(%before = %c0) -> (index) {
        %behind = scf.for %k = %c0 to %steps step %c1 iter_args(%t = %c0) -> (index) {
          %stage = arith.remui %t, %c2 : index
          %round = arith.divui %t, %c2 : index
          %odd = arith.remui %round, %c2 : index
          %parity = arith.index_cast %odd : index to i32
          %number = arith.index_cast %stage : index to i32
          %f = llvm.getelementptr %full[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          %e = llvm.getelementptr %empty[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          %earlier = arith.xori %parity, %one : i32
          // expected-error@below {{'scf.while' op waits for phase -1 of an mbarrier, but phase 0 may be over by then, which has the other parity: for example thread 0; expected phase 0 to be completed after this}}
          scf.while : () -> () {
            %done = nvvm.mbarrier.try_wait %e, %earlier : !llvm.ptr<3>, i32 -> i1
            %again = arith.xori %done, %true : i1
            scf.condition(%again)
          } do {
            scf.yield
          }
          %all = arith.constant -1 : i32
          nvvm.bar.warp.sync %all : i32
          %row = arith.muli %k, %c32 : index
          // expected-error@below {{'tile.copy_async' op writes shared memory that the same operation writes, and nothing orders the two: for example thread 0 and thread 0, byte 0, from the start of the first}}
          // expected-note@below {{between the two, this orders them: a wait for the phase of the first one's mbarrier}}
          // expected-error@below {{'tile.copy_async' op writes shared memory that an earlier operation reads, and nothing orders the two: for example thread 32 and thread 0, byte 0, from the start of the first}}
          // expected-note@below {{between the two, this orders them: an arrival on an mbarrier after the first, and a wait for its phase before the second}}
          // expected-error@below {{'tile.copy_async' op arrives in phase 1 of an mbarrier, and nothing says that phase 0 is over: expected a wait for phase 0 before it}}
          // expected-note@below {{phase 1 is completed here}}
          // expected-note@below {{'tile.copy_async' writes it here}}
          // expected-error@below {{'tile.copy_async' op may be in flight when the block ends, and its shared memory with it; expected a wait for the phase of its mbarrier, on every path to the end}}
          tile.copy_async %a[%row, 0] [32, 64] to %s[%stage, 0, 0] [1, 32, 64] scope(warp) mbarrier(%f : !llvm.ptr<3>)
            {variant = "bulk"} : !matrix to !ring
          %next = arith.addi %t, %c1 : index
          scf.yield %next : index
        }
        scf.yield %behind : index
      }
    } else {
      %all = arith.constant -1 : i32
      %last = scf.for %tile = %block to %tiles step %blocks iter_args(%before = %c0) -> (index) {
        %row = arith.muli %tile, %c32 : index
        %behind = scf.for %k = %c0 to %steps step %c1 iter_args(%t = %c0) -> (index) {
          %stage = arith.remui %t, %c2 : index
          %round = arith.divui %t, %c2 : index
          %odd = arith.remui %round, %c2 : index
          %parity = arith.index_cast %odd : index to i32
          %number = arith.index_cast %stage : index to i32
          %f = llvm.getelementptr %full[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          %e = llvm.getelementptr %empty[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          // expected-error@below {{'scf.while' op waits for phase 0 of an mbarrier, but phase 1 may be over by then, which has the other parity: for example thread 32; expected phase 1 to be completed after this}}
          scf.while : () -> () {
            %done = nvvm.mbarrier.try_wait %f, %parity : !llvm.ptr<3>, i32 -> i1
            %again = arith.xori %done, %true : i1
            scf.condition(%again)
          } do {
            scf.yield
          }
          nvvm.bar.warp.sync %all : i32
          // expected-note@below {{'tile.copy' reads it here}}
          // expected-error@below {{'tile.copy' op reads shared memory that an earlier operation writes, and nothing orders the two: for example thread 0 and thread 32, byte 0, from the start of the first}}
          // expected-note@below {{between the two, this orders them: a wait for the phase of the first one's mbarrier}}
          tile.copy %s[%stage, 0, 0] [1, 32, 64] to %b[%row, 0] [32, 64] scope(warp) : !ring to !matrix
          // expected-note@below {{phase 0 is completed here}}
          // expected-error@below {{'nvvm.mbarrier.arrive' op arrives in phase 1 of an mbarrier, and nothing says that phase 0 is over: expected a wait for phase 0 before it}}
          nvvm.mbarrier.arrive %e : !llvm.ptr<3>
          %next = arith.addi %t, %c1 : index
          scf.yield %next : index
        }
        scf.yield %behind : index
      }
    }
    // expected-note@below {{the block ends here}}
    gpu.return
  }
}

// -----

!matrix = !tile.buffer<?x64xf32, global>
!ring = !tile.buffer<2x32x64xf32, shared>
!box = !tile.buffer<32x64xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  memref.global "private" @scratch : memref<1xf32, #gpu.address_space<workgroup>>
  llvm.mlir.global internal @full() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<2 x i64>
  llvm.mlir.global internal @empty() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<2 x i64>

  // What is known of the step decides.
  gpu.func @in_given_steps(%A: memref<?x64xf32>, %B: memref<?x64xf32>, %tiles: index, %steps: index, %blocks: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<?x64xf32>
    %b = tile.view %B : memref<?x64xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %one = arith.constant 1 : i32
    %warp = arith.constant 32 : i32
    %true = arith.constant true
    %s = tile.alloc : !ring
    %full = llvm.mlir.addressof @full : !llvm.ptr<3>
    %empty = llvm.mlir.addressof @empty : !llvm.ptr<3>
    %thread = gpu.thread_id x
    %first = arith.cmpi eq, %thread, %c0 : index
    %produces = arith.cmpi ult, %thread, %c32 : index
    scf.if %first {
      %f1 = llvm.getelementptr %full[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
      %e1 = llvm.getelementptr %empty[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
      nvvm.mbarrier.init %full, %one : !llvm.ptr<3>, i32
      nvvm.mbarrier.init %f1, %one : !llvm.ptr<3>, i32
      nvvm.mbarrier.init %empty, %warp : !llvm.ptr<3>, i32
      nvvm.mbarrier.init %e1, %warp : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    %value = arith.constant 1.0 : f32
    %scratch = memref.get_global @scratch : memref<1xf32, #gpu.address_space<workgroup>>
    %block = gpu.block_id x
    scf.if %produces {
      %last = scf.for %tile = %block to %tiles step %blocks iter_args(%before = %c0) -> (index) {
        %behind = scf.for %k = %c0 to %steps step %c1 iter_args(%t = %before) -> (index) {
          %stage = arith.remui %t, %c2 : index
          %round = arith.divui %t, %c2 : index
          %odd = arith.remui %round, %c2 : index
          %parity = arith.index_cast %odd : index to i32
          %number = arith.index_cast %stage : index to i32
          %f = llvm.getelementptr %full[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          %e = llvm.getelementptr %empty[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          %earlier = arith.xori %parity, %one : i32
          scf.while : () -> () {
            %done = nvvm.mbarrier.try_wait %e, %earlier : !llvm.ptr<3>, i32 -> i1
            %again = arith.xori %done, %true : i1
            scf.condition(%again)
          } do {
            scf.yield
          }
          %all = arith.constant -1 : i32
          nvvm.bar.warp.sync %all : i32
          %row = arith.muli %k, %c32 : index
          tile.copy_async %a[%row, 0] [32, 64] to %s[%stage, 0, 0] [1, 32, 64] scope(warp) mbarrier(%f : !llvm.ptr<3>)
            {variant = "bulk"} : !matrix to !ring
          %next = arith.addi %t, %c1 : index
          scf.yield %next : index
        }
        scf.yield %behind : index
      }
    } else {
      %all = arith.constant -1 : i32
      %last = scf.for %tile = %block to %tiles step %blocks iter_args(%before = %c0) -> (index) {
        %row = arith.muli %tile, %c32 : index
        %behind = scf.for %k = %c0 to %steps step %c1 iter_args(%t = %before) -> (index) {
          %stage = arith.remui %t, %c2 : index
          %round = arith.divui %t, %c2 : index
          %odd = arith.remui %round, %c2 : index
          %parity = arith.index_cast %odd : index to i32
          %number = arith.index_cast %stage : index to i32
          %f = llvm.getelementptr %full[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          %e = llvm.getelementptr %empty[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          scf.while : () -> () {
            %done = nvvm.mbarrier.try_wait %f, %parity : !llvm.ptr<3>, i32 -> i1
            %again = arith.xori %done, %true : i1
            scf.condition(%again)
          } do {
            scf.yield
          }
          nvvm.bar.warp.sync %all : i32
          tile.copy %s[%stage, 0, 0] [1, 32, 64] to %b[%row, 0] [32, 64] scope(warp) : !ring to !matrix
          nvvm.mbarrier.arrive %e : !llvm.ptr<3>
          // In the third step of each tile but the first, one lane changes what all have read.
          %is_later = arith.cmpi ne, %before, %c0 : index
          scf.if %is_later {
            %is_third = arith.cmpi eq, %k, %c2 : index
            scf.if %is_third {
              %lane = arith.cmpi eq, %thread, %c32 : index
              scf.if %lane {
                memref.store %value, %scratch[%c0] : memref<1xf32, #gpu.address_space<workgroup>>
              }
              nvvm.bar.warp.sync %all : i32
            }
          }
          %now = memref.load %scratch[%c0] : memref<1xf32, #gpu.address_space<workgroup>>
          %next = arith.addi %t, %c1 : index
          scf.yield %next : index
        }
        scf.yield %behind : index
      }
    }
    gpu.return
  }

  // Nothing orders it before what is read in that step.
  gpu.func @in_given_steps_unordered(%A: memref<?x64xf32>, %B: memref<?x64xf32>, %tiles: index, %steps: index, %blocks: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<?x64xf32>
    %b = tile.view %B : memref<?x64xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %one = arith.constant 1 : i32
    %warp = arith.constant 32 : i32
    %true = arith.constant true
    %s = tile.alloc : !ring
    %full = llvm.mlir.addressof @full : !llvm.ptr<3>
    %empty = llvm.mlir.addressof @empty : !llvm.ptr<3>
    %thread = gpu.thread_id x
    %first = arith.cmpi eq, %thread, %c0 : index
    %produces = arith.cmpi ult, %thread, %c32 : index
    scf.if %first {
      %f1 = llvm.getelementptr %full[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
      %e1 = llvm.getelementptr %empty[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
      nvvm.mbarrier.init %full, %one : !llvm.ptr<3>, i32
      nvvm.mbarrier.init %f1, %one : !llvm.ptr<3>, i32
      nvvm.mbarrier.init %empty, %warp : !llvm.ptr<3>, i32
      nvvm.mbarrier.init %e1, %warp : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    %value = arith.constant 1.0 : f32
    %scratch = memref.get_global @scratch : memref<1xf32, #gpu.address_space<workgroup>>
    %block = gpu.block_id x
    scf.if %produces {
      %last = scf.for %tile = %block to %tiles step %blocks iter_args(%before = %c0) -> (index) {
        %behind = scf.for %k = %c0 to %steps step %c1 iter_args(%t = %before) -> (index) {
          %stage = arith.remui %t, %c2 : index
          %round = arith.divui %t, %c2 : index
          %odd = arith.remui %round, %c2 : index
          %parity = arith.index_cast %odd : index to i32
          %number = arith.index_cast %stage : index to i32
          %f = llvm.getelementptr %full[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          %e = llvm.getelementptr %empty[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          %earlier = arith.xori %parity, %one : i32
          scf.while : () -> () {
            %done = nvvm.mbarrier.try_wait %e, %earlier : !llvm.ptr<3>, i32 -> i1
            %again = arith.xori %done, %true : i1
            scf.condition(%again)
          } do {
            scf.yield
          }
          %all = arith.constant -1 : i32
          nvvm.bar.warp.sync %all : i32
          %row = arith.muli %k, %c32 : index
          tile.copy_async %a[%row, 0] [32, 64] to %s[%stage, 0, 0] [1, 32, 64] scope(warp) mbarrier(%f : !llvm.ptr<3>)
            {variant = "bulk"} : !matrix to !ring
          %next = arith.addi %t, %c1 : index
          scf.yield %next : index
        }
        scf.yield %behind : index
      }
    } else {
      %all = arith.constant -1 : i32
      %last = scf.for %tile = %block to %tiles step %blocks iter_args(%before = %c0) -> (index) {
        %row = arith.muli %tile, %c32 : index
        %behind = scf.for %k = %c0 to %steps step %c1 iter_args(%t = %before) -> (index) {
          %stage = arith.remui %t, %c2 : index
          %round = arith.divui %t, %c2 : index
          %odd = arith.remui %round, %c2 : index
          %parity = arith.index_cast %odd : index to i32
          %number = arith.index_cast %stage : index to i32
          %f = llvm.getelementptr %full[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          %e = llvm.getelementptr %empty[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          scf.while : () -> () {
            %done = nvvm.mbarrier.try_wait %f, %parity : !llvm.ptr<3>, i32 -> i1
            %again = arith.xori %done, %true : i1
            scf.condition(%again)
          } do {
            scf.yield
          }
          nvvm.bar.warp.sync %all : i32
          tile.copy %s[%stage, 0, 0] [1, 32, 64] to %b[%row, 0] [32, 64] scope(warp) : !ring to !matrix
          nvvm.mbarrier.arrive %e : !llvm.ptr<3>
          // In the third step of each tile but the first, one lane changes what all have read.
          %is_later = arith.cmpi ne, %before, %c0 : index
          scf.if %is_later {
            %is_third = arith.cmpi eq, %k, %c2 : index
            scf.if %is_third {
              %lane = arith.cmpi eq, %thread, %c32 : index
              scf.if %lane {
                // expected-note@below {{'memref.store' writes it here}}
                memref.store %value, %scratch[%c0] : memref<1xf32, #gpu.address_space<workgroup>>
              }
            }
          }
          // expected-error@below {{'memref.load' op reads shared memory (@scratch) that an earlier operation writes, and nothing orders the two: for example thread 32 and thread 33, byte 0}}
          // expected-note@below {{between the two, this orders them: an arrival on an mbarrier after the first, and a wait for its phase before the second}}
          %now = memref.load %scratch[%c0] : memref<1xf32, #gpu.address_space<workgroup>>
          %next = arith.addi %t, %c1 : index
          scf.yield %next : index
        }
        scf.yield %behind : index
      }
    }
    gpu.return
  }
}
