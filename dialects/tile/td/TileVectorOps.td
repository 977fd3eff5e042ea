//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Copies by loads and stores of vectors, before and after their width is chosen.

#ifndef TILE_VECTOR_OPS_TD
#define TILE_VECTOR_OPS_TD

include "TileStageOps.td"

def Tile_MatchedCopyOp : Tile_StageOp<"matched_copy", !con(
    (ins Optional<I1>:$predicate), Tile_MaskOperands, (ins UnitAttr:$zero_fill,
         ConfinedAttr<I64Attr, [IntPositive]>:$threads, OptionalAttr<I64Attr>:$thread_iters,
         OptionalAttr<DenseI64ArrayAttr>:$ranks, OptionalAttr<DenseI64ArrayAttr>:$guards,
         OptionalAttr<I64Attr>:$forced_bits, OptionalAttr<Tile_ConvertAttr>:$convert), Tile_Effect, Tile_MaskOptions,
    Tile_CacheOptions),
    Tile_Issues> {
  let summary = "a copy whose two layouts match: both count the same elements in the same order";
  let description = [{
    The result of `--tile-align-layouts` for a `tile.copy` that will be lowered to loads and stores. Both
    layouts describe the region, not the buffer, and number the same elements in the order in which
    the copy will visit them, with the same extents where the two sides have a common refinement; offsets
    count from the buffer's first element. The leading `thread_iters` iters assign elements to threads (on
    the register side they carry their thread axis); without them the next pass distributes the elements over the threads.
    With `ranks = array<i64: first, n, s, …>` only the threads `first + i * s + …` of the scope, `i` below `n`, share the
    copy, in that order, the last pair fastest; the other threads take no part. Only threads `t` with
    `(t floordiv d) mod n == 0` for each pair `d, n` of `guards` take part. Each run-time offset adds
    `(value floordiv d) * stride` elements. For an asynchronous copy (`"ldgsts"`) the op only issues the
    copy. Threads whose `predicate` is false take no part, or write zeros with `zero_fill`.

    A `masked` copy has a limit for each dimension of a buffer that a region may leave: the begin of the region and the
    extent of the buffer. `limited` gives for each limit the side (0 is the source), the dimension of the region, not
    counting dimensions of extent 1 (-1 stands for one of these), and an offset; `coordinates` gives extent, dimension and
    step of each digit of a position. Element `x` is copied where `0 <= begin + offset + coordinate(x) < extent` for all
    limits; where only limits of the source fail, it is filled.

    ```mlir
    tile.matched_copy "gmem_smem" %a[%row * 32] as #tile.layout<(256) : (1)> to %s as #tile.layout<(256) : (1)>
      scope(warp) threads(32) : !tile.buffer<32x32xf32, global> to !tile.buffer<8x32xf32, shared>
    ```

    The rows from `%row` on, of a buffer of 32 rows:

    ```mlir
    tile.matched_copy "gmem_smem" %a[%row * 32] as #tile.layout<(8, 32) : (32, 1)>
      to %s as #tile.layout<(8, 32) : (32, 1)> scope(warp) threads(32) masked(%row, %c32) fill(%zero : f32)
      {limited = array<i64: 0, 0, 0>, coordinates = array<i64: 8, 0, 1, 32, 0, 0>}
      : !tile.buffer<32x32xf32, global> to !tile.buffer<8x32xf32, shared>
    ```

    A copy by the upper half of the warp:

    ```mlir
    tile.matched_copy "gmem_smem" %a[%row * 32] as #tile.layout<(256) : (1)> to %s as #tile.layout<(256) : (1)>
      scope(warp) threads(16) {ranks = array<i64: 16, 16, 1>}
      : !tile.buffer<32x32xf32, global> to !tile.buffer<8x32xf32, shared>
    ```
  }];
  let assemblyFormat = [{
    $variant $src `` custom<Terms>($srcOffsets, $srcTerms) `as` qualified($srcLayout)
    `to` $dst `` custom<Terms>($dstOffsets, $dstTerms) `as` qualified($dstLayout)
    `scope` `(` $scope `)` `threads` `(` $threads `)` (`predicate` `(` $predicate^ `)`)? `` custom<Convert>($convert)
    `` custom<Reduce>($reduce) (`filled` $filled^)? (`masked` `(` $limits^ `)`)? (`fill` `(` $filler^ `:` type($filler) `)`)?
    attr-dict `:` qualified(type($src)) `to` qualified(type($dst))
  }];
}

