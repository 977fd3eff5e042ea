// Phases of mbarriers that are never completed: kernels that --tile-check-sync reports hang at run time; their correct twins run.
// RUN: tile-opt %s --tile-check-sync --verify-diagnostics -o /dev/null
// RUN: tile-run %s --entry one --schedule=all --arg f32[32x32]=random --arg f32[32x32]=poison --arg i64=3 --expect-equal 0,1
// RUN: not tile-run %s --entry two --arg f32[32x32]=random --arg f32[32x32]=poison --arg i64=3 2>&1 | FileCheck %s --check-prefix=TWO
// TWO: error: {{.*livelock}}
// RUN: tile-run %s --entry both --schedule=all --arg f32[32x32]=random --arg f32[32x32]=poison --arg i64=3 --expect-equal 0,1
// RUN: not tile-run %s --entry bytes --arg f32[32x32]=random --arg f32[32x32]=poison --arg i64=3 2>&1 | FileCheck %s --check-prefix=BYTES
// BYTES: error: {{.*livelock}}
// RUN: not tile-run %s --entry expected --arg f32[32x32]=random --arg f32[32x32]=poison --arg i64=3 2>&1 | FileCheck %s --check-prefix=EXPECTED
// EXPECTED: error: {{.*livelock}}
// RUN: tile-run %s --entry arrivals --schedule=all --arg f32[32x32]=random --arg f32[32x32]=zeros --arg i64=3 --expect-unchanged 1
// RUN: not tile-run %s --entry most --arg f32[32x32]=random --arg f32[32x32]=poison --arg i64=3 2>&1 | FileCheck %s --check-prefix=MOST
// MOST: error: {{.*livelock}}
// RUN: not tile-run %s --entry again --arg f32[32x32]=random --arg f32[32x32]=poison --arg i64=3 2>&1 | FileCheck %s --check-prefix=AGAIN
// AGAIN: error: {{.*livelock}}
// RUN: not tile-run %s --entry before --arg f32[32x32]=random --arg f32[32x32]=poison --arg i64=3 2>&1 | FileCheck %s --check-prefix=BEFORE
// BEFORE: error: {{.*livelock}}

