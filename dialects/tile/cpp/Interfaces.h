//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Interfaces of the dialect as a whole, and functions that its ops share.

#ifndef TILE_INTERFACES_H
#define TILE_INTERFACES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/Support/LogicalResult.h"

#include <memory>

namespace mlir {
class Dialect;
class DialectBytecodeReader;
class DialectInterface;
class Operation;
struct OperationState;
class PatternRewriter;
} // namespace mlir

namespace tile {

// The dialect's version in bytecode.
std::unique_ptr<mlir::DialectInterface> bytecodeInterface(mlir::Dialect *);

// The attributes of an op in bytecode, which have some of these names; null,
// after an error, where they have not.
mlir::DictionaryAttr readAttributes(mlir::DialectBytecodeReader &reader,
                                    const mlir::OperationState &state,
                                    llvm::ArrayRef<llvm::StringRef> names);

// Clones a view that is made outside of a gpu.launch into the launches that use
// it.
llvm::LogicalResult viewIntoLaunch(mlir::Operation *view,
                                   mlir::PatternRewriter &rewriter);

} // namespace tile

#endif // TILE_INTERFACES_H
