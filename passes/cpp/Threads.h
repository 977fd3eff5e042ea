//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The threads of a block whose size a kernel states.

#ifndef TILE_PASSES_THREADS_H
#define TILE_PASSES_THREADS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace tile {

constexpr int64_t warpSize = 32;

// The number of a thread in its block, x fastest.
inline mlir::Value linearThread(mlir::OpBuilder &builder, mlir::Location loc,
                                llvm::ArrayRef<int32_t> block) {
  using namespace mlir;
  Value number = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::z);
  for (auto [dimension, extent] : {std::pair(gpu::Dimension::y, block[1]),
                                   std::pair(gpu::Dimension::x, block[0])}) {
    Value size = arith::ConstantIndexOp::create(builder, loc, extent);
    number = arith::MulIOp::create(builder, loc, number, size);
    Value thread = gpu::ThreadIdOp::create(builder, loc, dimension);
    number = arith::AddIOp::create(builder, loc, number, thread);
  }
  return number;
}

// The number of threads of a block.
inline int64_t threadCount(llvm::ArrayRef<int32_t> block) {
  return int64_t(block[0]) * block[1] * block[2];
}

} // namespace tile

#endif // TILE_PASSES_THREADS_H
