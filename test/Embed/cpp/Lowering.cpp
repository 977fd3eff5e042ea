// --lower-panel: a conversion from panel.load to tile.copy, which lets the
// tile compiler's patterns choose how each copy is performed.

#include "Panel.h"
#include "tile/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace {

struct LowerLoad : OpConversionPattern<panel::LoadOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(panel::LoadOp load, OpAdaptor operands,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = load.getLoc();
    auto panel = cast<tile::BufferType>(load.getPanel().getType());
    auto matrix = cast<MemRefType>(load.getMatrix().getType());
    auto whole = tile::BufferType::getRowMajor(
        [&] { return emitError(loc); }, matrix.getShape(),
        matrix.getElementType(), tile::Space::Global);
    if (!whole)
      return failure();
    auto view = tile::ViewOp::create(rewriter, loc, whole, operands.getMatrix(),
                                     ValueRange());
    auto shared =
        tile::AllocOp::create(rewriter, loc, panel, /*alignment=*/nullptr);
    SmallVector<OpFoldResult> begin(panel.getShape().size(),
                                    rewriter.getIndexAttr(0));
    begin[0] = operands.getRow();
    tile::CopyOp::create(rewriter, loc, view, begin, panel.getShape(), shared,
                         {}, {}, tile::Scope::Warp);
    rewriter.replaceOp(load, shared);
    return success();
  }
};

struct LowerPanel : PassWrapper<LowerPanel, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerPanel)
  LowerPanel() = default;
  LowerPanel(const LowerPanel &other) : PassWrapper(other) {}

  StringRef getArgument() const final { return "lower-panel"; }
  StringRef getDescription() const final { return "Lower panels to copies"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<tile::TileDialect, gpu::GPUDialect, NVVM::NVVMDialect,
                    memref::MemRefDialect, scf::SCFDialect>();
  }

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    ConversionTarget target(getContext());
    tile::CopyPatternOptions options;
    options.chip = chip;
    if (failed(tile::populateCopyPatterns(patterns, getOperation()->getLoc(),
                                          options)))
      return signalPassFailure();
    tile::configureCopyLegality(target);
    patterns.add<LowerLoad>(&getContext());
    target.addIllegalOp<panel::LoadOp>();
    // Copy patterns inspect the current definitions of their operands.
    ConversionConfig config;
    config.allowPatternRollback = false;
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns), config)))
      signalPassFailure();
  }

  Option<std::string> chip{*this, "chip", llvm::cl::init("sm_90a"),
                           llvm::cl::desc("Chip to choose for")};
};

// --lower-tiles: products, maps, reductions and scans, and the copies that
// these become, by the tile compiler's patterns, in one conversion.
struct LowerTiles : PassWrapper<LowerTiles, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerTiles)
  LowerTiles() = default;
  LowerTiles(const LowerTiles &other) : PassWrapper(other) {}

  StringRef getArgument() const final { return "lower-tiles"; }
  StringRef getDescription() const final { return "Lower ops on tiles"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry
        .insert<tile::TileDialect, arith::ArithDialect, gpu::GPUDialect,
                LLVM::LLVMDialect, math::MathDialect, memref::MemRefDialect,
                NVVM::NVVMDialect, scf::SCFDialect, vector::VectorDialect>();
  }

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    ConversionTarget target(getContext());
    auto wanted = [&](StringRef name) { return name != without; };
    if (failed(tile::populateTilePatterns(patterns, getOperation()->getLoc(),
                                          {}, wanted)))
      return signalPassFailure();
    tile::configureTileLegality(target);
    ConversionConfig config;
    config.allowPatternRollback = false;
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns), config)))
      signalPassFailure();
  }

  Option<std::string> without{*this, "without",
                              llvm::cl::desc("Pattern that is left out")};
};

} // namespace

void panel::registerPasses() {
  PassRegistration<LowerPanel>();
  PassRegistration<LowerTiles>();
}
