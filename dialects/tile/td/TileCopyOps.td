//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Copies and fills, as users write them.

#ifndef TILE_COPY_OPS_TD
#define TILE_COPY_OPS_TD

include "TileOps.td"

// Rust verifies them.
defvar Tile_CopyVerified = [{
  ::llvm::LogicalResult $cppClass::verify() {
    return ::llvm::success(tileCopyVerify(wrap(getOperation())));
  }
}];

def Tile_CopyOp : Tile_Op<"copy", [AttrSizedOperandSegments]> {
  let summary = "copies a tile, or a region of one";
  let description = [{
    All threads of the scope execute the op together; after it (and, across threads, after the next
    barrier) the destination region holds the source region's elements. Both sides have the same
    extents, apart from dimensions of extent 1. Regions are `[offsets] [sizes]`;
    offsets are integers or index values, sizes integers; without a region the whole tile is copied.
    Which thread of the scope reads or writes an element of memory is not defined, also where the layout of
    the registers says which one holds it.

    | the caller sees to it that | |
    | --- | --- |
    | all threads of the scope give the same buffers and offsets | proved, or an error that names two threads that differ; `tile.assume … uniform(scope)` promises what cannot be proved |
    | a region lies inside its buffer, unless the copy is `masked` | an error where its begin is known; undefined where an offset leads outside at run time: what is there may be the next row, or not the buffer's at all |
    | source and destination regions do not overlap | an error where they do for sure, whatever the offsets; undefined otherwise |

    The op reads the source and writes the destination, and touches no other memory. Canonicalization writes offsets that
    are constants as numbers, and 0 where a region fills a dimension, as it does one of extent 1; it leaves out a region
    that is the whole tile; and it erases a copy of a region onto itself, which changes nothing.

    ```mlir
    tile.copy %a to %s scope(warp) : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    tile.copy %a[%row, 0] [8, 32] to %s[0, 0] [8, 32] scope(cta)
      : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    tile.copy %a[0, 0] [1, 4] to %s[0, 0] [1, 4] scope(thread) {variant = "vec_128b"}
      : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    ```

    Elements of another type are converted on the way, rounded once, to nearest even. Between integers, or an integer and
    a float, `convert(signed)` or `convert(unsigned)` says how the integers are read; `convert(tf32)` rounds what an `f32`
    holds to `tf32`, which stands in an `f32`. [Conversions](../conversions.md) has the pairs, and what is made of numbers
    that the other type does not hold.

    ```mlir
    tile.copy %a to %h scope(warp) : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf16, shared>
    tile.copy %i to %s scope(warp) convert(unsigned)
      : !tile.buffer<32x32xi8, global> to !tile.buffer<32x32xf32, shared>
    tile.copy %a to %s scope(warp) convert(tf32)
      : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    ```

    The regions of a `masked` copy may leave their buffers, in any dimension and on either end, also where all of it is known.
    What lies outside is neither read nor written; an element of the destination whose source is outside stays as it is,
    or becomes the value that `fill` names, of the destination's element type and the same for all threads.
    [Masked copies](../masked.md) gives their cost.

    ```mlir
    tile.copy %a[%row, 0] [16, 32] to %s[0, 0] [16, 32] scope(warp) masked
      : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    tile.copy %a[0, 0] [32, 64] to %wide scope(warp) masked fill(%zero : f32)
      : !tile.buffer<32x32xf32, global> to !tile.buffer<32x64xf32, shared>
    ```

    With `reduce` an element of the destination, in global or shared memory, becomes what the operator makes of it and the
    source's, atomically for each element: as seen by the whole grid in global memory, by the block in shared memory, and
    in no order with other accesses. Each element is reduced once, also where several threads hold it. `min` and `max` of
    integers are signed, `umin` and `umax` are not; of floats they are the number where the other is NaN.
    [Reductions](../reductions.md) has the types, and the instructions.

    ```mlir
    tile.copy %s to %a scope(warp) reduce(add) : !tile.buffer<32x32xf32, shared> to !tile.buffer<32x32xf32, global>
    tile.copy %s[0, 0] [16, 32] to %a[%row, 0] [16, 32] scope(warp) reduce(max) masked
      : !tile.buffer<32x32xf32, shared> to !tile.buffer<32x32xf32, global>
    ```

    | option | values | meaning |
    | --- | --- | --- |
    | `variant` | a variant's name | this variant, or an error that says why not |
    | `cache` | `"nc"` | global loads go through the read-only cache; an error where the kernel may write the source |
    | `l1_evict` | `"L1::no_allocate"`, … | eviction priority of a global load in L1 (forced widths) |
    | `l2_evict` | `"L2::evict_first"`, … | eviction priority of a global load in L2 (forced widths) |
    | `prefetch_size` | `"L2::64B"`, … | prefetch size of a global load (forced widths) |
  }];
  let arguments = (ins Tile_Source<>:$src, Variadic<Index>:$srcOffsets,
                       Tile_Dest<>:$dst, Variadic<Index>:$dstOffsets, Optional<AnyType>:$filler,
                       DenseI64ArrayAttr:$srcStatic, DenseI64ArrayAttr:$srcSizes,
                       DenseI64ArrayAttr:$dstStatic, DenseI64ArrayAttr:$dstSizes,
                       Tile_Scope:$scope, UnitAttr:$masked, OptionalAttr<StrAttr>:$variant,
                       OptionalAttr<Tile_CacheOperatorAttr>:$cache, OptionalAttr<Tile_L1EvictAttr>:$l1_evict,
                       OptionalAttr<Tile_L2EvictAttr>:$l2_evict, OptionalAttr<Tile_PrefetchSizeAttr>:$prefetch_size,
                       OptionalAttr<Tile_ConvertAttr>:$convert, OptionalAttr<Tile_ReduceAttr>:$reduce);
  // Without begins and sizes a side is all of its buffer.
  let builders = [
    OpBuilder<(ins "::mlir::Value":$src, "::mlir::Value":$dst, "::tile::Scope":$scope)>,
    OpBuilder<(ins "::mlir::Value":$src, "::llvm::ArrayRef<::mlir::OpFoldResult>":$srcBegin,
                   "::llvm::ArrayRef<int64_t>":$srcSizes, "::mlir::Value":$dst,
                   "::llvm::ArrayRef<::mlir::OpFoldResult>":$dstBegin, "::llvm::ArrayRef<int64_t>":$dstSizes,
                   "::tile::Scope":$scope)>
  ];
  let assemblyFormat = [{
    $src `` custom<Region>($srcOffsets, $srcStatic, $srcSizes)
    `to` $dst `` custom<Region>($dstOffsets, $dstStatic, $dstSizes)
    `scope` `(` $scope `)` `` custom<Convert>($convert) `` custom<Reduce>($reduce) (`masked` $masked^)? (`fill` `(` $filler^ `:` type($filler) `)`)?
    attr-dict `:` qualified(type($src)) `to` qualified(type($dst))
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
  let useCustomPropertiesEncoding = 1;
  let extraClassDefinition = !strconcat(Tile_CopyVerified, Tile_InBytecode);
  let extraClassDeclaration = [{
    // Shows the attributes in the order of bytecode.
    template <typename Visitor>
    static void visitProperties(Visitor &visitor, Properties &prop, uint64_t version) {
      visitor.optional(prop.cache);
      visitor.required(prop.dstSizes);
      visitor.required(prop.dstStatic);
      visitor.optional(prop.l1_evict);
      visitor.optional(prop.l2_evict);
      visitor.segmentsWithin(prop.operandSegmentSizes);
      visitor.optional(prop.prefetch_size);
      visitor.required(prop.scope);
      visitor.required(prop.srcSizes);
      visitor.required(prop.srcStatic);
      visitor.optional(prop.variant);
      visitor.segmentsBehind(prop.operandSegmentSizes);
      if (version < 4)
        return;
      visitor.optional(prop.convert);
      if (version < 5)
        return;
      visitor.optional(prop.masked);
      if (version < 6)
        return;
      visitor.optional(prop.reduce);
    }
  }];
}

def Tile_FillOp : Tile_Op<"fill"> {
  let summary = "writes a value to all of a tile, or of a region of one";
  let description = [{
    All threads of the scope execute the op together; after it (and, across threads, after the next barrier) each element of
    the region is the value, which has the tile's element type and is the same for all threads of the scope. Regions,
    scopes and `masked` are as in `tile.copy`: what lies outside of the buffer is not written. Memory is written by vectors,
    which the threads share out among them; registers by the threads that hold them.

    ```mlir
    tile.fill %zero to %s scope(warp) : f32 to !tile.buffer<32x32xf32, shared>
    tile.fill %zero to %a[%row, 0] [16, 32] scope(warp) masked : f32 to !tile.buffer<32x32xf32, global>
    ```

    | option | values | meaning |
    | --- | --- | --- |
    | `variant` | a variant's name | this variant, or an error that says why not |
  }];
  let arguments = (ins AnyType:$filler, Tile_Dest<>:$dst, Variadic<Index>:$dstOffsets,
                       DenseI64ArrayAttr:$dstStatic, DenseI64ArrayAttr:$dstSizes,
                       Tile_Scope:$scope, UnitAttr:$masked, OptionalAttr<StrAttr>:$variant);
  let assemblyFormat = [{
    $filler `to` $dst `` custom<Region>($dstOffsets, $dstStatic, $dstSizes)
    `scope` `(` $scope `)` (`masked` $masked^)? attr-dict `:` type($filler) `to` qualified(type($dst))
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Tile_CopyAsyncOp : Tile_Op<"copy_async", [AttrSizedOperandSegments, MemoryEffects<[MemWrite<Tile_InFlight>]>]> {
  let summary = "issues a copy of a tile, or of a region of one, asynchronously";
  let description = [{
    As `tile.copy`, but the copy is in flight when the op is past: the destination holds the elements, and the source may be
    written again, once what completes the copy has been waited for.

    | clause | the copy is complete when |
    | --- | --- |
    | none | what the caller commits or waits for itself says so: `nvvm.cp.async.commit.group`, `nvvm.tcgen05.commit`, `nvvm.tcgen05.wait` |
    | `group` | the `cp.async` group that the copy closes is waited for (`nvvm.cp.async.wait.group`) |
    | `bulk_group` | the bulk group that each thread of the scope closes is waited for by the thread that issued, the first of the scope (`nvvm.cp.async.bulk.wait_group`); the groups of the others are empty |
    | `mbarrier(%b : type)` | the phase of the mbarrier is over. For `cp.async` each thread of the scope arrives on it once; for a bulk copy from global memory the thread that issues arrives once, and expects the bytes; for a copy to another CTA its transaction count falls by the bytes copied |

    `remote_cta(%r)` names the CTA of the cluster in whose shared memory the destination (and the
    barrier) is: the place of the same buffer there. All threads of the scope name the same barrier and CTA. With `predicate(%p)` a thread whose predicate is
    false copies nothing of its share, or zeros with `fill = "zero"`. A copy at thread scope is done by
    every thread that executes it; elect one thread for a tensor memory copy or a bulk copy. At wider scopes the first
    thread of the scope issues a bulk copy. What copies asynchronously moves bytes: elements are converted, with `convert`
    as in `tile.copy`, where no asynchronous feature is requested, by a synchronous copy.
    With `reduce` each element of the destination, in global memory, becomes what the operator makes of it and the source's,
    atomically; `inc` and `dec` are those of PTX.
    A `masked` copy is as in `tile.copy`; `cp.async` reads less than it writes, and writes zeros for the rest, where it
    fills with zeros.

    ```mlir
    tile.copy_async %a to %s scope(cta) group : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    tile.copy_async %a to %s scope(cta) mbarrier(%barrier : !llvm.ptr<3>)
      : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    tile.copy_async %a to %s scope(cta) predicate(%inside) {fill = "zero"}
      : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    tile.copy_async %a[%row, 0] [16, 32] to %s[0, 0] [16, 32] scope(warp) group masked fill(%zero : f32)
      : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    tile.copy_async %s to %s scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%rank)
      : !tile.buffer<32x32xf32, shared> to !tile.buffer<32x32xf32, shared>
    tile.copy_async %s to %a scope(cta) bulk_group reduce(add)
      : !tile.buffer<32x32xf32, shared> to !tile.buffer<32x32xf32, global>
    ```

    | option | values | meaning |
    | --- | --- | --- |
    | `variant` | a variant's name | this variant, or an error that says why not |
    | `prefetch_size` | `"L2::64B"`, … | prefetch size of the reads from global memory |
    | `l2_evict` | `"L2::evict_first"`, … | eviction priority of a bulk copy's accesses to global memory in L2 |
    | `fill` | `"zero"` | what a thread whose predicate is false writes |
    | `direct` | | one instruction of 4, 8 or 16 bytes, at thread scope |
    | `shape` | `"32x128b"`, … | shape of a `tcgen05.cp`; left out, the first that fits |
    | `multicast` | `"warpx4"`, `"warpx2::02_13"`, `"warpx2::01_23"` | its multicast |
    | `cta_group` | 1, 2 | CTAs that a tcgen05 instruction works for, each with its own memories; 1 when left out |
  }];
  let arguments = (ins Tile_Source<>:$src, Variadic<Index>:$srcOffsets,
                       Tile_Dest<>:$dst, Variadic<Index>:$dstOffsets,
                       Tile_Barrier<Optional<AnyType>>:$barrier, Optional<I32>:$remoteCta, Optional<I1>:$predicate,
                       Optional<AnyType>:$filler,
                       DenseI64ArrayAttr:$srcStatic, DenseI64ArrayAttr:$srcSizes,
                       DenseI64ArrayAttr:$dstStatic, DenseI64ArrayAttr:$dstSizes,
                       Tile_Scope:$scope, UnitAttr:$masked, UnitAttr:$group, UnitAttr:$bulk_group, OptionalAttr<StrAttr>:$variant,
                       OptionalAttr<Tile_PrefetchSizeAttr>:$prefetch_size, OptionalAttr<Tile_L2EvictAttr>:$l2_evict,
                       OptionalAttr<Tile_ReduceAttr>:$reduce, OptionalAttr<Tile_FillAttr>:$fill, UnitAttr:$direct,
                       OptionalAttr<Tile_TmemCopyShapeAttr>:$shape, OptionalAttr<Tile_MulticastAttr>:$multicast,
                       OptionalAttr<I64Attr>:$cta_group, OptionalAttr<Tile_ConvertAttr>:$convert);
  let assemblyFormat = [{
    $src `` custom<Region>($srcOffsets, $srcStatic, $srcSizes)
    `to` $dst `` custom<Region>($dstOffsets, $dstStatic, $dstSizes)
    `scope` `(` $scope `)` (`group` $group^)? (`bulk_group` $bulk_group^)? (`mbarrier` `(` $barrier^ `:` type($barrier) `)`)?
    (`remote_cta` `(` $remoteCta^ `)`)? (`predicate` `(` $predicate^ `)`)? `` custom<Convert>($convert)
    `` custom<Reduce>($reduce) (`masked` $masked^)? (`fill` `(` $filler^ `:` type($filler) `)`)?
    attr-dict `:` qualified(type($src)) `to` qualified(type($dst))
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
  let useCustomPropertiesEncoding = 1;
  let extraClassDefinition = !strconcat(Tile_CopyVerified, Tile_InBytecode);
  let extraClassDeclaration = [{
    // Shows the attributes in the order of bytecode.
    template <typename Visitor>
    static void visitProperties(Visitor &visitor, Properties &prop, uint64_t version) {
      visitor.optional(prop.cta_group);
      visitor.optional(prop.direct);
      visitor.required(prop.dstSizes);
      visitor.required(prop.dstStatic);
      visitor.optional(prop.fill);
      visitor.optional(prop.group);
      visitor.optional(prop.multicast);
      visitor.segmentsWithin(prop.operandSegmentSizes);
      visitor.optional(prop.prefetch_size);
      visitor.required(prop.scope);
      visitor.optional(prop.shape);
      visitor.required(prop.srcSizes);
      visitor.required(prop.srcStatic);
      visitor.optional(prop.variant);
      visitor.segmentsBehind(prop.operandSegmentSizes);
      if (version < 2)
        return;
      visitor.optional(prop.bulk_group);
      visitor.optional(prop.l2_evict);
      visitor.optional(prop.reduce);
      if (version < 4)
        return;
      visitor.optional(prop.convert);
      if (version < 5)
        return;
      visitor.optional(prop.masked);
    }
  }];
}

#endif // TILE_COPY_OPS_TD
