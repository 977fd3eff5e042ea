// Exchanges between lanes that were written by hand: those that would move the wrong elements are refused.
// RUN: tile-opt %s --split-input-file --tile-expand-copy --verify-diagnostics

!shared = !tile.buffer<32x8xf32, shared>
!local = !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>

gpu.module @shared_memory {
  gpu.func @kernel() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %s = tile.alloc : !shared
    %r = tile.alloc : !local
    // expected-error @below {{lanes exchange vectors from shared to local; needed registers and global memory}}
    tile.planned_copy %s to %r scope(warp)
      plan<vectors "reg", rounds = 2, threads = 32, vector = 4, bits = 32, thread_iters = 1, exchange = 2,
           src = {layout = (2, 32, 4) : (4, 8, 1), space = shared, align = 16},
           dst = {layout = (2, 32, 4) : (4, 1@laneid, 1), space = local, align = 16}>
      : !shared to !local
    gpu.return
  }
}

// -----

!global = !tile.buffer<16x8xf32, global>
!local = !tile.buffer<16x8xf32, local, #tile.layout<(16, 8) : (1@laneid, 1) + R(2 : 16@laneid)>>

gpu.module @half_a_warp {
  gpu.func @kernel(%A: memref<16x8xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<16x8xf32> to !global
    %r = tile.alloc : !local
    // expected-error @below {{lanes exchange vectors, but (t / 16) mod 2 divides a warp}}
    tile.planned_copy %r to %a scope(warp)
      plan<vectors "reg", rounds = 2, threads = 32, vector = 4, bits = 32, thread_iters = 2, exchange = 2, guards = [{div = 16, extent = 2}],
           src = {layout = (2, 2, 16, 4) : (4, 16@laneid, 1@laneid, 1), space = local, align = 16},
           dst = {layout = (2, 2, 16, 4) : (4, 0, 8, 1), space = global, align = 16}>
      : !local to !global
    gpu.return
  }
}
