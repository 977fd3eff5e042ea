// Tiles of 64 rows of 256 bytes through shared memory and back, by tensor maps: one box in and one out, issued by one thread; no data
// goes through registers. Dynamic shared memory of a launch, which nothing uses, limits the blocks on an SM.
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @tma_16k_f32(%A: memref<?x?xf32>, %B: memref<?x?xf32>) workgroup(%barriers: memref<1xi64, 3> {llvm.align = 8}) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %rows = arith.constant 64 : index
    %columns = arith.constant 64 : index
    %one = arith.constant 1 : i32
    %phase = arith.constant 0 : i32
    %true = arith.constant true
    %a = tile.view %A : memref<?x?xf32>
    %b = tile.view %B : memref<?x?xf32>
    %s = tile.alloc : !tile.buffer<64x64xf32, shared>
    %index = memref.extract_aligned_pointer_as_index %barriers : memref<1xi64, 3> -> index
    %address = arith.index_cast %index : index to i64
    %barrier = llvm.inttoptr %address : i64 to !llvm.ptr<3>
    %x = gpu.block_id x
    %y = gpu.block_id y
    %row = arith.muli %y, %rows : index
    %column = arith.muli %x, %columns : index
    %thread = gpu.thread_id x
    %first = arith.cmpi eq, %thread, %c0 : index
    scf.if %first {
      nvvm.mbarrier.init %barrier, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
      tile.copy_async %a[%row, %column] [64, 64] to %s scope(thread) mbarrier(%barrier : !llvm.ptr<3>) {variant = "tma"}
        : !tile.buffer<?x?xf32, global> to !tile.buffer<64x64xf32, shared>
      scf.while : () -> () {
        %done = nvvm.mbarrier.try_wait %barrier, %phase : !llvm.ptr<3>, i32 -> i1
        %again = arith.xori %done, %true : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
      tile.copy_async %s to %b[%row, %column] [64, 64] scope(thread) bulk_group {variant = "tma"}
        : !tile.buffer<64x64xf32, shared> to !tile.buffer<?x?xf32, global>
      nvvm.cp.async.bulk.wait_group 0 {read}
    }
    gpu.return
  }

  gpu.func @tma_16k_f16(%A: memref<?x?xf16>, %B: memref<?x?xf16>) workgroup(%barriers: memref<1xi64, 3> {llvm.align = 8}) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %rows = arith.constant 64 : index
    %columns = arith.constant 128 : index
    %one = arith.constant 1 : i32
    %phase = arith.constant 0 : i32
    %true = arith.constant true
    %a = tile.view %A : memref<?x?xf16>
    %b = tile.view %B : memref<?x?xf16>
    %s = tile.alloc : !tile.buffer<64x128xf16, shared>
    %index = memref.extract_aligned_pointer_as_index %barriers : memref<1xi64, 3> -> index
    %address = arith.index_cast %index : index to i64
    %barrier = llvm.inttoptr %address : i64 to !llvm.ptr<3>
    %x = gpu.block_id x
    %y = gpu.block_id y
    %row = arith.muli %y, %rows : index
    %column = arith.muli %x, %columns : index
    %thread = gpu.thread_id x
    %first = arith.cmpi eq, %thread, %c0 : index
    scf.if %first {
      nvvm.mbarrier.init %barrier, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
      tile.copy_async %a[%row, %column] [64, 128] to %s scope(thread) mbarrier(%barrier : !llvm.ptr<3>) {variant = "tma"}
        : !tile.buffer<?x?xf16, global> to !tile.buffer<64x128xf16, shared>
      scf.while : () -> () {
        %done = nvvm.mbarrier.try_wait %barrier, %phase : !llvm.ptr<3>, i32 -> i1
        %again = arith.xori %done, %true : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
      tile.copy_async %s to %b[%row, %column] [64, 128] scope(thread) bulk_group {variant = "tma"}
        : !tile.buffer<64x128xf16, shared> to !tile.buffer<?x?xf16, global>
      nvvm.cp.async.bulk.wait_group 0 {read}
    }
    gpu.return
  }

  gpu.func @tma_16k_u8(%A: memref<?x?xi8>, %B: memref<?x?xi8>) workgroup(%barriers: memref<1xi64, 3> {llvm.align = 8}) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %rows = arith.constant 64 : index
    %columns = arith.constant 256 : index
    %one = arith.constant 1 : i32
    %phase = arith.constant 0 : i32
    %true = arith.constant true
    %a = tile.view %A : memref<?x?xi8>
    %b = tile.view %B : memref<?x?xi8>
    %s = tile.alloc : !tile.buffer<64x256xi8, shared>
    %index = memref.extract_aligned_pointer_as_index %barriers : memref<1xi64, 3> -> index
    %address = arith.index_cast %index : index to i64
    %barrier = llvm.inttoptr %address : i64 to !llvm.ptr<3>
    %x = gpu.block_id x
    %y = gpu.block_id y
    %row = arith.muli %y, %rows : index
    %column = arith.muli %x, %columns : index
    %thread = gpu.thread_id x
    %first = arith.cmpi eq, %thread, %c0 : index
    scf.if %first {
      nvvm.mbarrier.init %barrier, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
      tile.copy_async %a[%row, %column] [64, 256] to %s scope(thread) mbarrier(%barrier : !llvm.ptr<3>) {variant = "tma"}
        : !tile.buffer<?x?xi8, global> to !tile.buffer<64x256xi8, shared>
      scf.while : () -> () {
        %done = nvvm.mbarrier.try_wait %barrier, %phase : !llvm.ptr<3>, i32 -> i1
        %again = arith.xori %done, %true : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
      tile.copy_async %s to %b[%row, %column] [64, 256] scope(thread) bulk_group {variant = "tma"}
        : !tile.buffer<64x256xi8, shared> to !tile.buffer<?x?xi8, global>
      nvvm.cp.async.bulk.wait_group 0 {read}
    }
    gpu.return
  }
}
