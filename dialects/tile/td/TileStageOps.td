//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// What a tile.copy becomes between the passes: aligned, vectorized, or taken by a variant
// that needs neither.

#ifndef TILE_STAGE_OPS_TD
#define TILE_STAGE_OPS_TD

include "TileOps.td"

// Operands and options that every stage of a copy keeps.
class Tile_StageOp<string mnemonic, dag extra, list<Trait> traits = []> : Tile_Op<mnemonic,
    !listconcat([AttrSizedOperandSegments], traits)> {
  let arguments = !con((ins StrAttr:$variant,
    Tile_Source<>:$src, Variadic<Index>:$srcOffsets, DenseI64ArrayAttr:$srcTerms, Tile_LayoutAttr:$srcLayout,
    Tile_Dest<>:$dst, Variadic<Index>:$dstOffsets, DenseI64ArrayAttr:$dstTerms, Tile_LayoutAttr:$dstLayout,
    Tile_Scope:$scope), extra);
  let hasVerifier = 1;
}

// What a masked copy leaves out: begin and extent of each limit; side (0 the source), dimension (-1 for none) and offset of
// each; extent, dimension and step of each digit of a position.
defvar Tile_MaskOperands = (ins Variadic<Index>:$limits, Optional<AnyType>:$filler);
defvar Tile_MaskOptions = (ins OptionalAttr<DenseI64ArrayAttr>:$limited, OptionalAttr<DenseI64ArrayAttr>:$coordinates);

// What becomes of an element of the destination, where it is not the source's: what the operator makes of both, or what
// fills; then nothing is read, and the source is the destination.
defvar Tile_Effect = (ins OptionalAttr<Tile_ReduceAttr>:$reduce, UnitAttr:$filled);

// Some or all of what the op may be is asynchronous.
defvar Tile_Issues = [MemoryEffects<[MemWrite<Tile_InFlight>]>];

defvar Tile_CacheOptions = (ins OptionalAttr<Tile_CacheOperatorAttr>:$cache, OptionalAttr<Tile_L1EvictAttr>:$l1_evict,
                                OptionalAttr<Tile_L2EvictAttr>:$l2_evict, OptionalAttr<Tile_PrefetchSizeAttr>:$prefetch_size);

