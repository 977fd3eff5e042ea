// A destination in which two elements have one place is an error that names both, whatever strides lead there; a source may have such.
// RUN: not tile-opt %s --lower-tile-copy --split-input-file -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error:

!rows = !tile.buffer<8x64xf32, global>
!twice = !tile.buffer<8x64xf32, local, #tile.layout<(8, 2, 32) : (1, 1, 1@tx)>>
!mixed = !tile.buffer<8x64xf32, local, #tile.layout<(4, 2, 2, 32) : (1, 2, 1, 1@tx)>>

gpu.module @registers [#nvvm.target<chip = "sm_90a">] {
  gpu.func @f(%A: memref<8x64xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<8x64xf32>
    %r = tile.alloc : !twice
    %m = tile.alloc : !mixed
    // CHECK: :[[#@LINE+2]]:5: error: 'tile.
    // CHECK: fallback declined: the destination has several elements in one place, as (0, 32) and (1, 0) (iters 8:1 and 2:1); needed one
    tile.copy %a to %r scope(cta) : !rows to !twice
    // CHECK: :[[#@LINE+2]]:5: error: 'tile.
    // CHECK: fallback declined: the destination has several elements in one place
    tile.copy %a to %m scope(cta) : !rows to !mixed
    gpu.return
  }
}

// -----

!rows = !tile.buffer<8x64xf32, global>
!close = !tile.buffer<8x64xf32, global, #tile.layout<(8, 64) : (60, 1)>>
!tile = !tile.buffer<8x64xf32, shared, #tile.layout<(8, 64) : (60, 1)>>

gpu.module @memory [#nvvm.target<chip = "sm_90a">] {
  gpu.func @f(%A: memref<8x64xf32>, %B: memref<512xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<8x64xf32>
    %b = tile.view %B : memref<512xf32> to !close
    %s = tile.alloc : !tile
    %zero = arith.constant 0.0 : f32
    // CHECK: :[[#@LINE+2]]:5: error: 'tile.
    // CHECK: fallback declined: the destination has several elements in one place, as (0, 60) and (1, 0) (iters 8:60 and 64:1); needed one
    tile.copy %a to %b scope(cta) : !rows to !close
    // CHECK: :[[#@LINE+2]]:5: error: 'tile.
    // CHECK: ldgsts declined: the destination has several elements in one place
    tile.copy_async %a to %s scope(cta) group : !rows to !tile
    // CHECK: :[[#@LINE+2]]:5: error: 'tile.
    // CHECK: fallback declined: the destination has several elements in one place
    tile.fill %zero to %s scope(cta) : f32 to !tile
    // 60 columns of it have places of their own, and sources may overlap.
    tile.copy %a[0, 0] [8, 60] to %b[0, 0] [8, 60] scope(cta) : !rows to !close
    tile.copy %b to %a scope(cta) : !close to !rows
    gpu.return
  }
}
