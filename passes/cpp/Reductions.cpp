//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// --tile-lower-reductions: reductions over a block become reductions over
// warps, and those become shuffles.

#include "Bridge.h"
#include "Threads.h"
#include "tile/Passes.h"

#include "mlir/CAPI/IR.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace tile {
#define GEN_PASS_DEF_TILELOWERREDUCTIONS
#include "tile/TilePasses.h.inc"
} // namespace tile

using namespace mlir;

namespace {

// The identity element, with which a lane without a value takes part.
TypedAttr identity(gpu::AllReduceOperation op, Type type, OpBuilder &builder,
                   Location loc) {
  bool isFloat = isa<FloatType>(type);
  using Kind = arith::AtomicRMWKind;
  auto kind = [&] {
    switch (op) {
    case gpu::AllReduceOperation::ADD:
      return isFloat ? Kind::addf : Kind::addi;
    case gpu::AllReduceOperation::MUL:
      return isFloat ? Kind::mulf : Kind::muli;
    case gpu::AllReduceOperation::MINUI:
      return Kind::minu;
    case gpu::AllReduceOperation::MINSI:
      return Kind::mins;
    case gpu::AllReduceOperation::MINNUMF:
      return Kind::minnumf;
    case gpu::AllReduceOperation::MAXUI:
      return Kind::maxu;
    case gpu::AllReduceOperation::MAXSI:
      return Kind::maxs;
    case gpu::AllReduceOperation::MAXNUMF:
      return Kind::maxnumf;
    case gpu::AllReduceOperation::AND:
      return Kind::andi;
    case gpu::AllReduceOperation::OR:
      return Kind::ori;
    case gpu::AllReduceOperation::XOR:
      return Kind::xori;
    case gpu::AllReduceOperation::MINIMUMF:
      return Kind::minimumf;
    case gpu::AllReduceOperation::MAXIMUMF:
      return Kind::maximumf;
    }
    llvm_unreachable("all operations are listed");
  };
  auto number = dyn_cast<FloatType>(type);
  bool isLargest = op == gpu::AllReduceOperation::MINIMUMF;
  bool isLeast = op == gpu::AllReduceOperation::MAXIMUMF;
  if (number && (isLargest || isLeast) &&
      !APFloat::semanticsHasInf(number.getFloatSemantics()))
    return builder.getFloatAttr(
        type, APFloat::getLargest(number.getFloatSemantics(), isLeast));
  return arith::getIdentityValueAttr(kind(), type, builder, loc);
}

// What prevents the lowering of a reduction over a block; empty where nothing
// does.
std::string obstacle(gpu::AllReduceOp op) {
  auto kernel = dyn_cast_or_null<gpu::GPUFuncOp>(
      op->getParentOfType<FunctionOpInterface>().getOperation());
  if (!kernel)
    return "is not in a gpu.func, expected one, which has shared memory";
  if (!op.getOp())
    return "has a region, expected one of the operations, as in `add`";
  if (!op.getUniform())
    return "is not uniform, expected `uniform`: all threads of the block take "
           "part";
  DenseI32ArrayAttr block = kernel.getKnownBlockSizeAttr();
  if (!block)
    return "is in a kernel without known_block_size, expected it";
  if (!op.getType().isIntOrFloat())
    return "has a type that is neither an integer nor a float";
  int64_t threads = tile::threadCount(block.asArrayRef());
  if (threads % tile::warpSize != 0 ||
      threads > tile::warpSize * tile::warpSize)
    return "is in blocks of " + std::to_string(threads) +
           " threads, expected a multiple of 32, up to 1024";
  return {};
}

// Reduces one value per warp, in each lane of each warp.
Value reduceParts(gpu::AllReduceOp op, Value parts, Value lane, int64_t warps,
                  OpBuilder &builder) {
  Location loc = op.getLoc();
  Value count = arith::ConstantIndexOp::create(builder, loc, warps);
  // Clusters of as many lanes as there are warps: fewer shuffles.
  if (llvm::isPowerOf2_64(warps)) {
    Value mine = arith::RemUIOp::create(builder, loc, lane, count);
    Value part = memref::LoadOp::create(builder, loc, parts, mine);
    return gpu::SubgroupReduceOp::create(builder, loc, part, *op.getOp(),
                                         /*uniform=*/true, warps);
  }
  Value there = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                      lane, count);
  auto load = scf::IfOp::create(
      builder, loc, there,
      [&](OpBuilder &inner, Location loc) {
        Value part = memref::LoadOp::create(inner, loc, parts, lane);
        scf::YieldOp::create(inner, loc, part);
      },
      [&](OpBuilder &inner, Location loc) {
        Value none = arith::ConstantOp::create(
            inner, loc, identity(*op.getOp(), op.getType(), inner, loc));
        scf::YieldOp::create(inner, loc, none);
      });
  return gpu::SubgroupReduceOp::create(builder, loc, load.getResult(0),
                                       *op.getOp(), /*uniform=*/true);
}