def Tile_AlignedCopyOp : Tile_StageOp<"aligned_copy", !con(
    (ins Optional<I1>:$predicate), Tile_MaskOperands, (ins UnitAttr:$zero_fill,
         ConfinedAttr<I64Attr, [IntPositive]>:$threads, OptionalAttr<I64Attr>:$thread_iters,
         OptionalAttr<DenseI64ArrayAttr>:$ranks, OptionalAttr<DenseI64ArrayAttr>:$guards,
         OptionalAttr<I64Attr>:$forced_bits, OptionalAttr<Tile_ConvertAttr>:$convert), Tile_Effect, Tile_MaskOptions,
    Tile_CacheOptions),
    Tile_Issues> {
  let summary = "a copy whose two sides count in the same order";
  let description = [{
    What `--tile-align-copy` leaves of a `tile.copy` that will be done by loads and stores. Both
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
    tile.aligned_copy "gmem_smem" %a[%row * 32] as #tile.layout<(256) : (1)> to %s as #tile.layout<(256) : (1)>
      scope(warp) threads(32) : !tile.buffer<32x32xf32, global> to !tile.buffer<8x32xf32, shared>
    ```

    Rows that begin at `%row`, of a buffer of 32:

    ```mlir
    tile.aligned_copy "gmem_smem" %a[%row * 32] as #tile.layout<(8, 32) : (32, 1)>
      to %s as #tile.layout<(8, 32) : (32, 1)> scope(warp) threads(32) masked(%row, %c32) fill(%zero : f32)
      {limited = array<i64: 0, 0, 0>, coordinates = array<i64: 8, 0, 1, 32, 0, 0>}
      : !tile.buffer<32x32xf32, global> to !tile.buffer<8x32xf32, shared>
    ```

    By the upper half of the warp:

    ```mlir
    tile.aligned_copy "gmem_smem" %a[%row * 32] as #tile.layout<(256) : (1)> to %s as #tile.layout<(256) : (1)>
      scope(warp) threads(16) {ranks = array<i64: 16, 16, 1>}
      : !tile.buffer<32x32xf32, global> to !tile.buffer<8x32xf32, shared>
    ```
  }];
  let useCustomPropertiesEncoding = 1;
  let assemblyFormat = [{
    $variant $src `` custom<Terms>($srcOffsets, $srcTerms) `as` qualified($srcLayout)
    `to` $dst `` custom<Terms>($dstOffsets, $dstTerms) `as` qualified($dstLayout)
    `scope` `(` $scope `)` `threads` `(` $threads `)` (`predicate` `(` $predicate^ `)`)? `` custom<Convert>($convert)
    `` custom<Reduce>($reduce) (`filled` $filled^)? (`masked` `(` $limits^ `)`)? (`fill` `(` $filler^ `:` type($filler) `)`)?
    attr-dict `:` qualified(type($src)) `to` qualified(type($dst))
  }];
  let useCustomPropertiesEncoding = 1;
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
    attribute is missing, rounds and threads share an iter. With `ranks`, as in `tile.aligned_copy`, `t` is the rank
    of a thread among those that share the copy. Of the variant `"ldgsts"` each vector is one
    `cp.async`; any other is a load and a store. With `exchange = n` (2, 4 or 8) lanes fetch or write
    parts of each other's runs of `n` vectors in global memory, so that neighbours use whole lines, and
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
  let useCustomPropertiesEncoding = 1;
  let assemblyFormat = [{
    $variant $src `` custom<Terms>($srcOffsets, $srcTerms) `as` qualified($srcLayout)
    `to` $dst `` custom<Terms>($dstOffsets, $dstTerms) `as` qualified($dstLayout)
    `scope` `(` $scope `)` `rounds` `(` $rounds `)` `threads` `(` $threads `)` `vector` `(` $vector `)`
    (`predicate` `(` $predicate^ `)`)? `` custom<Convert>($convert)
    `` custom<Reduce>($reduce) (`filled` $filled^)? (`masked` `(` $limits^ `)`)? (`fill` `(` $filler^ `:` type($filler) `)`)?
    attr-dict `:` qualified(type($src)) `to` qualified(type($dst))
  }];
  let useCustomPropertiesEncoding = 1;
}

def Tile_MatrixCopyOp : Tile_StageOp<"matrix_copy",
    (ins DenseI64ArrayAttr:$shape, ConfinedAttr<I64Attr, [IntPositive]>:$row_stride, UnitAttr:$transposed,
         OptionalAttr<DenseI64ArrayAttr>:$guards)> {
  let summary = "a copy of 8x8 matrices of 16-bit elements by ldmatrix or stmatrix";
  let description = [{
    Both layouts count in `shape = [warps, 8, 4, instructions, matrices, 2]`: the warp, the row and the
    column pair that a lane holds, the instruction, the matrix in it (1, 2 or 4), and the two elements
    of a register. `row_stride` is the distance in elements of two rows of a matrix in shared memory,
    of its columns when `transposed`.

    ```mlir
    tile.matrix_copy "ldstmatrix" %s as #tile.layout<(1, 8, 4, 1, 2, 2) : (8, 16, 2, 1, 8, 1)>
      to %r as #tile.layout<(1, 8, 4, 1, 2, 2) : (32@laneid, 4@laneid, 1@laneid, 4, 2, 1)>
      scope(warp) shape [1, 8, 4, 1, 2, 2] row_stride(16)
      : !tile.buffer<8x16xf16, shared>
      to !tile.buffer<8x16xf16, local, #tile.layout<(8, 2, 4, 2) : (4@laneid, 2, 1@laneid, 1)>>
    ```
  }];
  let assemblyFormat = [{
    $variant $src `` custom<Terms>($srcOffsets, $srcTerms) `as` qualified($srcLayout)
    `to` $dst `` custom<Terms>($dstOffsets, $dstTerms) `as` qualified($dstLayout)
    `scope` `(` $scope `)` `shape` $shape `row_stride` `(` $row_stride `)` attr-dict
    `:` qualified(type($src)) `to` qualified(type($dst))
  }];
}

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

def Tile_TensorCopyOp : Tile_StageOp<"tensor_copy",
    (ins Tile_TensorCopyShapeAttr:$shape, OptionalAttr<Tile_MulticastAttr>:$multicast, ConfinedAttr<I64Attr, [IntPositive]>:$cta_group,
         DenseI64ArrayAttr:$descriptor, ConfinedAttr<I64Attr, [IntNonNegative]>:$tile_iters),
    Tile_Issues> {
  let summary = "a copy of tiles from shared to tensor memory by tcgen05.cp";
  let description = [{
    The first `tile_iters` iters of both layouts number the tiles, one instruction each; all others are the
    rows and the row of one tile. `descriptor` is the leading and the stride offset of the shared memory
    descriptor, in units of 16 bytes, and its swizzle mode, 0 to 3 for none, 32, 64 and 128 bytes.
    Run-time offsets count elements in shared memory, and addresses in tensor memory: 1 is a column of 32
    bits, 65536 a lane.

    ```mlir
    tile.tensor_copy "tcgen05_cp" %s as #tile.layout<(32, 16) : (16, 1)>
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

def Tile_TensorAccessOp : Tile_StageOp<"tensor_access",
    (ins Tile_TensorAccessShapeAttr:$shape, ConfinedAttr<I64Attr, [IntPositive]>:$num,
         ConfinedAttr<I64Attr, [IntNonNegative]>:$instruction_iters),
    Tile_Issues> {
  let summary = "a copy between tensor memory and registers by tcgen05.ld or tcgen05.st";
  let description = [{
    The first `instruction_iters` iters of both layouts, of the same extents, number the instructions that
    each warp issues; all others are what one instruction of the four warps moves, `num` times the shape.
    Run-time offsets in tensor memory count addresses: 1 is a column of 32 bits, 65536 a lane.

    ```mlir
    tile.tensor_access "tcgen05_ldst" %u as #tile.layout<(128, 4) : (1@TLane, 1@TCol)>
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

def Tile_BulkCopyOp : Tile_StageOp<"bulk_copy",
    (ins Tile_Barrier<Optional<AnyType>>:$barrier, Optional<I32>:$remoteCta, OptionalAttr<Tile_L2EvictAttr>:$l2_evict,
         OptionalAttr<Tile_ReduceAttr>:$reduce),
    Tile_Issues> {
  let summary = "a copy of chunks by cp.async.bulk: between global and shared memory, or to another CTA's shared memory";
  let description = [{
    The last iter of both layouts is a chunk, of stride 1 and whole multiples of 16 bytes: one instruction;
    the others number the chunks. The first thread of the scope issues all. To shared memory an mbarrier completes the
    copy: from global memory the thread that issues arrives on it, and expects the bytes. A copy to global memory belongs
    to the thread's bulk group, which the op does not close; with `reduce` it combines the elements with those that are
    there.

    ```mlir
    tile.bulk_copy "dsmem" %s as #tile.layout<(1024) : (1)> to %s as #tile.layout<(1024) : (1)>
      scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%rank)
      : !tile.buffer<32x32xf32, shared> to !tile.buffer<32x32xf32, shared>
    tile.bulk_copy "bulk" %s as #tile.layout<(1024) : (1)> to %a as #tile.layout<(1024) : (1)> scope(cta) reduce(add)
      : !tile.buffer<32x32xf32, shared> to !tile.buffer<32x32xf32, global>
    ```
  }];
  let useCustomPropertiesEncoding = 1;
  let assemblyFormat = [{
    $variant $src `` custom<Terms>($srcOffsets, $srcTerms) `as` qualified($srcLayout)
    `to` $dst `` custom<Terms>($dstOffsets, $dstTerms) `as` qualified($dstLayout)
    `scope` `(` $scope `)` (`mbarrier` `(` $barrier^ `:` type($barrier) `)`)? (`remote_cta` `(` $remoteCta^ `)`)?
    `` custom<Reduce>($reduce) attr-dict `:` qualified(type($src)) `to` qualified(type($dst))
  }];
}

def Tile_ScalarCopyOp : Tile_Op<"scalar_copy", [AttrSizedOperandSegments]> {
  let summary = "a copy element by element";
  let description = [{
    The catch-all, `masked` and filled as `tile.copy`. `by` says who copies:

    | by | who |
    | --- | --- |
    | `"everyone"` | every thread that executes it copies everything |
    | `"elected"` | the thread of that number in each scope; the others skip it |
    | `"elected_in_block"` | the threads of these numbers in the block, one per scope |
    | `"owners"` | each thread copies the elements that it holds in registers |

    ```mlir
    tile.scalar_copy %a[0, 0] [4, 6] to %s[0, 0] [4, 6] scope(warp) by "elected" {threads = array<i64: 0>}
      : !tile.buffer<4x6xf32, global> to !tile.buffer<4x6xf32, shared>
    ```
  }];
  let arguments = !con((ins Tile_Source<>:$src, Variadic<Index>:$srcOffsets,
                       Tile_Dest<>:$dst, Variadic<Index>:$dstOffsets, Optional<AnyType>:$filler,
                       DenseI64ArrayAttr:$srcStatic, DenseI64ArrayAttr:$srcSizes,
                       DenseI64ArrayAttr:$dstStatic, DenseI64ArrayAttr:$dstSizes,
                       Tile_Scope:$scope, UnitAttr:$masked, Tile_CopiersAttr:$by, OptionalAttr<DenseI64ArrayAttr>:$threads,
                       OptionalAttr<Tile_ConvertAttr>:$convert), Tile_Effect);
  let assemblyFormat = [{
    $src `` custom<Region>($srcOffsets, $srcStatic, $srcSizes)
    `to` $dst `` custom<Region>($dstOffsets, $dstStatic, $dstSizes)
    `scope` `(` $scope `)` `by` $by `` custom<Convert>($convert)
    `` custom<Reduce>($reduce) (`filled` $filled^)? (`masked` $masked^)? (`fill` `(` $filler^ `:` type($filler) `)`)?
    attr-dict `:` qualified(type($src)) `to` qualified(type($dst))
  }];
  let useCustomPropertiesEncoding = 1;
  let hasVerifier = 1;
}

#endif // TILE_STAGE_OPS_TD
