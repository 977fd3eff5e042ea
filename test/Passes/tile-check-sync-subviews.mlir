// Memrefs that are parts of others at offsets that differ between threads, as upstream's mapping of loops to threads makes them.
// RUN: tile-opt %s --tile-check-sync --verify-diagnostics -o /dev/null

!wg = memref<128x128xf32, #gpu.address_space<workgroup>>
!part = memref<4x4xf32, strided<[128, 1], offset: ?>, #gpu.address_space<workgroup>>
!row = memref<4xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // Each thread has a part of its own, which it reads as it has written it.
  gpu.func @own() workgroup(%W : !wg) kernel attributes {known_block_size = array<i32: 16, 16, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %e = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %row = arith.muli %ty, %c4 : index
    %column = arith.muli %tx, %c4 : index
    %part = memref.subview %W[%row, %column] [4, 4] [1, 1] : !wg to !part
    scf.for %i = %c0 to %c4 step %c1 {
      %line = memref.subview %part[%i, 0] [1, 4] [1, 1] : !part to !row
      memref.store %e, %line[%c1] : !row
      %same = memref.load %part[%i, %c1] : !part
    }
    %next = arith.addi %column, %c1 : index
    %direct = memref.load %W[%row, %next] : !wg
    gpu.return
  }

  // Parts of 4 columns, 3 apart.
  gpu.func @overlapping() workgroup(%W : !wg) kernel attributes {known_block_size = array<i32: 16, 16, 1>} {
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %e = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %column = arith.muli %tx, %c3 : index
    %part = memref.subview %W[%ty, %column] [1, 4] [1, 1] : !wg to !row
    // expected-note@below {{'memref.store' writes it here}}
    memref.store %e, %part[%c0] : !row
    // expected-error@+2 {{'memref.load' op reads shared memory that an earlier operation writes, and nothing orders the two: for example thread 1 and thread 0, byte 12}}
    // expected-note@+1 {{between the two, this orders them: nvvm.bar.warp.sync}}
    %l = memref.load %part[%c3] : !row
    gpu.return
  }

  // The same by a number that is added to the start of the memory.
  gpu.func @counted() workgroup(%W : memref<4096xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %e = arith.constant 0.0 : f32
    %t = gpu.thread_id x
    %start = arith.muli %t, %c64 : index
    %own = memref.reinterpret_cast %W to offset: [%start], sizes: [8, 8], strides: [8, 1]
      : memref<4096xf32, #gpu.address_space<workgroup>> to memref<8x8xf32, strided<[8, 1], offset: ?>, #gpu.address_space<workgroup>>
    %flat = memref.collapse_shape %own [[0, 1]] : memref<8x8xf32, strided<[8, 1], offset: ?>, #gpu.address_space<workgroup>>
      into memref<64xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
    memref.store %e, %flat[%c0] : memref<64xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
    %l = memref.load %own[%c0, %c0] : memref<8x8xf32, strided<[8, 1], offset: ?>, #gpu.address_space<workgroup>>
    gpu.return
  }
}
