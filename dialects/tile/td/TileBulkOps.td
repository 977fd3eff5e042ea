//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Copies by cp.async.bulk.

#ifndef TILE_BULK_OPS_TD
#define TILE_BULK_OPS_TD

include "TileStageOps.td"

def Tile_BulkCopyOp : Tile_StageOp<"bulk_copy",
    (ins Tile_Barrier<Optional<AnyType>>:$barrier, Optional<I32>:$remoteCta, OptionalAttr<Tile_L2EvictAttr>:$l2_evict,
         OptionalAttr<Tile_ReduceAttr>:$reduce),
    Tile_Issues> {
  let summary = "a copy of chunks by cp.async.bulk: between global and shared memory, or to another CTA's shared memory";
  let description = [{
    The last iter of both layouts is a chunk: its stride is 1, its size a multiple of 16 bytes, and one instruction copies it.
    The other iters number the chunks. The first thread of the scope issues all instructions. An mbarrier completes a copy
    to shared memory; if the source is in global memory, the issuing thread also arrives on the mbarrier and sets the number
    of bytes to expect. A copy to global memory belongs to the issuing thread's bulk group, which the op does not commit;
    with `reduce` it combines the elements with those in the destination.

    ```mlir
    tile.bulk_copy "dsmem" %s as #tile.layout<(1024) : (1)> to %s as #tile.layout<(1024) : (1)>
      scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%rank)
      : !tile.buffer<32x32xf32, shared> to !tile.buffer<32x32xf32, shared>
    tile.bulk_copy "bulk" %s as #tile.layout<(1024) : (1)> to %a as #tile.layout<(1024) : (1)> scope(cta) reduce(add)
      : !tile.buffer<32x32xf32, shared> to !tile.buffer<32x32xf32, global>
    ```
  }];
  let assemblyFormat = [{
    $variant $src `` custom<Terms>($srcOffsets, $srcTerms) `as` qualified($srcLayout)
    `to` $dst `` custom<Terms>($dstOffsets, $dstTerms) `as` qualified($dstLayout)
    `scope` `(` $scope `)` (`mbarrier` `(` $barrier^ `:` type($barrier) `)`)? (`remote_cta` `(` $remoteCta^ `)`)?
    `` custom<Reduce>($reduce) attr-dict `:` qualified(type($src)) `to` qualified(type($dst))
  }];
}

#endif // TILE_BULK_OPS_TD
