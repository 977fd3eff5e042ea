//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Copies by ldmatrix and stmatrix.

#ifndef TILE_MATRIX_OPS_TD
#define TILE_MATRIX_OPS_TD

include "TileStageOps.td"

def Tile_MatrixCopyOp : Tile_StageOp<"matrix_copy",
    (ins DenseI64ArrayAttr:$shape, ConfinedAttr<I64Attr, [IntPositive]>:$row_stride, UnitAttr:$transposed,
         OptionalAttr<DenseI64ArrayAttr>:$guards)> {
  let summary = "a copy of 8x8 matrices of 16-bit elements by ldmatrix or stmatrix";
  let description = [{
    Both layouts have the extents `shape = [warps, 8, 4, instructions, matrices, 2]`: the warp, the row
    and the column pair that a lane holds, the instruction, the matrix within the instruction (1, 2 or 4
    of them), and the two elements of a register. `row_stride` is the distance in elements between
    adjacent rows of a matrix in shared memory, or between its columns when `transposed`.

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

#endif // TILE_MATRIX_OPS_TD
