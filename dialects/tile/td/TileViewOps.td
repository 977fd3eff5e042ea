//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Views of tiles: a part of a tile, or the same tile with permuted dimensions, another shape or another type.

#ifndef TILE_VIEW_OPS_TD
#define TILE_VIEW_OPS_TD

include "TileOps.td"

// A tile derived from another one, in the same memory. Its cost is paid by the copies that use it: none where its offsets
// are constants. Canonicalization clones a view that is used in a gpu.launch into the launch, as it does a tile.view.
class Tile_TileViewOp<string mnemonic, list<Trait> traits = []>
    : Tile_Op<mnemonic, !listconcat([Pure, ViewLikeOpInterface], traits)> {
  let results = (outs Tile_BufferType:$result);
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
  let extraClassDeclaration = "::mlir::Value getViewSource() { return getSource(); }";
}

def Tile_SubviewOp : Tile_TileViewOp<"subview"> {
  let summary = "a part of a tile";
  let description = [{
    The part of a tile that starts at `[offsets]` and has extents `[sizes]`. Offsets are integers or index values, sizes are
    integers. The offsets of nested parts add up. The result has the dimensions of the sizes, or lacks some of extent 1. The type
    after `to` may be left out: it is then that of the part with all dimensions.

    The layout of the result has the strides of the source but does not record the offsets: parts of the same size have the
    same type. The offsets are added before the swizzle is applied, so the elements of a part of a swizzled tile stay where
    they are. For registers, the layout does record the first thread of the part, as the offset on the thread axis; so
    offsets into a `local` tile must be integers.

    | the caller ensures that | |
    | --- | --- |
    | the part lies inside the source | an error where the offsets are integers; otherwise as for the region of a `tile.copy` |
    | a run-time offset in a dimension of several iters is a multiple of what the inner iters count | otherwise copies go element by element, with a warning |

    ```mlir
    %p = tile.subview %s[0, 32] [64, 32] : !tile.buffer<64x64xf16, shared>
      to !tile.buffer<64x32xf16, shared, #tile.layout<(64, 32) : (64, 1)>>
    %q = tile.subview %stages[%k, 0, 0] [1, 64, 64] : !tile.buffer<3x64x64xf16, shared>
      to !tile.buffer<1x64x64xf16, shared>
    %slot = tile.subview %stages[%k, 0, 0] [1, 64, 64] : !tile.buffer<3x64x64xf16, shared>
      to !tile.buffer<64x64xf16, shared>
    %r = tile.subview %s[0, 32] [64, 32] : !tile.buffer<64x64xf16, shared>
    ```
  }];
  let arguments = (ins Tile_BufferType:$source, Variadic<Index>:$offsets, DenseI64ArrayAttr:$staticOffsets,
                       DenseI64ArrayAttr:$sizes);
  let assemblyFormat = [{
    $source `` custom<Region>($offsets, $staticOffsets, $sizes) attr-dict
    `:` qualified(type($source)) custom<PartOf>(type($result), ref(type($source)), ref($staticOffsets), ref($sizes))
  }];
}

def Tile_PermuteOp : Tile_TileViewOp<"permute"> {
  let summary = "a tile with its dimensions in another order";
  let description = [{
    Dimension `k` of the result is dimension `order[k]` of the source: `[1, 0]` transposes a matrix. The elements stay where
    they are, so a copy from or to the result transposes. The type after `to` may be left out.

    ```mlir
    %t = tile.permute %a [1, 0] : !tile.buffer<64x96xf16, global>
      to !tile.buffer<96x64xf16, global, #tile.layout<(96, 64) : (1, 96)>>
    ```
  }];
  let arguments = (ins Tile_BufferType:$source, DenseI64ArrayAttr:$order);
  let assemblyFormat = [{
    $source $order attr-dict `:` qualified(type($source))
    custom<PermutationOf>(type($result), ref(type($source)), ref($order))
  }];
}

def Tile_ReshapeOp : Tile_TileViewOp<"reshape"> {
  let summary = "a tile with another shape";
  let description = [{
    The same elements in the same row-major order, in the shape of the result: dimensions are split and joined. The layout
    is unchanged, since it already numbers elements in that order. Extents `?` keep their order; between them the dimensions
    of the result have as many elements as those of the source.

    ```mlir
    %r = tile.reshape %b : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 4, 16) : (16, 1024, 1)>>
      to !tile.buffer<8x8x4x16xf16, shared, #tile.layout<(64, 4, 16) : (16, 1024, 1)>>
    %one = tile.reshape %q : !tile.buffer<1x64x64xf16, shared> to !tile.buffer<64x64xf16, shared>
    ```
  }];
  let arguments = (ins Tile_BufferType:$source);
  let assemblyFormat = "$source attr-dict `:` qualified(type($source)) `to` qualified(type($result))";
}

def Tile_CastOp : Tile_TileViewOp<"cast"> {
  let summary = "a tile with another type that gives each element the same location";
  let description = [{
    Another type for the same tile. Both types have the same rank, element type and memory, and give each element the same
    location, in layouts that may be written differently. Where one type has a number for an extent or a stride and the other
    has `?`, the cast forgets the number, or promises it: if the run-time value differs, what is copied is undefined.

    ```mlir
    %f = tile.cast %b : !tile.buffer<64x64xf16, shared>
      to !tile.buffer<64x64xf16, shared, #tile.layout<(4096) : (1)>>
    %any = tile.cast %a : !tile.buffer<64x96xf16, global>
      to !tile.buffer<?x96xf16, global, #tile.layout<(?, 96) : (?, 1)>>
    %known = tile.cast %d : !tile.buffer<?x96xf16, global, #tile.layout<(?, 96) : (?, 1)>>
      to !tile.buffer<64x96xf16, global>
    ```
  }];
  let arguments = (ins Tile_BufferType:$source);
  let assemblyFormat = "$source attr-dict `:` qualified(type($source)) `to` qualified(type($result))";
}

def Tile_PartsOp : Tile_Op<"parts", [Pure]> {
  let summary = "decomposes a tile into a pointer and its run-time extents and strides";
  let description = [{
    Returns a pointer to the start of the tile, then an index for each extent `?` of its type, then one for each run-time
    stride; `tile.view` builds the tile from these again. `--tile-convert-buffers` creates the op where a tile enters a
    loop, a branch, a select or a function. The pointer is to address 0 of the layout. A part of a swizzled tile starts at a
    multiple of the swizzle's period.

    ```mlir
    %p, %m, %n, %ld = tile.parts %d
      : !tile.buffer<?x?xf16, global, #tile.layout<(?, ?) : (?, 1)>> to !llvm.ptr<1>, index, index, index
    ```
  }];
  let arguments = (ins Tile_BufferType:$source);
  let results = (outs Tile_Pointer:$pointer, Variadic<Index>:$runTime);
  let assemblyFormat = "$source attr-dict `:` qualified(type($source)) `to` type(results)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

#endif // TILE_VIEW_OPS_TD
