// Malformed layouts and types are errors at their location that say what was got and what was expected.
// RUN: tile-opt %s --split-input-file --verify-diagnostics --mlir-print-op-on-diagnostic=false

// expected-error @below {{got axis 'lane', expected one of m, bx, by, bz, cbx, cby, cbz, tx, warpid, wgid, wid_in_wg, tid_in_wg, laneid, TLane, TCol}}
func.func private @axis(!tile.buffer<8xf32, local, #tile.layout<(8) : (1@lane)>>)

// -----

// expected-error @below {{got 1 strides, expected 2, one for each extent}}
func.func private @ranks(!tile.buffer<8xf32, global, #tile.layout<(4, 2) : (1)>>)

// -----

// expected-error @below {{got strides nested as (x, x, x), expected ((x, x), x), as the extents are}}
func.func private @nesting(!tile.buffer<8x2xf32, global, #tile.layout<((4, 2), 2) : (1, 4, 8)>>)

// -----

// expected-error @below {{iter 0 has extent 0; extents are at least 1}}
func.func private @extent(!tile.buffer<8xf32, global, #tile.layout<(0) : (1)>>)

// -----

// expected-error @below {{got size 9223372036854775807 * 8, expected less than 2^62 = 4611686018427387904}}
func.func private @huge(!tile.buffer<8xf32, global, #tile.layout<(9223372036854775807, 8) : (1, 1)>>)

// -----

// expected-error @below {{got a second offset, 2, on axis 'm', expected one for each axis}}
func.func private @offsets(!tile.buffer<8xf32, global, #tile.layout<(8) : (1) + 1 + 2>>)

// -----

// expected-error @below {{swizzle<base = 3, bits = 4, shift = 3> is malformed}}
func.func private @swizzle(!tile.buffer<8x64xf16, shared, #tile.layout<(8, 64) : (64, 1), swizzle<base = 3, bits = 4, shift = 3>>>)

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

// expected-error @below {{got '?' in a shared tile, expected it in a global one only}}
func.func private @dynamic(!tile.buffer<?x8xf32, shared>)

// -----

// expected-error @below {{got a layout that does not fit shape ?x8: got 0 as the number of open iters; expected 1; each '?' is an iter of its own}}
func.func private @open_shape(!tile.buffer<?x8xf32, global, #tile.layout<(8, 8) : (8, 1)>>)

// -----

// expected-error @below {{got a layout that does not fit shape ?x8: got a shape of 8 elements; expected the layout's 4; each '?' is an iter of its own}}
func.func private @open_rest(!tile.buffer<?x8xf32, global, #tile.layout<(?, 4) : (8, 1)>>)

// -----

// expected-error @below {{got stride -8 for an extent '?', expected at least 0}}
func.func private @open_downwards(!tile.buffer<?x8xf32, global, #tile.layout<(?, 8) : (-8, 1)>>)

// -----

// expected-error @below {{got axis 's0' in a shared tile's layout, expected memory only}}
func.func private @stride_in_shared(!tile.buffer<8x8xf32, shared, #tile.layout<(8, 8) : (?, 1)>>)

// -----

// expected-error @below {{got axis 's1' without 's0', expected the run-time strides from s0 on}}
func.func private @stride_without_another(!tile.buffer<8x8xf32, global, #tile.layout<(8, 8) : (1@s1, 1)>>)

// -----

// expected-error @below {{got 9 strides '?', expected at most 8}}
func.func private @strides(!tile.buffer<1x1x1x1x1x1x1x1x1xf32, global, #tile.layout<(1, 1, 1, 1, 1, 1, 1, 1, 1) : (?, ?, ?, ?, ?, ?, ?, ?, ?)>>)

// -----

// expected-error @below {{got an offset '?', expected a number; run-time offsets belong in the region of a copy}}
func.func private @offset(!tile.buffer<8xf32, global, #tile.layout<(8) : (1) + ?>>)

// -----

// expected-error @below {{got extent 0 in dimension 1, expected at least 1}}
func.func private @empty(!tile.buffer<8x0xf32, global>)

// -----

// expected-error @below {{the layout reaches position 63 on axis 'laneid', expected below 32}}
func.func private @lanes(!tile.buffer<64xf32, local, #tile.layout<(64) : (1@laneid)>>)

// -----

// Sizes are multiplied with an overflow check before a layout is built from them.
// expected-error @below {{got size 4611686018427387904 * 2, expected less than 2^62 = 4611686018427387904}}
func.func private @product(!tile.buffer<4611686018427387904x2xf16, global>)

// -----

// expected-error @below {{got size 3000000000 * 3000000000, expected less than 2^62}}
func.func private @square(!tile.buffer<3000000000x3000000000xf16, shared>)

// -----

// expected-error @below {{got size 9223372036854775807, expected less than 2^62}}
func.func private @one(!tile.buffer<9223372036854775807xf16, global>)

// -----

// expected-error @below {{got size 3000000000 * 3000000000, expected less than 2^62}}
func.func private @stated(!tile.buffer<3000000000x3000000000xf16, global, #tile.layout<(3000000000, 3000000000) : (0, 1)>>)

// -----

// expected-error @below {{got address 27670116110564327421, expected less than 2^62}}
func.func private @stride(!tile.buffer<4xf16, global, #tile.layout<(4) : (9223372036854775807)>>)

// -----

// expected-error @below {{got address -27670116110564327424, expected less than 2^62}}
func.func private @negative(!tile.buffer<4xf16, global, #tile.layout<(4) : (-9223372036854775808)>>)

// -----

// expected-error @below {{got address 9223372036854775810, expected less than 2^62}}
func.func private @offset(!tile.buffer<4xf16, global, #tile.layout<(4) : (1) + 9223372036854775807>>)

// -----

// expected-error @below {{got number of copies 9223372036854775807, expected less than 2^62}}
func.func private @copies(!tile.buffer<4xf16, local, #tile.layout<(4) : (1) + R(9223372036854775807 : 1@laneid)>>)

// -----

// expected-error @below {{got '-1', expected the elements that stay together, as a number of bits from 0 to 61}}
func.func private @bits(!tile.buffer<4xf16, shared, #tile.layout<(4) : (1), swizzle<base = -1, bits = 3, shift = 3>>>)

// -----

// expected-error @below {{got '4294967299', expected how many bits are exchanged, from 0 to 61}}
func.func private @many_bits(!tile.buffer<4xf16, shared, #tile.layout<(4) : (1), swizzle<base = 3, bits = 4294967299, shift = 3>>>)

// -----

// expected-error @below {{got element type 'index', expected an integer or a float}}
func.func private @element(!tile.buffer<4xindex, shared>)

// -----

// expected-error @below {{got a second replica, expected one; several digits go into one, as in R((2, 2) : (4, 16))}}
func.func private @replicas(!tile.buffer<2xf16, local, #tile.layout<(2) : (1) + R(2 : 4@laneid) + R(2 : 16@laneid)>>)
