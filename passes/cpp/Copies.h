//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Upstream's copies, as --convert-copies-to-tile reads them.

#ifndef TILE_PASSES_COPIES_H
#define TILE_PASSES_COPIES_H

#include "Bridge.h"
#include "tile/Dialect.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SmallBitVector.h"

namespace tile {

// Why a copy stays as it is.
struct Stays {
  TileStays why;
  std::string reason;
};

// A region of a memref. Dimensions of the copy are some of the memref's, in
// their own order; in the others the region has the extent 1.
struct Part {
  mlir::Value memref;
  llvm::SmallVector<mlir::OpFoldResult> begins;
  llvm::SmallVector<int64_t> order;
  // The dimensions of the memref beyond whose end the region may reach.
  llvm::SmallBitVector leaves;

  mlir::MemRefType type() const {
    return llvm::cast<mlir::MemRefType>(memref.getType());
  }
};

// A copy of the elements of one region to the same positions of another one. In
// dimension i only as many are read, or written, as a number or a value states,
// if there is one; what is not read is filled, or not copied. A number is
// from 0 to the size in that dimension; a region that may leave its memref is
// limited by that, too.
struct UpstreamCopy {
  Part src, dst;
  llvm::SmallVector<int64_t> sizes;
  llvm::SmallVector<mlir::OpFoldResult> reads, writes;
  mlir::Value fill;
};

// Whether the op is one that may become a tile.copy.
bool isUpstreamCopy(mlir::Operation *op);

// Reads a copy; numbers that it needs are computed before it.
std::optional<Stays> readCopy(mlir::Operation *op, mlir::OpBuilder &builder,
                              UpstreamCopy &copy);

// Reads the two transfers of a vector as a copy.
std::optional<Stays> readVectors(mlir::vector::TransferWriteOp write,
                                 mlir::OpBuilder &builder, UpstreamCopy &copy);

// Erases copies below an op of memory to itself, which bufferization leaves.
void eraseCopiesToThemselves(mlir::Operation *root);

// Shows ops of linalg and copies below an op the memory that they use behind
// casts and conditions.
void showMemory(mlir::Operation *root);

// The read of the vector that a transfer writes; null if it comes from
// elsewhere.
mlir::vector::TransferReadOp readOf(mlir::vector::TransferWriteOp write);

// All of a memref.
Part whole(mlir::Value memref, mlir::OpBuilder &builder);

// Follows views that state only where a part begins to the memref that they
// view.
void trace(Part &part, mlir::OpBuilder &builder, mlir::Location loc);

// The memory of a memref, by its type; none for memories that only one thread
// sees.
std::optional<Space> memoryOf(mlir::MemRefType type);

// The same by the op or the attribution that a memref comes from: none where
// that contradicts the type.
std::optional<Space> memoryOf(mlir::Value memref);

// Whether an op may write memory of this kind.
bool mayWrite(mlir::Operation *op, std::optional<Space> memory);

// Whether two regions have no element in common, given by their begins and
// sizes in every dimension of the memrefs of two parts.
bool areDisjoint(const Part &one, llvm::ArrayRef<int64_t> sizes,
                 const Part &other, llvm::ArrayRef<int64_t> otherSizes);

// Sums, differences and minima of numbers or values, folded where they are
// known.
mlir::OpFoldResult sum(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::OpFoldResult lhs, mlir::OpFoldResult rhs);
mlir::OpFoldResult difference(mlir::OpBuilder &builder, mlir::Location loc,
                              mlir::OpFoldResult lhs, mlir::OpFoldResult rhs);
mlir::OpFoldResult least(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::OpFoldResult lhs, mlir::OpFoldResult rhs);

// Why the memory of a part is none that a tile has, if that is so.
std::optional<Stays> unknownMemory(const Part &part);

// Builds the tile.copy of a region to a tile that has the same extents, apart
// from dimensions of extent 1, or back. In a dimension with a count only so
// many elements are in the region.
std::optional<Stays> buildRegionCopy(mlir::Location loc,
                                     mlir::OpBuilder &builder, const Part &part,
                                     llvm::ArrayRef<int64_t> sizes,
                                     llvm::ArrayRef<mlir::OpFoldResult> counts,
                                     mlir::Value tile, bool isLoad, Scope scope,
                                     CopyOp &built);

// The largest value of a run-time extent, which a view has of what it views;
// none where that is not known.
std::optional<int64_t> most(mlir::Value memref, int64_t dimension);

// Builds the tile.copy, with its views.
std::optional<Stays> buildCopy(mlir::Location loc, mlir::OpBuilder &builder,
                               const UpstreamCopy &copy, Scope scope,
                               CopyOp &built);

// Makes the tile.copy for an upstream copy, which stays, if the compiler can do
// it; else why not.
std::optional<Stays> makeCopy(mlir::Operation *op, Scope scope, CopyOp &built);

// Converts the transfers of vectors below an op that are copies, or says why
// they stay; false where an op asks for threads that there are not.
bool convertTransfers(mlir::Operation *root);

// The integers of 8 to 64 bits whose memory elements have that no tile has,
// such as complex numbers; null where there are none.
mlir::Type storedAs(mlir::Type element);

// Makes loops, branches and accesses of the affine dialect in functions that
// passes read those of scf, memref and vector.
void lowerAffine(mlir::Operation *root);

// Makes workgroup memory that is allocated in kernels, or for them, theirs.
void attributeWorkgroupMemory(mlir::Operation *root);

} // namespace tile

#endif // TILE_PASSES_COPIES_H
