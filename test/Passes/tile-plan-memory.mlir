// RUN: tile-opt %s --split-input-file --verify-diagnostics --tile-plan-memory | FileCheck %s

// Up to 48 KiB: one static array. The third tile reuses the memory of the first.
!global = !tile.buffer<64x32xf32, global>
!shared = !tile.buffer<64x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // CHECK: gpu.func @chain({{.*}}) workgroup(%[[ALL:.*]] : memref<16384xi8, #gpu.address_space<workgroup>>
  // CHECK-NOT: tile.dynamic_shared
  // CHECK-NOT: tile.alloc
  // CHECK: memref.view %[[ALL]][%{{.*}}][] : memref<16384xi8, #gpu.address_space<workgroup>> to memref<2048xf32, #gpu.address_space<workgroup>>
  gpu.func @chain(%A: memref<64x32xf32>, %B: memref<64x32xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x32xf32> to !global
    %b = tile.view %B : memref<64x32xf32> to !global
    %s = tile.alloc : !shared
    %t = tile.alloc : !shared
    %u = tile.alloc : !shared
    tile.copy %a to %s scope(cta) : !global to !shared
    tile.copy %s to %t scope(cta) : !shared to !shared
    tile.copy %t to %u scope(cta) : !shared to !shared
    tile.copy %u to %b scope(cta) : !shared to !global
    gpu.return
  }
}

// -----

// More than 48 KiB: dynamic shared memory. The size is recorded on the launch and on the kernel.
!global = !tile.buffer<128x128xf32, global>
!shared = !tile.buffer<128x128xf32, shared>

module attributes {gpu.container_module} {
  // CHECK: gpu.func @large
  // CHECK-SAME: tile.dynamic_shared = array<i64: 65536, 16>
  // CHECK: gpu.dynamic_shared_memory
  gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
    gpu.func @large(%A: memref<128x128xf32>, %B: memref<128x128xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %a = tile.view %A : memref<128x128xf32> to !global
      %b = tile.view %B : memref<128x128xf32> to !global
      %s = tile.alloc : !shared
      tile.copy %a to %s scope(cta) : !global to !shared
      tile.copy %s to %b scope(cta) : !shared to !global
      gpu.return
    }
  }
  // CHECK: %[[BYTES:.*]] = arith.constant 65536 : i32
  // CHECK: gpu.launch_func @kernels::@large {{.*}} dynamic_shared_memory_size %[[BYTES]]
  func.func @host(%A: memref<128x128xf32>, %B: memref<128x128xf32>) {
    %one = arith.constant 1 : index
    %threads = arith.constant 128 : index
    gpu.launch_func @kernels::@large blocks in (%one, %one, %one) threads in (%threads, %one, %one)
      args(%A : memref<128x128xf32>, %B : memref<128x128xf32>)
    return
  }
}

// -----

!global = !tile.buffer<128x128xf32, global>
!shared = !tile.buffer<128x128xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  // expected-error @below {{needs 196608 bytes of shared memory, expected at most 166912 on sm_80: 196608 bytes are live at once in 3 tiles}}
  gpu.func @much(%A: memref<128x128xf32>, %B: memref<128x128xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<128x128xf32> to !global
    %b = tile.view %B : memref<128x128xf32> to !global
    // expected-note @below {{65536 bytes}}
    %s = tile.alloc : !shared
    // expected-note @below {{65536 bytes}}
    %t = tile.alloc : !shared
    // expected-note @below {{65536 bytes}}
    %u = tile.alloc : !shared
    tile.copy %a to %s scope(cta) : !global to !shared
    tile.copy %a to %t scope(cta) : !global to !shared
    tile.copy %a to %u scope(cta) : !global to !shared
    tile.copy %s to %b scope(cta) : !shared to !global
    tile.copy %t to %b scope(cta) : !shared to !global
    tile.copy %u to %b scope(cta) : !shared to !global
    gpu.return
  }
}

// -----

// A kernel that partitions dynamic shared memory itself cannot also have it planned.
!global = !tile.buffer<128x128xf32, global>
!shared = !tile.buffer<128x128xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // expected-error @below {{needs 65536 bytes of shared memory, more than the 49152 that may be static, and divides dynamic shared memory itself, expected one or the other}}
  gpu.func @divided(%A: memref<128x128xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<128x128xf32> to !global
    %memory = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %c0 = arith.constant 0 : index
    %own = memref.view %memory[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<128x128xf32, #gpu.address_space<workgroup>>
    %o = tile.view %own : memref<128x128xf32, #gpu.address_space<workgroup>> to !shared
    %s = tile.alloc : !shared
    tile.copy %a to %s scope(cta) : !global to !shared
    tile.copy %s to %o scope(cta) : !shared to !shared
    gpu.return
  }
}
