//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Registration for tools of other compilers.

#ifndef TILE_INITALL_H
#define TILE_INITALL_H

#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/Config/llvm-config.h"

namespace tile {

namespace detail {
// Ends the program with a message where the caller's MLIR is not the one that
// the library uses: with two in a process, what is registered in one is unknown
// to the other.
void requireSameMLIR(const void *builtin, const char *version);
void registerAllDialects(mlir::DialectRegistry &registry);
void registerAllPasses();

inline void requireSameMLIR() {
  requireSameMLIR(
      mlir::TypeID::get<mlir::BuiltinDialect>().getAsOpaquePointer(),
      LLVM_VERSION_STRING);
}
} // namespace detail

// The tile dialect and all dialects that a kernel module may use, with their
// conversions to LLVM.
inline void registerAllDialects(mlir::DialectRegistry &registry) {
  detail::requireSameMLIR();
  detail::registerAllDialects(registry);
}

// All passes of Passes.h and the pipeline tile-to-nvvm, by their names. It may
// be called any number of times.
inline void registerAllPasses() {
  detail::requireSameMLIR();
  detail::registerAllPasses();
}

// Ops of the transform dialect, such as transform.tile.convert.
void registerTransformOps(mlir::DialectRegistry &registry);

// From the LLVM and NVVM dialects to LLVM IR.
void registerAllTranslations(mlir::DialectRegistry &registry);

} // namespace tile

#endif // TILE_INITALL_H