!g = !tile.buffer<32x32xf32, global>
!s = !tile.buffer<32x32xf32, shared>
gpu.module @phases [#nvvm.target<chip = "sm_90a">] {
  llvm.mlir.global internal @m() {addr_space = 3 : i32, alignment = 8 : i64} : i64
  // The copy provides the arrival.
  gpu.func @one(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %n: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !g
    %b = tile.view %B : memref<32x32xf32> to !g
    %s = tile.alloc : !s
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %true = arith.constant true
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    %m = llvm.mlir.addressof @m : !llvm.ptr<3>
    scf.if %first {
      nvvm.mbarrier.init %m, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    tile.copy_async %a to %s scope(cta) mbarrier(%m : !llvm.ptr<3>) {variant = "bulk"} : !g to !s
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %m, %zero : !llvm.ptr<3>, i32 -> i1
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    tile.copy %s to %b scope(cta) : !s to !g
    gpu.return
  }

  // A second arrival that never comes.
  gpu.func @two(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %n: index) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 64, 1, 1>} {  // not in order, on purpose
    %a = tile.view %A : memref<32x32xf32> to !g
    %b = tile.view %B : memref<32x32xf32> to !g
    %s = tile.alloc : !s
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %two = arith.constant 2 : i32
    %true = arith.constant true
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    %m = llvm.mlir.addressof @m : !llvm.ptr<3>
    scf.if %first {
      // expected-note @below {{the mbarrier is made here, with a count of 2}}
      nvvm.mbarrier.init %m, %two : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    // expected-note @below {{arrival 1 of the phase is here}}
    tile.copy_async %a to %s scope(cta) mbarrier(%m : !llvm.ptr<3>) {variant = "bulk"} : !g to !s
    // expected-error @below {{waits for phase 0 of an mbarrier, which is never completed: got 1 of 2 arrivals before it}}
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %m, %zero : !llvm.ptr<3>, i32 -> i1
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    tile.copy %s to %b scope(cta) : !s to !g
    gpu.return
  }

  gpu.func @both(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %n: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !g
    %b = tile.view %B : memref<32x32xf32> to !g
    %s = tile.alloc : !s
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %two = arith.constant 2 : i32
    %true = arith.constant true
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    %m = llvm.mlir.addressof @m : !llvm.ptr<3>
    scf.if %first {
      nvvm.mbarrier.init %m, %two : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    scf.if %first {
      %token = nvvm.mbarrier.arrive %m : !llvm.ptr<3> -> i64
    }
    tile.copy_async %a to %s scope(cta) mbarrier(%m : !llvm.ptr<3>) {variant = "bulk"} : !g to !s
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %m, %zero : !llvm.ptr<3>, i32 -> i1
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    tile.copy %s to %b scope(cta) : !s to !g
    gpu.return
  }

  // Thread 0 expects bytes, although the copy already expects its bytes itself.
  gpu.func @bytes(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %n: index) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 64, 1, 1>} {  // not in order, on purpose
    %a = tile.view %A : memref<32x32xf32> to !g
    %b = tile.view %B : memref<32x32xf32> to !g
    %s = tile.alloc : !s
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %two = arith.constant 2 : i32
    %bytes = arith.constant 4096 : i32
    %true = arith.constant true
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    %m = llvm.mlir.addressof @m : !llvm.ptr<3>
    scf.if %first {
      // expected-note @below {{the mbarrier is made here, with a count of 2}}
      nvvm.mbarrier.init %m, %two : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    scf.if %first {
      nvvm.mbarrier.arrive.expect_tx %m, %bytes : !llvm.ptr<3>, i32
    }
    // expected-note @below {{4096 bytes of the phase, which no copy brings, are expected here}}
    tile.copy_async %a to %s scope(cta) mbarrier(%m : !llvm.ptr<3>) {variant = "bulk"} : !g to !s
    // expected-error @below {{got 2 of 2 arrivals before it and 4096 bytes expected that no copy brings}}
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %m, %zero : !llvm.ptr<3>, i32 -> i1
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    tile.copy %s to %b scope(cta) : !s to !g
    gpu.return
  }

  gpu.func @expected(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %n: index) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 64, 1, 1>} {  // not in order, on purpose
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %bytes = arith.constant 4096 : i32
    %true = arith.constant true
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    %m = llvm.mlir.addressof @m : !llvm.ptr<3>
    scf.if %first {
      // expected-note @below {{the mbarrier is made here, with a count of 1}}
      nvvm.mbarrier.init %m, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    scf.if %first {
      // expected-note @below {{4096 bytes of the phase, which no copy brings, are expected here}}
      nvvm.mbarrier.arrive.expect_tx %m, %bytes : !llvm.ptr<3>, i32
    }
    // expected-error @below {{got 1 of 1 arrivals before it and 4096 bytes expected that no copy brings}}
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %m, %zero : !llvm.ptr<3>, i32 -> i1
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    gpu.return
  }

  gpu.func @arrivals(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %n: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %threads = arith.constant 64 : i32
    %true = arith.constant true
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    %m = llvm.mlir.addressof @m : !llvm.ptr<3>
    scf.if %first {
      nvvm.mbarrier.init %m, %threads : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    %token = nvvm.mbarrier.arrive %m : !llvm.ptr<3> -> i64
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %m, %zero : !llvm.ptr<3>, i32 -> i1
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    gpu.return
  }

  gpu.func @most(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %n: index) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 64, 1, 1>} {  // not in order, on purpose
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0 : i32
    %threads = arith.constant 64 : i32
    %true = arith.constant true
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    %low = arith.cmpi ult, %t, %c32 : index
    %m = llvm.mlir.addressof @m : !llvm.ptr<3>
    scf.if %first {
      // expected-note @below {{the mbarrier is made here, with a count of 64}}
      nvvm.mbarrier.init %m, %threads : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    scf.if %low {
      // expected-note @below {{arrival 32 of the phase is here}}
      %token = nvvm.mbarrier.arrive %m : !llvm.ptr<3> -> i64
    }
    // expected-error @below {{waits for phase 0 of an mbarrier, which is never completed: got 32 of 64 arrivals before it}}
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %m, %zero : !llvm.ptr<3>, i32 -> i1
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    gpu.return
  }

  // A phase for which there is no copy.
  gpu.func @again(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %n: index) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 64, 1, 1>} {  // not in order, on purpose
    %a = tile.view %A : memref<32x32xf32> to !g
    %b = tile.view %B : memref<32x32xf32> to !g
    %s = tile.alloc : !s
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %true = arith.constant true
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    %m = llvm.mlir.addressof @m : !llvm.ptr<3>
    scf.if %first {
      // expected-note @below {{the mbarrier is made here, with a count of 1}}
      nvvm.mbarrier.init %m, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    tile.copy_async %a to %s scope(cta) mbarrier(%m : !llvm.ptr<3>) {variant = "bulk"} : !g to !s
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %m, %zero : !llvm.ptr<3>, i32 -> i1
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    tile.copy %s to %b scope(cta) : !s to !g
    // expected-error @below {{waits for phase 1 of an mbarrier, which is never completed: got 0 of 1 arrivals before it}}
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %m, %one : !llvm.ptr<3>, i32 -> i1
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    gpu.return
  }

  // The wait comes before what it waits for.
  gpu.func @before(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %n: index) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 64, 1, 1>} {  // not in order, on purpose
    %a = tile.view %A : memref<32x32xf32> to !g
    %b = tile.view %B : memref<32x32xf32> to !g
    %s = tile.alloc : !s
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %true = arith.constant true
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    %m = llvm.mlir.addressof @m : !llvm.ptr<3>
    scf.if %first {
      // expected-note @below {{the mbarrier is made here, with a count of 1}}
      nvvm.mbarrier.init %m, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    // expected-error @below {{waits for phase 0 of an mbarrier, which is never completed: got 0 of 1 arrivals before it}}
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %m, %zero : !llvm.ptr<3>, i32 -> i1
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    tile.copy_async %a to %s scope(cta) mbarrier(%m : !llvm.ptr<3>) {variant = "bulk"} : !g to !s
    tile.copy %s to %b scope(cta) : !s to !g
    gpu.return
  }
}
