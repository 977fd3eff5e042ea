// --lower-panel-memory: the ops on memrefs and tensor memory, and those that
// an mbarrier completes, with the accesses that Access.cpp states.

#include "Panel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace {

struct LowerMemory : PassWrapper<LowerMemory, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerMemory)

  StringRef getArgument() const final { return "lower-panel-memory"; }
  StringRef getDescription() const final { return "Lower ops on memory"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, gpu::GPUDialect, LLVM::LLVMDialect,
                    memref::MemRefDialect, NVVM::NVVMDialect, scf::SCFDialect,
                    tile::TileDialect>();
  }

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation()->walk([&](Operation *op) {
      rewriter.setInsertionPoint(op);
      if (auto zero = dyn_cast<panel::ZeroOp>(op))
        lower(zero, rewriter);
      else if (auto move = dyn_cast<panel::MoveOp>(op))
        lower(move, rewriter);
      else if (auto bring = dyn_cast<panel::BringOp>(op))
        lower(bring, rewriter);
    });
  }

  // Each thread of the scope writes some of the elements.
  static void lower(panel::ZeroOp zero, IRRewriter &rewriter) {
    Location loc = zero.getLoc();
    auto index = [&](int64_t number) -> Value {
      return arith::ConstantIndexOp::create(rewriter, loc, number);
    };
    Value first = gpu::ThreadIdOp::create(rewriter, loc, gpu::Dimension::x);
    Value step = gpu::BlockDimOp::create(rewriter, loc, gpu::Dimension::x);
    if (tile::statedScope(zero) == tile::Scope::Warp) {
      step = index(32);
      first = arith::RemUIOp::create(rewriter, loc, first, step);
    }
    auto type = cast<MemRefType>(zero.getMemory().getType());
    Value none = arith::ConstantOp::create(
        rewriter, loc, rewriter.getZeroAttr(type.getElementType()));
    int64_t rows = zero.getRows();
    auto loop =
        scf::ForOp::create(rewriter, loc, first, index(32 * rows), step);
    rewriter.setInsertionPointToStart(loop.getBody());
    Value columns = index(32), at = loop.getInductionVar();
    Value row = arith::DivUIOp::create(rewriter, loc, at, columns);
    row = arith::AddIOp::create(rewriter, loc, zero.getRow(), row);
    Value column = arith::RemUIOp::create(rewriter, loc, at, columns);
    memref::StoreOp::create(rewriter, loc, none, zero.getMemory(),
                            ValueRange{row, column});
    rewriter.eraseOp(zero);
  }

  static void lower(panel::MoveOp move, IRRewriter &rewriter) {
    tile::CopyOp::create(rewriter, move.getLoc(), move.getSource(),
                         move.getDest(), tile::statedScope(move));
    rewriter.eraseOp(move);
  }

  static void lower(panel::BringOp bring, IRRewriter &rewriter) {
    Location loc = bring.getLoc();
    if (bring.getEngine() != "bulk") {
      tile::CopyAsyncOp::create(rewriter, loc, bring.getSource(),
                                bring.getDest(), tile::statedScope(bring),
                                /*group=*/false, bring.getMbarrier());
      rewriter.eraseOp(bring);
      return;
    }
    auto pointer = [&](unsigned space) {
      return LLVM::LLVMPointerType::get(rewriter.getContext(), space);
    };
    auto start = [&](Value tile, unsigned space) -> Value {
      return tile::PartsOp::create(rewriter, loc, TypeRange(pointer(space)),
                                   tile)
          .getPointer();
    };
    Value from = start(bring.getSource(), 1), to = start(bring.getDest(), 3);
    to = LLVM::AddrSpaceCastOp::create(rewriter, loc, pointer(7), to);
    auto type = cast<tile::BufferType>(bring.getDest().getType());
    int64_t bytes = type.getElementType().getIntOrFloatBitWidth() / 8;
    for (int64_t extent : type.getShape())
      bytes *= extent;
    Value size = arith::ConstantIntOp::create(rewriter, loc, bytes, 32);
    NVVM::CpAsyncBulkGlobalToSharedClusterOp::create(
        rewriter, loc, to, from, bring.getMbarrier(), size,
        /*multicastMask=*/Value(), /*l2CacheHint=*/Value());
    rewriter.eraseOp(bring);
  }
};

} // namespace

void panel::registerMemoryPasses() { PassRegistration<LowerMemory>(); }
