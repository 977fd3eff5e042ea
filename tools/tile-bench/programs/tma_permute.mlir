// (8, 32, 8192, d) to (8, 8192, 32, d) by tensor maps: the copies move no element within a row, so that the order of the maps'
// dimensions is all the permutation that there is.
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // 64 elements a row: tiles of 4 heads and 16 positions.
  gpu.func @permute_64(%A: memref<8x32x8192x64xf16>, %B: memref<8x8192x32x64xf16>)
      workgroup(%barriers: memref<1xi64, 3> {llvm.align = 8}) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %heads = arith.constant 4 : index
    %positions = arith.constant 16 : index
    %one = arith.constant 1 : i32
    %phase = arith.constant 0 : i32
    %true = arith.constant true
    %a = tile.view %A : memref<8x32x8192x64xf16>
    %target = tile.view %B : memref<8x8192x32x64xf16>
    %b = tile.permute %target [0, 2, 1, 3] : !tile.buffer<8x8192x32x64xf16, global>
      to !tile.buffer<8x32x8192x64xf16, global, #tile.layout<(8, 32, 8192, 64) : (16777216, 64, 2048, 1)>>
    %s = tile.alloc : !tile.buffer<1x4x16x64xf16, shared, #tile.layout<(1, 4, 16, 64) : (0, 64, 256, 1)>>
    %index = memref.extract_aligned_pointer_as_index %barriers : memref<1xi64, 3> -> index
    %address = arith.index_cast %index : index to i64
    %barrier = llvm.inttoptr %address : i64 to !llvm.ptr<3>
    %x = gpu.block_id x
    %y = gpu.block_id y
    %batch = gpu.block_id z
    %head = arith.muli %x, %heads : index
    %position = arith.muli %y, %positions : index
    %thread = gpu.thread_id x
    %first = arith.cmpi eq, %thread, %c0 : index
    scf.if %first {
      nvvm.mbarrier.init %barrier, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
      tile.copy_async %a[%batch, %head, %position, 0] [1, 4, 16, 64] to %s scope(thread) mbarrier(%barrier : !llvm.ptr<3>) {variant = "tma"}
        : !tile.buffer<8x32x8192x64xf16, global> to !tile.buffer<1x4x16x64xf16, shared, #tile.layout<(1, 4, 16, 64) : (0, 64, 256, 1)>>
      scf.while : () -> () {
        %done = nvvm.mbarrier.try_wait %barrier, %phase : !llvm.ptr<3>, i32 -> i1
        %again = arith.xori %done, %true : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
      tile.copy_async %s to %b[%batch, %head, %position, 0] [1, 4, 16, 64] scope(thread) bulk_group {variant = "tma"}
        : !tile.buffer<1x4x16x64xf16, shared, #tile.layout<(1, 4, 16, 64) : (0, 64, 256, 1)>> to !tile.buffer<8x32x8192x64xf16, global, #tile.layout<(8, 32, 8192, 64) : (16777216, 64, 2048, 1)>>
      nvvm.cp.async.bulk.wait_group 0 {read}
    }
    gpu.return
  }

  // 96 elements a row: tiles of 8 heads and 4 positions.
  gpu.func @permute_96(%A: memref<8x32x8192x96xf16>, %B: memref<8x8192x32x96xf16>)
      workgroup(%barriers: memref<1xi64, 3> {llvm.align = 8}) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %heads = arith.constant 8 : index
    %positions = arith.constant 4 : index
    %one = arith.constant 1 : i32
    %phase = arith.constant 0 : i32
    %true = arith.constant true
    %a = tile.view %A : memref<8x32x8192x96xf16>
    %target = tile.view %B : memref<8x8192x32x96xf16>
    %b = tile.permute %target [0, 2, 1, 3] : !tile.buffer<8x8192x32x96xf16, global>
      to !tile.buffer<8x32x8192x96xf16, global, #tile.layout<(8, 32, 8192, 96) : (25165824, 96, 3072, 1)>>
    %s = tile.alloc : !tile.buffer<1x8x4x96xf16, shared>
    %index = memref.extract_aligned_pointer_as_index %barriers : memref<1xi64, 3> -> index
    %address = arith.index_cast %index : index to i64
    %barrier = llvm.inttoptr %address : i64 to !llvm.ptr<3>
    %x = gpu.block_id x
    %y = gpu.block_id y
    %batch = gpu.block_id z
    %head = arith.muli %x, %heads : index
    %position = arith.muli %y, %positions : index
    %thread = gpu.thread_id x
    %first = arith.cmpi eq, %thread, %c0 : index
    scf.if %first {
      nvvm.mbarrier.init %barrier, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
      tile.copy_async %a[%batch, %head, %position, 0] [1, 8, 4, 96] to %s scope(thread) mbarrier(%barrier : !llvm.ptr<3>) {variant = "tma"}
        : !tile.buffer<8x32x8192x96xf16, global> to !tile.buffer<1x8x4x96xf16, shared>
      scf.while : () -> () {
        %done = nvvm.mbarrier.try_wait %barrier, %phase : !llvm.ptr<3>, i32 -> i1
        %again = arith.xori %done, %true : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
      tile.copy_async %s to %b[%batch, %head, %position, 0] [1, 8, 4, 96] scope(thread) bulk_group {variant = "tma"}
        : !tile.buffer<1x8x4x96xf16, shared> to !tile.buffer<8x32x8192x96xf16, global, #tile.layout<(8, 32, 8192, 96) : (25165824, 96, 3072, 1)>>
      nvvm.cp.async.bulk.wait_group 0 {read}
    }
    gpu.return
  }

  // 128 elements a row: tiles of 4 heads and 8 positions.
  gpu.func @permute_128(%A: memref<8x32x8192x128xf16>, %B: memref<8x8192x32x128xf16>)
      workgroup(%barriers: memref<1xi64, 3> {llvm.align = 8}) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %heads = arith.constant 4 : index
    %positions = arith.constant 8 : index
    %one = arith.constant 1 : i32
    %phase = arith.constant 0 : i32
    %true = arith.constant true
    %a = tile.view %A : memref<8x32x8192x128xf16>
    %target = tile.view %B : memref<8x8192x32x128xf16>
    %b = tile.permute %target [0, 2, 1, 3] : !tile.buffer<8x8192x32x128xf16, global>
      to !tile.buffer<8x32x8192x128xf16, global, #tile.layout<(8, 32, 8192, 128) : (33554432, 128, 4096, 1)>>
    %s = tile.alloc : !tile.buffer<1x4x8x128xf16, shared>
    %index = memref.extract_aligned_pointer_as_index %barriers : memref<1xi64, 3> -> index
    %address = arith.index_cast %index : index to i64
    %barrier = llvm.inttoptr %address : i64 to !llvm.ptr<3>
    %x = gpu.block_id x
    %y = gpu.block_id y
    %batch = gpu.block_id z
    %head = arith.muli %x, %heads : index
    %position = arith.muli %y, %positions : index
    %thread = gpu.thread_id x
    %first = arith.cmpi eq, %thread, %c0 : index
    scf.if %first {
      nvvm.mbarrier.init %barrier, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
      tile.copy_async %a[%batch, %head, %position, 0] [1, 4, 8, 128] to %s scope(thread) mbarrier(%barrier : !llvm.ptr<3>) {variant = "tma"}
        : !tile.buffer<8x32x8192x128xf16, global> to !tile.buffer<1x4x8x128xf16, shared>
      scf.while : () -> () {
        %done = nvvm.mbarrier.try_wait %barrier, %phase : !llvm.ptr<3>, i32 -> i1
        %again = arith.xori %done, %true : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
      tile.copy_async %s to %b[%batch, %head, %position, 0] [1, 4, 8, 128] scope(thread) bulk_group {variant = "tma"}
        : !tile.buffer<1x4x8x128xf16, shared> to !tile.buffer<8x32x8192x128xf16, global, #tile.layout<(8, 32, 8192, 128) : (33554432, 128, 4096, 1)>>
      nvvm.cp.async.bulk.wait_group 0 {read}
    }
    gpu.return
  }
}
