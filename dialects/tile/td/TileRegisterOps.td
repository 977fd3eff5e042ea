//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Copies between registers.

#ifndef TILE_REGISTER_OPS_TD
#define TILE_REGISTER_OPS_TD

include "TileStageOps.td"

def Tile_RegisterCopyOp : Tile_StageOp<"register_copy",
    (ins ConfinedAttr<I64Attr, [IntPositive]>:$threads, OptionalAttr<DenseI64ArrayAttr>:$exchanges,
         OptionalAttr<I64Attr>:$packed, OptionalAttr<Tile_ConvertAttr>:$convert)> {
  let summary = "a copy between registers by moves, selects and shuffles";
  let description = [{
    Both layouts count the same elements by the same digits. Each digit is in the register index, or in bits of the number of
    a thread among the `threads` of the scope; threads that hold the same are in the replica, and threads that hold
    nothing are those that no digit, replica or offset gives. `exchanges` are pairs of a digit, counted from the slowest,
    that is in registers, and the power of two of a thread's number with which it changes places, in order. After these,
    each word comes from the lane that has it, by one shuffle, if that is another one. The last `packed` digits, of two
    positions each, share a word of 32 bits.

    Lane `t` has elements `2t` and `2t + 1`, and gets `t` and `t + 32`. First lanes 16 apart change an element; then lane
    `t` takes what lane `t floordiv 2 + 16 (t mod 2)` has:

    ```mlir
    tile.register_copy "shuffle" %p as #tile.layout<(2, 2, 2, 2, 2, 2) : (16@laneid, 8@laneid, 4@laneid, 2@laneid, 1@laneid, 1)>
      to %q as #tile.layout<(2, 2, 2, 2, 2, 2) : (1, 16@laneid, 8@laneid, 4@laneid, 2@laneid, 1@laneid)>
      scope(warp) threads(32) {exchanges = array<i64: 5, 16>}
      : !tile.buffer<64xf32, local, #tile.layout<(32, 2) : (1@laneid, 1)>>
      to !tile.buffer<64xf32, local, #tile.layout<(2, 32) : (1, 1@laneid)>>
    ```
  }];
  let assemblyFormat = [{
    $variant $src `` custom<Terms>($srcOffsets, $srcTerms) `as` qualified($srcLayout)
    `to` $dst `` custom<Terms>($dstOffsets, $dstTerms) `as` qualified($dstLayout)
    `scope` `(` $scope `)` `threads` `(` $threads `)` `` custom<Convert>($convert) attr-dict
    `:` qualified(type($src)) `to` qualified(type($dst))
  }];
}

#endif // TILE_REGISTER_OPS_TD
