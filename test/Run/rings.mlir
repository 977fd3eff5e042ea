// Hand-written rings of mbarriers that --tile-check-sync accepts, and that run. Their incorrect twins are in rings-*.mlir.
// RUN: tile-opt %s --tile-check-sync --verify-diagnostics -o /dev/null
// RUN: tile-run %s --entry right --schedule=all --arg f32[16x16x32]=random --arg f32[16x16x32]=zeros --arg i64=16 --expect-equal 0,1
// RUN: tile-run %s --entry right --schedule=all --arg f32[16x16x32]=random --arg f32[16x16x32]=zeros --arg i64=2
// RUN: tile-run %s --entry carried --schedule=all --arg f32[16x16x32]=random --arg f32[16x16x32]=zeros --arg i64=16 --expect-equal 0,1
// RUN: tile-run %s --entry carried --schedule=all --arg f32[16x16x32]=random --arg f32[16x16x32]=zeros --arg i64=2
// RUN: tile-run %s --entry behind --schedule=all --arg f32[16x16x32]=random --arg f32[16x16x32]=zeros --arg i64=15 --expect-equal 0,1
// RUN: tile-run %s --entry behind --schedule=all --arg f32[16x16x32]=random --arg f32[16x16x32]=zeros --arg i64=0
// RUN: sed 's/%%stage_behind, %%parity_behind = scf.for/%%parity_behind, %%stage_behind = scf.for/' %s > %t.turned.mlir
// RUN: not tile-opt %t.turned.mlir --tile-check-sync -o /dev/null 2>&1 | FileCheck %s --check-prefix=TURNED
// RUN: sed 's/%%n = arith.maxsi %%given, %%c0/%%n = arith.addi %%given, %%c0/' %s > %t.negative.mlir
// RUN: not tile-opt %t.negative.mlir --tile-check-sync -o /dev/null 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: error: {{.*}}is not followed: which
// TURNED: error: 'scf.while' op waits for phase 1 of an mbarrier, which is never completed: got 0 of 1 arrivals before it

