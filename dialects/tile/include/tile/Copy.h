//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// What TileCopyOpInterface states of an op.

#ifndef TILE_COPY_H
#define TILE_COPY_H

#include "mlir/IR/OpDefinition.h"

namespace tile {

enum class Convert : uint32_t;
enum class Scope : uint32_t;

// What completes a copy, by the clauses of `tile.copy_async`.
enum class CopyCompletion {
  // It is complete when the op is: a `tile.copy`.
  Synchronous,
  // What the kernel commits and waits for itself; a loop with `tile.stages`.
  Caller,
  // The `cp.async` group that it commits: `group`.
  Group,
  // The bulk group that it commits: `bulk_group`.
  BulkGroup,
};

// A side of a copy.
struct CopyRegion {
  // A `!tile.buffer`, which is an operand of the op.
  mlir::Value buffer = {};
  // The region, in elements; without sizes all of the buffer. Offsets are
  // operands of the op, or constants.
  llvm::SmallVector<mlir::OpFoldResult> begin = {};
  llvm::SmallVector<int64_t> sizes = {};
};

// The copy that an op is.
struct StatedCopy {
  CopyRegion source;
  CopyRegion dest;
  // The threads that copy together; without, those of statedScope.
  std::optional<Scope> scope = std::nullopt;
  CopyCompletion completion = CopyCompletion::Synchronous;
  // The mbarrier that completes an asynchronous copy; an operand of the op.
  mlir::Value mbarrier = {};
  // Whether regions may extend beyond their buffers, and what elements become
  // whose source is outside; an operand of the op.
  bool masked = false;
  mlir::Value filler = {};
  std::optional<Convert> convert = std::nullopt;
  // The variant that it must be; if empty, any.
  llvm::StringRef variant = {};
};

} // namespace tile

#endif // TILE_COPY_H
