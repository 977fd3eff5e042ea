// Malformed input gets an error at its place that says got and expected.
// RUN: tile-opt %s --split-input-file --verify-diagnostics --mlir-print-op-on-diagnostic=false

// expected-error @below {{unknown axis 'lane'}}
func.func private @axis(!tile.buffer<8xf32, local, #tile.layout<(8) : (1@lane)>>)

// -----

// expected-error @below {{got 1 strides for 2 extents}}
func.func private @ranks(!tile.buffer<8xf32, global, #tile.layout<(4, 2) : (1)>>)

// -----

// expected-error @below {{strides are not nested as the extents are}}
func.func private @nesting(!tile.buffer<8x2xf32, global, #tile.layout<((4, 2), 2) : (1, 4, 8)>>)

// -----

// expected-error @below {{iter 0 has extent 0; extents are at least 1}}
func.func private @extent(!tile.buffer<8xf32, global, #tile.layout<(0) : (1)>>)

// -----

// expected-error @below {{does not fit 62 bits}}
func.func private @huge(!tile.buffer<8xf32, global, #tile.layout<(9223372036854775807, 8) : (1, 1)>>)

// -----

// expected-error @below {{second offset on axis 'm'}}
func.func private @offsets(!tile.buffer<8xf32, global, #tile.layout<(8) : (1) + 1 + 2>>)

// -----

// expected-error @below {{swizzle<3, 4, 3> is malformed}}
func.func private @swizzle(!tile.buffer<8x64xf16, shared, #tile.layout<(8, 64) : (64, 1), swizzle<3, 4, 3>>>)

// -----

// expected-error @below {{disconnected scope chain}}
func.func private @disconnected(!tile.buffer<64xf32, local, #tile.layout<(2, 32) : (1@wgid, 1@laneid)>>)

// -----

// expected-error @below {{conflicting scopes}}
func.func private @conflicting(!tile.buffer<64xf32, local, #tile.layout<(2, 32) : (1@tx, 1@laneid)>>)

// -----

// expected-error @below {{got a layout of 32 elements, expected 64 for shape 8x8}}
func.func private @size(!tile.buffer<8x8xf32, global, #tile.layout<(8, 4) : (4, 1)>>)

// -----

// expected-error @below {{got axis 'laneid' in a shared tile's layout, expected memory only}}
func.func private @space(!tile.buffer<8xf32, shared, #tile.layout<(8) : (1@laneid)>>)

// -----

// expected-error @below {{got space 'constant', expected global, shared, local or tmem}}
func.func private @unknown_space(!tile.buffer<8xf32, constant>)

// -----

// expected-error @below {{got a dynamic extent in dimension 0; a tile's shape is static}}
func.func private @dynamic(!tile.buffer<?x8xf32, global>)

// -----

// expected-error @below {{got extent 0 in dimension 1, expected at least 1}}
func.func private @empty(!tile.buffer<8x0xf32, global>)

// -----

// expected-error @below {{the layout reaches position 63 on axis 'laneid', expected below 32}}
func.func private @lanes(!tile.buffer<64xf32, local, #tile.layout<(64) : (1@laneid)>>)

// -----

func.func @view_space(%A: memref<8x8xf32>) {
  // expected-error @below {{got a memref in the global space, expected the tile's shared}}
  %a = tile.view %A : memref<8x8xf32> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @view_element(%A: memref<8x8xf16>) {
  // expected-error @below {{got a memref of f16, expected the tile's f32}}
  %a = tile.view %A : memref<8x8xf16> to !tile.buffer<8x8xf32, global>
  return
}

// -----

func.func @view_shape(%A: memref<8x4xf32>) {
  // expected-error @below {{got shape [8, 4], expected the tile's [8, 8]}}
  %a = tile.view %A : memref<8x4xf32> to !tile.buffer<8x8xf32, global>
  return
}

// -----

func.func @view_dynamic(%A: memref<?x8xf32>) {
  // expected-error @below {{got a dynamic extent in memref<?x8xf32>; a tile's shape is static}}
  %a = tile.view %A : memref<?x8xf32> to !tile.buffer<8x8xf32, global>
  return
}

// -----

func.func @view_flat(%A: memref<63xf32>) {
  // expected-error @below {{got a memref of 63 elements, expected at least the layout's 64}}
  %a = tile.view %A : memref<63xf32> to !tile.buffer<8x8xf32, global>
  return
}

// -----

func.func @alloc_space() {
  // expected-error @below {{got space global, expected shared or local}}
  %a = tile.alloc : !tile.buffer<8x8xf32, global>
  return
}

// -----

func.func @alloc_alignment() {
  // expected-error @below {{got alignment 12, expected a power of two up to 65536, in bytes}}
  %a = tile.alloc {alignment = 12 : i64} : !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @local_view() {
  %r = tile.alloc : !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
  // expected-error @below {{expected memref<8xf32>: a thread holds 8 registers of this tile}}
  %m = tile.local_view %r : !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>> to memref<16xf32>
  return
}

// -----

func.func @bounds(%A: memref<8x8xf32>) {
  // expected-note @below {{the buffer is !tile.buffer<8x8xf32, global>}}
  %a = tile.view %A : memref<8x8xf32> to !tile.buffer<8x8xf32, global>
  %s = tile.alloc : !tile.buffer<8x8xf32, shared>
  // expected-error @below {{source region is out of bounds: got [4, 12) in dimension 1, expected within [0, 8)}}
  tile.copy %a[0, 4] [8, 8] to %s scope(warp) : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @extents(%A: memref<8x8xf32>) {
  // expected-note @below {{source is}}
  %a = tile.view %A : memref<8x8xf32> to !tile.buffer<8x8xf32, global>
  // expected-note @below {{destination is}}
  %s = tile.alloc : !tile.buffer<8x8xf32, shared>
  // expected-error @below {{regions differ in extents other than 1: got [4, 8] from the source, [8, 4] in the destination}}
  tile.copy %a[0, 0] [4, 8] to %s[0, 0] [8, 4] scope(warp) : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @elements(%A: memref<8x8xf32>) {
  // expected-note @below {{source is}}
  %a = tile.view %A : memref<8x8xf32> to !tile.buffer<8x8xf32, global>
  // expected-note @below {{destination is}}
  %s = tile.alloc : !tile.buffer<8x8xf16, shared>
  // expected-error @below {{copies one element type: got f32 from the source, f16 in the destination}}
  tile.copy %a to %s scope(warp) : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf16, shared>
  return
}

// -----

func.func @option(%A: memref<8x8xf32>) {
  %a = tile.view %A : memref<8x8xf32> to !tile.buffer<8x8xf32, global>
  %s = tile.alloc : !tile.buffer<8x8xf32, shared>
  // expected-error @below {{got unknown option 'nonsense', expected one of variant, cache, l1_evict, l2_evict, prefetch_size}}
  tile.copy %a to %s scope(warp) {nonsense = 3 : i64} : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @region(%A: memref<8x8xf32>) {
  %a = tile.view %A : memref<8x8xf32> to !tile.buffer<8x8xf32, global>
  %s = tile.alloc : !tile.buffer<8x8xf32, shared>
  // expected-error @below {{got a source region whose offsets or sizes are not one per dimension of the buffer}}
  tile.copy %a[0] [8] to %s scope(warp) : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @rounds(%A: memref<8x8xf32>) {
  %a = tile.view %A : memref<8x8xf32> to !tile.buffer<8x8xf32, global>
  %s = tile.alloc : !tile.buffer<8x8xf32, shared>
  // expected-error @below {{got rounds x threads x vector = [3, 32, 1], expected 64 elements in all}}
  tile.vector_copy "gmem_smem" %a as #tile.layout<(64) : (1)> to %s as #tile.layout<(64) : (1)>
    scope(warp) rounds(3) threads(32) vector(1) : !tile.buffer<8x8xf32, global> to !tile.buffer<8x8xf32, shared>
  return
}

// -----

func.func @lanes(%A: memref<32x8xf32>) {
  %a = tile.view %A : memref<32x8xf32> to !tile.buffer<32x8xf32, global>
  %r = tile.alloc : !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
  // expected-error @below {{got an exchange between 3 lanes, expected 2, 4 or 8}}
  tile.vector_copy "reg" %a as #tile.layout<(2, 32, 4) : (4, 8, 1)>
    to %r as #tile.layout<(2, 32, 4) : (4, 1@laneid, 1)> scope(warp) rounds(2) threads(32) vector(4)
    {exchange = 3 : i64, thread_iters = 1 : i64} : !tile.buffer<32x8xf32, global>
    to !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
  return
}

// -----

func.func @lanes_left_out(%A: memref<32x8xf32>, %p: i1) {
  %a = tile.view %A : memref<32x8xf32> to !tile.buffer<32x8xf32, global>
  %r = tile.alloc : !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
  // expected-error @below {{got an exchange between lanes and a predicate, expected one of them}}
  tile.vector_copy "reg" %a as #tile.layout<(2, 32, 4) : (4, 8, 1)>
    to %r as #tile.layout<(2, 32, 4) : (4, 1@laneid, 1)> scope(warp) rounds(2) threads(32) vector(4)
    predicate(%p) {exchange = 2 : i64, thread_iters = 1 : i64} : !tile.buffer<32x8xf32, global>
    to !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
  return
}
