//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILE_OPS_TD
#define TILE_OPS_TD

include "TileTypes.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"

// Accesses that are in flight when an asynchronous copy has been issued. Every such op writes it, so that none is moved
// over another, or is taken for a plain read and write.
def Tile_InFlight : Resource<"::tile::InFlightResource">;

// The two sides of a copy, with what the copy does to each.
class Tile_Source<Constraint type = Tile_BufferType> : Arg<type, "what is read", [MemRead]>;
class Tile_Dest<Constraint type = Tile_BufferType> : Arg<type, "what is written", [MemWrite]>;
class Tile_Barrier<Constraint type> : Arg<type, "the mbarrier that completes the copy", [MemRead, MemWrite]>;

class Tile_Op<string mnemonic, list<Trait> traits = []> : Op<Tile_Dialect, mnemonic, traits>;

def Tile_Pointer : Type<CPred<"::llvm::isa<::mlir::LLVM::LLVMPointerType>($_self)">, "LLVM pointer",
                        "::mlir::LLVM::LLVMPointerType">;

def Tile_ViewOp : Tile_Op<"view", [Pure, ViewLikeOpInterface]> {
  let summary = "views a memref as a tile";
  let description = [{
    Views the memory of a memref as a tile. The element type is the memref's, and so is the shape,
    unless the memref has one dense dimension that holds all of the tile. The layout counts elements
    from the memref's first element, and agrees with the memref's strides where those are not dense.
    The space is `global` for memrefs in the default or the global address space and `shared` for the
    workgroup address space. A memref in the private space is one thread's registers.

    Extents and strides that only the run knows, `?` in the tile's type, are those of the memref, or are given, in the order
    of the type: `extents` of the shape, `strides` of the layout. They must be given where the memref has one dimension, or
    where the tile is viewed through a pointer. Strides that are given take precedence over the memref's: what is known of
    them (`tile.assume`, arithmetic) decides how wide copies are. All threads give the same. An extent is at least 0, a
    stride at least 0.

    A view outside of a `gpu.launch` may be used in it. Canonicalization takes it into the launch, so that outlining
    passes the memref. A view of a `memref.cast` becomes a view of what is cast, where that has static strides, too.

    ```mlir
    %a = tile.view %A : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %p = tile.view %P : memref<32x32xf32, strided<[48, 1]>>
      to !tile.buffer<32x32xf32, global, #tile.layout<(32, 32) : (48, 1)>>
    %f = tile.view %F : memref<4096xf32>
      to !tile.buffer<64x64xf32, global, #tile.layout<(64, 8, 8) : (8, 512, 1)>>
    %d = tile.view %D : memref<?x?xf16, strided<[?, 1], offset: ?>>
      to !tile.buffer<?x?xf16, global, #tile.layout<(?, ?) : (?, 1)>>
    %e = tile.view %G extents(%m, %n) strides(%ld) : memref<?xf16>
      to !tile.buffer<?x?xf16, global, #tile.layout<(?, ?) : (?, 1)>>
    %q = tile.view %pointer extents(%m, %n) strides(%ld) : !llvm.ptr<1>
      to !tile.buffer<?x?xf16, global, #tile.layout<(?, ?) : (?, 1)>>
    ```
  }];
  // Extents, then strides; or strides alone.
  let arguments = (ins AnyTypeOf<[AnyMemRef, Tile_Pointer]>:$source, Variadic<Index>:$runTime);
  let results = (outs Tile_BufferType:$result);
  let assemblyFormat = "$source attr-dict custom<Viewed>($runTime, type($source), type($result))";
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
  let extraClassDeclaration = "::mlir::Value getViewSource() { return getSource(); }";
}

