// Variants of prefetches that are named, and cannot do it.
// RUN: tile-opt %s --split-input-file --tile-align-layouts --verify-diagnostics

!matrix = !tile.buffer<64x60xf32, global>

gpu.module @chunks [#nvvm.target<chip = "sm_90a">] {
  gpu.func @kernel(%A: memref<64x60xf32>, %column: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<64x60xf32> to !matrix
    // expected-error @below {{cannot be done by 'bulk_prefetch': chunk_bytes=20, contiguous; needed 16 or a multiple}}
    tile.prefetch %a[0, 0] [64, 5] scope(cta) {variant = "bulk_prefetch"} : !matrix
    // expected-error @below {{cannot be done by 'bulk_prefetch': its chunks begin at multiples of 16 bytes (tile.assume … divisible_by 4 would promise it): the source: 4 elements at a time: }}
    tile.prefetch %a[0, %column] [64, 8] scope(cta) {variant = "bulk_prefetch"} : !matrix
    // expected-error @below {{got variant = "fill", expected one of tma, bulk_prefetch, prefetch, dropped}}
    tile.prefetch %a scope(cta) {variant = "fill"} : !matrix
    gpu.return
  }
}

// -----

!matrix = !tile.buffer<64x60xf32, global>

gpu.module @chip [#nvvm.target<chip = "sm_80">] {
  gpu.func @kernel(%A: memref<64x60xf32>, %row: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<64x60xf32> to !matrix
    // expected-error @below {{cannot be done by 'bulk_prefetch': a bulk prefetch needs sm_90 or later; got sm_80}}
    tile.prefetch %a scope(cta) {variant = "bulk_prefetch"} : !matrix
    // expected-note @below {{defined here}}
    %thread = gpu.thread_id x
    // expected-error @below {{got an offset of the source in dimension 0 that differs between threads of the cta: 'gpu.thread_id' is 0 for thread 0 and 1 for thread 1; expected one value for all of them}}
    tile.prefetch %a[%thread, 0] [1, 60] scope(cta) : !matrix
    gpu.return
  }
}