!matrices = !tile.buffer<16x16x32xf32, global>
!ring = !tile.buffer<3x16x32xf32, shared>
gpu.module @rings [#nvvm.target<chip = "sm_90a">] {
  llvm.mlir.global internal @full_bars() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<3 x i64>
  llvm.mlir.global internal @empty_bars() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<3 x i64>
  // One thread copies tiles in bulk, a warp reads them, stage by stage.
  gpu.func @right(%A: memref<16x16x32xf32>, %B: memref<16x16x32xf32>, %n: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
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
        %lap = arith.divui %i, %c3 : index
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

  // One more matrix behind the loops: its stage follows from the trip count, by arithmetic or as a result of the loop.
  gpu.func @behind(%A: memref<16x16x32xf32>, %B: memref<16x16x32xf32>, %given: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<16x16x32xf32> to !matrices
    %b = tile.view %B : memref<16x16x32xf32> to !matrices
    %s = tile.alloc : !ring
    %full = llvm.mlir.addressof @full_bars : !llvm.ptr<3>
    %empty = llvm.mlir.addressof @empty_bars : !llvm.ptr<3>
    %c0 = arith.constant 0 : index
    // Of a negative number, the stage is not that of as many iterations: none.
    %n = arith.maxsi %given, %c0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c32 = arith.constant 32 : index
    %one = arith.constant 1 : i32
    %readers = arith.constant 32 : i32
    %all = arith.constant -1 : i32
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
        %lap = arith.divui %i, %c3 : index
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
        tile.copy_async %a[%i, 0, 0] [1, 16, 32] to %s[%stage, 0, 0] [1, 16, 32] scope(thread)
          mbarrier(%here : !llvm.ptr<3>) {variant = "bulk"} : !matrices to !ring
      }
      %stage = arith.remui %n, %c3 : index
      %lap = arith.divui %n, %c3 : index
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
      tile.copy_async %a[%n, 0, 0] [1, 16, 32] to %s[%stage, 0, 0] [1, 16, 32] scope(thread)
        mbarrier(%here : !llvm.ptr<3>) {variant = "bulk"} : !matrices to !ring
    }
    scf.if %reads {
      %stage_behind, %parity_behind = scf.for %i = %c0 to %n step %c1 iter_args(%stage = %c0, %odd = %c0) -> (index, index) {
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
        %next = arith.addi %stage, %c1 : index
        %wraps = arith.cmpi eq, %next, %c3 : index
        %next_stage = arith.select %wraps, %c0, %next : index
        %flipped = arith.xori %odd, %c1 : index
        %next_odd = arith.select %wraps, %flipped, %odd : index
        scf.yield %next_stage, %next_odd : index, index
      }
      %parity = arith.index_cast %parity_behind : index to i32
      %number = arith.index_cast %stage_behind : index to i32
      %here = llvm.getelementptr %full[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
      %free = llvm.getelementptr %empty[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
      scf.while : () -> () {
        %done = nvvm.mbarrier.try_wait %here, %parity : !llvm.ptr<3>, i32 -> i1
        %again = arith.xori %done, %true : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
      nvvm.bar.warp.sync %all : i32
      tile.copy %s[%stage_behind, 0, 0] [1, 16, 32] to %b[%n, 0, 0] [1, 16, 32] scope(warp) : !ring to !matrices
      %token = nvvm.mbarrier.arrive %free : !llvm.ptr<3> -> i64
    }
    gpu.return
  }

  // The same with a loop-carried stage and parity, by whole warps: the copying warp synchronizes before its one thread copies.
  gpu.func @carried(%A: memref<16x16x32xf32>, %B: memref<16x16x32xf32>, %n: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<16x16x32xf32> to !matrices
    %b = tile.view %B : memref<16x16x32xf32> to !matrices
    %s = tile.alloc : !ring
    %full = llvm.mlir.addressof @full_bars : !llvm.ptr<3>
    %empty = llvm.mlir.addressof @empty_bars : !llvm.ptr<3>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %readers = arith.constant 32 : i32
    %all = arith.constant -1 : i32
    %true = arith.constant true
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    %brings = arith.cmpi ult, %t, %c32 : index
    scf.if %first {
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
      %last:2 = scf.for %i = %c0 to %n step %c1 iter_args(%stage = %c0, %parity = %one) -> (index, i32) {
        %number = arith.index_cast %stage : index to i32
        %here = llvm.getelementptr %full[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
        %free = llvm.getelementptr %empty[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
        scf.while : () -> () {
          %done = nvvm.mbarrier.try_wait %free, %parity : !llvm.ptr<3>, i32 -> i1
          %again = arith.xori %done, %true : i1
          scf.condition(%again)
        } do {
          scf.yield
        }
        nvvm.bar.warp.sync %all : i32
        tile.copy_async %a[%i, 0, 0] [1, 16, 32] to %s[%stage, 0, 0] [1, 16, 32] scope(warp)
          mbarrier(%here : !llvm.ptr<3>) {variant = "bulk"} : !matrices to !ring
        %next = arith.addi %stage, %c1 : index
        %wraps = arith.cmpi eq, %next, %c3 : index
        %flipped = arith.xori %parity, %one : i32
        %after = arith.select %wraps, %c0, %next : index
        %then = arith.select %wraps, %flipped, %parity : i32
        scf.yield %after, %then : index, i32
      }
    } else {
      %last:2 = scf.for %i = %c0 to %n step %c1 iter_args(%stage = %c0, %parity = %zero) -> (index, i32) {
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
        %next = arith.addi %stage, %c1 : index
        %wraps = arith.cmpi eq, %next, %c3 : index
        %flipped = arith.xori %parity, %one : i32
        %after = arith.select %wraps, %c0, %next : index
        %then = arith.select %wraps, %flipped, %parity : i32
        scf.yield %after, %then : index, i32
      }
    }
    gpu.return
  }
}
