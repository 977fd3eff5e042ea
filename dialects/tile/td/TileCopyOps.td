//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Copies and fills, as users write them.

#ifndef TILE_COPY_OPS_TD
#define TILE_COPY_OPS_TD

include "TileOps.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"

// The verifier of all ops that are planned is written in Rust.
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
    extents, apart from dimensions of extent 1. A region is written `[offsets] [sizes]`;
    offsets are integers or index values, sizes are integers. They may be left out where the other side has them, or is all of a tile,
    with as many dimensions. Without a region the whole tile is copied.
    It is unspecified which thread of the scope reads or writes an element of memory, even where the layout of a
    register tile says which thread holds it.

    | the caller ensures that | |
    | --- | --- |
    | all threads of the scope pass the same buffers and offsets | proved, or an error that names two threads that differ; `tile.assume … uniform(scope)` promises what cannot be proved |
    | each region lies inside its buffer, unless the copy is `masked` | an error where the offsets are constants; undefined where a run-time offset leads outside: the copy may touch the next row, or memory that does not belong to the buffer |
    | elements of the destination have distinct addresses | known from its layout; with run-time strides, undefined if the strides make two coincide |
    | source and destination regions do not overlap | an error where they overlap whatever the offsets are; undefined otherwise |

    The op reads the source, writes the destination, and touches no other memory. Canonicalization replaces constant offset
    operands by numbers; it replaces an offset by 0 where the region spans the whole dimension, as it always does in a
    dimension of extent 1; it drops a region that is the whole tile; and it erases a copy of a region onto itself, which
    changes nothing.

    ```mlir
    tile.copy %a to %s scope(warp) : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    tile.copy %a[%row, 0] [8, 32] to %s[0, 0] [8, 32] scope(cta)
      : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    tile.copy %a[0, 0] [1, 4] to %s[0, 0] scope(thread) {variant = "vec_128b"}
      : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    tile.copy %s to %wide[%row, 0] scope(warp) : !tile.buffer<32x32xf32, shared> to !tile.buffer<32x64xf32, shared>
    ```

    Clauses may be written in any order, each at most once; only `scope` is required.

    | clause | says |
    | --- | --- |
    | `scope(s)` | which threads copy together: `thread`, `warp`, `warpgroup` or `cta` |
    | `convert(word)` | how integers are read, or the precision that is rounded to: `signed`, `unsigned` or `tf32` |
    | `reduce(op)` | that elements are combined with those of the destination: `add`, `min`, `max`, `umin`, `umax`, `and`, `or`, `xor` |
    | `masked` | that regions may extend beyond their buffers |
    | `fill(%v : type)`, `fill(0.0)` | what elements become whose source is outside: a value, or a constant of the destination's element type |

    If the element types of the two sides differ, the copy converts elements, with a single rounding, to nearest even.
    Between integers, or an integer and a float, `convert(signed)` or `convert(unsigned)` says how the integers are read;
    `convert(tf32)` rounds `f32` values to the precision of `tf32`, still stored as `f32`.
    [Conversions](../conversions.md) lists the pairs of types, and the results for values that the destination type cannot
    represent.

    ```mlir
    tile.copy %a to %h scope(warp) : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf16, shared>
    tile.copy %i to %s scope(warp) convert(unsigned)
      : !tile.buffer<32x32xi8, global> to !tile.buffer<32x32xf32, shared>
    tile.copy %a to %s scope(warp) convert(tf32)
      : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    ```

    The regions of a `masked` copy may extend beyond their buffers, in any dimension and at either end, even where offsets
    and extents are constants. Elements outside are neither read nor written. A destination element whose source is outside
    is left unchanged, or set to the `fill` value, which has the destination's element type and is the same for all
    threads. [Masked copies](../masked.md) gives their cost.

    ```mlir
    tile.copy %a[%row, 0] [16, 32] to %s[0, 0] [16, 32] scope(warp) masked
      : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    tile.copy %a[0, 0] to %wide scope(warp) masked fill(%zero : f32)
      : !tile.buffer<32x32xf32, global> to !tile.buffer<32x64xf32, shared>
    ```

    A constant has no type where it is of `f64` or `i64`, from which it becomes one of the element type; written with the
    element type, as `fill(0xFF800000 : f32)`, it is any value of that.

    With `reduce` the operator combines each element of the destination, in global or shared memory, with the source's
    element. Each element is updated atomically, with respect to the whole grid in global memory and to the block in shared
    memory; updates are not ordered with other accesses. Each element is reduced once, even where several threads hold it.
    For integers, `min` and `max` are signed, `umin` and `umax` unsigned; for floats, if one operand is NaN, `min` and `max`
    return the other. [Reductions](../reductions.md) lists the types and the instructions.

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
                       OptionalAttr<Tile_ConvertAttr>:$convert, OptionalAttr<Tile_ReduceAttr>:$reduce,
                       OptionalAttr<TypedAttrInterface>:$constant);
  // Without offsets and sizes a side is its whole buffer.
  let builders = [
    OpBuilder<(ins "::mlir::Value":$src, "::mlir::Value":$dst, "::tile::Scope":$scope)>,
    OpBuilder<(ins "::mlir::Value":$src, "::llvm::ArrayRef<::mlir::OpFoldResult>":$srcBegin,
                   "::llvm::ArrayRef<int64_t>":$srcSizes, "::mlir::Value":$dst,
                   "::llvm::ArrayRef<::mlir::OpFoldResult>":$dstBegin, "::llvm::ArrayRef<int64_t>":$dstSizes,
                   "::tile::Scope":$scope)>
  ];
  let assemblyFormat = [{
    custom<Copy>($src, type($src), $srcOffsets, $srcStatic, $srcSizes, $dst, type($dst), $dstOffsets, $dstStatic, $dstSizes,
                 attr-dict, $scope, $convert, $reduce, $masked, $filler, type($filler), $constant)
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
  let extraClassDefinition = Tile_CopyVerified;
}

def Tile_FillOp : Tile_Op<"fill", [AttrSizedOperandSegments]> {
  let summary = "writes a value to every element of a tile, or of a region of one";
  let description = [{
    All threads of the scope execute the op together; after it (and, across threads, after the next barrier) each element of
    the region holds the value, which has the tile's element type and is the same for all threads of the scope, or the constant, as those
    of `fill` in `tile.copy`. Regions,
    scopes and `masked`, in any order, are as in `tile.copy`: elements outside of the buffer are not written. Memory is written in vectors,
    which are distributed over the threads; each thread writes the registers that it holds.

    ```mlir
    tile.fill %zero to %s scope(warp) : f32 to !tile.buffer<32x32xf32, shared>
    tile.fill 0.0 to %s scope(warp) : !tile.buffer<32x32xf32, shared>
    tile.fill %zero to %a[%row, 0] [16, 32] scope(warp) masked : f32 to !tile.buffer<32x32xf32, global>
    ```

    | option | values | meaning |
    | --- | --- | --- |
    | `variant` | a variant's name | this variant, or an error that says why not |
  }];
  let arguments = (ins Optional<AnyType>:$filler, Tile_Dest<>:$dst, Variadic<Index>:$dstOffsets,
                       DenseI64ArrayAttr:$dstStatic, DenseI64ArrayAttr:$dstSizes,
                       Tile_Scope:$scope, UnitAttr:$masked, OptionalAttr<StrAttr>:$variant,
                       OptionalAttr<TypedAttrInterface>:$constant);
  // Of a value; without offsets and sizes, all of the buffer.
  let builders = [
    OpBuilder<(ins "::mlir::Value":$filler, "::mlir::Value":$dst, "::tile::Scope":$scope)>,
    OpBuilder<(ins "::mlir::Value":$filler, "::mlir::Value":$dst, "::llvm::ArrayRef<::mlir::OpFoldResult>":$dstBegin,
                   "::llvm::ArrayRef<int64_t>":$dstSizes, "::tile::Scope":$scope)>
  ];
  let assemblyFormat = [{
    custom<Filler>($filler, $constant) `to` $dst `` custom<Region>($dstOffsets, $dstStatic, $dstSizes)
    `` custom<FillClauses>($scope, $masked) attr-dict `:` custom<FillTypes>(type($filler), type($dst), ref($filler))
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
  let extraClassDefinition = Tile_CopyVerified;
}

def Tile_CopyAsyncOp : Tile_Op<"copy_async", [AttrSizedOperandSegments, MemoryEffects<[MemWrite<Tile_InFlight>]>]> {
  let summary = "issues a copy of a tile, or of a region of one, asynchronously";
  let description = [{
    Like `tile.copy`, but the copy may still be in flight after the op. Once its completion has been waited for, the
    destination holds the elements, and the source may be overwritten.

    Clauses may be written in any order, each at most once; only `scope` is required. Besides those of `tile.copy`, these say how the
    copy completes:

    | clause | the copy is complete when |
    | --- | --- |
    | none | the caller's own commit or wait says so: `nvvm.cp.async.commit.group`, `nvvm.tcgen05.commit`, `nvvm.tcgen05.wait` |
    | `group` | the `cp.async` group that the copy commits has been waited for (`nvvm.cp.async.wait.group`) |
    | `bulk_group` | the issuing thread, the first of the scope, has waited for its bulk group (`nvvm.cp.async.bulk.wait_group`). Each thread of the scope commits a bulk group; those of the other threads are empty |
    | `mbarrier(%b : type)` | the phase of the mbarrier completes. For `cp.async` each thread of the scope arrives on it once; for a bulk copy from global memory the issuing thread arrives once, and sets the number of bytes to expect; a copy to another CTA decreases its transaction count by the number of bytes copied |

    These say what is copied, and by what:

    | clause | says |
    | --- | --- |
    | `remote_cta(%r)`, `cta_mask(%m)` | in which other CTAs of the cluster the destination is |
    | `predicate(%p)` | which threads copy |
    | `through(%maps : types)` | that the copy goes through tensor maps |
    | `rows(%i, …)` | which rows of a matrix are gathered or scattered |
    | `im2col [lower] to [upper]`, `steps [n, …]`, `filter(%i, …)` | which pixels of images are loaded |
    | `until(%end)` | where a masked region of a matrix ends at the latest |

    `remote_cta(%r)` names the CTA of the cluster whose shared memory holds the destination (and the barrier), at the
    location of the same buffer there. `cta_mask(%m)` names several, by one bit for each rank: a load through a tensor map then
    writes the destination of each of them, and completes on the mbarrier of each, at the places of this CTA's. The copy arrives on
    none of these mbarriers: threads of the CTAs that receive expect its bytes there
    (`nvvm.mbarrier.arrive.expect_tx`), which the remark on the copy tells. The kernel states the size of its clusters. All threads
    of the scope pass the same barrier, CTA and mask. With `predicate(%p)` a thread
    whose predicate is false skips its share of the copy, or writes zeros for it with `fill = "zero"`. At thread scope every
    thread that executes the op performs the copy; elect one thread for a tensor memory copy or a bulk copy. At wider scopes
    the first thread of the scope issues a bulk copy.

    Asynchronous instructions move bytes and cannot convert: a copy that converts elements, with `convert` as in
    `tile.copy`, is performed synchronously, provided that it requests no asynchronous feature. With `reduce` the operator
    combines each element of the destination, in global memory, with the source's, atomically; `inc` and `dec` are those of
    PTX. With `through` the copy goes through tensor maps: one thread issues boxes, and an mbarrier (to shared memory) or a
    bulk group (to global memory) completes them. The tile in global memory is the one that the maps describe; `masked` copies
    need no mask, and fill with zeros or NaNs. With `rows` row `k` of the region is row `rows[k]` of the matrix in global memory,
    whose region starts at row 0: a gather or a scatter, through tensor maps. All threads of the scope pass the same rows, each at
    least 0 and inside of the matrix, unless the copy is `masked`, and those of a destination are distinct. With `until` a
    masked copy has another end in the first dimension of the matrix in global memory: rows from it on are outside, as those of the
    next batch; it goes through tensor maps. With `im2col` the region is pixels of images, as a filter visits them: a tile of three to
    five dimensions, which are images, one to three of pixels, and channels. The region has one element in each dimension but the last
    two, where it has a number of pixels, at most 1024, and channels. They start at the region's begin and walk through the pixels from
    the first corner to the image's end and the second corner, in `steps`, the last dimension of pixels fastest, then through those of
    the next image; each is moved by the `filter`, which a load has, an offset of 0 or more for each dimension of pixels. The begin is a
    pixel of that walk. The copy is `masked`, pixels outside of an image are filled by a load and left out by a store, and it goes
    through a tensor map ([im2col](../variants/tma.md#pixels-of-images)). `masked` works as in `tile.copy`; a `cp.async` that fills with zeros may read less than it writes, and writes zeros
    for the rest.

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
    %map = tile.tensor_map %a : !tile.buffer<32x32xf32, global> to !tile.tensor_map<element = float32,
        dims = [ {extent = const(32), stride = bytes(4), box = 32}, {extent = const(32), stride = bytes(128), box = 32} ]>
    tile.copy_async %a to %s scope(cta) mbarrier(%barrier : !llvm.ptr<3>) through(%map : !tile.tensor_map<element = float32,
        dims = [ {extent = const(32), stride = bytes(4), box = 32}, {extent = const(32), stride = bytes(128), box = 32} ]>)
      : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    tile.copy_async %a to %s scope(cta) mbarrier(%barrier : !llvm.ptr<3>) cta_mask(%mask) {variant = "tma"}
      : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    tile.copy_async %a[0, 0] [4, 32] to %s[0, 0] [4, 32] scope(cta) mbarrier(%barrier : !llvm.ptr<3>) rows(%i, %j, %k, %l)
      : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    tile.copy_async %s[0, 0] [16, 32] to %a[%row, 0] [16, 32] scope(cta) bulk_group masked until(%end)
      : !tile.buffer<32x32xf32, shared> to !tile.buffer<32x32xf32, global>
    tile.copy_async %images[%n, %h, %w, 0] [1, 1, 32, 32] to %s scope(cta) mbarrier(%barrier : !llvm.ptr<3>)
      im2col [-1, -1] to [-1, -1] steps [2, 2] filter(%i, %j) masked fill(%zero : f32)
      : !tile.buffer<2x9x7x32xf32, global> to !tile.buffer<32x32xf32, shared>
    tile.copy_async %s to %a scope(cta) bulk_group reduce(add)
      : !tile.buffer<32x32xf32, shared> to !tile.buffer<32x32xf32, global>
    ```

    | option | values | meaning |
    | --- | --- | --- |
    | `variant` | a variant's name | this variant, or an error that says why not |
    | `prefetch_size` | `"L2::64B"`, … | prefetch size of the reads from global memory |
    | `l2_evict` | `"L2::evict_first"`, … | eviction priority of a bulk copy's accesses to global memory in L2 |
    | `fill` | `"zero"` | value that a thread writes whose predicate is false |
    | `direct` | | one instruction of 4, 8 or 16 bytes, at thread scope |
    | `shape` | `"32x128b"`, … | shape of a `tcgen05.cp`; by default the first that fits |
    | `multicast` | `"warpx4"`, `"warpx2::02_13"`, `"warpx2::01_23"` | multicast of a `tcgen05.cp` |
    | `cta_group` | 1, 2 | number of CTAs that a tcgen05 instruction works for, each with its own memories; 1 by default |
  }];
  let arguments = (ins Tile_Source<>:$src, Variadic<Index>:$srcOffsets,
                       Tile_Dest<>:$dst, Variadic<Index>:$dstOffsets,
                       Tile_Barrier<Optional<AnyType>>:$barrier, Optional<I32>:$remoteCta, Optional<I16>:$ctaMask, Optional<I1>:$predicate,
                       Optional<AnyType>:$filler, Variadic<Tile_TensorMapType>:$maps, Variadic<Index>:$rows,
                       Optional<Index>:$until, Variadic<Index>:$filter,
                       DenseI64ArrayAttr:$srcStatic, DenseI64ArrayAttr:$srcSizes,
                       DenseI64ArrayAttr:$dstStatic, DenseI64ArrayAttr:$dstSizes,
                       OptionalAttr<DenseI64ArrayAttr>:$lower, OptionalAttr<DenseI64ArrayAttr>:$upper,
                       OptionalAttr<DenseI64ArrayAttr>:$steps,
                       Tile_Scope:$scope, UnitAttr:$masked, UnitAttr:$group, UnitAttr:$bulk_group, OptionalAttr<StrAttr>:$variant,
                       OptionalAttr<Tile_PrefetchSizeAttr>:$prefetch_size, OptionalAttr<Tile_L2EvictAttr>:$l2_evict,
                       OptionalAttr<Tile_ReduceAttr>:$reduce, OptionalAttr<Tile_FillAttr>:$fill, UnitAttr:$direct,
                       OptionalAttr<Tile_TmemCopyShapeAttr>:$shape, OptionalAttr<Tile_MulticastAttr>:$multicast,
                       OptionalAttr<I64Attr>:$cta_group, OptionalAttr<Tile_ConvertAttr>:$convert,
                       OptionalAttr<TypedAttrInterface>:$constant);
  // As those of tile.copy; `group` and `barrier` are the clauses that say how it completes.
  let builders = [
    OpBuilder<(ins "::mlir::Value":$src, "::mlir::Value":$dst, "::tile::Scope":$scope, CArg<"bool", "false">:$group,
                   CArg<"::mlir::Value", "{}">:$barrier)>,
    OpBuilder<(ins "::mlir::Value":$src, "::llvm::ArrayRef<::mlir::OpFoldResult>":$srcBegin,
                   "::llvm::ArrayRef<int64_t>":$srcSizes, "::mlir::Value":$dst,
                   "::llvm::ArrayRef<::mlir::OpFoldResult>":$dstBegin, "::llvm::ArrayRef<int64_t>":$dstSizes,
                   "::tile::Scope":$scope, CArg<"bool", "false">:$group, CArg<"::mlir::Value", "{}">:$barrier)>
  ];
  let assemblyFormat = [{
    custom<CopyAsync>($src, type($src), $srcOffsets, $srcStatic, $srcSizes, $dst, type($dst), $dstOffsets, $dstStatic, $dstSizes,
                      attr-dict, $scope, $group, $bulk_group, $barrier, type($barrier), $remoteCta, $ctaMask, $predicate,
                      $maps, type($maps), $rows, $lower, $upper, $steps, $filter, $convert, $reduce, $masked, $until,
                      $filler, type($filler), $constant)
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
  let extraClassDefinition = Tile_CopyVerified;
}

#endif // TILE_COPY_OPS_TD
