// An alloc that nothing uses takes no shared memory: two of 32 KiB are too much for a kernel, one of them unused is not.
// RUN: tile-opt %s --lower-tile-copy --split-input-file --verify-diagnostics | FileCheck %s

!shared = !tile.buffer<64x128xf32, shared>
!global = !tile.buffer<64x128xf32, global>

// CHECK-LABEL: gpu.func @one
// CHECK-SAME:  workgroup(%{{[^,]*}}: memref<8192xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @one(%A: memref<64x128xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<64x128xf32> to !global
    %s = tile.alloc : !shared
    %t = tile.alloc : !shared
    tile.copy %a to %t scope(cta) : !global to !shared
    gpu.return
  }
}

// -----

!shared = !tile.buffer<64x128xf32, shared>
!global = !tile.buffer<64x128xf32, global>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @two(%A: memref<64x128xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<64x128xf32> to !global
    %s = tile.alloc : !shared
    // expected-error @below {{brings the kernel's static shared memory to 65536 bytes, expected at most 49152}}
    %t = tile.alloc : !shared
    tile.copy %a to %s scope(cta) : !global to !shared
    tile.copy %a to %t scope(cta) : !global to !shared
    gpu.return
  }
}
