//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// --tile-lower-subgroups: numbers of warps, and exchanges of values of any
// width as exchanges of words.

#include "Threads.h"
#include "tile/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace tile {
#define GEN_PASS_DEF_TILELOWERSUBGROUPS
#include "tile/TilePasses.h.inc"
} // namespace tile

using namespace mlir;

namespace {

constexpr unsigned wordBits = 32;

struct LowerSubgroupSize : OpRewritePattern<gpu::SubgroupSizeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(gpu::SubgroupSizeOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<arith::ConstantIndexOp>(op, tile::warpSize);
    return success();
  }
};

// The warps of a block, of which the last one may be incomplete.
struct LowerNumSubgroups : OpRewritePattern<gpu::NumSubgroupsOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(gpu::NumSubgroupsOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value threads = gpu::BlockDimOp::create(rewriter, loc, gpu::Dimension::x);
    for (gpu::Dimension dimension : {gpu::Dimension::y, gpu::Dimension::z}) {
      Value extent = gpu::BlockDimOp::create(rewriter, loc, dimension);
      threads = arith::MulIOp::create(rewriter, loc, threads, extent);
    }
    Value size = arith::ConstantIndexOp::create(rewriter, loc, tile::warpSize);
    rewriter.replaceOpWithNewOp<arith::CeilDivUIOp>(op, threads, size);
    return success();
  }
};

// A shuffle of fewer lanes than a warp has is for these lanes alone; here all
// execute it, each in its group.
struct LowerRotate : OpRewritePattern<gpu::RotateOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(gpu::RotateOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto number = [&](int64_t value) -> Value {
      return arith::ConstantIntOp::create(rewriter, loc, value, wordBits);
    };
    int64_t width = op.getWidth();
    Value lane = gpu::LaneIdOp::create(rewriter, loc, /*upper_bound=*/nullptr);
    lane =
        arith::IndexCastOp::create(rewriter, loc, rewriter.getI32Type(), lane);
    Value moved =
        arith::AddIOp::create(rewriter, loc, lane, number(op.getOffset()));
    moved = arith::AndIOp::create(rewriter, loc, moved, number(width - 1));
    Value group = arith::AndIOp::create(rewriter, loc, lane, number(-width));
    Value source = arith::OrIOp::create(rewriter, loc, group, moved);
    auto shuffle =
        gpu::ShuffleOp::create(rewriter, loc, op.getValue(), source,
                               number(tile::warpSize), gpu::ShuffleMode::IDX);
    Value valid = arith::CmpIOp::create(
        rewriter, loc, arith::CmpIPredicate::ult, lane, number(width));
    rewriter.replaceOp(op, {shuffle.getShuffleResult(), valid});
    return success();
  }
};

struct LowerBroadcast : OpRewritePattern<gpu::SubgroupBroadcastOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(gpu::SubgroupBroadcastOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getBroadcastType() != gpu::BroadcastType::specific_lane)
      return failure();
    Value width = arith::ConstantIntOp::create(rewriter, op.getLoc(),
                                               tile::warpSize, wordBits);
    auto shuffle =
        gpu::ShuffleOp::create(rewriter, op.getLoc(), op.getSrc(), op.getLane(),
                               width, gpu::ShuffleMode::IDX);
    rewriter.replaceOp(op, shuffle.getShuffleResult());
    return success();
  }
};

// A number, or a vector of one dimension, as a vector of words. What is beyond
// the value in the last word is zero.
Value toWords(Value value, unsigned bits, OpBuilder &builder, Location loc) {
  Type type = value.getType();
  if (!isa<VectorType>(type))
    value = vector::FromElementsOp::create(builder, loc,
                                           VectorType::get({1}, type), value);
  unsigned padded = llvm::alignTo(bits, wordBits);
  auto one = [&](unsigned width) {
    return VectorType::get({1}, builder.getIntegerType(width));
  };
  if (padded != bits) {
    value = vector::BitCastOp::create(builder, loc, one(bits), value);
    value = arith::ExtUIOp::create(builder, loc, one(padded), value);
  }
  auto words = VectorType::get({padded / wordBits}, builder.getI32Type());
  return value.getType() == words
             ? value
             : vector::BitCastOp::create(builder, loc, words, value);
}

// The inverse.
Value ofWords(Value words, Type type, unsigned bits, OpBuilder &builder,
              Location loc) {
  auto whole = dyn_cast<VectorType>(type);
  if (!whole)
    whole = VectorType::get({1}, type);
  unsigned padded = llvm::alignTo(bits, wordBits);
  auto one = [&](unsigned width) {
    return VectorType::get({1}, builder.getIntegerType(width));
  };
  Value value = words;
  if (padded != bits) {
    value = vector::BitCastOp::create(builder, loc, one(padded), value);
    value = arith::TruncIOp::create(builder, loc, one(bits), value);
  }
  if (value.getType() != whole)
    value = vector::BitCastOp::create(builder, loc, whole, value);
  if (whole == type)
    return value;
  return vector::ExtractOp::create(builder, loc, value, ArrayRef<int64_t>{0});
}

// The chip exchanges words; upstream's conversion takes nothing else.
struct ShuffleWords : OpRewritePattern<gpu::ShuffleOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(gpu::ShuffleOp op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType(0);
    if (type.isInteger(wordBits) || type.isF32())
      return failure();
    unsigned bits = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
    if (auto vector = dyn_cast<VectorType>(type)) {
      if (vector.isScalable())
        return failure();
      bits *= vector.getNumElements();
    }
    Location loc = op.getLoc();
    Value words = toWords(op.getValue(), bits, rewriter, loc);
    SmallVector<Value> moved;
    Value valid;
    for (int64_t i = 0, e = cast<VectorType>(words.getType()).getDimSize(0);
         i < e; ++i) {
      Value word = vector::ExtractOp::create(rewriter, loc, words, i);
      auto shuffle = gpu::ShuffleOp::create(rewriter, loc, word, op.getOffset(),
                                            op.getWidth(), op.getMode());
      moved.push_back(shuffle.getShuffleResult());
      valid = shuffle.getValid();
    }
    Value joined = vector::FromElementsOp::create(
        rewriter, loc, cast<VectorType>(words.getType()), moved);
    rewriter.replaceOp(op, {ofWords(joined, type, bits, rewriter, loc), valid});
    return success();
  }
};

struct LowerSubgroups : tile::impl::TileLowerSubgroupsBase<LowerSubgroups> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateGpuSubgroupIdPatterns(patterns);
    patterns.add<LowerSubgroupSize, LowerNumSubgroups, LowerRotate,
                 LowerBroadcast, ShuffleWords>(&getContext());
    // Nothing else in the kernel is to be folded here.
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa<gpu::SubgroupIdOp, gpu::SubgroupSizeOp, gpu::NumSubgroupsOp,
              gpu::RotateOp, gpu::SubgroupBroadcastOp, gpu::ShuffleOp>(op))
        ops.push_back(op);
    });
    (void)applyOpPatternsGreedily(ops, std::move(patterns));
  }
};

} // namespace
