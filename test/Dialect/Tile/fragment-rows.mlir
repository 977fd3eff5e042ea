// Values of rows and columns of sums have the layouts that reductions give: each name is the layout beside it.
// RUN: tile-opt %s | tile-opt | FileCheck %s
// CHECK: #tile.fragment<mma.m16n8k16.rows>
// CHECK: #tile.fragment<mma.m16n8k16.columns>
// CHECK: #tile.fragment<mma.m16n8k16.rows over (2, 2) warps>

func.func @a(%a: !tile.buffer<16x1xf32, local, #tile.fragment<mma.m16n8k16.rows>>, %b: !tile.buffer<1x8xf32, local, #tile.fragment<mma.m16n8k16.columns>>, %c: !tile.buffer<64x1xf32, local, #tile.fragment<mma.m16n8k16.rows over (2, 2) warps>>) {
  %x = tile.cast %a : !tile.buffer<16x1xf32, local, #tile.fragment<mma.m16n8k16.rows>> to !tile.buffer<16x1xf32, local, #tile.layout<(2, 8, 1) : (1, 4@laneid, 1) + R(4 : 1@laneid)>>
  %y = tile.cast %b : !tile.buffer<1x8xf32, local, #tile.fragment<mma.m16n8k16.columns>> to !tile.buffer<1x8xf32, local, #tile.layout<(1, 4, 2) : (1, 1@laneid, 1) + R(8 : 4@laneid)>>
  %z = tile.cast %c : !tile.buffer<64x1xf32, local, #tile.fragment<mma.m16n8k16.rows over (2, 2) warps>> to !tile.buffer<64x1xf32, local, #tile.layout<(2, 2, 2, 8, 1) : (2@warpid, 2, 1, 4@laneid, 1) + R((2, 4) : (1@warpid, 1@laneid))>>
  return
}
