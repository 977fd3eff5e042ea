// Verifier errors of the stage ops, which occur only between passes.

// RUN: tile-opt %s --split-input-file --verify-diagnostics

!global = !tile.buffer<8x4xf32, global>
!shared = !tile.buffer<8x4xf32, shared>

func.func @ranks(%a: !global, %s: !shared) {
  // expected-error @below {{got ranks [0, 8], expected the first thread, then pairs of an extent and a distance}}
  tile.vector_copy "gmem_smem" %a as #tile.layout<(8, 4) : (4, 1)> to %s as #tile.layout<(8, 4) : (4, 1)>
    scope(warp) rounds(1) threads(8) vector(4) {ranks = array<i64: 0, 8>} : !global to !shared
  return
}

// -----

!global = !tile.buffer<8x4xf32, global>
!shared = !tile.buffer<8x4xf32, shared>

func.func @no_ranks(%a: !global, %s: !shared) {
  // expected-error @below {{got ranks [], expected the first thread, then pairs of an extent and a distance}}
  tile.matched_copy "gmem_smem" %a as #tile.layout<(8, 4) : (4, 1)> to %s as #tile.layout<(8, 4) : (4, 1)>
    scope(warp) threads(8) {ranks = array<i64>} : !global to !shared
  return
}
