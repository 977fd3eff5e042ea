//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// --tile-lower-vectors: upstream's patterns, in an order in which each group
// takes what the one before leaves.

#include "tile/Passes.h"

#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace tile {
#define GEN_PASS_DEF_TILELOWERVECTORS
#include "tile/TilePasses.h.inc"
} // namespace tile

using namespace mlir;

namespace {

// A load of several dimensions becomes one for each row.
struct UnrollLoad : OpRewritePattern<vector::LoadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(vector::LoadOp op,
                                PatternRewriter &rewriter) const override {
    VectorType type = op.getVectorType();
    if (type.getRank() < 2 || type.isScalable())
      return failure();
    Value result = ub::PoisonOp::create(rewriter, op.getLoc(), type);
    auto row =
        VectorType::get(type.getShape().take_back(), type.getElementType());
    forEachRow(op, op.getIndices(), type, rewriter,
               [&](ArrayRef<int64_t> position, ValueRange indices) {
                 auto load = vector::LoadOp::create(rewriter, op.getLoc(), row,
                                                    op.getBase(), indices);
                 result = vector::InsertOp::create(rewriter, op.getLoc(), load,
                                                   result, position);
               });
    rewriter.replaceOp(op, result);
    return success();
  }

  // Calls a function with the position of each row in the vector and its
  // indices in memory.
  static void
  forEachRow(Operation *op, ValueRange indices, VectorType type,
             PatternRewriter &rewriter,
             function_ref<void(ArrayRef<int64_t>, ValueRange)> make) {
    ArrayRef<int64_t> rows = type.getShape().drop_back();
    SmallVector<int64_t> position(rows.size(), 0);
    for (int64_t n = 0, e = ShapedType::getNumElements(rows); n < e; ++n) {
      int64_t rest = n;
      SmallVector<Value> moved(indices);
      size_t first = indices.size() - type.getRank();
      for (size_t i = rows.size(); i-- > 0; rest /= rows[i]) {
        position[i] = rest % rows[i];
        Value distance =
            arith::ConstantIndexOp::create(rewriter, op->getLoc(), position[i]);
        moved[first + i] = rewriter.createOrFold<arith::AddIOp>(
            op->getLoc(), moved[first + i], distance);
      }
      make(position, moved);
    }
  }
};

// The same for a store.
struct UnrollStore : OpRewritePattern<vector::StoreOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(vector::StoreOp op,
                                PatternRewriter &rewriter) const override {
    VectorType type = op.getVectorType();
    if (type.getRank() < 2 || type.isScalable())
      return failure();
    UnrollLoad::forEachRow(op, op.getIndices(), type, rewriter,
                           [&](ArrayRef<int64_t> position, ValueRange indices) {
                             Value row = vector::ExtractOp::create(
                                 rewriter, op.getLoc(), op.getValueToStore(),
                                 position);
                             vector::StoreOp::create(rewriter, op.getLoc(), row,
                                                     op.getBase(), indices);
                           });
    rewriter.eraseOp(op);
    return success();
  }
};

// Contractions, reductions along several dimensions and scans become
// elementwise arithmetic; masked ops become ops that take a mask.
void populateArithmetic(RewritePatternSet &patterns) {
  vector::populateVectorContractLoweringPatterns(
      patterns, vector::VectorContractLowering::Dot);
  vector::populateVectorOuterProductLoweringPatterns(patterns);
  vector::populateVectorMultiReductionLoweringPatterns(
      patterns, vector::VectorMultiReductionLowering::InnerParallel);
  vector::populateVectorScanLoweringPatterns(patterns);
  vector::populateVectorStepLoweringPatterns(patterns);
  vector::populateVectorMaskLoweringPatternsForSideEffectingOps(patterns);
}

// Transfers of several dimensions become transfers of one; unrolled, so that no
// vector is indexed by a loop and lands in local memory.
void populateTransfers(RewritePatternSet &patterns) {
  vector::populateVectorTransferPermutationMapLoweringPatterns(patterns);
  populateVectorToSCFConversionPatterns(
      patterns, VectorTransferToSCFOptions().enableFullUnroll());
  patterns.add<UnrollLoad, UnrollStore>(patterns.getContext());
}

