//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The whole dialect, for mlir-tblgen.

#ifndef TILE_TD
#define TILE_TD

include "TileOps.td"
include "TileCopyOps.td"
include "TilePlanOps.td"
include "TileViewOps.td"
include "TileMmaOps.td"
include "TileElementwiseOps.td"
include "TileScanOps.td"
include "TileChainedOps.td"
include "TileSortOps.td"
include "TileTensorMapOps.td"
include "TileVersionOps.td"
include "TileBlockOps.td"
include "TileReturnOps.td"
include "TileScheduleAttr.td"

#endif // TILE_TD
