//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// What TileAccessOpInterface states of an op.

#ifndef TILE_ACCESS_H
#define TILE_ACCESS_H

#include "mlir/IR/OpDefinition.h"

namespace tile {

enum class Scope : uint32_t;

// What performs an access, and completes it.
enum class AccessEngine {
  // Loads and stores, which are complete before the next op begins; of tensor
  // memory `tcgen05.ld` and `tcgen05.st`, which the op waits for.
  Threads,
  // `cp.async`: complete once the thread has waited for the group that it
  // commits after the op. With an mbarrier each thread arrives on it once.
  CpAsync,
  // `cp.async.bulk`, in the async proxy: complete once the thread has waited
  // for the bulk group that it commits after the op. With an mbarrier each
  // thread that executes the op completes as many bytes of its phase as it
  // writes to shared memory; the kernel expects them, and arrives.
  Bulk,
};

// An access of an op to the memory of one of its operands.
struct MemoryAccess {
  // A tile, a memref or a pointer; null for memory that no operand names.
  mlir::OpOperand *operand = nullptr;
  bool reads = false;
  // All elements are written, unless it also reads.
  bool writes = false;
  AccessEngine engine = AccessEngine::Threads;
  // The region of a tile or of a memref, in elements; without sizes all of it.
  // Where it is not known which elements of memory these are, any may be
  // accessed; in tensor memory, any column of the tile.
  llvm::SmallVector<mlir::OpFoldResult> offsets = {};
  llvm::SmallVector<int64_t> sizes = {};
  // The mbarrier that completes it, a pointer or a memref in shared memory: the
  // same for all asynchronous accesses of the op.
  mlir::OpOperand *mbarrier = nullptr;
};

// The scope in the op's attribute `tile.scope`; `thread` where it has none.
Scope statedScope(mlir::Operation *op);

// Appends what MLIR's interface of memory effects says. An op without that
// accesses memory that no operand names.
void accessesOfEffects(mlir::Operation *op,
                       llvm::SmallVectorImpl<MemoryAccess> &accesses);

} // namespace tile

#endif // TILE_ACCESS_H
