// --lower-panel-tiles: the ops on tiles become ops of the tile dialect, with
// the accesses that Access.cpp states.

#include "Panel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace {

struct LowerTilesOfPanels : PassWrapper<LowerTilesOfPanels, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerTilesOfPanels)

  StringRef getArgument() const final { return "lower-panel-tiles"; }
  StringRef getDescription() const final { return "Lower ops on tiles"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, tile::TileDialect>();
  }

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation()->walk([&](Operation *op) {
      rewriter.setInsertionPoint(op);
      if (auto add = dyn_cast<panel::AddOp>(op))
        lower(add, rewriter);
      else if (auto clear = dyn_cast<panel::ClearOp>(op))
        lower(clear, rewriter);
      else if (auto fetch = dyn_cast<panel::FetchOp>(op))
        lower(fetch, rewriter);
    });
  }

  static void lower(panel::AddOp add, IRRewriter &rewriter) {
    Location loc = add.getLoc();
    Value source = add.getSource(), sum = add.getSum();
    tile::MapOp::create(rewriter, loc, {source, sum}, sum,
                        tile::statedScope(add),
                        [](OpBuilder &builder, Location loc,
                           ValueRange elements) -> SmallVector<Value> {
                          return {arith::AddFOp::create(
                              builder, loc, elements[0], elements[1])};
                        });
    rewriter.eraseOp(add);
  }

  static void lower(panel::ClearOp clear, IRRewriter &rewriter) {
    Location loc = clear.getLoc();
    auto type = cast<tile::BufferType>(clear.getTile().getType());
    Value zero = arith::ConstantOp::create(
        rewriter, loc, rewriter.getZeroAttr(type.getElementType()));
    int64_t rows = clear.getRows(), columns = type.getShape()[1];
    tile::FillOp::create(rewriter, loc, zero, clear.getTile(),
                         {clear.getRow(), rewriter.getIndexAttr(0)},
                         {rows, columns}, tile::statedScope(clear));
    rewriter.eraseOp(clear);
  }

  static void lower(panel::FetchOp fetch, IRRewriter &rewriter) {
    tile::CopyAsyncOp::create(rewriter, fetch.getLoc(), fetch.getSource(),
                              fetch.getDest(), tile::Scope::Cta);
    rewriter.eraseOp(fetch);
  }
};

} // namespace

void panel::registerTilePasses() { PassRegistration<LowerTilesOfPanels>(); }
