// Rings of mbarriers with wrong parities: what --tile-check-sync reports fails at run time. rings.mlir has the correct ring.
// RUN: tile-opt %s --tile-check-sync --verify-diagnostics -o /dev/null
// RUN: not tile-run %s --entry early --schedule=all --arg f32[16x16x32]=random --arg f32[16x16x32]=zeros --arg i64=16 2>&1 | FileCheck %s --check-prefix=EARLY
// EARLY: error: {{.*uninitialized}}
// RUN: not tile-run %s --entry turned --schedule=all --arg f32[16x16x32]=random --arg f32[16x16x32]=zeros --arg i64=16 2>&1 | FileCheck %s --check-prefix=TURNED
// TURNED: error: {{.*uninitialized}}
// RUN: not tile-run %s --entry laps --schedule=all --arg f32[16x16x32]=random --arg f32[16x16x32]=zeros --arg i64=16 2>&1 | FileCheck %s --check-prefix=LAPS
// LAPS: error: {{.*uninitialized}}

!matrices = !tile.buffer<16x16x32xf32, global>
!ring = !tile.buffer<3x16x32xf32, shared>
gpu.module @rings [#nvvm.target<chip = "sm_90a">] {
  llvm.mlir.global internal @full_bars() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<3 x i64>
  llvm.mlir.global internal @empty_bars() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<3 x i64>
  gpu.func @early(%A: memref<16x16x32xf32>, %B: memref<16x16x32xf32>, %n: index) kernel
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
        %before = arith.xori %parity, %one : i32
        // expected-error @below {{waits for phase -1 of an mbarrier, but phase 0 may be over by then, which has the other parity}}
        scf.while : () -> () {
          %done = nvvm.mbarrier.try_wait %free, %before : !llvm.ptr<3>, i32 -> i1
          %again = arith.xori %done, %true : i1
          scf.condition(%again)
        } do {
          scf.yield
        }
        // expected-note @below {{'tile.copy_async' writes it here}}
        // expected-error @below {{may be in flight when the block ends, and its shared memory with it}}
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
        // expected-error @below {{reads shared memory that an earlier operation writes, and nothing orders the two}}
        // expected-note @below {{between the two, this orders them: a wait for the phase of the first one's mbarrier}}
        tile.copy %s[%stage, 0, 0] [1, 16, 32] to %b[%i, 0, 0] [1, 16, 32] scope(warp) : !ring to !matrices
        // expected-note @below {{phase 0 is completed here}}
        %token = nvvm.mbarrier.arrive %free : !llvm.ptr<3> -> i64
      }
    }
    // expected-note @below {{the block ends here}}
    gpu.return
  }

  // Readers wait for the previous phase.
  gpu.func @turned(%A: memref<16x16x32xf32>, %B: memref<16x16x32xf32>, %n: index) kernel
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
        %before = arith.xori %parity, %one : i32
        // expected-error @below {{waits for phase -1 of an mbarrier, but phase 0 may be over by then, which has the other parity}}
        scf.while : () -> () {
          %done = nvvm.mbarrier.try_wait %free, %before : !llvm.ptr<3>, i32 -> i1
          %again = arith.xori %done, %true : i1
          scf.condition(%again)
        } do {
          scf.yield
        }
        // expected-note @below {{'tile.copy_async' writes it here}}
        // expected-error @below {{may be in flight when the block ends, and its shared memory with it}}
        // expected-note @below {{phase 0 is completed here}}
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
        %other = arith.xori %parity, %one : i32
        // expected-error @below {{waits for phase -1 of an mbarrier, but phase 0 may be over by then, which has the other parity}}
        scf.while : () -> () {
          %done = nvvm.mbarrier.try_wait %here, %other : !llvm.ptr<3>, i32 -> i1
          %again = arith.xori %done, %true : i1
          scf.condition(%again)
        } do {
          scf.yield
        }
        // expected-error @below {{reads shared memory that an earlier operation writes, and nothing orders the two}}
        // expected-note @below {{between the two, this orders them: a wait for the phase of the first one's mbarrier}}
        tile.copy %s[%stage, 0, 0] [1, 16, 32] to %b[%i, 0, 0] [1, 16, 32] scope(warp) : !ring to !matrices
        // expected-note @below {{phase 0 is completed here}}
        %token = nvvm.mbarrier.arrive %free : !llvm.ptr<3> -> i64
      }
    }
    // expected-note @below {{the block ends here}}
    gpu.return
  }

  // Parities for two stages in a ring of three.
  gpu.func @laps(%A: memref<16x16x32xf32>, %B: memref<16x16x32xf32>, %n: index) kernel
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
        nvvm.mbarrier.init %here, %one : !llvm.ptr<3>, i32
        nvvm.mbarrier.init %free, %readers : !llvm.ptr<3>, i32
      }
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    scf.if %brings {
      scf.for %i = %c0 to %n step %c1 {
        %stage = arith.remui %i, %c3 : index
        %lap = arith.divui %i, %c2 : index
        %odd = arith.andi %lap, %c1 : index
        %parity = arith.index_cast %odd : index to i32
        %number = arith.index_cast %stage : index to i32
        %here = llvm.getelementptr %full[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
        %free = llvm.getelementptr %empty[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
        %before = arith.xori %parity, %one : i32
        scf.while : () -> () {
          %done = nvvm.mbarrier.try_wait %free, %before : !llvm.ptr<3>, i32 -> i1
          %again = arith.xori %done, %true : i1
          scf.condition(%again)
        } do {
          scf.yield
        }
        // expected-error @below {{may be in flight when the block ends, and its shared memory with it}}
        tile.copy_async %a[%i, 0, 0] [1, 16, 32] to %s[%stage, 0, 0] [1, 16, 32] scope(thread)
          mbarrier(%here : !llvm.ptr<3>) {variant = "bulk"} : !matrices to !ring
      }
    }
    scf.if %reads {
      scf.for %i = %c0 to %n step %c1 {
        %stage = arith.remui %i, %c3 : index
        %lap = arith.divui %i, %c2 : index
        %odd = arith.andi %lap, %c1 : index
        %parity = arith.index_cast %odd : index to i32
        %number = arith.index_cast %stage : index to i32
        %here = llvm.getelementptr %full[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
        %free = llvm.getelementptr %empty[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
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
    // expected-note @below {{the block ends here}}
    gpu.return
  }
}
