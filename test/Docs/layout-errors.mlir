// The errors for invalid layouts.

// RUN: tile-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{got 1 strides, expected 2, one for each extent}}
func.func private @one_of_each(!tile.buffer<4x8xf16, shared, #tile.layout<(4, 8) : (8)>>)

// -----

// expected-error @+1 {{iter 1 has extent 0; extents are at least 1}}
func.func private @extents(!tile.buffer<4x6xf16, shared, #tile.layout<(4, 0) : (8, 1)>>)

// -----

// expected-error @+1 {{the layout reaches address -5 on axis 'm'; addresses start at 0}}
func.func private @addresses(!tile.buffer<4x6xf16, shared, #tile.layout<(4, 6) : (6, -1)>>)

// -----

// expected-error @+1 {{got a layout of 20 elements, expected 24 for shape 4x6}}
func.func private @sizes(!tile.buffer<4x6xf16, shared, #tile.layout<(4, 5) : (5, 1)>>)

// -----

// expected-error @+1 {{got axis 'lane', expected one of m, bx, by, bz, cbx, cby, cbz, tx, warpid, wgid, wid_in_wg, tid_in_wg, laneid, TLane, TCol}}
func.func private @names(!tile.buffer<4x6xf16, local, #tile.layout<(4, 6) : (1@lane, 1)>>)

// -----

// expected-error @+1 {{got axis 'laneid' in a shared tile's layout, expected memory only}}
func.func private @spaces(!tile.buffer<4x6xf16, shared, #tile.layout<(4, 6) : (1@laneid, 1)>>)

// -----

// expected-error @+1 {{disconnected scope chain: 'laneid' counts up to a warp, but 'wgid' starts at a warpgroup}}
func.func private @chains(!tile.buffer<4x6xf16, local, #tile.layout<(4, 6) : (1@wgid, 1@laneid)>>)

// -----

// expected-error @+1 {{swizzle<base = 3, bits = 3, shift = 2> is malformed: got a shift of 2, expected at least the 3 bits that change}}
func.func private @swizzles(!tile.buffer<4x6xf16, shared, #tile.layout<(4, 6) : (6, 1), swizzle<base = 3, bits = 3, shift = 2>>>)

// -----

// expected-error @+1 {{got a swizzle in a local tile's layout; swizzles are for addressed memory}}
func.func private @registers(!tile.buffer<4x6xf16, local, #tile.layout<(4, 6) : (6, 1), swizzle<base = 1, bits = 1, shift = 1>>>)

// -----

// expected-error @+1 {{got a replica in memory; replicas are on thread axes or in tensor memory}}
func.func private @replicas(!tile.buffer<4x6xf16, shared, #tile.layout<(4, 6) : (6, 1) + R(2 : 24)>>)
