// Rows that are named by their numbers, and rows until a run-time end: what has none is an error that says why.
// RUN: tile-opt %s --tile-make-maps --split-input-file --verify-diagnostics
// RUN: not tile-opt %s --tile-make-maps --split-input-file -o /dev/null --remarks-filter-missed=.* --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CAUSE --implicit-check-not=[Missed]
// CAUSE: [Missed] rows-need-matrix
// CAUSE: [Missed] chip-lacks-tensor-maps
// CAUSE: [Missed] map-fill
// CAUSE: [Missed] until-needs-matrix

!shared = !tile.buffer<4x64xf16, shared>
!blocked = !tile.buffer<64x512xf16, global, #tile.layout<(64, 8, 64) : (64, 4096, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  gpu.func @refused(%A: memref<64x512xf16>, %O: memref<32768xf16>, %i: index) workgroup(%barriers: memref<1xi64, 3>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x512xf16>
    %o = tile.view %O : memref<32768xf16> to !blocked
    %s = tile.alloc : !shared
    // expected-note @below {{defined here}}
    %thread = gpu.thread_id x
    // expected-error @below {{got number 2 of its rows that differs between threads}}
    tile.copy_async %a[0, 0] [4, 64] to %s scope(cta) mbarrier(%barriers : memref<1xi64, 3>) rows(%i, %i, %thread, %i)
      : !tile.buffer<64x512xf16, global> to !shared
    // expected-error @below {{cannot be done by 'tma': the tensor has 3 dimensions in a map; needed 2, rows and columns}}
    tile.copy_async %o[0, 0] [4, 64] to %s scope(cta) mbarrier(%barriers : memref<1xi64, 3>) rows(%i, %i, %i, %i)
      : !blocked to !shared
    gpu.return
  }
}

// -----

!shared = !tile.buffer<4x64xf16, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  gpu.func @old(%A: memref<64x512xf16>, %i: index) workgroup(%barriers: memref<1xi64, 3>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x512xf16>
    %s = tile.alloc : !shared
    // expected-error @below {{cannot be done by 'tma': a copy through a tensor map needs sm_90 or later, with PTX 8.0 or later; got sm_80}}
    tile.copy_async %a[0, 0] [4, 64] to %s scope(cta) mbarrier(%barriers : memref<1xi64, 3>) rows(%i, %i, %i, %i)
      : !tile.buffer<64x512xf16, global> to !shared
    gpu.return
  }
}

// -----

!shared = !tile.buffer<4x64xf16, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  gpu.func @unfilled(%A: memref<64x512xf16>, %i: index) workgroup(%barriers: memref<1xi64, 3>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x512xf16>
    %s = tile.alloc : !shared
    // expected-error @below {{cannot be done by 'tma': the copy leaves elements outside of the tensor unchanged; a tensor map fills them: needed fill(%zero)}}
    tile.copy_async %a[0, 0] [4, 64] to %s scope(cta) mbarrier(%barriers : memref<1xi64, 3>) rows(%i, %i, %i, %i) masked
      : !tile.buffer<64x512xf16, global> to !shared
    gpu.return
  }
}

// -----

!shared = !tile.buffer<4x64xf16, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @far(%A: memref<?x?xf16>, %i: index) workgroup(%barriers: memref<1xi64, 3>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f16
    %a = tile.view %A : memref<?x?xf16>
    %s = tile.alloc : !shared
    %thread = gpu.thread_id x
    // expected-error @below {{cannot be done by 'tma': the rows of the tensor are a run-time number of bytes apart; needed a known one}}
    tile.copy_async %a[%i, 0] [4, 64] to %s scope(cta) mbarrier(%barriers : memref<1xi64, 3>) masked until(%i) fill(%zero : f16)
      : !tile.buffer<?x?xf16, global> to !shared
    gpu.return
  }
}
