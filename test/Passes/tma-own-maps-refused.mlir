// Tiles that only the kernel knows: where it cannot make a map of its own, an error says why. A ring that could choose a map keeps its
// copies, and a remark says the same.
// RUN: tile-opt %s --tile-pipeline --tile-make-maps --split-input-file --verify-diagnostics
// RUN: not tile-opt %s --tile-pipeline=tensor-maps --tile-make-maps --split-input-file -o /dev/null --remarks-filter-missed=.* \
// RUN:   --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=RING
// RING: [Missed] map-tile-unknown {{.*}}expected an argument memref<?x128xi8> {tile.map_workspace} of the kernel, memory for its maps, or tile.update_map
// RING: [Missed] map-tile-unknown {{.*}}expected a tile that is made in no loop

!matrix = !tile.buffer<?x64xf16, global, #tile.layout<(?, 64) : (1@s0, 1)>>
!shared = !tile.buffer<32x64xf16, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @numbers(%P: memref<?xi64>, %ld: index, %W: memref<?x128xi8> {tile.map_workspace}) workgroup(%barriers: memref<1xi64, 3>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0.0 : f16
    %s = tile.alloc : !shared
    %thread = gpu.thread_id x
    %block = gpu.block_id x
    %one = memref.load %P[%block] : memref<?xi64>
    %word = tile.assume %one uniform(cta) : i64
    %pointer = llvm.inttoptr %word : i64 to !llvm.ptr<1>
    %place = tile.assume %pointer aligned 16 : !llvm.ptr<1>
    %a = tile.view %place extents(%block) strides(%ld) : !llvm.ptr<1> to !matrix
    // expected-error @below {{describes a tile by what memref.load gives, expected arguments of the kernel, and what follows from them; or expected a stride that is a multiple of 16 bytes, proved or promised by tile.assume … divisible_by; got one of 2 bytes}}
    tile.copy_async %a[0, 0] [32, 64] to %s scope(cta) mbarrier(%barriers : memref<1xi64, 3>) masked fill(%zero : f16)
      {variant = "tma"} : !matrix to !shared
    %is_first_warp = arith.cmpi ult, %thread, %c32 : index
    scf.if %is_first_warp {
      %b = tile.view %place extents(%block) strides(%c32) : !llvm.ptr<1> to !matrix
      // expected-error @below {{or expected a tile that all threads of the block make, which change its map together}}
      tile.copy_async %b[0, 0] [32, 64] to %s scope(warp) mbarrier(%barriers : memref<1xi64, 3>) masked fill(%zero : f16)
        {variant = "tma"} : !matrix to !shared
    }
    %other = memref.load %P[%thread] : memref<?xi64>
    %own = llvm.inttoptr %other : i64 to !llvm.ptr<1>
    %there = tile.assume %own aligned 16 : !llvm.ptr<1>
    %c = tile.view %there extents(%block) strides(%c32) : !llvm.ptr<1> to !matrix
    // expected-error @below {{or expected a tile of numbers that all threads agree on, proved or promised by tile.assume … uniform(cta); got one of type !llvm.ptr<1> that is not known to be}}
    tile.copy_async %c[0, 0] [32, 64] to %s scope(thread) mbarrier(%barriers : memref<1xi64, 3>) masked fill(%zero : f16)
      {variant = "tma"} : !matrix to !shared
    %images = tile.view %place : !llvm.ptr<1> to !tile.buffer<2x9x7x64xf16, global>
    // expected-error @below {{or expected a tile that the host knows: no kernel changes a map of pixels}}
    tile.copy_async %images[0, 0, 0, 0] [1, 1, 32, 64] to %s scope(cta) mbarrier(%barriers : memref<1xi64, 3>)
      im2col [0, 0] to [0, 0] filter(%block, %block) masked fill(%zero : f16) : !tile.buffer<2x9x7x64xf16, global> to !shared
    gpu.return
  }

  gpu.func @bytes(%P: memref<?xi64>, %W: memref<?x64xi8> {tile.map_workspace}) workgroup(%barriers: memref<1xi64, 3>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.alloc : !shared
    %block = gpu.block_id x
    %one = memref.load %P[%block] : memref<?xi64>
    %word = tile.assume %one uniform(cta) : i64
    %pointer = llvm.inttoptr %word : i64 to !llvm.ptr<1>
    %place = tile.assume %pointer aligned 16 : !llvm.ptr<1>
    %a = tile.view %place : !llvm.ptr<1> to !tile.buffer<32x64xf16, global>
    // expected-error @below {{or expected memref<?x128xi8> {tile.map_workspace} as the memory for maps of the kernel; got memref<?x64xi8>}}
    tile.copy_async %a to %s scope(cta) mbarrier(%barriers : memref<1xi64, 3>) {variant = "tma"} : !tile.buffer<32x64xf16, global> to !shared
    gpu.return
  }
}

// -----

!shared = !tile.buffer<32x64xf16, shared>

