!tile = !tile.buffer<16x32xf32, global>
!shared = !tile.buffer<16x32xf32, shared>
!bars = !tile.buffer<1xi64, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // One thread issues a bulk copy; the mbarrier counts the bytes that it writes.
  gpu.func @bulk(%A: memref<16x32xf32>, %B: memref<16x32xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<16x32xf32> to !tile
    %b = tile.view %B : memref<16x32xf32> to !tile
    %c0 = arith.constant 0 : index
    %count = arith.constant 1 : i32
    %bytes = arith.constant 2048 : i32
    %even = arith.constant 0 : i32
    %true = arith.constant true
    %s = tile.alloc : !shared
    %bars = tile.alloc {alignment = 8 : i64} : !bars
    %bar = tile.parts %bars : !bars to !llvm.ptr<3>
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      nvvm.mbarrier.init %bar, %count : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    scf.if %first {
      nvvm.mbarrier.arrive.expect_tx %bar, %bytes : !llvm.ptr<3>, i32
      panel.bring %a to %s on %bar by "bulk" : !tile to !shared on !llvm.ptr<3>
    }
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %bar, %even : !llvm.ptr<3>, i32 -> i1
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    tile.copy %s to %b scope(cta) : !shared to !tile
    gpu.return
  }
  // All threads copy, and arrive once each.
  gpu.func @threads(%A: memref<16x32xf32>, %B: memref<16x32xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<16x32xf32> to !tile
    %b = tile.view %B : memref<16x32xf32> to !tile
    %c0 = arith.constant 0 : index
    %count = arith.constant 128 : i32
    %bytes = arith.constant 2048 : i32
    %even = arith.constant 0 : i32
    %true = arith.constant true
    %s = tile.alloc : !shared
    %bars = tile.alloc {alignment = 8 : i64} : !bars
    %bar = tile.parts %bars : !bars to !llvm.ptr<3>
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      nvvm.mbarrier.init %bar, %count : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    panel.bring %a to %s on %bar by "cp.async" {tile.scope = "cta"} : !tile to !shared on !llvm.ptr<3>
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %bar, %even : !llvm.ptr<3>, i32 -> i1
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    tile.copy %s to %b scope(cta) : !shared to !tile
    gpu.return
  }
}
