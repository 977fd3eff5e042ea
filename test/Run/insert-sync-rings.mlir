// Rings of mbarriers: a correct one is unchanged; barriers are inserted around a ring and never into it.
// RUN: tile-opt %s --tile-insert-sync -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: tile-opt %t.mlir --tile-check-sync -o /dev/null
// RUN: tile-run %t.mlir --entry right --schedule=all --arg f32[16x16x32]=random --arg f32[16x16x32]=zeros --arg i64=16 --expect-equal 0,1
// RUN: tile-run %t.mlir --entry bare --schedule=all --arg f32[16x16x32]=random --arg f32[16x16x32]=zeros --arg i64=16 --expect-equal 0,1
// RUN: not tile-run %s --entry bare --schedule=all --arg f32[16x16x32]=random --arg f32[16x16x32]=zeros --arg i64=16
// RUN: tile-opt %s --tile-insert-sync --tile-insert-sync=remove-redundant=true -o %t.least.mlir
// RUN: FileCheck %s --check-prefix=LEAST < %t.least.mlir
// RUN: tile-run %t.least.mlir --entry vain --schedule=all --arg f32[16x16x32]=random --arg f32[16x16x32]=zeros --arg i64=16 --expect-equal 0,1

// CHECK-LABEL: gpu.func @right
// CHECK-COUNT-1: gpu.barrier
// CHECK-NOT:     gpu.barrier
// CHECK-NOT:     nvvm.bar.warp.sync
// CHECK-LABEL: gpu.func @bare
// CHECK:         nvvm.fence.mbarrier.init
// CHECK-NEXT:  }
// CHECK-NEXT:  gpu.barrier
// CHECK-NEXT:  scf.if
// CHECK-NOT:     gpu.barrier
// CHECK-LABEL: gpu.func @vain

// LEAST-LABEL: gpu.func @vain
// LEAST-COUNT-2: nvvm.mbarrier.init
// LEAST-COUNT-1: gpu.barrier
// LEAST-NOT:     gpu.barrier
// LEAST:         nvvm.mbarrier.try_wait
// LEAST-NOT:     gpu.barrier
// LEAST:         nvvm.mbarrier.try_wait
// LEAST:         nvvm.mbarrier.arrive

!matrices = !tile.buffer<16x16x32xf32, global>
!ring = !tile.buffer<3x16x32xf32, shared>
gpu.module @rings [#nvvm.target<chip = "sm_90a">] {
  llvm.mlir.global internal @full_bars() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<3 x i64>
  llvm.mlir.global internal @empty_bars() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<3 x i64>
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

  gpu.func @bare(%A: memref<16x16x32xf32>, %B: memref<16x16x32xf32>, %n: index) kernel
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

  gpu.func @vain(%A: memref<16x16x32xf32>, %B: memref<16x16x32xf32>, %n: index) kernel
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
}