// A chip that does not change maps.
gpu.module @kernels [#nvvm.target<chip = "sm_90">] {
  gpu.func @chip(%P: memref<?xi64>, %W: memref<?x128xi8> {tile.map_workspace}) workgroup(%barriers: memref<1xi64, 3>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.alloc : !shared
    %block = gpu.block_id x
    %one = memref.load %P[%block] : memref<?xi64>
    %word = tile.assume %one uniform(cta) : i64
    %pointer = llvm.inttoptr %word : i64 to !llvm.ptr<1>
    %place = tile.assume %pointer aligned 16 : !llvm.ptr<1>
    %a = tile.view %place : !llvm.ptr<1> to !tile.buffer<32x64xf16, global>
    // expected-error @below {{or expected sm_90a or a later chip whose name ends in a or f, to change a map there; got sm_90}}
    tile.copy_async %a to %s scope(cta) mbarrier(%barriers : memref<1xi64, 3>) {variant = "tma"} : !tile.buffer<32x64xf16, global> to !shared
    gpu.return
  }
}

// -----

!shared = !tile.buffer<32x64xf16, shared>

// The store of a turn may still read shared memory, through a map that the next turn changes.
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @turns(%B: memref<96x64xf16>, %W: memref<?x128xi8> {tile.map_workspace}) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c2048 = arith.constant 2048 : index
    %zero = arith.constant 0.0 : f16
    %s = tile.alloc : !shared
    tile.fill %zero to %s scope(cta) : f16 to !shared
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    %index = memref.extract_aligned_pointer_as_index %B : memref<96x64xf16> -> index
    %start = arith.index_cast %index : index to i64
    %begin = llvm.inttoptr %start : i64 to !llvm.ptr<1>
    scf.for %turn = %c0 to %c3 step %c1 {
      %words = arith.muli %turn, %c2048 : index
      %offset = arith.index_cast %words : index to i64
      %own = llvm.getelementptr %begin[%offset] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
      %place = tile.assume %own aligned 16 : !llvm.ptr<1>
      %b = tile.view %place : !llvm.ptr<1> to !tile.buffer<32x64xf16, global>
      // expected-error @below {{goes through the map of a tile that is made again in a loop, while copies through the map may not be complete; expected these waited for before, as --tile-check-sync tells, a tile that is made once, or tile.update_map}}
      tile.copy_async %s to %b scope(cta) bulk_group {variant = "tma"} : !shared to !tile.buffer<32x64xf16, global>
    }
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }
}

// -----

!matrix = !tile.buffer<?x64xf16, global>
!shared = !tile.buffer<32x64xf16, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @ring(%A: memref<?xf16>, %B: memref<?x64xf16>, %rows: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0.0 : f16
    %block = gpu.block_id x
    %offset = arith.index_cast %block : index to i64
    %index = memref.extract_aligned_pointer_as_index %A : memref<?xf16> -> index
    %start = arith.index_cast %index : index to i64
    %begin = llvm.inttoptr %start : i64 to !llvm.ptr<1>
    %own = llvm.getelementptr %begin[%offset] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
    %place = tile.assume %own aligned 16 : !llvm.ptr<1>
    %ld = arith.constant 64 : index
    %a = tile.view %place extents(%rows) strides(%ld) : !llvm.ptr<1> to !tile.buffer<?x64xf16, global, #tile.layout<(?, 64) : (1@s0, 1)>>
    %b = tile.view %B : memref<?x64xf16>
    scf.for %row = %c0 to %rows step %c32 {
      %s = tile.alloc : !shared
      tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) masked fill(%zero : f16)
        : !tile.buffer<?x64xf16, global, #tile.layout<(?, 64) : (1@s0, 1)>> to !shared
      tile.copy %s to %b[%row, 0] [32, 64] scope(cta) masked : !shared to !tile.buffer<?x64xf16, global>
    } {tile.stages = 2 : i64}
    gpu.return
  }

  gpu.func @ring_of_tiles(%A: memref<?xf16>, %B: memref<96x64xf16>, %W: memref<?x128xi8> {tile.map_workspace}) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c2048 = arith.constant 2048 : index
    %b = tile.view %B : memref<96x64xf16>
    %index = memref.extract_aligned_pointer_as_index %A : memref<?xf16> -> index
    %start = arith.index_cast %index : index to i64
    %begin = llvm.inttoptr %start : i64 to !llvm.ptr<1>
    scf.for %turn = %c0 to %c3 step %c1 {
      %words = arith.muli %turn, %c2048 : index
      %row = arith.divui %words, %c2048 : index
      %offset = arith.index_cast %words : index to i64
      %own = llvm.getelementptr %begin[%offset] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
      %place = tile.assume %own aligned 16 : !llvm.ptr<1>
      %a = tile.view %place : !llvm.ptr<1> to !tile.buffer<32x64xf16, global>
      %s = tile.alloc : !shared
      tile.copy_async %a to %s scope(cta) : !tile.buffer<32x64xf16, global> to !shared
      tile.copy %s to %b[%row, 0] [32, 64] scope(cta) masked : !shared to !tile.buffer<96x64xf16, global>
    } {tile.stages = 2 : i64}
    gpu.return
  }
}
