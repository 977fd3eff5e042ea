// What cannot go through a tensor map is an error that names the rule and both numbers; so is a map of what only the kernel knows.
// RUN: tile-opt %s --tile-make-maps --split-input-file --verify-diagnostics

!shared = !tile.buffer<64x64xf16, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @refused(%A: memref<512x520xf16>, %O: memref<512x513xf16>, %i: index) workgroup(%barriers: memref<1xi64, 3>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<512x520xf16>
    %o = tile.view %O : memref<512x513xf16>
    %s = tile.alloc : !shared
    %zero = arith.constant 0.0 : f16
    %half = arith.constant 0.5 : f16
    // expected-error @below {{cannot be done by 'tma': the stride of dimension 1 is 1026 bytes; needed a multiple of 16}}
    tile.copy_async %o[0, 0] [64, 64] to %s[0, 0] [64, 64] scope(cta) mbarrier(%barriers : memref<1xi64, 3>) {variant = "tma"}
      : !tile.buffer<512x513xf16, global> to !shared
    // expected-error @below {{cannot be done by 'tma': }}
    tile.copy_async %a[0, %i] [64, 64] to %s[0, 0] [64, 64] scope(cta) mbarrier(%barriers : memref<1xi64, 3>) {variant = "tma"}
      : !tile.buffer<512x520xf16, global> to !shared
    // expected-error @below {{cannot be done by 'tma': got a cp.async group; an mbarrier completes this copy through a tensor map}}
    tile.copy_async %a[0, 0] [64, 64] to %s[0, 0] [64, 64] scope(cta) group {variant = "tma"}
      : !tile.buffer<512x520xf16, global> to !shared
    // expected-error @below {{cannot be done by 'tma': the copy leaves elements outside of the tensor unchanged; a tensor map fills them: needed fill(%zero)}}
    tile.copy_async %a[%i, 0] [64, 64] to %s[0, 0] [64, 64] scope(cta) mbarrier(%barriers : memref<1xi64, 3>) masked {variant = "tma"}
      : !tile.buffer<512x520xf16, global> to !shared
    // expected-error @below {{cannot be done by 'tma': the copy fills with a value; a tensor map fills with zeros or NaNs}}
    tile.copy_async %a[%i, 0] [64, 64] to %s[0, 0] [64, 64] scope(cta) mbarrier(%barriers : memref<1xi64, 3>) masked fill(%half : f16)
      {variant = "tma"} : !tile.buffer<512x520xf16, global> to !shared
    %part = tile.subview %a[64, 0] [64, 520] : !tile.buffer<512x520xf16, global>
    // expected-error @below {{is masked by the bounds of a part of a tile, expected those of the whole: a tensor map knows these}}
    tile.copy_async %part[%i, 0] [64, 64] to %s[0, 0] [64, 64] scope(cta) mbarrier(%barriers : memref<1xi64, 3>) masked fill(%zero : f16)
      {variant = "tma"} : !tile.buffer<64x520xf16, global> to !shared
    gpu.return
  }
}

// -----

!shared = !tile.buffer<64x64xf16, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  gpu.func @old(%A: memref<512x512xf16>) workgroup(%barriers: memref<1xi64, 3>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<512x512xf16>
    %s = tile.alloc : !shared
    // expected-error @below {{cannot be done by 'tma': a copy through a tensor map needs sm_90 or later, with PTX 8.0 or later; got sm_80}}
    tile.copy_async %a[0, 0] [64, 64] to %s[0, 0] [64, 64] scope(cta) mbarrier(%barriers : memref<1xi64, 3>) {variant = "tma"}
      : !tile.buffer<512x512xf16, global> to !shared
    gpu.return
  }
}

// -----

!shared = !tile.buffer<64x64xf16, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @computed(%A: memref<512x512xf16>, %sizes: memref<4xindex>) workgroup(%barriers: memref<1xi64, 3>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %rows = memref.load %sizes[%c0] : memref<4xindex>
    %flat = memref.collapse_shape %A [[0, 1]] : memref<512x512xf16> into memref<262144xf16>
    %a = tile.view %flat extents(%rows) : memref<262144xf16> to !tile.buffer<?x512xf16, global>
    %s = tile.alloc : !shared
    tile.copy_async %a[0, 0] [64, 64] to %s[0, 0] [64, 64] scope(cta) mbarrier(%barriers : memref<1xi64, 3>) {variant = "tma"} // expected-error {{'tile.tensor_map' op describes a tile by what memref.load gives, expected arguments of the kernel, and what follows from them}}
      : !tile.buffer<?x512xf16, global> to !shared
    gpu.return
  }
}
