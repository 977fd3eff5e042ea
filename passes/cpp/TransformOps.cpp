//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Transform ops for schedules of kernels of linalg.

#include "Bridge.h"
#include "LinalgRequests.h"
#include "tile/Dialect.h"
#include "tile/InitAll.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"

#define GET_OP_CLASSES
#include "tile/TileTransformOps.h.inc"

#define GET_OP_CLASSES
#include "tile/TileTransformOps.cpp.inc"

using namespace mlir;
using namespace tile;
using transform::ApplyToEachResultList;
using transform::TransformRewriter;
using transform::TransformState;

namespace {

struct TransformOps : transform::TransformDialectExtension<TransformOps> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TransformOps)
  using Base::Base;
  void init() {
    declareGeneratedDialect<TileDialect>();
    declareGeneratedDialect<NVVM::NVVMDialect>();
    declareGeneratedDialect<arith::ArithDialect>();
    declareGeneratedDialect<gpu::GPUDialect>();
    declareGeneratedDialect<memref::MemRefDialect>();
    declareGeneratedDialect<scf::SCFDialect>();
    registerTransformOps<
#define GET_OP_LIST
#include "tile/TileTransformOps.cpp.inc"
        >();
  }
};

} // namespace

#ifndef NDEBUG
// Where asserts are on, MLIR's header calls a check that a library without them
// does not have.
LLVM_ATTRIBUTE_WEAK void
mlir::transform::detail::checkImplementsTransformOpInterface(StringRef,
                                                             MLIRContext *) {}
#endif

void tile::registerTransformOps(DialectRegistry &registry) {
  registry.addExtensions<TransformOps>();
}

extern "C" void tileRegisterTransformOps(MlirDialectRegistry registry) {
  tile::registerTransformOps(*unwrap(registry));
}

DiagnosedSilenceableFailure
transform_ops::ConvertOp::applyToOne(TransformRewriter &, Operation *target,
                                     ApplyToEachResultList &results,
                                     TransformState &) {
  // What the conversion reports is the reason of the failure.
  bool isConverted = false;
  SmallVector<Diagnostic> errors = errorsOf(getContext(), [&] {
    TileLinalgRequest request = allSteps();
    request.stages = getStages();
    request.strict = true;
    isConverted = tileConvertLinalg(wrap(target), onChip(getChip()), request);
  });
  if (!isConverted) {
    DiagnosedSilenceableFailure failure = emitSilenceableError("not converted");
    for (Diagnostic &error : errors)
      failure.attachNote(error.getLocation()) << error.str();
    return failure;
  }
  results.push_back(target);
  return DiagnosedSilenceableFailure::success();
}

void transform_ops::ConvertOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::consumesHandle(getTargetMutable(), effects);
  transform::producesHandle(getOperation()->getOpResults(), effects);
  transform::modifiesPayload(effects);
}

// An error about a target that is another op than the one expected.
static DiagnosedSilenceableFailure otherThan(transform::TransformOpInterface op,
                                             Operation *target,
                                             StringRef expected) {
  DiagnosedSilenceableFailure failure = op.emitSilenceableError()
                                        << "got " << target->getName()
                                        << ", expected " << expected;
  failure.attachNote(target->getLoc()) << "here";
  return failure;
}

DiagnosedSilenceableFailure
transform_ops::StageOp::applyToOne(TransformRewriter &, Operation *target,
                                   ApplyToEachResultList &, TransformState &) {
  if (!isa<scf::ForOp>(target))
    return otherThan(*this, target, "an scf.for");
  target->setDiscardableAttr("tile.stages", getStagesAttr());
  return DiagnosedSilenceableFailure::success();
}

void transform_ops::StageOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::onlyReadsHandle(getTargetMutable(), effects);
  transform::modifiesPayload(effects);
}

DiagnosedSilenceableFailure transform_ops::MapBlocksOp::applyToOne(
    TransformRewriter &rewriter, Operation *target,
    ApplyToEachResultList &results, TransformState &) {
  auto loop = dyn_cast<scf::ForallOp>(target);
  if (!loop || loop.getRank() > 3)
    return otherThan(*this, target, "an scf.forall of at most three loops");
  if (!loop.isNormalized()) {
    rewriter.setInsertionPoint(loop);
    FailureOr<scf::ForallOp> counted = normalizeForallOp(rewriter, loop);
    if (failed(counted))
      return otherThan(*this, target, "an scf.forall that can count from 0");
    loop = *counted;
  }
  SmallVector<Attribute> blocks;
  for (int64_t at = loop.getRank(); at-- > 0;)
    blocks.push_back(gpu::GPUBlockMappingAttr::get(
        getContext(), gpu::symbolizeMappingId(at).value()));
  loop.setMappingAttr(rewriter.getArrayAttr(blocks));
  results.push_back(loop);
  return DiagnosedSilenceableFailure::success();
}

