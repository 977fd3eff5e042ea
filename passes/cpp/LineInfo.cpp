//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// --tile-line-info: locations as debug information can state them, and the
// scopes of functions.

#include "tile/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tile {
#define GEN_PASS_DEF_TILELINEINFO
#include "tile/TilePasses.h.inc"
} // namespace tile

using namespace mlir;

namespace {

/// Appends the places in files that a location consists of: the called code
/// first, then each call around it. With `scoped`, a place stays in the debug
/// scope that the location gives it.
void appendFrames(Location loc, bool scoped, SmallVectorImpl<Location> &frames);

void appendFused(FusedLoc fused, bool scoped,
                 SmallVectorImpl<Location> &frames) {
  size_t before = frames.size();
  for (Location part : fused.getLocations()) {
    appendFrames(part, scoped, frames);
    if (frames.size() > before)
      break;
  }
  auto scope = dyn_cast_or_null<LLVM::DILocalScopeAttr>(fused.getMetadata());
  if (scoped && scope && frames.size() > before)
    frames[before] = FusedLoc::get(fused.getContext(), {frames[before]}, scope);
}

void appendFrames(Location loc, bool scoped,
                  SmallVectorImpl<Location> &frames) {
  TypeSwitch<Attribute>(LocationAttr(loc))
      .Case([&](FileLineColRange range) {
        frames.push_back(FileLineColLoc::get(
            range.getFilename(), range.getStartLine(), range.getStartColumn()));
      })
      .Case([&](CallSiteLoc call) {
        appendFrames(call.getCallee(), scoped, frames);
        appendFrames(call.getCaller(), scoped, frames);
      })
      .Case([&](FusedLoc fused) { appendFused(fused, scoped, frames); })
      .Case([&](NameLoc name) {
        appendFrames(name.getChildLoc(), scoped, frames);
      })
      .Case([&](OpaqueLoc opaque) {
        appendFrames(opaque.getFallbackLocation(), scoped, frames);
      });
}

Location placed(Operation *op) {
  auto function = op->getParentOfType<LLVM::LLVMFuncOp>();
  using Subprogram = FusedLocWith<LLVM::DISubprogramAttr>;
  bool scoped = function && isa<Subprogram>(function.getLoc());
  SmallVector<Location> frames;
  appendFrames(op->getLoc(), scoped, frames);
  if (frames.empty())
    return UnknownLoc::get(op->getContext());
  // Nothing calls what is in no function.
  if (!function)
    return frames.front();
  Location loc = frames.pop_back_val();
  while (!frames.empty())
    loc = CallSiteLoc::get(frames.pop_back_val(), loc);
  return loc;
}

/// The location of an op that makes a scope: the scope that it has, or a place.
template <typename Scope> Location declared(Operation *op) {
  if (auto scope = op->getLoc()->findInstanceOf<FusedLocWith<Scope>>())
    return scope;
  return placed(op);
}

Location statable(Operation *op) {
  if (isa<ModuleOp>(op))
    return declared<LLVM::DICompileUnitAttr>(op);
  if (isa<LLVM::LLVMFuncOp>(op))
    return declared<LLVM::DISubprogramAttr>(op);
  return placed(op);
}

struct LineInfo : tile::impl::TileLineInfoBase<LineInfo> {
  using TileLineInfoBase::TileLineInfoBase;
  void runOnOperation() override {
    if (!isa<ModuleOp>(getOperation())) {
      getOperation()->emitError("tile-line-info got '")
          << getOperation()->getName()
          << "', expected the module around kernels";
      return signalPassFailure();
    }
    // A function's location says whether the scopes inside are kept.
    getOperation()->walk<WalkOrder::PreOrder>(
        [](Operation *op) { op->setLoc(statable(op)); });
    OpPassManager scopes(ModuleOp::getOperationName());
    scopes.addPass(LLVM::createDIScopeForLLVMFuncOpPass(
        {LLVM::DIEmissionKind::DebugDirectivesOnly}));
    if (failed(runPipeline(scopes, getOperation())))
      signalPassFailure();
  }
};

} // namespace
