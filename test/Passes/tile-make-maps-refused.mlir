// What cannot go through a tensor map is an error that names the rule and both numbers; so is a map of what only the kernel knows.
// RUN: tile-opt %s --tile-make-maps --split-input-file --verify-diagnostics
// RUN: not tile-opt %s --tile-make-maps --split-input-file -o /dev/null --remarks-filter-missed=.* --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CAUSE --implicit-check-not=[Missed]

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
    // expected-error @below {{cannot be done by 'tma': the first coordinate is known to be a multiple of 2 bytes; needed 16, or the engine traps}}
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
    tile.copy_async %a[0, 0] [64, 64] to %s[0, 0] [64, 64] scope(cta) mbarrier(%barriers : memref<1xi64, 3>) {variant = "tma"} // expected-error {{describes a tile by what memref.load gives, expected arguments of the kernel, and what follows from them; or expected an argument memref<?x128xi8> {tile.map_workspace} of the kernel, memory for its maps, or tile.update_map}}
      : !tile.buffer<?x512xf16, global> to !shared
    gpu.return
  }
}

// -----

!shared = !tile.buffer<64x64xf16, shared>
!panels = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 2, bits = 3, shift = 3>>>
!turned = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (1, 64)>>
!close = !tile.buffer<512x64xf16, global, #tile.layout<(512, 64) : (32, 1)>>
!a = !tile.buffer<512x520xf16, global>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @more(%A: memref<512x520xf16>, %O: memref<512x515xf16, strided<[520, 1]>>, %Q: memref<512x512xi128>, %S: memref<64x64xf16>, %F: memref<512x512xf64>, %C: memref<?xf16>, %i: index)
      workgroup(%barriers: memref<1xi64, 3>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<512x520xf16>
    %o = tile.view %O : memref<512x515xf16, strided<[520, 1]>>
    %q = tile.view %Q : memref<512x512xi128>
    %x = tile.view %S : memref<64x64xf16> to !tile.buffer<64x64xf16, global, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    %f = tile.view %F : memref<512x512xf64>
    %z = tile.view %C : memref<?xf16> to !close
    %s = tile.alloc : !shared
    %t = tile.alloc : !turned
    %p = tile.alloc : !panels
    %w = tile.alloc : !tile.buffer<8x8xi128, shared>
    %d = tile.alloc : !tile.buffer<64x64xf64, shared>
    %zero = arith.constant 0.0 : f16
    %nan = arith.constant 0x7E00 : f16
    // expected-error @below {{cannot be done by 'tma': elements that are adjacent in shared memory are 520 elements apart in the tensor; needed adjacent ones}}
    tile.copy_async %a[0, 0] [64, 64] to %t[0, 0] [64, 64] scope(cta) mbarrier(%barriers : memref<1xi64, 3>) {variant = "tma"} : !a to !turned
    // expected-error @below {{cannot be done by 'tma': the shared layout has swizzle<base = 2, bits = 3, shift = 3> of 2-byte elements; the TMA engine has swizzle<base = 3, bits = 1 to 3, shift = 3>, which keeps 16 bytes together}}
    tile.copy_async %a[0, 0] [64, 64] to %p[0, 0] [64, 64] scope(cta) mbarrier(%barriers : memref<1xi64, 3>) {variant = "tma"} : !a to !panels
    // expected-error @below {{cannot be done by 'tma': elements of type i128 have 128 bits; a tensor map has 8, 16, 32 or 64}}
    tile.copy_async %q[0, 0] [8, 8] to %w[0, 0] [8, 8] scope(cta) mbarrier(%barriers : memref<1xi64, 3>) {variant = "tma"}
      : !tile.buffer<512x512xi128, global> to !tile.buffer<8x8xi128, shared>
    // expected-error @below {{cannot be done by 'tma': the tensor has swizzle<base = 3, bits = 3, shift = 3>; a map has strides only}}
    tile.copy_async %x to %s scope(cta) mbarrier(%barriers : memref<1xi64, 3>) {variant = "tma"}
      : !tile.buffer<64x64xf16, global, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>> to !shared
    // expected-error @below {{cannot be done by 'tma': the boxes of a store may pass the end of rows of 1030 bytes; needed a multiple of 16, up to which the engine writes}}
    tile.copy_async %s[0, 0] [64, 64] to %o[%i, 456] [64, 64] scope(cta) bulk_group masked {variant = "tma"}
      : !shared to !tile.buffer<512x515xf16, global, #tile.layout<(512, 515) : (520, 1)>>
    // expected-error @below {{is stored from -8 on, expected 0 or more: the engine stores no box that starts before its tensor}}
    tile.copy_async %s[0, 0] [64, 64] to %a[-8, 0] [64, 64] scope(cta) bulk_group masked {variant = "tma"} : !shared to !a
    // expected-error @below {{the destination has several elements in one place, as (0, 32) and (1, 0) (iters 64:32 and 64:1); needed one}}
    tile.copy_async %s[0, 0] [64, 64] to %z[%i, 0] [64, 64] scope(cta) bulk_group {variant = "tma"} : !shared to !close
    // expected-error @below {{begins at row -8, expected 0 or more: rows that end at another one are counted from there}}
    tile.copy_async %a[-8, 0] [64, 64] to %s[0, 0] [64, 64] scope(cta) mbarrier(%barriers : memref<1xi64, 3>) masked until(%i)
      fill(%zero : f16) : !a to !shared
    // expected-error @below {{cannot be done by 'tma': got the reduction add.f64; cp.reduce.async.bulk.tensor has u32, s32, b32, u64, s64, b64, f16, bf16 and f32}}
    tile.copy_async %d to %f[0, 0] [64, 64] scope(cta) bulk_group reduce(add) {variant = "tma"}
      : !tile.buffer<64x64xf64, shared> to !tile.buffer<512x512xf64, global>
    gpu.return
  }
}

