// Global to shared memory and back by bulk copies, issued by one of 256 threads. The tile of a block is contiguous, 4,
// 16 or 32 KiB, and one chunk in each direction; or 16 KiB, to shared memory with padded rows, in 64 chunks of 256
// bytes; or to swizzled shared memory, in 1024 chunks of 16 bytes. The buffers have 1 GiB.
!all = !tile.buffer<4194304x64xf32, global>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  llvm.mlir.global internal @arrived() {addr_space = 3 : i32, alignment = 8 : i64} : i64

  // Thread 0 initialises an mbarrier for one arrival, that of the copy.
  func.func private @prepare() {
    %barrier = llvm.mlir.addressof @arrived : !llvm.ptr<3>
    %one = arith.constant 1 : i32
    %c0 = arith.constant 0 : index
    %thread = gpu.thread_id x
    %first = arith.cmpi eq, %thread, %c0 : index
    scf.if %first {
      nvvm.mbarrier.init %barrier, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    func.return
  }

  // All threads wait for the first phase.
  func.func private @wait() {
    %barrier = llvm.mlir.addressof @arrived : !llvm.ptr<3>
    %zero = arith.constant 0 : i32
    %true = arith.constant true
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %barrier, %zero : !llvm.ptr<3>, i32 -> i1
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    func.return
  }

  gpu.func @bulk_4k_f32(%A: memref<4194304x64xf32>, %B: memref<4194304x64xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %height = arith.constant 16 : index
    %block = gpu.block_id x
    %row = arith.muli %block, %height : index
    %a = tile.view %A : memref<4194304x64xf32> to !all
    %b = tile.view %B : memref<4194304x64xf32> to !all
    %near = tile.alloc : !tile.buffer<16x64xf32, shared>
    func.call @prepare() : () -> ()
    %barrier = llvm.mlir.addressof @arrived : !llvm.ptr<3>
    tile.copy_async %a[%row, 0] [16, 64] to %near scope(cta) mbarrier(%barrier : !llvm.ptr<3>) {variant = "bulk"}
      : !all to !tile.buffer<16x64xf32, shared>
    func.call @wait() : () -> ()
    tile.copy_async %near to %b[%row, 0] [16, 64] scope(cta) bulk_group : !tile.buffer<16x64xf32, shared> to !all
    nvvm.cp.async.bulk.wait_group 0 {read}
    gpu.return
  }

  gpu.func @bulk_16k_f32(%A: memref<4194304x64xf32>, %B: memref<4194304x64xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %height = arith.constant 64 : index
    %block = gpu.block_id x
    %row = arith.muli %block, %height : index
    %a = tile.view %A : memref<4194304x64xf32> to !all
    %b = tile.view %B : memref<4194304x64xf32> to !all
    %near = tile.alloc : !tile.buffer<64x64xf32, shared>
    func.call @prepare() : () -> ()
    %barrier = llvm.mlir.addressof @arrived : !llvm.ptr<3>
    tile.copy_async %a[%row, 0] [64, 64] to %near scope(cta) mbarrier(%barrier : !llvm.ptr<3>) {variant = "bulk"}
      : !all to !tile.buffer<64x64xf32, shared>
    func.call @wait() : () -> ()
    tile.copy_async %near to %b[%row, 0] [64, 64] scope(cta) bulk_group : !tile.buffer<64x64xf32, shared> to !all
    nvvm.cp.async.bulk.wait_group 0 {read}
    gpu.return
  }

  gpu.func @bulk_32k_f32(%A: memref<4194304x64xf32>, %B: memref<4194304x64xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %height = arith.constant 128 : index
    %block = gpu.block_id x
    %row = arith.muli %block, %height : index
    %a = tile.view %A : memref<4194304x64xf32> to !all
    %b = tile.view %B : memref<4194304x64xf32> to !all
    %near = tile.alloc : !tile.buffer<128x64xf32, shared>
    func.call @prepare() : () -> ()
    %barrier = llvm.mlir.addressof @arrived : !llvm.ptr<3>
    tile.copy_async %a[%row, 0] [128, 64] to %near scope(cta) mbarrier(%barrier : !llvm.ptr<3>) {variant = "bulk"}
      : !all to !tile.buffer<128x64xf32, shared>
    func.call @wait() : () -> ()
    tile.copy_async %near to %b[%row, 0] [128, 64] scope(cta) bulk_group : !tile.buffer<128x64xf32, shared> to !all
    nvvm.cp.async.bulk.wait_group 0 {read}
    gpu.return
  }

  gpu.func @bulk_rows_16k_f32(%A: memref<4194304x64xf32>, %B: memref<4194304x64xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %height = arith.constant 64 : index
    %block = gpu.block_id x
    %row = arith.muli %block, %height : index
    %a = tile.view %A : memref<4194304x64xf32> to !all
    %b = tile.view %B : memref<4194304x64xf32> to !all
    %near = tile.alloc : !tile.buffer<64x64xf32, shared, #tile.layout<(64, 64) : (68, 1)>>
    func.call @prepare() : () -> ()
    %barrier = llvm.mlir.addressof @arrived : !llvm.ptr<3>
    tile.copy_async %a[%row, 0] [64, 64] to %near scope(cta) mbarrier(%barrier : !llvm.ptr<3>) {variant = "bulk"}
      : !all to !tile.buffer<64x64xf32, shared, #tile.layout<(64, 64) : (68, 1)>>
    func.call @wait() : () -> ()
    tile.copy_async %near to %b[%row, 0] [64, 64] scope(cta) bulk_group : !tile.buffer<64x64xf32, shared, #tile.layout<(64, 64) : (68, 1)>> to !all
    nvvm.cp.async.bulk.wait_group 0 {read}
    gpu.return
  }

  gpu.func @bulk_swizzled_16k_f32(%A: memref<4194304x64xf32>, %B: memref<4194304x64xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %height = arith.constant 64 : index
    %block = gpu.block_id x
    %row = arith.muli %block, %height : index
    %a = tile.view %A : memref<4194304x64xf32> to !all
    %b = tile.view %B : memref<4194304x64xf32> to !all
    %near = tile.alloc : !tile.buffer<64x64xf32, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 2, bits = 3, shift = 3>>>
    func.call @prepare() : () -> ()
    %barrier = llvm.mlir.addressof @arrived : !llvm.ptr<3>
    tile.copy_async %a[%row, 0] [64, 64] to %near scope(cta) mbarrier(%barrier : !llvm.ptr<3>) {variant = "bulk"}
      : !all to !tile.buffer<64x64xf32, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 2, bits = 3, shift = 3>>>
    func.call @wait() : () -> ()
    tile.copy_async %near to %b[%row, 0] [64, 64] scope(cta) bulk_group : !tile.buffer<64x64xf32, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 2, bits = 3, shift = 3>>> to !all
    nvvm.cp.async.bulk.wait_group 0 {read}
    gpu.return
  }
}
