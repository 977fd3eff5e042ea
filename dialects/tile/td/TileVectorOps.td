//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Copies by loads and stores of vectors, before and after their width is known.

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
    What `--tile-align-layouts` leaves of a `tile.copy` that will be done by loads and stores. Both
    layouts are of the region, not of the buffer, and count the same elements in the order in which
    the copy will walk them, by the same extents where they have any in common; offsets count from the
    buffer's first element. The leading `thread_iters` iters say which thread does what (they carry
    their thread axis on the register side); without them the threads are shared out by the next pass.
    With `ranks = array<i64: first, n, s, …>` only the threads `first + i * s + …` of the scope, `i` below `n`, share the
    copy, in that order, the last pair fastest; any other takes no part. Only threads `t` with
    `(t floordiv d) mod n == 0` for each pair `d, n` of `guards` take part. Run-time offsets add
    `(value floordiv d) * stride` elements each. Of an asynchronous copy (`"ldgsts"`) the op is the issue
    only. Threads whose `predicate` is false take no part, or write zeros with `zero_fill`.

    A `masked` copy names begin and extent of each dimension that a region may leave. `limited` says of each the side
    (0 is the source), the dimension of the region, extents of 1 left out (-1 for one of these), and an offset;
    `coordinates` are extent, dimension and step of each digit of a position. Element `x` is copied where
    `0 <= begin + offset + coordinate(x) < extent` for all limits; where only the source's do not hold, it is filled.

    ```mlir
    tile.matched_copy "gmem_smem" %a[%row * 32] as #tile.layout<(256) : (1)> to %s as #tile.layout<(256) : (1)>
      scope(warp) threads(32) : !tile.buffer<32x32xf32, global> to !tile.buffer<8x32xf32, shared>
    ```

    Rows that begin at `%row`, of a buffer of 32:

    ```mlir
    tile.matched_copy "gmem_smem" %a[%row * 32] as #tile.layout<(8, 32) : (32, 1)>
      to %s as #tile.layout<(8, 32) : (32, 1)> scope(warp) threads(32) masked(%row, %c32) fill(%zero : f32)
      {limited = array<i64: 0, 0, 0>, coordinates = array<i64: 8, 0, 1, 32, 0, 0>}
      : !tile.buffer<32x32xf32, global> to !tile.buffer<8x32xf32, shared>
    ```

    By the upper half of the warp:

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
  let useCustomPropertiesEncoding = 1;
  let extraClassDefinition = !strconcat(Tile_StageVerified, Tile_InBytecode);
  let extraClassDeclaration = [{
    // Shows the attributes in the order of bytecode.
    template <typename Visitor>
    static void visitProperties(Visitor &visitor, Properties &prop, uint64_t version) {
      visitor.optional(prop.cache);
      visitor.required(prop.dstLayout);
      visitor.required(prop.dstTerms);
      visitor.optional(prop.forced_bits);
      visitor.optional(prop.guards);
      visitor.optional(prop.l1_evict);
      visitor.optional(prop.l2_evict);
      visitor.segmentsWithin(prop.operandSegmentSizes);
      visitor.optional(prop.prefetch_size);
      visitor.required(prop.scope);
      visitor.required(prop.srcLayout);
      visitor.required(prop.srcTerms);
      visitor.optional(prop.thread_iters);
      visitor.required(prop.threads);
      visitor.required(prop.variant);
      visitor.optional(prop.zero_fill);
      visitor.segmentsBehind(prop.operandSegmentSizes);
      if (version < 3)
        return;
      visitor.optional(prop.ranks);
      if (version < 4)
        return;
      visitor.optional(prop.convert);
      if (version < 5)
        return;
      visitor.optional(prop.coordinates);
      visitor.optional(prop.limited);
      if (version < 6)
        return;
      visitor.optional(prop.filled);
      visitor.optional(prop.reduce);
    }
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
    What `--tile-vectorize-copy` leaves. In round `f` thread `t` of the scope moves the `vector` elements
    whose first has the linear index `(f * threads + t) * vector` in both layouts; they are contiguous
    and aligned on both sides. Only the first `last_threads` threads take part in the last round; without the
    attribute all do. The `thread_iters` iters before the last count threads alone; where the
    attribute is missing, rounds and threads share an iter. With `ranks`, as in `tile.matched_copy`, `t` is the rank
    of a thread among those that share the copy. Of the variant `"ldgsts"` each vector is one
    `cp.async`; any other is a load and a store. With `exchange = n` (2, 4 or 8) lanes fetch or write
    parts of each other's runs of `n` vectors in global memory, so that adjacent lanes use whole lines, and
    transpose them with shuffles. Where elements are converted, `accesses` says how many loads and stores a vector
    is, each of which is contiguous and aligned.

    ```mlir
    tile.vector_copy "gmem_smem" %a as #tile.layout<(8, 32, 4) : (128, 4, 1)>
      to %s as #tile.layout<(8, 32, 4) : (128, 4, 1)> scope(warp) rounds(8) threads(32) vector(4)
      : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    tile.vector_copy "gmem_smem" %a as #tile.layout<(4, 32, 8) : (256, 8, 1)>
      to %h as #tile.layout<(4, 32, 8) : (256, 8, 1)> scope(warp) rounds(4) threads(32) vector(8)
      {accesses = array<i64: 2, 1>} : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf16, shared>
    ```

    With `reduce`, `accesses` counts reductions instead of stores; a plan that is `filled` reads nothing, and has one side
    twice:

    ```mlir
    tile.vector_copy "gmem_smem" %s as #tile.layout<(8, 32, 4) : (128, 4, 1)>
      to %a as #tile.layout<(8, 32, 4) : (128, 4, 1)> scope(warp) rounds(8) threads(32) vector(4) reduce(add)
      : !tile.buffer<32x32xf32, shared> to !tile.buffer<32x32xf32, global>
    tile.vector_copy "fill" %s as #tile.layout<(8, 32, 4) : (128, 4, 1)>
      to %s as #tile.layout<(8, 32, 4) : (128, 4, 1)> scope(warp) rounds(8) threads(32) vector(4) filled fill(%zero : f32)
      : !tile.buffer<32x32xf32, shared> to !tile.buffer<32x32xf32, shared>
    ```

    24 elements are 6 vectors, of the first 6 lanes:

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
  let useCustomPropertiesEncoding = 1;
  let extraClassDefinition = !strconcat(Tile_StageVerified, Tile_InBytecode);
  let extraClassDeclaration = [{
    // Shows the attributes in the order of bytecode.
    template <typename Visitor>
    static void visitProperties(Visitor &visitor, Properties &prop, uint64_t version) {
      visitor.optional(prop.cache);
      visitor.required(prop.dstLayout);
      visitor.required(prop.dstTerms);
      visitor.optional(prop.exchange);
      visitor.optional(prop.guards);
      visitor.optional(prop.l1_evict);
      visitor.optional(prop.l2_evict);
      visitor.segmentsWithin(prop.operandSegmentSizes);
      visitor.optional(prop.prefetch_size);
      visitor.required(prop.rounds);
      visitor.required(prop.scope);
      visitor.required(prop.srcLayout);
      visitor.required(prop.srcTerms);
      visitor.optional(prop.thread_iters);
      visitor.required(prop.threads);
      visitor.required(prop.variant);
      visitor.required(prop.vector);
      visitor.optional(prop.zero_fill);
      visitor.segmentsBehind(prop.operandSegmentSizes);
      if (version < 3)
        return;
      visitor.optional(prop.last_threads);
      visitor.optional(prop.ranks);
      if (version < 4)
        return;
      visitor.optional(prop.accesses);
      visitor.optional(prop.convert);
      if (version < 5)
        return;
      visitor.optional(prop.coordinates);
      visitor.optional(prop.limited);
      if (version < 6)
        return;
      visitor.optional(prop.filled);
      visitor.optional(prop.reduce);
    }
  }];
}

#endif // TILE_VECTOR_OPS_TD
