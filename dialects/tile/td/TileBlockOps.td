//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Which block of a grid takes which tile.

#ifndef TILE_BLOCK_OPS_TD
#define TILE_BLOCK_OPS_TD

include "TileOps.td"
include "mlir/Interfaces/InferIntRangeInterface.td"

def Tile_BlockOrder : I32EnumAttr<"BlockOrder", "order in which blocks take the tiles of a grid", [
    I32EnumAttrCase<"Rows", 0, "rows">,
    I32EnumAttrCase<"Columns", 1, "columns">,
    I32EnumAttrCase<"Grouped", 2, "grouped">]> {
  let cppNamespace = "::tile";
}

def Tile_BlockOrderOp : Tile_Op<"block_order",
    [NoMemoryEffect, AttrSizedOperandSegments, DeclareOpInterfaceMethods<InferIntRangeInterface, ["inferResultRanges"]>]> {
  let summary = "the tile that a block takes, by its number in an order";
  let description = [{
    Returns the row and the column of a tile in a grid of `rows` x `columns` tiles, by its number in an order. Blocks with
    consecutive numbers run at about the same time, so the order decides which memory they access together.

    | order | of 3 x 4 tiles |
    | --- | --- |
    | `rows` | one row after the other: `0 1 2 3`, `4 5 6 7`, `8 9 10 11` |
    | `columns` | one column after the other: `0 3 6 9`, `1 4 7 10`, `2 5 8 11` |
    | `grouped(2)` | two rows, column by column, then the next two; the last group may have fewer: `0 2 4 6`, `1 3 5 7`, `8 9 10 11` |

    A copy that changes the order of elements writes whole pages if blocks go along the rows of its *destination*. Blocks of a
    product that run together read the least if they cover about as many rows as columns, which `grouped` does. Each number
    less than `rows * columns` names another tile. Any other names none: its row or its column is outside of the grid, so a
    masked copy of such a block moves nothing.

    With `of %c [128, 256]`, the grid is that of the tiles of this size in a matrix, whose last tiles may extend beyond its extents. The results
    are then the first row and the first column of the tile in the matrix, multiples of the sizes:

    ```mlir
    gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
      gpu.func @copy(%A: memref<?x?xf32>, %B: memref<?x?xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
        %a = tile.view %A : memref<?x?xf32>
        %b = tile.view %B : memref<?x?xf32>
        %block = gpu.block_id x
        %row, %column = tile.block_order %block of %a [16, 16] grouped(8)
          : !tile.buffer<?x?xf32, global, #tile.layout<(?, ?) : (?, 1)>>
        tile.copy %a[%row, %column] [16, 16] to %b[%row, %column] [16, 16] scope(cta) masked
          : !tile.buffer<?x?xf32, global, #tile.layout<(?, ?) : (?, 1)>>
          to !tile.buffer<?x?xf32, global, #tile.layout<(?, ?) : (?, 1)>>
        gpu.return
      }
    }
    ```

    Without a matrix, the operands are the numbers of rows and columns of tiles, and so are the results:

    ```mlir
    func.func @tile(%block: index, %m: index, %n: index) -> (index, index) {
      %i, %j = tile.block_order %block of (%m, %n) rows
      return %i, %j : index, index
    }
    ```

    The number is that of a block, or counts the tiles of a block that takes several. All operands are non-negative. A grid
    without rows or columns has no tiles, and the op is not executed for one. The passes that plan copies make arithmetic of
    the op before anything else.
  }];
  let arguments = (ins Index:$number, Optional<Index>:$rows, Optional<Index>:$columns, Optional<Tile_BufferType>:$matrix,
                       Tile_BlockOrder:$order, OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$group,
                       OptionalAttr<DenseI64ArrayAttr>:$sizes);
  let results = (outs Index:$row, Index:$column);
  let builders = [OpBuilder<(ins "::mlir::Value":$number, "::mlir::Value":$rows, "::mlir::Value":$columns,
                             "::tile::BlockOrder":$order, CArg<"::mlir::IntegerAttr", "{}">:$group)>];
  let assemblyFormat = [{
    $number `of` custom<Grid>($rows, $columns, $matrix, $sizes) $order (`(` $group^ `)`)? attr-dict
    (`:` qualified(type($matrix))^)?
  }];
  let hasVerifier = 1;
}

#endif // TILE_BLOCK_OPS_TD
