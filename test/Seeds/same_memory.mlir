// A warp copies a tile of 32x32 f32 from global memory to global memory, and a tile from shared memory to a padded tile in
// shared memory.

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>
!padded = !tile.buffer<32x32xf32, shared, #tile.layout<(32, 32) : (36, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @there_and_back(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %C: memref<32x32xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %b = tile.view %B : memref<32x32xf32> to !global
    %c = tile.view %C : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %t = tile.alloc : !padded
    tile.copy %a to %b scope(warp) : !global to !global
    tile.copy %a to %s scope(warp) : !global to !shared
    gpu.barrier
    tile.copy %s to %t scope(warp) : !shared to !padded
    gpu.barrier
    tile.copy %t to %c scope(warp) : !padded to !global
    gpu.return
  }
}

// RUN: tile-opt %s --tile-align-layouts | FileCheck %s --check-prefix=ALIGN
// RUN: tile-opt %s --tile-align-layouts --tile-vectorize-copy | FileCheck %s --check-prefix=VECTOR
// RUN: tile-opt %s --lower-tile-copy | FileCheck %s --check-prefix=EXPAND
// RUN: tile-opt %s --lower-tile-copy -o /dev/null --remarks-filter-passed=.* --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK
// RUN: tile-translate %s --tile-to-ptx | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx | %sass_count - | FileCheck %s --check-prefix=SASS %}

// ALIGN: tile.planned_copy %{{.*}} to %{{.*}} scope(warp) plan<matched "same_memory", threads = 32,{{.*}}src = {layout = (1024) : (1), space{{.*}}dst = {layout = (1024) : (1), space
// ALIGN: tile.planned_copy %{{.*}} to %{{.*}} scope(warp) plan<matched "same_memory"{{.*}}src = {layout = (32, 32) : (32, 1), space{{.*}}dst = {layout = (32, 32) : (36, 1), space

// VECTOR: tile.planned_copy {{.*}} plan<vectors "same_memory", rounds = 8, threads = 32, vector = 4,
// VECTOR: tile.planned_copy {{.*}} plan<vectors "same_memory", rounds = 8, threads = 32, vector = 4,

// EXPAND-COUNT-8: vector.load %{{.*}} : memref<1024xf32>, vector<4xf32>
// EXPAND-COUNT-8: vector.store %{{.*}} : memref<1024xf32>, vector<4xf32>

// REMARK: :16:5: remark: [Passed] same_memory | {{.*}} BytesPerThread=128, Instructions="8 loads and 8 stores of 128 bits"
// REMARK: :19:5: remark: [Passed] same_memory | {{.*}} BytesPerThread=128, Instructions="8 loads and 8 stores of 128 bits"

// PTX-COUNT-8: ld.global.nc.v4.b32
// PTX:         bar.sync
// PTX-COUNT-8: ld.shared.v4.b32
// PTX-COUNT-8: st.shared.v4.b32
// PTX:         bar.sync

// SASS: stack bytes: 0
// SASS-NEXT: spill bytes: 0
