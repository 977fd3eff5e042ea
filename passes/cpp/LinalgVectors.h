//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Groups of vectors that all threads of a block have, and the memory that they
// become.

#ifndef TILE_PASSES_LINALG_VECTORS_H
#define TILE_PASSES_LINALG_VECTORS_H

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/VectorInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace tile {

/// The type of a vector that becomes memory; null for other values.
mlir::VectorType vectorOf(mlir::Value value);

/// The element of a vector whose elements are one number; null for others.
mlir::Attribute splatOf(mlir::Value value);

/// Ops whose vectors depend on each other.
struct VectorGroup {
  llvm::SetVector<mlir::Operation *> ops;
  /// One that does not become an op of linalg.
  mlir::Operation *other = nullptr;

  explicit VectorGroup(mlir::Operation *anchor);

private:
  void add(mlir::Value value);
};

/// The memory of vectors, in which the transfers of these become copies.
struct VectorMemory {
  mlir::OpBuilder builder;
  /// The block that allocates.
  mlir::Block &entry;
  /// The memrefs of vectors, by vector.
  llvm::DenseMap<mlir::Value, mlir::Value> memrefs;

  VectorMemory(mlir::Block &entry, mlir::MLIRContext *context)
      : builder(context), entry(entry) {}

  /// Memory of the type of a vector.
  mlir::Value allocate(mlir::VectorType type, mlir::Location loc);
  /// Memory for a vector.
  mlir::Value allocate(mlir::Value vector);
  /// The memory of a vector that is read.
  mlir::Value source(mlir::Value vector);
  /// Memory that has the elements of a vector and may be overwritten.
  mlir::Value overwritten(mlir::Value vector);
  /// A copy of elements by maps from the dimensions of a vector.
  void copy(mlir::Value from, mlir::AffineMap fromMap, mlir::Value to,
            mlir::AffineMap toMap);
  void read(mlir::vector::TransferReadOp read);
  void write(mlir::vector::TransferWriteOp write);

private:
  mlir::Value viewed(mlir::VectorTransferOpInterface transfer, bool &isWhole);
  mlir::Value partOf(mlir::Value memref, mlir::Value viewed,
                     llvm::ArrayRef<std::optional<unsigned>> order);
};

} // namespace tile

#endif // TILE_PASSES_LINALG_VECTORS_H
