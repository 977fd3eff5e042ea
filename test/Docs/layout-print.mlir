// Layouts are printed as docs/ writes them, and the printed form is parsed again.

// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s

// CHECK: @dense(!tile.buffer<4x6xf16, shared>)
func.func private @dense(!tile.buffer<4x6xf16, shared, #tile.layout<(4, 6) : (6, 1)>>)
// CHECK: @nested(!tile.buffer<8x8xf16, shared, #tile.layout<(4, 2, 8) : (2, 1, 8)>>)
func.func private @nested(!tile.buffer<8x8xf16, shared, #tile.layout<((2, 4), 8) : ((1, 2), 8)>>)
// CHECK: @everything(!tile.buffer<8x16xf16, local, #tile.layout<(8, 2, 4, 2) : (4@laneid, 1@warpid, 1@laneid, 1) + R(2 : 4@warpid) + 5@warpid>>)
func.func private @everything(!tile.buffer<8x16xf16, local, #tile.layout<(8, 2, 4, 2) : (4@laneid, 1@warpid, 1@laneid, 1) + R(2 : 4@warpid) + 5@warpid>>)
// CHECK: @replicas(!tile.buffer<4x8xf16, local, #tile.layout<(4, 8) : (1@laneid, 1) + R((2, 4) : (16@laneid, 4@laneid))>>)
func.func private @replicas(!tile.buffer<4x8xf16, local, #tile.layout<(4, 8) : (1@laneid, 1) + R((2, 4) : (16@laneid, 4@laneid))>>)
// CHECK: @swizzled(!tile.buffer<8x64xf16, shared, #tile.layout<(8, 64) : (64, 1) + 64, swizzle<base = 3, bits = 3, shift = 3>>>)
func.func private @swizzled(!tile.buffer<8x64xf16, shared, #tile.layout<(8, 64) : (64, 1) + 64, swizzle<base = 3, bits = 3, shift = 3>>>)
