// Views of tiles whose result type does not describe where the elements are: the error states the expected type.
// RUN: tile-opt %s --split-input-file --verify-diagnostics --mlir-print-op-on-diagnostic=false

func.func @part(%a: !tile.buffer<64x96xf16, global>) {
  // expected-error @below {{got !tile.buffer<16x32xf16, global>, expected !tile.buffer<16x32xf16, global, #tile.layout<(16, 32) : (96, 1)>>}}
  %p = tile.subview %a[8, 16] [16, 32] : !tile.buffer<64x96xf16, global> to !tile.buffer<16x32xf16, global>
  return
}

// -----

func.func @outside(%a: !tile.buffer<64x96xf16, global>) {
  // expected-error @below {{dimension 0 of the region is [60, 60 + 8); expected a non-empty part of [0, 64)}}
  %p = tile.subview %a[60, 0] [8, 96] : !tile.buffer<64x96xf16, global> to !tile.buffer<8x96xf16, global>
  return
}

// -----

func.func @empty(%a: !tile.buffer<64x96xf16, global>, %i: index) {
  // expected-error @below {{dimension 1 of the region is [0, 0 + 0); expected a non-empty part of [0, 96)}}
  %p = tile.subview %a[%i, 0] [8, 0] : !tile.buffer<64x96xf16, global> to !tile.buffer<8x96xf16, global>
  return
}

// -----

func.func @rank(%a: !tile.buffer<64x96xf16, global>) {
  // expected-error @below {{got 1 as the number of begins; expected 2}}
  %p = tile.subview %a[0] [8] : !tile.buffer<64x96xf16, global> to !tile.buffer<8x96xf16, global>
  return
}

// -----

func.func @offsets(%a: !tile.buffer<64x96xf16, global>, %i: index) {
  // expected-error @below {{got 1 run-time offset, expected 0, one for each dynamic offset}}
  %p = "tile.subview"(%a, %i) {staticOffsets = array<i64: 0, 0>, sizes = array<i64: 8, 96>}
    : (!tile.buffer<64x96xf16, global>, index) -> !tile.buffer<8x96xf16, global>
  return
}

// -----

// Positions 4 to 20 of blocks of 16.
func.func @across(%b: !tile.buffer<64xf16, shared, #tile.layout<(4, 16) : (1000, 8)>>) {
  // expected-error @below {{dimension 0: positions [4, 4 + 16) cross the end of iter 16:8 in a way that no list of iters describes}}
  %p = tile.subview %b[4] [16] : !tile.buffer<64xf16, shared, #tile.layout<(4, 16) : (1000, 8)>>
    to !tile.buffer<16xf16, shared>
  return
}

// -----

func.func @registers(%r: !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>, %i: index) {
  // expected-error @below {{got a run-time begin of registers in dimension 1, expected a number; the region of a copy may begin at a run-time value}}
  %p = tile.subview %r[0, %i] [32, 4] : !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
    to !tile.buffer<32x4xf32, local, #tile.layout<(32, 4) : (1@laneid, 1)>>
  return
}

// -----

func.func @order(%a: !tile.buffer<64x96xf16, global>) {
  // expected-error @below {{expected a permutation of 0 to 2, exclusive}}
  %t = tile.permute %a [1, 1] : !tile.buffer<64x96xf16, global> to !tile.buffer<96x96xf16, global>
  return
}

// -----

func.func @transposed(%a: !tile.buffer<64x96xf16, global>) {
  // expected-error @below {{got !tile.buffer<96x64xf16, global>, expected !tile.buffer<96x64xf16, global, #tile.layout<(96, 64) : (1, 96)>>}}
  %t = tile.permute %a [1, 0] : !tile.buffer<64x96xf16, global> to !tile.buffer<96x64xf16, global>
  return
}

// -----

// A third of the tile ends inside a row.
func.func @no_dimensions(%a: !tile.buffer<4x6xf16, shared, #tile.layout<(3, 8) : (100, 1)>>) {
  // expected-error @below {{the layout can not be grouped by shape}}
  %t = tile.permute %a [1, 0] : !tile.buffer<4x6xf16, shared, #tile.layout<(3, 8) : (100, 1)>> to !tile.buffer<6x4xf16, shared>
  return
}

// -----

func.func @elements(%a: !tile.buffer<64x96xf16, global>) {
  // expected-error @below {{got !tile.buffer<64x64xf16, global>, expected as many elements as !tile.buffer<64x96xf16, global>, also between dimensions '?'}}
  %r = tile.reshape %a : !tile.buffer<64x96xf16, global> to !tile.buffer<64x64xf16, global>
  return
}

// -----

func.func @element(%a: !tile.buffer<64x96xf16, global>) {
  // expected-error @below {{got bf16 in global memory, expected the source's f16 in global memory}}
  %r = tile.reshape %a : !tile.buffer<64x96xf16, global> to !tile.buffer<64x96xbf16, global>
  return
}

// -----

func.func @places(%a: !tile.buffer<64x96xf16, global>) {
  // expected-error @below {{expected a type that gives each element the same location as !tile.buffer<64x96xf16, global>}}
  %c = tile.cast %a : !tile.buffer<64x96xf16, global> to !tile.buffer<64x96xf16, global, #tile.layout<(64, 96) : (1, 64)>>
  return
}

// -----

func.func @other_extent(%a: !tile.buffer<?x96xf16, global>) {
  // expected-error @below {{expected a type that gives each element the same location as}}
  %c = tile.cast %a : !tile.buffer<?x96xf16, global> to !tile.buffer<64x64xf16, global>
  return
}
