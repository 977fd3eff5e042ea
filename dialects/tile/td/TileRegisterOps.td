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
    Both layouts number the same elements by the same digits, one for each iter. A digit is part of the register index, or
    of the thread's number among the `threads` of the scope. The replica gives the threads that hold the same elements; a
    thread that no combination of digits, replica and offset gives holds nothing. `exchanges` lists pairs, in the order in
    which they are applied: a digit in registers, counted from the slowest, and the power of two in the thread's number
    with which it is swapped. After the exchanges, one shuffle brings each word from the lane that holds it, unless that is
    already the right lane. The last `packed` digits, of two values each, share a 32-bit word.

    Lane `t` holds elements `2t` and `2t + 1`, and receives `t` and `t + 32`. First, lanes 16 apart exchange an element;
    then lane `t` takes what lane `t floordiv 2 + 16 (t mod 2)` holds:

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