// -----

!shared = !tile.buffer<64x64xf16, shared>
!a = !tile.buffer<512x512xf16, global>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @multicasts(%A: memref<512x512xf16>) workgroup(%barriers: memref<1xi64, 3>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {
    %a = tile.view %A : memref<512x512xf16>
    %s = tile.alloc : !shared
    %none = arith.constant 0 : i16
    %third = arith.constant 4 : i16
    %both = arith.constant 3 : i16
    // expected-error @below {{cannot be done by 'tma': got cta_mask 0b0 in a cluster of 2 CTAs; needed one or more of the lowest 2 bits}}
    tile.copy_async %a[0, 0] [64, 64] to %s[0, 0] [64, 64] scope(cta) mbarrier(%barriers : memref<1xi64, 3>) cta_mask(%none) {variant = "tma"} : !a to !shared
    // expected-error @below {{cannot be done by 'tma': got cta_mask 0b100 in a cluster of 2 CTAs; needed one or more of the lowest 2 bits}}
    tile.copy_async %a[0, 0] [64, 64] to %s[0, 0] [64, 64] scope(cta) mbarrier(%barriers : memref<1xi64, 3>) cta_mask(%third) {variant = "tma"} : !a to !shared
    // expected-error @below {{cannot be done by 'tma': got the caller's commit; an mbarrier completes this copy through a tensor map}}
    tile.copy_async %a[0, 0] [64, 64] to %s[0, 0] [64, 64] scope(cta) cta_mask(%both) {variant = "tma"} : !a to !shared
    // expected-error @below {{cannot be done by 'tma': got a cta_mask of what is no load to shared memory}}
    tile.copy_async %s[0, 0] [64, 64] to %a[0, 0] [64, 64] scope(cta) bulk_group cta_mask(%third) {variant = "tma"} : !shared to !a
    gpu.return
  }

  gpu.func @no_cluster(%A: memref<512x512xf16>, %mask: i16) workgroup(%barriers: memref<1xi64, 3>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<512x512xf16>
    %s = tile.alloc : !shared
    // expected-error @below {{cannot be done by 'tma': the kernel does not state the size of its clusters; a copy to the CTAs of a mask needs nvvm.cluster_dim = array<i32: …>}}
    tile.copy_async %a[0, 0] [64, 64] to %s[0, 0] [64, 64] scope(cta) mbarrier(%barriers : memref<1xi64, 3>) cta_mask(%mask) {variant = "tma"} : !a to !shared
    gpu.return
  }
}

// CAUSE: [Missed] map-stride | {{.*}}Remark="tma declined", Variant=tma
// CAUSE: [Missed] coordinate-not-16-bytes | {{.*}}Remark="tma declined", Variant=tma
// CAUSE: [Missed] completion-unsupported | {{.*}}Remark="tma declined", Variant=tma
// CAUSE: [Missed] map-fill | {{.*}}Remark="tma declined", Variant=tma
// CAUSE: [Missed] map-fill | {{.*}}Remark="tma declined", Variant=tma
// CAUSE: [Missed] chip-lacks-tensor-maps | {{.*}}Remark="tma declined", Variant=tma
// CAUSE: [Missed] map-inner-stride | {{.*}}Remark="tma declined", Variant=tma
// CAUSE: [Missed] swizzle-not-of-tma | {{.*}}Remark="tma declined", Variant=tma
// CAUSE: [Missed] map-element-unsupported | {{.*}}Remark="tma declined", Variant=tma
// CAUSE: [Missed] tensor-swizzled | {{.*}}Remark="tma declined", Variant=tma
// CAUSE: [Missed] map-row-end | {{.*}}Remark="tma declined", Variant=tma
// CAUSE: [Missed] destination-overlaps | {{.*}}Remark="tma declined", Variant=tma
// CAUSE: [Missed] map-reduction-unsupported | {{.*}}Remark="tma declined", Variant=tma
// CAUSE: [Missed] cta-mask-outside | {{.*}}Remark="tma declined", Variant=tma
// CAUSE: [Missed] cta-mask-outside | {{.*}}Remark="tma declined", Variant=tma
// CAUSE: [Missed] completion-unsupported | {{.*}}Remark="tma declined", Variant=tma
// CAUSE: [Missed] multicast-needs-load | {{.*}}Remark="tma declined", Variant=tma
// CAUSE: [Missed] cluster-size-unknown | {{.*}}Remark="tma declined", Variant=tma
