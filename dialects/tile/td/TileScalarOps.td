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
  let useCustomPropertiesEncoding = 1;
  let extraClassDefinition = !strconcat(Tile_StageVerified, Tile_InBytecode);
  let extraClassDeclaration = [{
    // Visits the attributes in the order in which bytecode stores them.
    template <typename Visitor>
    static void visitProperties(Visitor &visitor, Properties &prop, uint64_t version) {
      visitor.required(prop.by);
      visitor.required(prop.dstSizes);
      visitor.required(prop.dstStatic);
      visitor.segmentsAsAttribute(prop.operandSegmentSizes);
      visitor.required(prop.scope);
      visitor.required(prop.srcSizes);
      visitor.required(prop.srcStatic);
      visitor.optional(prop.threads);
      visitor.segmentsAfterAttributes(prop.operandSegmentSizes);
      if (version < 4)
        return;
      visitor.optional(prop.convert);
      if (version < 5)
        return;
      visitor.optional(prop.masked);
      if (version < 6)
        return;
      visitor.optional(prop.filled);
      visitor.optional(prop.reduce);
    }
  }];
}

#endif // TILE_SCALAR_OPS_TD