// Ops that the conversion to LLVM takes in one dimension only.
void populateRanks(RewritePatternSet &patterns) {
  vector::populateVectorToVectorCanonicalizationPatterns(patterns);
  vector::populateVectorBitCastLoweringPatterns(patterns);
  vector::populateVectorBroadcastLoweringPatterns(patterns);
  vector::populateVectorMaskOpLoweringPatterns(patterns);
  vector::populateVectorShapeCastLoweringPatterns(patterns);
  vector::populateVectorShuffleLoweringPatterns(patterns);
  vector::populateVectorInterleaveLoweringPatterns(patterns);
  vector::populateVectorInterleaveToShufflePatterns(patterns);
  vector::populateVectorTransposeLoweringPatterns(
      patterns, vector::VectorTransposeLowering::EltWise);
  vector::populateVectorTransferLoweringPatterns(patterns,
                                                 /*maxTransferRank=*/1);
  vector::populateVectorMaskMaterializationPatterns(
      patterns, /*force32BitVectorIndices=*/false);
  vector::populateVectorInsertExtractStridedSliceTransforms(patterns);
  vector::populateVectorRankReducingFMAPattern(patterns);
  vector::populateVectorGatherLoweringPatterns(patterns);
  vector::populateVectorGatherToConditionalLoadPatterns(patterns);
  vector::populateVectorMaskedLoadStoreEmulationPatterns(patterns);
  vector::populateVectorToElementsUnrollPatterns(patterns);
  vector::populateVectorFromElementsUnrollPatterns(patterns);
}

// Constant vectors that are indexed at run time, as the values of a 4-bit
// float by its code: the back end would write such a vector to the stack of
// each thread. They become constants in global memory of the kernels' module.
struct TablePlacer {
  explicit TablePlacer(Operation *root) : root(root) {}

  void run() {
    SmallVector<vector::ExtractOp> lookups;
    root->walk([&](vector::ExtractOp op) {
      if (isLookup(op))
        lookups.push_back(op);
    });
    for (vector::ExtractOp op : lookups)
      if (Operation *module = moduleOf(op))
        load(op, module);
  }

private:
  static bool isLookup(vector::ExtractOp op) {
    VectorType type = op.getSourceVectorType();
    auto value = op.getSource().getDefiningOp<arith::ConstantOp>();
    Type element = type.getElementType();
    bool isStored = element.isF16() || element.isBF16() || element.isF32() ||
                    element.isF64() || element.isInteger(8) ||
                    element.isInteger(16) || element.isInteger(32) ||
                    element.isInteger(64);
    return value && isa<DenseElementsAttr>(value.getValue()) && isStored &&
           type.getRank() == 1 && !type.isScalable() &&
           op.getDynamicPosition().size() == 1;
  }

  // The module of kernels around an op, unless it is around what the pass
  // changes.
  Operation *moduleOf(Operation *op) const {
    auto module = op->getParentOfType<gpu::GPUModuleOp>();
    return module && root->isAncestor(module) ? module.getOperation() : nullptr;
  }

  void load(vector::ExtractOp op, Operation *module) {
    OpBuilder builder(op);
    Location loc = op.getLoc();
    auto value = op.getSource().getDefiningOp<arith::ConstantOp>();
    memref::GlobalOp table = tableOf(cast<DenseElementsAttr>(value.getValue()),
                                     module, value.getLoc());
    auto memory = memref::GetGlobalOp::create(builder, loc, table.getType(),
                                              table.getSymName());
    // An index beyond the table gives poison, and must not fault.
    Value last = arith::ConstantIndexOp::create(
        builder, loc, table.getType().getNumElements() - 1);
    Value index =
        arith::MinUIOp::create(builder, loc, op.getDynamicPosition()[0], last);
    auto entry = memref::LoadOp::create(builder, loc, memory, index);
    op.replaceAllUsesWith(entry.getResult());
    op.erase();
  }

  memref::GlobalOp tableOf(DenseElementsAttr values, Operation *module,
                           Location loc) {
    memref::GlobalOp &table = tables[{module, values}];
    if (table)
      return table;
    auto shape = cast<VectorType>(values.getType());
    auto type = MemRefType::get(shape.getShape(), shape.getElementType());
    auto tensor = RankedTensorType::get(type.getShape(), type.getElementType());
    OpBuilder builder = OpBuilder::atBlockBegin(&module->getRegion(0).front());
    table = memref::GlobalOp::create(
        builder, loc, "tile_table", builder.getStringAttr("private"), type,
        values.reshape(tensor), /*constant=*/true, /*alignment=*/IntegerAttr());
    SymbolTable(module).insert(table);
    return table;
  }

  Operation *root;
  DenseMap<std::pair<Operation *, Attribute>, memref::GlobalOp> tables;
};

struct LowerVectors : tile::impl::TileLowerVectorsBase<LowerVectors> {
  using TileLowerVectorsBase::TileLowerVectorsBase;
  void runOnOperation() override {
    TablePlacer(getOperation()).run();
    for (auto populate :
         {populateArithmetic, populateTransfers, populateRanks}) {
      RewritePatternSet patterns(&getContext());
      populate(patterns);
      if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
        return signalPassFailure();
    }
  }
};

} // namespace
