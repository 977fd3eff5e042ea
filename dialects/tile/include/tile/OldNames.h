//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Old names of ops and passes, which are accepted for one release: in text and
// bytecode, in pipelines and in C++. docs/terms.md lists the same names.

#ifndef TILE_OLDNAMES_H
#define TILE_OLDNAMES_H

// Each is ROW(old name, name, old name in C++, name in C++).

#define TILE_OLD_PASSES(ROW)                                                   \
  ROW("tile-align-copy", "tile-align-layouts", TileAlignCopy, TileAlignLayouts)

#define TILE_OLD_OPS(ROW)                                                      \
  ROW("tile.aligned_copy", "tile.matched_copy", AlignedCopyOp, MatchedCopyOp)  \
  ROW("tile.tensor_copy", "tile.tmem_copy", TensorCopyOp, TmemCopyOp)          \
  ROW("tile.tensor_access", "tile.tmem_access", TensorAccessOp, TmemAccessOp)

#endif // TILE_OLDNAMES_H
