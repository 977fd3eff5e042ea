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

class Tile_Op<string mnemonic, list<Trait> traits = []> : Op<Tile_Dialect, mnemonic, traits>;

def Tile_ViewOp : Tile_Op<"view", [Pure]> {
  let summary = "names memory as a tile";
  let description = [{
    Reads the memory behind a memref as a tile. The element type is the memref's, and so is the shape,
    unless the memref has one dense dimension that holds all of the tile. The layout counts elements
    from the memref's first element, and agrees with the memref's strides where those are not dense.
    The space is `global` for memrefs in the default or the global address space and `shared` for the
    workgroup address space. A memref in the private space is one thread's registers.

    ```mlir
    %a = tile.view %A : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %p = tile.view %P : memref<32x32xf32, strided<[48, 1]>>
      to !tile.buffer<32x32xf32, global, #tile.layout<(32, 32) : (48, 1)>>
    %f = tile.view %F : memref<4096xf32>
      to !tile.buffer<64x64xf32, global, #tile.layout<(64, 8, 8) : (8, 512, 1)>>
    ```
  }];
  let arguments = (ins AnyMemRef:$source);
  let results = (outs Tile_BufferType:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `to` qualified(type($result))";
  let hasVerifier = 1;
}

def Tile_AllocOp : Tile_Op<"alloc", [MemoryEffects<[MemAlloc]>]> {
  let summary = "makes room for a tile in shared memory or registers";
  let description = [{
    Shared memory is one static array per op, for the life of the block, aligned to what the copies
    need (`alignment`, in bytes, asks for more). Registers are one array per thread, as large as the
    layout's memory axis spans.

    ```mlir
    %s = tile.alloc : !tile.buffer<32x32xf32, shared>
    %r = tile.alloc : !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
    ```
  }];
  let arguments = (ins OptionalAttr<I64Attr>:$alignment);
  let results = (outs Tile_BufferType:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

def Tile_LocalViewOp : Tile_Op<"local_view", [Pure]> {
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
}

def Tile_AssumeOp : Tile_Op<"assume", [Pure, SameOperandsAndResultType]> {
  let summary = "promises that an index is a multiple of a number";
  let description = [{
    Returns its operand. A copy whose offset it is may rely on the promise; breaking it is undefined.

    ```mlir
    %o8 = tile.assume %o divisible_by 8 : index
    ```
  }];
  let arguments = (ins AnySignlessIntegerOrIndex:$value, ConfinedAttr<I64Attr, [IntPositive]>:$divisor);
  let results = (outs AnySignlessIntegerOrIndex:$result);
  let assemblyFormat = "$value `divisible_by` $divisor attr-dict `:` type($value)";
}

def Tile_CopyOp : Tile_Op<"copy", [AttrSizedOperandSegments, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "copies a tile, or a region of one";
  let description = [{
    All threads of the scope execute the op together; after it (and, across threads, after the next
    barrier) the destination region holds the source region's elements. Both sides have one element
    type and the same extents, apart from dimensions of extent 1. Regions are `[offsets] [sizes]`;
    offsets are integers or index values, sizes integers; without a region the whole tile is copied.
    Source and destination regions must not overlap.

    ```mlir
    tile.copy %a to %s scope(warp) : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    tile.copy %a[%row, 0] [8, 32] to %s[0, 0] [8, 32] scope(cta)
      : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    tile.copy %a[0, 0] [1, 4] to %s[0, 0] [1, 4] scope(thread) {variant = "vec_128b"}
      : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    ```

    | option | values | meaning |
    | --- | --- | --- |
    | `variant` | a variant's name | this variant, or an error that says why not |
    | `cache` | `"nc"` | global loads go through the read-only cache |
    | `l1_evict` | `"L1::no_allocate"`, … | eviction priority of a global load in L1 (forced widths) |
    | `l2_evict` | `"L2::evict_first"`, … | eviction priority of a global load in L2 (forced widths) |
    | `prefetch_size` | `"L2::64B"`, … | prefetch size of a global load (forced widths) |
  }];
  let arguments = (ins Tile_BufferType:$src, Variadic<Index>:$srcOffsets,
                       Tile_BufferType:$dst, Variadic<Index>:$dstOffsets,
                       DenseI64ArrayAttr:$srcStatic, DenseI64ArrayAttr:$srcSizes,
                       DenseI64ArrayAttr:$dstStatic, DenseI64ArrayAttr:$dstSizes,
                       Tile_Scope:$scope, OptionalAttr<StrAttr>:$variant,
                       OptionalAttr<StrAttr>:$cache, OptionalAttr<StrAttr>:$l1_evict,
                       OptionalAttr<StrAttr>:$l2_evict, OptionalAttr<StrAttr>:$prefetch_size);
  let assemblyFormat = [{
    $src `` custom<Region>($srcOffsets, $srcStatic, $srcSizes)
    `to` $dst `` custom<Region>($dstOffsets, $dstStatic, $dstSizes)
    `scope` `(` $scope `)` attr-dict `:` qualified(type($src)) `to` qualified(type($dst))
  }];
  let hasVerifier = 1;
}

#endif // TILE_OPS_TD
