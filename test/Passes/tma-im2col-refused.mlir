// Pixels of images that no map walks through: an error says why, with what was got and what is needed.
// RUN: tile-opt %s --tile-make-maps --split-input-file --verify-diagnostics
// RUN: not tile-opt %s --tile-make-maps --split-input-file -o /dev/null --remarks-filter-missed=.* --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CAUSE --implicit-check-not=[Missed]
// CAUSE: [Missed] map-corner
// CAUSE: [Missed] map-corner
// CAUSE: [Missed] map-element-stride
// CAUSE: [Missed] map-pixels
// CAUSE: [Missed] im2col-needs-images
// CAUSE: [Missed] map-fill
// CAUSE: [Missed] map-corner
// CAUSE: [Missed] map-corner

!images = !tile.buffer<2x9x7x32xf16, global>
!shared = !tile.buffer<64x32xf16, shared>
!many = !tile.buffer<1025x32xf16, shared>
!blocked = !tile.buffer<2x9x7x32xf16, global, #tile.layout<(2, 9, 7, 2, 16) : (2016, 224, 16, 112, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @refused(%A: memref<2x9x7x32xf16>, %O: memref<4032xf16>, %i: index) workgroup(%barriers: memref<1xi64, 3>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f16
    %seven = arith.constant 7.0 : f16
    %c256 = arith.constant 256 : index
    %a = tile.view %A : memref<2x9x7x32xf16>
    %o = tile.view %O : memref<4032xf16> to !blocked
    %s = tile.alloc : !shared
    %t = tile.alloc : !many
    // expected-note @below {{defined here}}
    %thread = gpu.thread_id x
    // expected-error @below {{got offset 1 of its filter that differs between threads}}
    tile.copy_async %a[0, 0, 0, 0] [1, 1, 64, 32] to %s scope(cta) mbarrier(%barriers : memref<1xi64, 3>)
      im2col [-1, -1] to [-1, -1] filter(%i, %thread) masked fill(%zero : f16) : !images to !shared
    // expected-error @below {{has 256 as offset 1 of its filter, expected 0 to 255 for images of 4 dimensions}}
    tile.copy_async %a[0, 0, 0, 0] [1, 1, 64, 32] to %s scope(cta) mbarrier(%barriers : memref<1xi64, 3>)
      im2col [-1, -1] to [-1, -1] filter(%i, %c256) masked fill(%zero : f16) : !images to !shared
    // expected-error @below {{begins at pixel 8 in dimension 1, expected one of the pixels that im2col walks through, -1 to 7}}
    tile.copy_async %a[0, 8, 0, 0] [1, 1, 64, 32] to %s scope(cta) mbarrier(%barriers : memref<1xi64, 3>)
      im2col [-1, -1] to [-1, -1] filter(%i, %i) masked fill(%zero : f16) : !images to !shared
    // expected-error @below {{cannot be done by 'tma': a corner is -129 in dimension 1; needed -128 to 127 for a map of 4 dimensions}}
    tile.copy_async %a[0, 0, 0, 0] [1, 1, 64, 32] to %s scope(cta) mbarrier(%barriers : memref<1xi64, 3>)
      im2col [-1, -129] to [-1, -1] filter(%i, %i) masked fill(%zero : f16) : !images to !shared
    // expected-error @below {{cannot be done by 'tma': pixels go from 2 to 9 + -7 in dimension 2; needed one pixel or more}}
    tile.copy_async %a[0, %i, 0, 0] [1, 1, 64, 32] to %s scope(cta) mbarrier(%barriers : memref<1xi64, 3>)
      im2col [2, 0] to [-7, 0] filter(%i, %i) masked fill(%zero : f16) : !images to !shared
    // expected-error @below {{cannot be done by 'tma': the map takes every 9 elements in dimension 2; needed 1 to 8}}
    tile.copy_async %a[0, 0, 0, 0] [1, 1, 64, 32] to %s scope(cta) mbarrier(%barriers : memref<1xi64, 3>)
      im2col [0, 0] to [0, 0] steps [9, 1] filter(%i, %i) masked fill(%zero : f16) : !images to !shared
    // expected-error @below {{cannot be done by 'tma': an instruction takes 1025 pixels; needed 1 to 1024}}
    tile.copy_async %a[0, 0, 0, 0] [1, 1, 1025, 32] to %t scope(cta) mbarrier(%barriers : memref<1xi64, 3>)
      im2col [0, 0] to [0, 0] filter(%i, %i) masked fill(%zero : f16) : !images to !many
    // expected-error @below {{cannot be done by 'tma': the tensor has 5 dimensions in a map; needed its 4, without blocks}}
    tile.copy_async %o[0, 0, 0, 0] [1, 1, 64, 32] to %s scope(cta) mbarrier(%barriers : memref<1xi64, 3>)
      im2col [0, 0] to [0, 0] filter(%i, %i) masked fill(%zero : f16) : !blocked to !shared
    // expected-error @below {{cannot be done by 'tma': the copy fills with a value; a tensor map fills with zeros or NaNs}}
    tile.copy_async %a[0, 0, 0, 0] [1, 1, 64, 32] to %s scope(cta) mbarrier(%barriers : memref<1xi64, 3>)
      im2col [0, 0] to [0, 0] filter(%i, %i) masked fill(%seven : f16) : !images to !shared
    // expected-error @below {{cannot be done by 'tma': pixels of a store go from -1 to the image's end and 0; needed 0 or more, and 0 or less, or the engine traps}}
    tile.copy_async %s to %a[0, 0, 0, 0] [1, 1, 64, 32] scope(cta) bulk_group im2col [0, -1] to [0, 0] masked
      : !shared to !images
    // expected-error @below {{cannot be done by 'tma': pixels of a store go from 0 to the image's end and 1; needed 0 or more, and 0 or less, or the engine traps}}
    tile.copy_async %s to %a[0, 0, 0, 0] [1, 1, 64, 32] scope(cta) bulk_group im2col [0, 0] to [1, 0] masked
      : !shared to !images
    gpu.return
  }
}
