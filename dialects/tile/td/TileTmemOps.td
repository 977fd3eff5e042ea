//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Copies to and from tensor memory by tcgen05.cp, tcgen05.ld and tcgen05.st.

#ifndef TILE_TMEM_OPS_TD
#define TILE_TMEM_OPS_TD

include "TileStageOps.td"

def Tile_TmemCopyOp : Tile_StageOp<"tmem_copy",
    (ins Tile_TmemCopyShapeAttr:$shape, OptionalAttr<Tile_MulticastAttr>:$multicast, ConfinedAttr<I64Attr, [IntPositive]>:$cta_group,
         DenseI64ArrayAttr:$descriptor, ConfinedAttr<I64Attr, [IntNonNegative]>:$tile_iters),
    Tile_Issues> {
  let summary = "a copy of tiles from shared to tensor memory by tcgen05.cp";
  let description = [{
    The first `tile_iters` iters of both layouts number the tiles, one instruction each; the others number the
    rows of one tile and the elements of a row. `descriptor` holds the leading and the stride offset of the shared
    memory descriptor, in units of 16 bytes, and its swizzle mode: 0 to 3 for none, 32, 64 and 128 bytes.
    Run-time offsets count elements in shared memory, and addresses in tensor memory: 1 is a column of 32
    bits, 65536 a lane.

    ```mlir
    tile.tmem_copy "tcgen05_cp" %s as #tile.layout<(32, 16) : (16, 1)>
      to %t as #tile.layout<(32, 16) : (1@TLane, 1@TCol)> scope(thread)
      shape "32x128b" multicast "warpx4" cta_group(1) descriptor [0, 8, 0] tile_iters(0)
      : !tile.buffer<32x16xi8, shared>
      to !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>
    ```
  }];
  let assemblyFormat = [{
    $variant $src `` custom<Terms>($srcOffsets, $srcTerms) `as` qualified($srcLayout)
    `to` $dst `` custom<Terms>($dstOffsets, $dstTerms) `as` qualified($dstLayout)
    `scope` `(` $scope `)` `shape` $shape (`multicast` $multicast^)? `cta_group` `(` $cta_group `)`
    `descriptor` $descriptor `tile_iters` `(` $tile_iters `)` attr-dict
    `:` qualified(type($src)) `to` qualified(type($dst))
  }];
}

def Tile_TmemAccessOp : Tile_StageOp<"tmem_access",
    (ins Tile_TmemAccessShapeAttr:$shape, ConfinedAttr<I64Attr, [IntPositive]>:$num,
         ConfinedAttr<I64Attr, [IntNonNegative]>:$instruction_iters),
    Tile_Issues> {
  let summary = "a copy between tensor memory and registers by tcgen05.ld or tcgen05.st";
  let description = [{
    The first `instruction_iters` iters of both layouts, of the same extents, number the instructions that
    each warp issues; the others number the elements that one instruction of the four warps moves, `num` times the shape.
    Run-time offsets in tensor memory count addresses: 1 is a column of 32 bits, 65536 a lane.

    ```mlir
    tile.tmem_access "tcgen05_ldst" %u as #tile.layout<(128, 4) : (1@TLane, 1@TCol)>
      to %v as #tile.layout<(128, 4) : (1@tid_in_wg, 1)> scope(warpgroup)
      shape "32x32b" num(4) instruction_iters(0)
      : !tile.buffer<128x4xf32, tmem, #tile.layout<(128, 4) : (1@TLane, 1@TCol)>>
      to !tile.buffer<128x4xf32, local, #tile.layout<(128, 4) : (1@tid_in_wg, 1)>>
    ```
  }];
  let assemblyFormat = [{
    $variant $src `` custom<Terms>($srcOffsets, $srcTerms) `as` qualified($srcLayout)
    `to` $dst `` custom<Terms>($dstOffsets, $dstTerms) `as` qualified($dstLayout)
    `scope` `(` $scope `)` `shape` $shape `num` `(` $num `)` `instruction_iters` `(` $instruction_iters `)`
    attr-dict `:` qualified(type($src)) `to` qualified(type($dst))
  }];
}

#endif // TILE_TMEM_OPS_TD
