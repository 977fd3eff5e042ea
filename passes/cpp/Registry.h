//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The dialects and interfaces that the tools parse and translate.

#ifndef TILE_PASSES_REGISTRY_H
#define TILE_PASSES_REGISTRY_H

#include "mlir/IR/DialectRegistry.h"

namespace tile {

// What a kernel module may be written in, and its conversions to LLVM.
void registerDialects(mlir::DialectRegistry &registry);

// From the LLVM and NVVM dialects to LLVM IR.
void registerTranslations(mlir::DialectRegistry &registry);

} // namespace tile

#endif // TILE_PASSES_REGISTRY_H
