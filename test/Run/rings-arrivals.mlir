// Rings of mbarriers with wrong arrivals: what --tile-check-sync reports fails at run time. rings.mlir has the correct ring.
// RUN: tile-opt %s --tile-check-sync --verify-diagnostics -o /dev/null
// RUN: not tile-run %s --entry over --schedule=all --arg f32[16x16x32]=random --arg f32[16x16x32]=zeros --arg i64=16 2>&1 | FileCheck %s --check-prefix=OVER
// OVER: error: {{.*1 arrivals where the phase needs 0}}
// RUN: not tile-run %s --entry stuck --schedule=all --arg f32[16x16x32]=random --arg f32[16x16x32]=zeros --arg i64=16 2>&1 | FileCheck %s --check-prefix=STUCK
// STUCK: error: {{.*livelock}}
// RUN: not tile-run %s --entry few --schedule=all --arg f32[16x16x32]=random --arg f32[16x16x32]=zeros --arg i64=16 2>&1 | FileCheck %s --check-prefix=FEW
// FEW: error: {{.*livelock}}

!matrices = !tile.buffer<16x16x32xf32, global>
!ring = !tile.buffer<3x16x32xf32, shared>
gpu.module @rings [#nvvm.target<chip = "sm_90a">] {
  llvm.mlir.global internal @full_bars() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<3 x i64>
  llvm.mlir.global internal @empty_bars() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<3 x i64>
  // Tiles are copied without waiting for the readers.
  gpu.func @over(%A: memref<16x16x32xf32>, %B: memref<16x16x32xf32>, %n: index) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 64, 1, 1>} {  // not in order, on purpose
    %a = tile.view %A : memref<16x16x32xf32> to !matrices
    %b = tile.view %B : memref<16x16x32xf32> to !matrices
    %s = tile.alloc : !ring
    %full = llvm.mlir.addressof @full_bars : !llvm.ptr<3>
    %empty = llvm.mlir.addressof @empty_bars : !llvm.ptr<3>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c32 = arith.constant 32 : index
    %one = arith.constant 1 : i32
    %readers = arith.constant 32 : i32
    %true = arith.constant true
    %t = gpu.thread_id x
    %brings = arith.cmpi eq, %t, %c0 : index
    %reads = arith.cmpi uge, %t, %c32 : index
    scf.if %brings {
      scf.for %i = %c0 to %c3 step %c1 {
        %number = arith.index_cast %i : index to i32
        %here = llvm.getelementptr %full[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
        %free = llvm.getelementptr %empty[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
        // expected-note @below {{the mbarrier is made here, with a count of 1}}
        nvvm.mbarrier.init %here, %one : !llvm.ptr<3>, i32
        // expected-note @below {{the mbarrier is made here, with a count of 32}}
        nvvm.mbarrier.init %free, %readers : !llvm.ptr<3>, i32
      }
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    scf.if %brings {
      scf.for %i = %c0 to %n step %c1 {
        %stage = arith.remui %i, %c3 : index
        %lap = arith.divui %i, %c3 : index
        %odd = arith.andi %lap, %c1 : index
        %parity = arith.index_cast %odd : index to i32
        %number = arith.index_cast %stage : index to i32
        %here = llvm.getelementptr %full[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
        %free = llvm.getelementptr %empty[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
        // expected-error @below {{writes shared memory that an earlier operation writes, and nothing orders the two 3 iterations later}}
        // expected-note @below {{between the two, this orders them: a wait for the phase of the first one's mbarrier}}
        // expected-error @below {{writes shared memory that an earlier operation reads, and nothing orders the two}}
        // expected-note @below {{between the two, this orders them: an arrival on an mbarrier after the first, and a wait for its phase before the second}}
        // expected-error @below {{arrives in phase 1 of an mbarrier, and nothing says that phase 0 is over: expected a wait for phase 0}}
        // expected-note @below {{phase 1 is completed here}}
        tile.copy_async %a[%i, 0, 0] [1, 16, 32] to %s[%stage, 0, 0] [1, 16, 32] scope(thread)
          mbarrier(%here : !llvm.ptr<3>) {variant = "bulk"} : !matrices to !ring
      }
    }
    scf.if %reads {
      scf.for %i = %c0 to %n step %c1 {
        %stage = arith.remui %i, %c3 : index
        %lap = arith.divui %i, %c3 : index
        %odd = arith.andi %lap, %c1 : index
        %parity = arith.index_cast %odd : index to i32
        %number = arith.index_cast %stage : index to i32
        %here = llvm.getelementptr %full[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
        %free = llvm.getelementptr %empty[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
        // expected-error @below {{waits for phase 0 of an mbarrier, but phase 1 may be over by then, which has the other parity}}
        scf.while : () -> () {
          %done = nvvm.mbarrier.try_wait %here, %parity : !llvm.ptr<3>, i32 -> i1
          %again = arith.xori %done, %true : i1
          scf.condition(%again)
        } do {
          scf.yield
        }
        // expected-note @below {{'tile.copy' reads it here}}
        tile.copy %s[%stage, 0, 0] [1, 16, 32] to %b[%i, 0, 0] [1, 16, 32] scope(warp) : !ring to !matrices
        // expected-error @below {{arrives in phase 1 of an mbarrier, and nothing says that phase 0 is over: expected a wait for phase 0}}
        %token = nvvm.mbarrier.arrive %free : !llvm.ptr<3> -> i64
      }
    }
    gpu.return
  }

  // The first wait is for a phase that only readers could complete, and they have nothing to read yet.
  gpu.func @stuck(%A: memref<16x16x32xf32>, %B: memref<16x16x32xf32>, %n: index) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 64, 1, 1>} {  // not in order, on purpose
    %a = tile.view %A : memref<16x16x32xf32> to !matrices
    %b = tile.view %B : memref<16x16x32xf32> to !matrices
    %s = tile.alloc : !ring
    %full = llvm.mlir.addressof @full_bars : !llvm.ptr<3>
    %empty = llvm.mlir.addressof @empty_bars : !llvm.ptr<3>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c32 = arith.constant 32 : index
    %one = arith.constant 1 : i32
    %readers = arith.constant 32 : i32
    %true = arith.constant true
    %t = gpu.thread_id x
    %brings = arith.cmpi eq, %t, %c0 : index
    %reads = arith.cmpi uge, %t, %c32 : index
    scf.if %brings {
      scf.for %i = %c0 to %c3 step %c1 {
        %number = arith.index_cast %i : index to i32
        %here = llvm.getelementptr %full[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
        %free = llvm.getelementptr %empty[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
        // expected-note @below {{the mbarrier is made here, with a count of 1}}
        nvvm.mbarrier.init %here, %one : !llvm.ptr<3>, i32
        // expected-note @below {{the mbarrier is made here, with a count of 32}}
        nvvm.mbarrier.init %free, %readers : !llvm.ptr<3>, i32
      }
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    scf.if %brings {
      scf.for %i = %c0 to %n step %c1 {
        %stage = arith.remui %i, %c3 : index
        %lap = arith.divui %i, %c3 : index
        %odd = arith.andi %lap, %c1 : index
        %parity = arith.index_cast %odd : index to i32
        %number = arith.index_cast %stage : index to i32
        %here = llvm.getelementptr %full[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
        %free = llvm.getelementptr %empty[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
        // expected-error @below {{waits for phase 0 of an mbarrier, which is never completed: got 0 of 32 arrivals}}
        scf.while : () -> () {
          %done = nvvm.mbarrier.try_wait %free, %parity : !llvm.ptr<3>, i32 -> i1
          %again = arith.xori %done, %true : i1
          scf.condition(%again)
        } do {
          scf.yield
        }
        tile.copy_async %a[%i, 0, 0] [1, 16, 32] to %s[%stage, 0, 0] [1, 16, 32] scope(thread)
          mbarrier(%here : !llvm.ptr<3>) {variant = "bulk"} : !matrices to !ring
      }
    }
    scf.if %reads {
      scf.for %i = %c0 to %n step %c1 {
        %stage = arith.remui %i, %c3 : index
        %lap = arith.divui %i, %c3 : index
        %odd = arith.andi %lap, %c1 : index
        %parity = arith.index_cast %odd : index to i32
        %number = arith.index_cast %stage : index to i32
        %here = llvm.getelementptr %full[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
        %free = llvm.getelementptr %empty[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
        // expected-error @below {{waits for phase 0 of an mbarrier, which is never completed: got 0 of 1 arrivals}}
        scf.while : () -> () {
          %done = nvvm.mbarrier.try_wait %here, %parity : !llvm.ptr<3>, i32 -> i1
          %again = arith.xori %done, %true : i1
          scf.condition(%again)
        } do {
          scf.yield
        }
        tile.copy %s[%stage, 0, 0] [1, 16, 32] to %b[%i, 0, 0] [1, 16, 32] scope(warp) : !ring to !matrices
        %token = nvvm.mbarrier.arrive %free : !llvm.ptr<3> -> i64
      }
    }
    gpu.return
  }

  // The mbarrier expects more arrivals than there are readers.
  gpu.func @few(%A: memref<16x16x32xf32>, %B: memref<16x16x32xf32>, %n: index) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 64, 1, 1>} {  // not in order, on purpose
    %a = tile.view %A : memref<16x16x32xf32> to !matrices
    %b = tile.view %B : memref<16x16x32xf32> to !matrices
    %s = tile.alloc : !ring
    %full = llvm.mlir.addressof @full_bars : !llvm.ptr<3>
    %empty = llvm.mlir.addressof @empty_bars : !llvm.ptr<3>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c32 = arith.constant 32 : index
    %one = arith.constant 1 : i32
    %readers = arith.constant 33 : i32
    %true = arith.constant true
    %t = gpu.thread_id x
    %brings = arith.cmpi eq, %t, %c0 : index
    %reads = arith.cmpi uge, %t, %c32 : index
    scf.if %brings {
      scf.for %i = %c0 to %c3 step %c1 {
        %number = arith.index_cast %i : index to i32
        %here = llvm.getelementptr %full[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
        %free = llvm.getelementptr %empty[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
        // expected-note @below {{the mbarrier is made here, with a count of 1}}
        nvvm.mbarrier.init %here, %one : !llvm.ptr<3>, i32
        // expected-note @below {{the mbarrier is made here, with a count of 33}}
        nvvm.mbarrier.init %free, %readers : !llvm.ptr<3>, i32
      }
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    scf.if %brings {
      scf.for %i = %c0 to %n step %c1 {
        %stage = arith.remui %i, %c3 : index
        %lap = arith.divui %i, %c3 : index
        %odd = arith.andi %lap, %c1 : index
        %parity = arith.index_cast %odd : index to i32
        %number = arith.index_cast %stage : index to i32
        %here = llvm.getelementptr %full[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
        %free = llvm.getelementptr %empty[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
        %before = arith.xori %parity, %one : i32
        // expected-error @below {{waits for phase 0 of an mbarrier, which is never completed: got 32 of 33 arrivals}}
        scf.while : () -> () {
          %done = nvvm.mbarrier.try_wait %free, %before : !llvm.ptr<3>, i32 -> i1
          %again = arith.xori %done, %true : i1
          scf.condition(%again)
        } do {
          scf.yield
        }
        tile.copy_async %a[%i, 0, 0] [1, 16, 32] to %s[%stage, 0, 0] [1, 16, 32] scope(thread)
          mbarrier(%here : !llvm.ptr<3>) {variant = "bulk"} : !matrices to !ring
      }
    }
    scf.if %reads {
      scf.for %i = %c0 to %n step %c1 {
        %stage = arith.remui %i, %c3 : index
        %lap = arith.divui %i, %c3 : index
        %odd = arith.andi %lap, %c1 : index
        %parity = arith.index_cast %odd : index to i32
        %number = arith.index_cast %stage : index to i32
        %here = llvm.getelementptr %full[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
        %free = llvm.getelementptr %empty[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
        // expected-error @below {{waits for phase 1 of an mbarrier, which is never completed: got 0 of 1 arrivals}}
        scf.while : () -> () {
          %done = nvvm.mbarrier.try_wait %here, %parity : !llvm.ptr<3>, i32 -> i1
          %again = arith.xori %done, %true : i1
          scf.condition(%again)
        } do {
          scf.yield
        }
        tile.copy %s[%stage, 0, 0] [1, 16, 32] to %b[%i, 0, 0] [1, 16, 32] scope(warp) : !ring to !matrices
        // expected-note @below {{arrival 32 of the phase is here}}
        %token = nvvm.mbarrier.arrive %free : !llvm.ptr<3> -> i64
      }
    }
    gpu.return
  }
}