// Exchanges one value per warp through shared memory; each warp then reduces
// these itself. One barrier, and in a loop another one before, since other
// warps may still read the values of the previous iteration.
void lowerAllReduce(gpu::AllReduceOp op) {
  auto kernel = op->getParentOfType<gpu::GPUFuncOp>();
  ArrayRef<int32_t> block = kernel.getKnownBlockSizeAttr();
  int64_t warps = tile::threadCount(block) / tile::warpSize;
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Type type = op.getType();
  Value result = gpu::SubgroupReduceOp::create(builder, loc, op.getValue(),
                                               *op.getOp(), /*uniform=*/true);
  if (warps > 1) {
    auto space = gpu::AddressSpaceAttr::get(
        op.getContext(), gpu::GPUDialect::getWorkgroupAddressSpace());
    auto shared = MemRefType::get({warps}, type, AffineMap(), space);
    Value parts = kernel.addWorkgroupAttribution(shared, loc);
    Value thread = tile::linearThread(builder, loc, block);
    Value size = arith::ConstantIndexOp::create(builder, loc, tile::warpSize);
    Value warp = arith::DivUIOp::create(builder, loc, thread, size);
    Value lane = arith::RemUIOp::create(builder, loc, thread, size);
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    Value first = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        lane, zero);
    if (op->getParentOp() != kernel || !kernel.getBody().hasOneBlock())
      gpu::BarrierOp::create(builder, loc);
    scf::IfOp::create(builder, loc, first, [&](OpBuilder &inner, Location loc) {
      memref::StoreOp::create(inner, loc, result, parts, warp);
      scf::YieldOp::create(inner, loc);
    });
    gpu::BarrierOp::create(builder, loc);
    result = reduceParts(op, parts, lane, warps, builder);
  }
  op.replaceAllUsesWith(result);
  op.erase();
}

// The instruction of sm_80 for unsigned extremes, which the conversion to NVVM
// does not use.
std::optional<NVVM::ReduxKind> unsignedRedux(gpu::AllReduceOperation op) {
  switch (op) {
  case gpu::AllReduceOperation::MINUI:
    return NVVM::ReduxKind::UMIN;
  case gpu::AllReduceOperation::MAXUI:
    return NVVM::ReduxKind::UMAX;
  default:
    return std::nullopt;
  }
}

// sm_80 has an instruction for these, which the conversion to NVVM uses.
bool isRedux(gpu::SubgroupReduceOp op) {
  return op.getUniform() && !op.getClusterSize() &&
         op.getType().isInteger(32) &&
         op.getOp() != gpu::AllReduceOperation::MUL;
}

struct LowerReductions : tile::impl::TileLowerReductionsBase<LowerReductions> {
  using TileLowerReductionsBase::TileLowerReductionsBase;
  void runOnOperation() override {
    SmallVector<gpu::AllReduceOp> blocks;
    getOperation()->walk([&](gpu::AllReduceOp op) { blocks.push_back(op); });
    for (gpu::AllReduceOp op : blocks) {
      if (std::string reason = obstacle(op); !reason.empty()) {
        op.emitOpError(reason);
        return signalPassFailure();
      }
    }
    llvm::for_each(blocks, lowerAllReduce);
    lowerWarps();
  }

  void lowerWarps() {
    bool hasRedux = redux && tileHasRedux(wrap(getOperation()));
    SmallVector<Operation *> warps;
    getOperation()->walk([&](gpu::SubgroupReduceOp op) {
      if (!hasRedux || !isRedux(op))
        warps.push_back(op);
      else if (auto kind = unsignedRedux(op.getOp()))
        lowerUnsigned(op, *kind);
    });
    RewritePatternSet patterns(&getContext());
    for (unsigned bits : {32, 64, 128}) {
      PatternBenefit benefit = 128 / bits;
      populateGpuBreakDownSubgroupReducePatterns(patterns, bits, benefit);
      populateGpuLowerSubgroupReduceToShufflePatterns(patterns, tile::warpSize,
                                                      bits, benefit);
      populateGpuLowerClusteredSubgroupReduceToShufflePatterns(
          patterns, tile::warpSize, bits, benefit);
    }
    (void)applyOpPatternsGreedily(warps, std::move(patterns));
  }

  static void lowerUnsigned(gpu::SubgroupReduceOp op, NVVM::ReduxKind kind) {
    OpBuilder builder(op);
    Value all = arith::ConstantIntOp::create(builder, op.getLoc(), -1, 32);
    Value result = NVVM::ReduxOp::create(builder, op.getLoc(), op.getType(),
                                         op.getValue(), kind, all);
    op.replaceAllUsesWith(result);
    op.erase();
  }
};

} // namespace