void transform_ops::MapBlocksOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::consumesHandle(getTargetMutable(), effects);
  transform::producesHandle(getOperation()->getOpResults(), effects);
  transform::modifiesPayload(effects);
}

// Blocks take tiles in groups of so many rows.
static void orderBlocks(RewriterBase &rewriter, gpu::LaunchOp launch,
                        IntegerAttr rows) {
  // The sizes of the grid outside of the launch, where they may be numbers.
  gpu::KernelDim3 block = launch.getBlockIds();
  gpu::KernelDim3 grid = launch.getGridSizeOperandValues();
  rewriter.setInsertionPointToStart(&launch.getBody().front());
  Location loc = launch.getLoc();
  auto row = arith::MulIOp::create(rewriter, loc, block.y, grid.x);
  auto number = arith::AddIOp::create(rewriter, loc, row, block.x);
  auto order = BlockOrderOp::create(rewriter, loc, number, grid.y, grid.x,
                                    BlockOrder::Grouped, rows);
  SmallPtrSet<Operation *, 2> own = {row, number};
  rewriter.replaceAllUsesExcept(block.y, order->getResult(0), own);
  rewriter.replaceAllUsesExcept(block.x, order->getResult(1), own);
  // Upstream's mapping of loops to blocks asks for them by ops.
  SmallVector<gpu::BlockIdOp> ids;
  launch.getBody().walk([&](gpu::BlockIdOp id) { ids.push_back(id); });
  for (gpu::BlockIdOp id : ids)
    if (id.getDimension() != gpu::Dimension::z)
      rewriter.replaceOp(
          id, order->getResult(id.getDimension() == gpu::Dimension::x ? 1 : 0));
}

DiagnosedSilenceableFailure transform_ops::OrderBlocksOp::applyToOne(
    TransformRewriter &rewriter, Operation *target, ApplyToEachResultList &,
    TransformState &) {
  auto launch = dyn_cast<gpu::LaunchOp>(target);
  if (!launch)
    return otherThan(*this, target, "a gpu.launch");
  orderBlocks(rewriter, launch, getRowsAttr());
  return DiagnosedSilenceableFailure::success();
}

void transform_ops::OrderBlocksOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::onlyReadsHandle(getTargetMutable(), effects);
  transform::modifiesPayload(effects);
}

DiagnosedSilenceableFailure
transform_ops::GetScheduleOp::applyToOne(TransformRewriter &, Operation *target,
                                         ApplyToEachResultList &results,
                                         TransformState &) {
  TileProductSizes sizes;
  std::string reason;
  if (!tileProductSizes(wrap(target), wrap(getChip()), &sizes, appendTo,
                        &reason)) {
    DiagnosedSilenceableFailure failure = emitSilenceableError(reason);
    failure.attachNote(target->getLoc()) << "of this op";
    return failure;
  }
  Builder builder(getContext());
  for (int64_t size : {sizes.rows, sizes.columns, sizes.depths, sizes.threads})
    results.push_back(builder.getI64IntegerAttr(size));
  return DiagnosedSilenceableFailure::success();
}

void transform_ops::GetScheduleOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::onlyReadsHandle(getTargetMutable(), effects);
  transform::producesHandle(getOperation()->getOpResults(), effects);
  transform::onlyReadsPayload(effects);
}

DiagnosedSilenceableFailure transform_ops::ScheduleLaunchOp::applyToOne(
    TransformRewriter &rewriter, Operation *target, ApplyToEachResultList &,
    TransformState &) {
  auto launch = dyn_cast<gpu::LaunchOp>(target);
  if (!launch)
    return otherThan(*this, target, "a gpu.launch");
  TileScheduleAttrInterface schedule;
  launch.getBody().walk([&](linalg::LinalgOp op) {
    auto stated = op->getAttrOfType<TileScheduleAttrInterface>("tile.schedule");
    if (!schedule && stated && stated.getThreads() > 0)
      schedule = stated;
  });
  if (!schedule)
    return otherThan(*this, target,
                     "one with a product whose tile.schedule has threads");
  rewriter.setInsertionPoint(launch);
  Location loc = launch.getLoc();
  auto size = [&](int64_t threads) -> Value {
    return arith::ConstantIndexOp::create(rewriter, loc, threads);
  };
  launch.getBlockSizeXMutable().assign(size(schedule.getThreads()));
  launch.getBlockSizeYMutable().assign(size(1));
  launch.getBlockSizeZMutable().assign(size(1));
  if (int64_t rows = schedule.getGroup(); rows > 1)
    orderBlocks(rewriter, launch, rewriter.getI64IntegerAttr(rows));
  return DiagnosedSilenceableFailure::success();
}

void transform_ops::ScheduleLaunchOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::onlyReadsHandle(getTargetMutable(), effects);
  transform::modifiesPayload(effects);
}