def Tile_VectorCopyOp : Tile_StageOp<"vector_copy", !con(
    (ins Optional<I1>:$predicate), Tile_MaskOperands, (ins UnitAttr:$zero_fill,
         ConfinedAttr<I64Attr, [IntPositive]>:$rounds, ConfinedAttr<I64Attr, [IntPositive]>:$threads,
         ConfinedAttr<I64Attr, [IntPositive]>:$vector, OptionalAttr<I64Attr>:$last_threads,
         OptionalAttr<I64Attr>:$thread_iters, OptionalAttr<DenseI64ArrayAttr>:$ranks, OptionalAttr<I64Attr>:$exchange,
         OptionalAttr<DenseI64ArrayAttr>:$guards, OptionalAttr<Tile_ConvertAttr>:$convert,
         OptionalAttr<DenseI64ArrayAttr>:$accesses), Tile_Effect, Tile_MaskOptions, Tile_CacheOptions),
    Tile_Issues> {
  let summary = "a copy split into rounds, threads and vectors";
  let description = [{
    The result of `--tile-vectorize-copy`. In round `f` thread `t` of the scope moves the `vector` elements
    that start at linear index `(f * threads + t) * vector` in both layouts; they are contiguous
    and aligned on both sides. Only the first `last_threads` threads take part in the last round; without the
    attribute all do. The `thread_iters` iters before the last one count only threads; without the
    attribute, rounds and threads share an iter. With `ranks`, as in `tile.matched_copy`, `t` is the rank
    of a thread among those that share the copy. In the variant `"ldgsts"` each vector is one
    `cp.async`; in all others it is a load and a store. With `exchange = n` (2, 4 or 8) lanes load or store
    parts of each other's runs of `n` vectors in global memory, so that adjacent lanes access whole lines, and
    transpose them with shuffles. Where elements are converted, `accesses` gives the numbers of loads and of stores per
    vector; each of these is contiguous and aligned.

    ```mlir
    tile.vector_copy "gmem_smem" %a as #tile.layout<(8, 32, 4) : (128, 4, 1)>
      to %s as #tile.layout<(8, 32, 4) : (128, 4, 1)> scope(warp) rounds(8) threads(32) vector(4)
      : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    tile.vector_copy "gmem_smem" %a as #tile.layout<(4, 32, 8) : (256, 8, 1)>
      to %h as #tile.layout<(4, 32, 8) : (256, 8, 1)> scope(warp) rounds(4) threads(32) vector(8)
      {accesses = array<i64: 2, 1>} : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf16, shared>
    ```

    With `reduce`, `accesses` counts reductions instead of stores. A `filled` copy reads nothing, and names the same side
    twice:

    ```mlir
    tile.vector_copy "gmem_smem" %s as #tile.layout<(8, 32, 4) : (128, 4, 1)>
      to %a as #tile.layout<(8, 32, 4) : (128, 4, 1)> scope(warp) rounds(8) threads(32) vector(4) reduce(add)
      : !tile.buffer<32x32xf32, shared> to !tile.buffer<32x32xf32, global>
    tile.vector_copy "fill" %s as #tile.layout<(8, 32, 4) : (128, 4, 1)>
      to %s as #tile.layout<(8, 32, 4) : (128, 4, 1)> scope(warp) rounds(8) threads(32) vector(4) filled fill(%zero : f32)
      : !tile.buffer<32x32xf32, shared> to !tile.buffer<32x32xf32, shared>
    ```

    24 elements are 6 vectors, moved by the first 6 lanes:

    ```mlir
    tile.vector_copy "gmem_smem" %a as #tile.layout<(6, 4) : (4, 1)> to %s as #tile.layout<(6, 4) : (4, 1)>
      scope(warp) rounds(1) threads(32) vector(4) {last_threads = 6 : i64}
      : !tile.buffer<4x6xf32, global> to !tile.buffer<4x6xf32, shared>
    ```
  }];
  let assemblyFormat = [{
    $variant $src `` custom<Terms>($srcOffsets, $srcTerms) `as` qualified($srcLayout)
    `to` $dst `` custom<Terms>($dstOffsets, $dstTerms) `as` qualified($dstLayout)
    `scope` `(` $scope `)` `rounds` `(` $rounds `)` `threads` `(` $threads `)` `vector` `(` $vector `)`
    (`predicate` `(` $predicate^ `)`)? `` custom<Convert>($convert)
    `` custom<Reduce>($reduce) (`filled` $filled^)? (`masked` `(` $limits^ `)`)? (`fill` `(` $filler^ `:` type($filler) `)`)?
    attr-dict `:` qualified(type($src)) `to` qualified(type($dst))
  }];
}

#endif // TILE_VECTOR_OPS_TD
