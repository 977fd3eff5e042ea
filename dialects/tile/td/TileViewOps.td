//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Views of tiles: a part of one, its dimensions in another order, other dimensions, another type.

#ifndef TILE_VIEW_OPS_TD
#define TILE_VIEW_OPS_TD

include "TileOps.td"

// A tile made of another one, in the same memory. What it costs is paid by the copies that use it: nothing where its numbers
// are known. Canonicalization takes one that is used in a gpu.launch into it, as it does a tile.view.
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
    The part of a tile that begins at `[offsets]` and has `[sizes]`. Offsets are integers or index values, sizes integers. Of a
    part's part the offsets add up.

    The layout of the result has the strides of the source, and does not say where the part begins: parts of one size are of
    one type. Under a swizzle the begin is added first, so a part of a swizzled tile is where it was. Of registers, the threads
    at which the part begins are in its layout, as the offset on their axis; so that begin is a number.

    | the caller sees to it that | |
    | --- | --- |
    | the part lies inside the source | an error where its begin is known; otherwise as for the region of a `tile.copy` |
    | a run-time begin in a dimension of several iters is a multiple of the inner ones | otherwise copies are done element by element, with a warning |

    ```mlir
    %p = tile.subview %s[0, 32] [64, 32] : !tile.buffer<64x64xf16, shared>
      to !tile.buffer<64x32xf16, shared, #tile.layout<(64, 32) : (64, 1)>>
    %q = tile.subview %stages[%k, 0, 0] [1, 64, 64] : !tile.buffer<3x64x64xf16, shared>
      to !tile.buffer<1x64x64xf16, shared>
    ```
  }];
  let arguments = (ins Tile_BufferType:$source, Variadic<Index>:$offsets, DenseI64ArrayAttr:$staticOffsets,
                       DenseI64ArrayAttr:$sizes);
  let assemblyFormat = [{
    $source `` custom<Region>($offsets, $staticOffsets, $sizes) attr-dict
    `:` qualified(type($source)) `to` qualified(type($result))
  }];
}

def Tile_PermuteOp : Tile_TileViewOp<"permute"> {
  let summary = "a tile with its dimensions in another order";
  let description = [{
    Dimension `k` of the result is dimension `order[k]` of the source: `[1, 0]` transposes a matrix. Where the elements are
    stays as it is, so a copy from or to the result transposes.

    ```mlir
    %t = tile.permute %a [1, 0] : !tile.buffer<64x96xf16, global>
      to !tile.buffer<96x64xf16, global, #tile.layout<(96, 64) : (1, 96)>>
    ```
  }];
  let arguments = (ins Tile_BufferType:$source, DenseI64ArrayAttr:$order);
  let assemblyFormat = [{
    $source $order attr-dict `:` qualified(type($source)) `to` qualified(type($result))
  }];
}

def Tile_ReshapeOp : Tile_TileViewOp<"reshape"> {
  let summary = "a tile with other dimensions";
  let description = [{
    The same elements in the same row-major order, in the shape of the result: dimensions are split and joined. The layout
    counts elements in that order already, and stays as it is. Extents `?` stay beside each other as they are; between them
    the dimensions of the result have as many elements as those of the source.

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
  let summary = "a tile under another type of the same elements in the same places";
  let description = [{
    Another type for the same tile. Both types have the same rank, elements and memory, and say of each element the same
    place, in layouts that may be spelled in other ways. An extent or a stride that one type states and the other leaves to the
    run (`?`) is forgotten, or promised: where the run has another number, what is copied is undefined.

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
  let summary = "what a tile is made of: a pointer, and what its type leaves to the run";
  let description = [{
    A pointer to where the tile begins, then an index for each extent `?` of its type, then one for each run-time stride; what
    `tile.view` makes the tile of again. `--tile-convert-buffers` makes it where a tile goes into a loop, a branch, a choice or a
    function. The pointer counts from the layout's address 0. A part of a swizzled tile begins at a multiple of what its swizzle
    repeats after.

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
