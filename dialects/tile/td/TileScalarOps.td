//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Copies element by element.

#ifndef TILE_SCALAR_OPS_TD
#define TILE_SCALAR_OPS_TD

include "TileStageOps.td"

def Tile_ScalarCopyOp : Tile_Op<"scalar_copy", [AttrSizedOperandSegments]> {
  let summary = "a copy element by element";
  let description = [{
    The fallback for every copy; `masked` and `fill` work as in `tile.copy`. `by` says which threads copy:

    | by | threads |
    | --- | --- |
    | `"everyone"` | every thread that executes the op copies everything |
    | `"elected"` | in each scope, the thread whose number is in `threads`; the others skip the copy |
    | `"elected_in_block"` | the threads of the block whose numbers are in `threads`, one per scope |
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
  let hasVerifier = 1;
  let extraClassDefinition = Tile_StageVerified;
}

#endif // TILE_SCALAR_OPS_TD
