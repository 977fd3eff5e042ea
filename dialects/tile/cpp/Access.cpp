//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// What ops state of their accesses that only say what MLIR's interfaces ask.

#include "tile/Dialect.h"

#include "tile/TileAccessInterface.cpp.inc"

using namespace mlir;

tile::Scope tile::statedScope(Operation *op) {
  auto stated = op->getAttrOfType<StringAttr>("tile.scope");
  std::optional<Scope> scope =
      stated ? symbolizeScope(stated.getValue()) : std::nullopt;
  return scope.value_or(Scope::Thread);
}

void tile::accessesOfEffects(Operation *op,
                             SmallVectorImpl<MemoryAccess> &accesses) {
  auto known = dyn_cast<MemoryEffectOpInterface>(op);
  if (!known) {
    accesses.push_back({nullptr, /*reads=*/true, /*writes=*/true});
    return;
  }
  SmallVector<MemoryEffects::EffectInstance> effects;
  known.getEffects(effects);
  for (const MemoryEffects::EffectInstance &effect : effects) {
    if (isa<MemoryEffects::Allocate>(effect.getEffect()))
      continue;
    bool reads = isa<MemoryEffects::Read>(effect.getEffect());
    accesses.push_back({effect.getEffectValue<OpOperand *>(),
                        reads || !effect.getEffectOnFullRegion(), !reads});
  }
}
