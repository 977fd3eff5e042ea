// RUN: tile-opt --tile-align-layouts --split-input-file --verify-diagnostics %s

// cache = "nc" requires memory that is not written while the kernel runs.

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // Only another argument, shared memory, registers, or the function's own memory is written; no call receives %A.
  gpu.func @read_only(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %n: f32) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %a = tile.view %A : memref<32x32xf32> to !global
    %b = tile.view %B : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    tile.copy %a to %s scope(warp) {cache = "nc"} : !global to !shared
    tile.copy %s to %b scope(warp) : !shared to !global
    memref.store %n, %B[%c0, %c0] : memref<32x32xf32>
    %r = tile.alloc : !tile.buffer<8xf32, local>
    %registers = tile.local_view %r : !tile.buffer<8xf32, local> to memref<8xf32>
    memref.store %n, %registers[%c0] : memref<8xf32>
    memref.copy %A, %B : memref<32x32xf32> to memref<32x32xf32>
    func.call @other(%B) : (memref<32x32xf32>) -> ()
    %x = memref.load %A[%c0, %c0] : memref<32x32xf32>
    %v = vector.load %A[%c0, %c0] : memref<32x32xf32>, vector<4xf32>
    gpu.return
  }
  func.func private @other(memref<32x32xf32>)
}

// -----

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @copied(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %same = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    // expected-error @below {{got cache = "nc" for memory that the kernel writes, which the read-only cache need not notice; expected memory that is only read while the kernel runs}}
    tile.copy %a to %s scope(warp) {cache = "nc"} : !global to !shared
    // expected-note @below {{written by 'tile.copy' here}}
    tile.copy %s to %same scope(warp) : !shared to !global
    gpu.return
  }
}

// -----

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

// Writes through casts, inside a loop, before the copy.
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @stored(%A: memref<32x32xf32>, %v: vector<4xf32>, %n: index) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %part = memref.subview %A[%n, 0] [1, 32] [1, 1] : memref<32x32xf32> to memref<1x32xf32, strided<[32, 1], offset: ?>>
    scf.for %i = %c0 to %n step %c1 {
      // expected-note @below {{written by 'vector.store' here}}
      vector.store %v, %part[%c0, %i] : memref<1x32xf32, strided<[32, 1], offset: ?>>, vector<4xf32>
    }
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    // expected-error @below {{got cache = "nc" for memory that the kernel writes}}
    tile.copy %a to %s scope(warp) {cache = "nc"} : !global to !shared
    gpu.return
  }
}

// -----

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @called(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    // expected-error @below {{got cache = "nc" for memory that the kernel may write}}
    tile.copy %a to %s scope(warp) {cache = "nc"} : !global to !shared
    // expected-note @below {{perhaps written by 'func.call' here}}
    func.call @other(%A) : (memref<32x32xf32>) -> ()
    gpu.return
  }
  func.func private @other(memref<32x32xf32>)
}

// -----

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

// A write through a pointer that the analysis does not follow.
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @pointer(%A: memref<32x32xf32>, %P: !llvm.ptr, %n: f32, %i: i64) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    // The pointer is another argument.
    llvm.store %n, %P : f32, !llvm.ptr
    %address = llvm.ptrtoint %P : !llvm.ptr to i64
    %sum = arith.addi %address, %i : i64
    %other = llvm.inttoptr %sum : i64 to !llvm.ptr
    // expected-note @below {{perhaps written by 'llvm.store' here}}
    llvm.store %n, %other : f32, !llvm.ptr
    // expected-error @below {{got cache = "nc" for memory that the kernel may write}}
    tile.copy %a to %s scope(warp) {cache = "nc"} : !global to !shared
    gpu.return
  }
}

// -----

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

// Arguments of functions that are not kernels may alias.
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  func.func @no_kernel(%A: memref<32x32xf32>, %B: memref<32x32xf32>) {
    %a = tile.view %A : memref<32x32xf32> to !global
    %b = tile.view %B : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    // expected-error @below {{got cache = "nc" for memory that the kernel may write}}
    tile.copy %a to %s scope(warp) {cache = "nc"} : !global to !shared
    // expected-note @below {{perhaps written by 'tile.copy' here}}
    tile.copy %s to %b scope(warp) : !shared to !global
    return
  }
}
