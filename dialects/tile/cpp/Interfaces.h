//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Interfaces of the dialect as a whole.

#ifndef TILE_INTERFACES_H
#define TILE_INTERFACES_H

namespace tile {

class TileDialect;

void addInterfaces(TileDialect &dialect);

// The version of the bytecode.
void addBytecode(TileDialect &dialect);

} // namespace tile

#endif // TILE_INTERFACES_H
