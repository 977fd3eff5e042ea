//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// --tile-lower-shuffles: lanes exchange through shared memory.

#include "Threads.h"
#include "tile/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include "llvm/ADT/MapVector.h"

namespace tile {
#define GEN_PASS_DEF_TILELOWERSHUFFLES
#include "tile/TilePasses.h.inc"
} // namespace tile

using namespace mlir;

namespace {

// What prevents the lowering of a shuffle; empty where nothing does.
std::string obstacle(gpu::ShuffleOp op) {
  auto kernel = op->getParentOfType<gpu::GPUFuncOp>();
  if (!kernel)
    return "is not in a gpu.func, expected one, which has shared memory";
  if (!op.getType(0).isIntOrFloat())
    return "has a type that is neither an integer nor a float";
  APInt width;
  if (!matchPattern(op.getWidth(), m_ConstantInt(&width)) ||
      width != tile::warpSize)
    return "is of part of a warp, expected a width of 32";
  DenseI32ArrayAttr block = kernel.getKnownBlockSizeAttr();
  if (!block)
    return "is in a kernel without known_block_size, expected it";
  int64_t threads = tile::threadCount(block.asArrayRef());
  if (threads % tile::warpSize != 0)
    return "is in blocks of " + std::to_string(threads) +
           " threads, expected a multiple of 32";
  return {};
}

// The memory in which the threads of a kernel exchange values of a type.
using Memory = llvm::MapVector<std::pair<Operation *, Type>, Value>;

Value memoryOf(gpu::GPUFuncOp kernel, Type type, Location loc, Memory &memory) {
  Value &known = memory[{kernel, type}];
  if (!known) {
    auto space = gpu::AddressSpaceAttr::get(
        kernel.getContext(), gpu::GPUDialect::getWorkgroupAddressSpace());
    int64_t threads = tile::threadCount(*kernel.getKnownBlockSize());
    auto array = MemRefType::get({threads}, type, AffineMap(), space);
    known = kernel.addWorkgroupAttribution(array, loc);
  }
  return known;
}

// The lane whose value a lane gets, and whether that is another lane's: the
// rules of shfl.sync, which takes the lowest five bits of an offset.
std::pair<Value, Value> sourceLane(OpBuilder &builder, gpu::ShuffleOp op,
                                   Value lane) {
  Location loc = op.getLoc();
  Type index = builder.getIndexType();
  Value last = arith::ConstantIndexOp::create(builder, loc, tile::warpSize - 1);
  Value offset =
      arith::IndexCastOp::create(builder, loc, index, op.getOffset());
  offset = arith::AndIOp::create(builder, loc, offset, last);
  Value always = arith::ConstantIntOp::create(builder, loc, 1, 1);
  Value source, valid;
  switch (op.getMode()) {
  case gpu::ShuffleMode::XOR:
    return {arith::XOrIOp::create(builder, loc, lane, offset), always};
  case gpu::ShuffleMode::IDX:
    return {offset, always};
  case gpu::ShuffleMode::UP:
    source = arith::SubIOp::create(builder, loc, lane, offset);
    valid = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge, lane,
                                  offset);
    break;
  case gpu::ShuffleMode::DOWN:
    source = arith::AddIOp::create(builder, loc, lane, offset);
    valid = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ule,
                                  source, last);
    break;
  }
  return {arith::SelectOp::create(builder, loc, valid, source, lane), valid};
}

// The first barrier: other threads may still read the values of the shuffle
// before.
void lower(gpu::ShuffleOp op, Memory &memory) {
  auto kernel = op->getParentOfType<gpu::GPUFuncOp>();
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value values = memoryOf(kernel, op.getType(0), loc, memory);
  Value thread = tile::linearThread(builder, loc, *kernel.getKnownBlockSize());
  Value warp = arith::ConstantIndexOp::create(builder, loc, tile::warpSize);
  Value lane = arith::RemUIOp::create(builder, loc, thread, warp);
  Value first = arith::SubIOp::create(builder, loc, thread, lane);
  auto [source, valid] = sourceLane(builder, op, lane);
  Value other = arith::AddIOp::create(builder, loc, first, source);
  gpu::BarrierOp::create(builder, loc);
  memref::StoreOp::create(builder, loc, op.getValue(), values, thread);
  gpu::BarrierOp::create(builder, loc);
  Value value = memref::LoadOp::create(builder, loc, values, other);
  op.replaceAllUsesWith(ValueRange{value, valid});
  op.erase();
}

struct LowerShuffles : tile::impl::TileLowerShufflesBase<LowerShuffles> {
  void runOnOperation() override {
    SmallVector<gpu::ShuffleOp> shuffles;
    getOperation()->walk([&](gpu::ShuffleOp op) { shuffles.push_back(op); });
    for (gpu::ShuffleOp op : shuffles) {
      if (std::string reason = obstacle(op); !reason.empty()) {
        op.emitOpError(reason);
        return signalPassFailure();
      }
    }
    Memory memory;
    for (gpu::ShuffleOp op : shuffles)
      lower(op, memory);
  }
};

} // namespace
