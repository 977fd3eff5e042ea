// Shared memory whose size the launch decides: parts of gpu.dynamic_shared_memory as tiles.

// RUN: tile-translate --tile-to-ptx %s | FileCheck %s
// RUN: tile-opt --tile-align-layouts --tile-vectorize-copy %s | FileCheck %s --check-prefix=VECTOR
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx                | %sass_count - | FileCheck %s --check-prefix=SASS %}
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx --chip=sm_80   | %sass_count - | FileCheck %s --check-prefix=SASS %}
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx --chip=sm_100a | %sass_count - | FileCheck %s --check-prefix=SASS %}

// VECTOR-COUNT-4: tile.planned_copy {{.*}} plan<vectors "gmem_smem", rounds = 8, threads = 32, vector = 4,

// CHECK: .extern .shared .align 16 .b8 [[MEMORY:__dynamic_shmem__[0-9a-z_]*]][];
// CHECK: .entry round_trip
// CHECK-COUNT-16: ld.global.{{(nc\.)?}}v4.b32
// CHECK-COUNT-16: st.global.v4.b32

// SASS: LDG.E.128: 16
// SASS: STG.E.128: 16
// SASS: LDS.128: 16
// SASS: STS.128: 16
// SASS: LD: 0
// SASS-NEXT: ST: 0
// SASS-NEXT: LDL: 0
// SASS-NEXT: STL: 0

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>
!shared_memref = memref<32x32xf32, #gpu.address_space<workgroup>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @round_trip(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %C: memref<32x32xf32>, %D: memref<32x32xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %b = tile.view %B : memref<32x32xf32> to !global
    %c = tile.view %C : memref<32x32xf32> to !global
    %d = tile.view %D : memref<32x32xf32> to !global
    %c0 = arith.constant 0 : index
    %c4096 = arith.constant 4096 : index
    %memory = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %first = memref.view %memory[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to !shared_memref
    %second = memref.view %memory[%c4096][] : memref<?xi8, #gpu.address_space<workgroup>> to !shared_memref
    %s = tile.view %first : !shared_memref to !shared
    %t = tile.view %second : !shared_memref to !shared
    tile.copy %a to %s scope(warp) : !global to !shared
    tile.copy %b to %t scope(warp) : !global to !shared
    gpu.barrier
    tile.copy %t to %c scope(warp) : !shared to !global
    tile.copy %s to %d scope(warp) : !shared to !global
    gpu.return
  }
}
