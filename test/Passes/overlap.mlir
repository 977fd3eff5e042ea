// RUN: tile-opt --tile-align-layouts --split-input-file --verify-diagnostics %s

// The two sides of a copy must not overlap. If both offsets or their difference are known, the check is exact;
// otherwise the caller must ensure it.

!tile = !tile.buffer<16x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @shared() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // expected-note @below {{the memory of both is named here}}
    %s = tile.alloc : !tile
    %t = tile.alloc : !tile
    tile.copy %s to %t scope(warp) {variant = "fallback"} : !tile to !tile
    tile.copy %s[0, 0] [8, 32] to %s[8, 0] [8, 32] scope(warp) {variant = "fallback"} : !tile to !tile
    tile.copy %s[0, 0] [16, 16] to %s[0, 16] [16, 16] scope(warp) {variant = "fallback"} : !tile to !tile
    // expected-error-re @below {{got regions that overlap: element [6, 0] {{.*}} source {{.*}} [0, 0] {{.*}} destination}}
    tile.copy %s[0, 0] [8, 32] to %s[6, 0] [8, 32] scope(warp) {variant = "fallback"} : !tile to !tile
    gpu.return
  }
}

// -----

!global = !tile.buffer<64x32xf32, global>

// Run-time offsets with a known difference, and with an unknown one.
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @distances(%A: memref<64x32xf32>, %i: index, %j: index) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    // expected-note @below {{the memory of both is named here}}
    %a = tile.view %A : memref<64x32xf32> to !global
    %c8 = arith.constant 8 : index
    %c2 = arith.constant 2 : index
    %twice = arith.muli %i, %c2 : index
    %next = arith.addi %twice, %c8 : index
    %back = arith.subi %next, %c2 : index
    tile.copy %a[%twice, 0] [8, 32] to %a[%next, 0] [8, 32] scope(warp) {variant = "fallback"} : !global to !global
    tile.copy %a[%i, 0] [8, 32] to %a[%j, 0] [8, 32] scope(warp) {variant = "fallback"} : !global to !global
    // expected-error-re @below {{got regions that overlap: element [0, 0] {{.*}} source {{.*}} [2, 0] {{.*}} destination}}
    tile.copy %a[%next, 0] [8, 32] to %a[%back, 0] [8, 32] scope(warp) {variant = "fallback"} : !global to !global
    gpu.return
  }
}

// -----

!global = !tile.buffer<64x32xf32, global>
!column = !tile.buffer<32x64xf32, global, #tile.layout<(32, 64) : (1, 32)>>

// Two views of one memref, of different layouts: row 3 of one is column 3 of the other.
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @views(%A: memref<2048xf32>, %B: memref<2048xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    // expected-note @below {{the memory of both is named here}}
    %a = tile.view %A : memref<2048xf32> to !global
    %c = tile.view %A : memref<2048xf32> to !column
    %b = tile.view %B : memref<2048xf32> to !column
    // Arguments of kernels do not overlap.
    tile.copy %a[3, 0] [1, 32] to %b[0, 3] [32, 1] scope(warp) {variant = "fallback"} : !global to !column
    tile.copy %a[3, 0] [1, 32] to %c[0, 4] [32, 1] scope(warp) {variant = "fallback"} : !global to !column
    // expected-error-re @below {{got regions that overlap: element [0, 0] {{.*}} source {{.*}} [0, 0] {{.*}} destination}}
    tile.copy %a[3, 0] [1, 32] to %c[0, 3] [32, 1] scope(warp) {variant = "fallback"} : !global to !column
    gpu.return
  }
}

// -----

!part = !tile.buffer<8x32xf32, global>

// Parts of one memref at static offsets, and through casts.
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @parts(%A: memref<64x32xf32>, %i: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %first = memref.subview %A[0, 0] [8, 32] [1, 1] : memref<64x32xf32> to memref<8x32xf32, strided<[32, 1]>>
    %second = memref.subview %A[8, 0] [8, 32] [1, 1] : memref<64x32xf32> to memref<8x32xf32, strided<[32, 1], offset: 256>>
    %between = memref.subview %A[5, 0] [8, 32] [1, 1] : memref<64x32xf32> to memref<8x32xf32, strided<[32, 1], offset: 160>>
    %some = memref.subview %A[%i, 0] [8, 32] [1, 1] : memref<64x32xf32> to memref<8x32xf32, strided<[32, 1], offset: ?>>
    // expected-note @below {{the memory of both is named here}}
    %a = tile.view %first : memref<8x32xf32, strided<[32, 1]>> to !part
    %b = tile.view %second : memref<8x32xf32, strided<[32, 1], offset: 256>> to !part
    %c = tile.view %between : memref<8x32xf32, strided<[32, 1], offset: 160>> to !part
    %d = tile.view %some : memref<8x32xf32, strided<[32, 1], offset: ?>> to !part
    tile.copy %a to %b scope(warp) {variant = "fallback"} : !part to !part
    tile.copy %a to %d scope(warp) {variant = "fallback"} : !part to !part
    // expected-error-re @below {{got regions that overlap: element [5, 0] {{.*}} source {{.*}} [0, 0] {{.*}} destination}}
    tile.copy %a to %c scope(warp) {variant = "fallback"} : !part to !part
    gpu.return
  }
}

// -----

!bytes = !tile.buffer<8x32xf32, shared>

// Two views at byte offsets of dynamic shared memory, which is a single array.
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @dynamic() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1024 = arith.constant 1024 : index
    %c1020 = arith.constant 1020 : index
    %m = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %n = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %x = memref.view %m[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<8x32xf32, #gpu.address_space<workgroup>>
    %y = memref.view %n[%c1024][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<8x32xf32, #gpu.address_space<workgroup>>
    %z = memref.view %n[%c1020][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<8x32xf32, #gpu.address_space<workgroup>>
    // expected-note @below {{the memory of both is named here}}
    %s = tile.view %x : memref<8x32xf32, #gpu.address_space<workgroup>> to !bytes
    %t = tile.view %y : memref<8x32xf32, #gpu.address_space<workgroup>> to !bytes
    %u = tile.view %z : memref<8x32xf32, #gpu.address_space<workgroup>> to !bytes
    tile.copy %s to %t scope(warp) {variant = "fallback"} : !bytes to !bytes
    // expected-error-re @below {{got regions that overlap: element [7, 31] {{.*}} source {{.*}} [0, 0] {{.*}} destination}}
    tile.copy %s to %u scope(warp) {variant = "fallback"} : !bytes to !bytes
    gpu.return
  }
}
