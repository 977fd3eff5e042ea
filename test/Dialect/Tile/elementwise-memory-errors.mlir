// Maps of tiles in memories where they are not computed with.
// RUN: tile-opt %s --split-input-file --verify-diagnostics

func.func @memory() {
  %x = tile.alloc : !tile.buffer<128x8xf32, tmem, #tile.fragment<tcgen05.c>>
  // expected-error @below {{operand #0 must be variadic of tile.buffer in space Local or tile.buffer in space Shared, but got '!tile.buffer<128x8xf32, tmem, #tile.fragment<tcgen05.c>>'}}
  tile.map %x to %x scope(cta) : !tile.buffer<128x8xf32, tmem, #tile.fragment<tcgen05.c>> to !tile.buffer<128x8xf32, tmem, #tile.fragment<tcgen05.c>> {
  ^bb0(%e: f32):
    tile.yield %e : f32
  }
  return
}

// -----

func.func @global_memory(%a: !tile.buffer<16x8xf32, global>, %x: !tile.buffer<16x8xf32, local>) {
  // expected-error @below {{operand #0 must be variadic of tile.buffer in space Local or tile.buffer in space Shared, but got '!tile.buffer<16x8xf32, global>'}}
  tile.map %a to %x scope(thread) : !tile.buffer<16x8xf32, global> to !tile.buffer<16x8xf32, local> {
  ^bb0(%e: f32):
    tile.yield %e : f32
  }
  return
}
