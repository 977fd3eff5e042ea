// The A operand of mma.sync.m16n8k16, with the layout in docs/layouts.md: one ldmatrix.x4 loads each register i of each lane
// according to the formula of the PTX ISA: row groupID, plus 8 in registers 2, 3, 6 and 7; column 2 * threadID + (i & 1),
// plus 8 from register 4 on. The element at (row, column) is the number 16 * row + column.

// RUN: split-file %s %t
// RUN: %python %t/expected.py %t/expected.npy
// RUN: tile-run %t/kernel.mlir --arg i16[16x16]=iota --arg i16[32x8]=poison --expect 1=%t/expected.npy | FileCheck %s
// CHECK: ldmatrix.sync.aligned.m8n8.x4.shared.b16 1

//--- expected.py
import struct
import sys

numbers = []
for lane in range(32):
    for i in range(8):
        row = lane >> 2 if i in (0, 1, 4, 5) else (lane >> 2) + 8
        column = lane % 4 * 2 + (i & 1) + (8 if i >= 4 else 0)
        numbers.append(16 * row + column)
header = "{'descr': '<i2', 'fortran_order': False, 'shape': (32, 8), }".ljust(117) + "\n"
with open(sys.argv[1], "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack("<256h", *numbers))

//--- kernel.mlir
!global = !tile.buffer<16x16xi16, global>
!shared = !tile.buffer<16x16xi16, shared>
!operand = !tile.buffer<16x16xi16, local, #tile.layout<(2, 8, 2, 4, 2) : (2, 4@laneid, 4, 1@laneid, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @registers(%A: memref<16x16xi16>, %B: memref<32x8xi16>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<16x16xi16> to !global
    %s = tile.alloc : !shared
    %r = tile.alloc : !operand
    tile.copy %a to %s scope(warp) : !global to !shared
    gpu.barrier
    tile.copy %s to %r scope(warp) : !shared to !operand
    %m = tile.local_view %r : !operand to memref<8xi16>
    %lane = gpu.lane_id
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    scf.for %i = %c0 to %c8 step %c1 {
      %v = memref.load %m[%i] : memref<8xi16>
      memref.store %v, %B[%lane, %i] : memref<32x8xi16>
    }
    gpu.return
  }
}
