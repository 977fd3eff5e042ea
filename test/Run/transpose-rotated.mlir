// Rows of 128 words that begin anywhere: threads rotate within each, so that a warp stores a whole line. Tiles of 64 rows are stored word by
// word as they are, and say what is expected.

// RUN: tile-run %s --entry words --grid 4,3 --arg f32[200x131]=iota --arg f32[131x200]=poison --write 1=%t.even.npy
// RUN: tile-run %s --entry rotated --schedule=all --grid 2,3 --arg f32[200x131]=iota --arg f32[131x200]=poison --expect 1=%t.even.npy
// RUN: tile-run %s --entry words --grid 5,3 --arg f32[301x131]=iota --arg f32[131x301]=poison --write 1=%t.npy | FileCheck %s --check-prefix=WORDS
// RUN: tile-run %s --entry rotated --schedule=all --grid 3,3 --arg f32[301x131]=iota --arg f32[131x301]=poison --expect 1=%t.npy | FileCheck %s
// RUN: tile-run %s --entry constant --schedule=all --grid 3,3 --arg f32[301x131]=iota --arg f32[131x301]=poison --expect 1=%t.npy | FileCheck %s
// RUN: tile-opt %s --lower-tile-copy -o /dev/null --remarks-filter-passed=tile-copy --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: tile-opt %s --tile-align-layouts -o - | tile-opt --tile-vectorize-copy --tile-expand-copy --tile-to-nvvm -o %t.stages.mlir
// RUN: tile-run %t.stages.mlir --passes= --entry constant --grid 3,3 --arg f32[301x131]=iota --arg f32[131x301]=poison --expect 1=%t.npy

// WORDS:      ld.shared.b32 {{.*}} 0{{$}}
// WORDS-NEXT: st.global.b32 {{ *[0-9]+ +157724 +}}[[#]]
// CHECK:      ld.shared.b32 {{.*}} 0{{$}}
// CHECK-NEXT: st.global.b32 {{ *[0-9]+ +157724 +}}[[#]]
// CHECK-NEXT: st.shared{{.*}} 0{{$}}

// REMARK-NOT:     Function=words{{.*}}Rotation
// REMARK:         Function=rotated{{.*}}Rotation=128
// REMARK:         Function=constant{{.*}}Rotation=128

!matrix = !tile.buffer<?x?xf32, global>
!turned = !tile.buffer<?x?xf32, global, #tile.layout<(?, ?) : (1, 1@s0)>>
!from = !tile.buffer<301x131xf32, global>
!whole = !tile.buffer<131x301xf32, global>
!to = !tile.buffer<301x131xf32, global, #tile.layout<(301, 131) : (1, 301)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @words(%A: memref<?x?xf32>, %B: memref<?x?xf32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<?x?xf32> to !matrix
    %b = tile.view %B : memref<?x?xf32> to !matrix
    %turned = tile.permute %b [1, 0] : !matrix to !turned
    %x = gpu.block_id x
    %y = gpu.block_id y
    %c64 = arith.constant 64 : index
    %row = arith.muli %x, %c64 : index
    %column = arith.muli %y, %c64 : index
    tile.copy %a[%row, %column] [64, 64] to %turned[%row, %column] [64, 64] scope(cta) masked : !matrix to !turned
    gpu.return
  }
  gpu.func @rotated(%A: memref<?x?xf32>, %B: memref<?x?xf32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<?x?xf32> to !matrix
    %b = tile.view %B : memref<?x?xf32> to !matrix
    %turned = tile.permute %b [1, 0] : !matrix to !turned
    %x = gpu.block_id x
    %y = gpu.block_id y
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %row = arith.muli %x, %c128 : index
    %column = arith.muli %y, %c64 : index
    tile.copy %a[%row, %column] [128, 64] to %turned[%row, %column] [128, 64] scope(cta) masked : !matrix to !turned
    gpu.return
  }
  gpu.func @constant(%A: memref<301x131xf32>, %B: memref<131x301xf32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<301x131xf32>
    %b = tile.view %B : memref<131x301xf32>
    %turned = tile.permute %b [1, 0] : !whole to !to
    %x = gpu.block_id x
    %y = gpu.block_id y
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %row = arith.muli %x, %c128 : index
    %column = arith.muli %y, %c64 : index
    tile.copy %a[%row, %column] [128, 64] to %turned[%row, %column] [128, 64] scope(cta) masked : !from to !to
    gpu.return
  }
}