def Tile_AllocOp : Tile_Op<"alloc"> {
  let summary = "allocates a tile in shared memory or registers";
  let description = [{
    Shared memory is one static array per op, for the life of the block, aligned to what the copies
    need (`alignment`, in bytes, requests more). Registers are one array per thread, as large as the
    layout's memory axis spans. An alloc that nothing uses is dead and takes no memory. Canonicalization also erases
    one that is only written, by `tile.copy`, together with these copies.

    ```mlir
    %s = tile.alloc : !tile.buffer<32x32xf32, shared>
    %r = tile.alloc : !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
    ```
  }];
  let arguments = (ins OptionalAttr<I64Attr>:$alignment);
  // The effect is on the result, so that an alloc without uses is dead.
  let results = (outs Res<Tile_BufferType, "the tile", [MemAlloc]>:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Tile_LocalViewOp : Tile_Op<"local_view", [Pure, ViewLikeOpInterface]> {
  let summary = "one thread's registers of a local tile";
  let description = [{
    The registers that the executing thread holds of a `local` tile, as a one-dimensional memref, so
    that other code can compute on them. Register `i` is address `i` of the layout's memory axis.

    ```mlir
    %m = tile.local_view %r
      : !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>> to memref<8xf32>
    ```
  }];
  let arguments = (ins Tile_BufferIn<"Local">:$source);
  let results = (outs AnyStaticShapeMemRef:$result);
  let assemblyFormat = "$source attr-dict `:` qualified(type($source)) `to` type($result)";
  let hasVerifier = 1;
  let extraClassDeclaration = "::mlir::Value getViewSource() { return getSource(); }";
}

def Tile_AssumeOp : Tile_Op<"assume",
    [NoMemoryEffect, DeclareOpInterfaceMethods<ConditionallySpeculatable>, SameOperandsAndResultType]> {
  let summary = "promises that a value is a multiple of a number, or the same for many threads";
  let description = [{
    Returns its operand where the promise holds, and poison where it does not. A copy whose operand it is may
    rely on the promise.

    | clause | promises |
    | --- | --- |
    | `divisible_by` n | that an integer is a multiple of n |
    | `uniform(scope)` | that all threads of one warp, warpgroup or cta that execute the op have the same value |

    What can be computed exactly, from thread ids and constants, needs no promise, and takes precedence over one.

    ```mlir
    %o8 = tile.assume %o divisible_by 8 : index
    %row = tile.assume %r uniform(warp) : index
    %both = tile.assume %o divisible_by 8 uniform(cta) : index
    %memory = tile.assume %m uniform(cta) : memref<32x32xf32>
    ```

    Breaking the promise is harmless by itself: undefined is what uses the result, and only if it is executed.
    A copy that begins at poison is undefined; one that is not reached is not. So the op has no effects, and
    may be executed where its users are not, as in front of a loop that runs zero times. Other users of `%o`
    learn nothing: the promise is in the result. A promise of uniformity is about the threads that execute the
    op, and stays where it is made.

    A promise that a constant keeps, or that the operand's own `tile.assume` has made, is folded. One that a
    constant breaks stays, and what is exactly known is believed before it.
  }];
  let arguments = (ins AnyType:$value, OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$divisor,
                       OptionalAttr<Tile_Scope>:$uniform);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $value (`divisible_by` $divisor^)? (`uniform` `(` $uniform^ `)`)? attr-dict `:` type($value)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

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
    [Masked copies](../masked.md) tells what they cost.

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
  let useCustomPropertiesEncoding = 1;
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
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

def Tile_TmemOp : Tile_Op<"tmem", [Pure]> {
  let summary = "names tensor memory as a tile";
  let description = [{
    Reads tensor memory as a tile. The address is what `nvvm.tcgen05.alloc` wrote: the lane in its upper
    16 bits, the column of 32 bits in its lower. The layout says lane and column of each element, from
    that address on; columns count elements, of 8 to 32 bits, and lie side by side.

    ```mlir
    %t = tile.tmem %address
      : !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>
    ```
  }];
  let arguments = (ins I32:$address);
  let results = (outs Tile_BufferType:$result);
  let assemblyFormat = "$address attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
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
                       OptionalAttr<Tile_TensorCopyShapeAttr>:$shape, OptionalAttr<Tile_MulticastAttr>:$multicast,
                       OptionalAttr<I64Attr>:$cta_group, OptionalAttr<Tile_ConvertAttr>:$convert);
  let assemblyFormat = [{
    $src `` custom<Region>($srcOffsets, $srcStatic, $srcSizes)
    `to` $dst `` custom<Region>($dstOffsets, $dstStatic, $dstSizes)
    `scope` `(` $scope `)` (`group` $group^)? (`bulk_group` $bulk_group^)? (`mbarrier` `(` $barrier^ `:` type($barrier) `)`)?
    (`remote_cta` `(` $remoteCta^ `)`)? (`predicate` `(` $predicate^ `)`)? `` custom<Convert>($convert)
    `` custom<Reduce>($reduce) (`masked` $masked^)? (`fill` `(` $filler^ `:` type($filler) `)`)?
    attr-dict `:` qualified(type($src)) `to` qualified(type($dst))
  }];
  // In Bytecode.cpp, for what older files hold.
  let useCustomPropertiesEncoding = 1;
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

#endif // TILE_OPS_TD
