// Layouts are parsed with the grammar of tile_layout; errors have the line and the column of the mistake.
// RUN: split-file %s %t
// RUN: tile-opt %t/read.mlir | FileCheck %s --check-prefix=READ
// RUN: not tile-opt %t/wrong.mlir --split-input-file --mlir-print-op-on-diagnostic=false 2>&1 | FileCheck %s

//--- read.mlir
// Comments, line breaks and hexadecimal numbers; no two texts of one layout.
#rows = #tile.layout<(0x20, // lanes
                      (2, 4)) // a digit each
                     : (1@laneid, (- 1,
                                   -0x2)) + 7 + 0@warpid>
// READ: func.func private @rows(!tile.buffer<32x8xf32, local, #tile.layout<(32, 4, 2) : (1@laneid, -2, -1) + 7>>)
func.func private @rows(!tile.buffer<32x8xf32, local, #rows>)
// READ: func.func private @swizzled(!tile.buffer<512xf16, shared, #tile.layout<(512) : (1) + 64, swizzle<base = 3, bits = 3, shift = 3>>>)
func.func private @swizzled(!tile.buffer<512xf16, shared, #tile<layout<512 : 1, swizzle<base = 3, bits = 3, shift = 3, inner> + 64>>>)
// The first '?' of the strides is s0, the second s1.
// READ: func.func private @strides(!tile.buffer<?x4x2xf16, global, #tile.layout<(?, 4, 2) : (?, ?, 1)>>, !tile.buffer<?x4x2xf16, global, #tile.layout<(?, 4, 2) : (1@s0, 1@s0, 1)>>)
func.func private @strides(!tile.buffer<?x4x2xf16, global, #tile.layout<(?, 4, 2) : (1@s0, 1@s1, 1)>>,
  !tile.buffer<?x4x2xf16, global, #tile.layout<(?, 4, 2) : (1@s0, ?, 1)>>)

//--- wrong.mlir
// CHECK: wrong.mlir:2:72: error: got ')', expected an extent (an integer of 64 bits) or '?'
func.func private @extents(!tile.buffer<8xf32, global, #tile.layout<(8,) : (1)>>)
// -----
// CHECK: wrong.mlir:5:75: error: got axis 'lane', expected one of m, bx
func.func private @axis(!tile.buffer<8xf32, global, #tile.layout<(8) : (1@lane)>>)
// -----
// CHECK: wrong.mlir:9:43: error: got '%', expected a replica 'R(..)' or an offset (an integer of 64 bits)
#swizzled = #tile.layout<(8, // rows
                          64) : (64, 1) + %0>
