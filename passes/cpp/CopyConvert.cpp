//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// --convert-copies-to-tile: upstream's copies become tile copies, where the
// compiler can do these.

#include "Copies.h"
#include "Layout.h"
#include "tile/Passes.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/Threading.h"

namespace tile {
#define GEN_PASS_DEF_CONVERTCOPIESTOTILE
#include "tile/TilePasses.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

namespace {

// Ops that are made for a copy, so that they can be erased if it stays.
struct Made : OpBuilder::Listener {
  void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) override {
    ops.push_back(op);
  }
  void undo() {
    for (Operation *op : llvm::reverse(ops))
      op->erase();
  }
  SmallVector<Operation *> ops;
};

/// Why the verifier refuses an op, if it does; it reaches no other handler.
std::optional<std::string> malformed(Operation *op) {
  std::string said;
  uint64_t thread = llvm::get_threadid();
  ScopedDiagnosticHandler handler(op->getContext(), [&](Diagnostic &it) {
    if (llvm::get_threadid() != thread)
      return failure();
    said += it.str();
    return success();
  });
  return failed(verify(op)) ? std::optional(said) : std::nullopt;
}

/// Converts the copy to `built`, if the compiler can do it; else why it stays.
std::optional<Stays> convert(Operation *op, Scope scope, CopyOp &built) {
  Made made;
  OpBuilder builder(op, &made);
  UpstreamCopy copy;
  std::optional<Stays> stays = readCopy(op, builder, copy);
  if (!stays)
    stays = buildCopy(op->getLoc(), builder, copy, scope, built);
  if (stays) {
    made.undo();
    return stays;
  }
  for (Operation *one : made.ops)
    if (auto said = malformed(one)) {
      made.undo();
      return Stays{TileStaysRefused, *said};
    }
  std::string reason;
  if (!tileCanCopy(wrap(built.getOperation()), appendTo, &reason)) {
    made.undo();
    return Stays{TileStaysRefused, reason};
  }
  Operation *read = nullptr;
  if (auto write = dyn_cast<vector::TransferWriteOp>(op))
    read = readOf(write);
  op->erase();
  if (read)
    read->erase();
  return std::nullopt;
}

struct ConvertCopies : tile::impl::ConvertCopiesToTileBase<ConvertCopies> {
  using ConvertCopiesToTileBase::ConvertCopiesToTileBase;

  /// The scope of a copy, by its own attribute or by the option.
  std::optional<Scope> scopeOf(Operation *op) {
    Attribute own = op->getDiscardableAttr("tile.scope");
    auto word = dyn_cast_or_null<StringAttr>(own);
    StringRef name = word ? word.getValue() : StringRef(scope);
    std::optional<Scope> found = symbolizeScope(name);
    if (found && (!own || word))
      return found;
    if (own)
      op->emitOpError("has tile.scope = ")
          << own << ", expected thread, warp, warpgroup or cta in quotes";
    else
      op->emitError("in the options of the pass: got scope = ")
          << scope << ", expected thread, warp, warpgroup or cta";
    return std::nullopt;
  }

  void runOnOperation() override {
    if (!symbolizeScope(scope)) {
      (void)scopeOf(getOperation());
      return signalPassFailure();
    }
    attributeWorkgroupMemory(getOperation());
    SmallVector<Operation *> copies;
    getOperation()->walk([&](Operation *op) {
      bool wanted = !whereNeeded || !isa<vector::TransferWriteOp>(op);
      if (wanted && isUpstreamCopy(op))
        copies.push_back(op);
    });
    for (Operation *op : copies)
      if (failed(convertOrReport(op)))
        return signalPassFailure();
  }

  /// Converts one copy, or says why it stays; fails where its scope is no
  /// scope.
  LogicalResult convertOrReport(Operation *op) {
    Operation *kernel = op->getParentOfType<gpu::LaunchOp>();
    if (!kernel)
      kernel = op->getParentOfType<gpu::GPUFuncOp>();
    if (!kernel) {
      tileReportStays(wrap(op), TileStaysOutside,
                      wrap(StringRef("in no kernel, expected a gpu.func or a "
                                     "gpu.launch around it")));
      return success();
    }
    std::optional<Scope> own = scopeOf(op);
    if (!own)
      return failure();
    Builder builder(op->getContext());
    CopyOp made;
    if (auto stays = convert(op, *own, made)) {
      tileReportStays(wrap(op), stays->why, wrap(StringRef(stays->reason)));
      if (whereNeeded)
        op->setDiscardableAttr("tile.stays",
                               builder.getStringAttr(stays->reason));
    } else if (*own != Scope::Thread) {
      // Outlining keeps attributes of the ops in a launch, not of the launch.
      Operation *marked =
          isa<gpu::GPUFuncOp>(kernel) ? kernel : made.getOperation();
      marked->setDiscardableAttr("tile.converted", builder.getUnitAttr());
    }
    return success();
  }
};

} // namespace
