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
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
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

/// Why the compiler cannot do what was made, if that is so; undoes it then.
std::optional<Stays> refused(Made &made, std::optional<Stays> stays,
                             CopyOp &built) {
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
  return std::nullopt;
}

/// Erases an upstream copy in whose place a tile.copy was made.
void eraseCopy(Operation *op) {
  Operation *read = nullptr;
  if (auto write = dyn_cast<vector::TransferWriteOp>(op))
    read = readOf(write);
  op->erase();
  if (read)
    read->erase();
}

/// The scope of a copy, by its own attribute or by the option.
std::optional<Scope> scopeOf(Operation *op, StringRef scope) {
  Attribute own = op->getDiscardableAttr("tile.scope");
  auto word = dyn_cast_or_null<StringAttr>(own);
  StringRef name = word ? word.getValue() : scope;
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

/// Converts one copy, or says why it stays; fails where its scope is no scope.
LogicalResult convertOrReport(Operation *op, StringRef scope,
                              bool keepsReasons) {
  Operation *kernel = op->getParentOfType<gpu::LaunchOp>();
  if (!kernel)
    kernel = op->getParentOfType<gpu::GPUFuncOp>();
  if (!kernel) {
    tileReportStays(wrap(op), TileStaysOutside,
                    wrap(StringRef("in no kernel, expected a gpu.func or a "
                                   "gpu.launch around it")));
    return success();
  }
  std::optional<Scope> own = scopeOf(op, scope);
  if (!own)
    return failure();
  Builder builder(op->getContext());
  CopyOp made;
  if (auto stays = makeCopy(op, *own, made)) {
    tileReportStays(wrap(op), stays->why, wrap(StringRef(stays->reason)));
    if (keepsReasons)
      op->setDiscardableAttr("tile.stays",
                             builder.getStringAttr(stays->reason));
    return success();
  }
  eraseCopy(op);
  // Outlining keeps attributes of the ops in a launch, not of the launch.
  Operation *marked =
      isa<gpu::GPUFuncOp>(kernel) ? kernel : made.getOperation();
  if (*own != Scope::Thread)
    marked->setDiscardableAttr("tile.converted", builder.getUnitAttr());
  return success();
}

struct ConvertCopies : tile::impl::ConvertCopiesToTileBase<ConvertCopies> {
  using ConvertCopiesToTileBase::ConvertCopiesToTileBase;

  void runOnOperation() override {
    if (!symbolizeScope(scope)) {
      (void)scopeOf(getOperation(), scope);
      return signalPassFailure();
    }
    lowerAffine(getOperation());
    attributeWorkgroupMemory(getOperation());
    eraseCopiesToThemselves(getOperation());
    SmallVector<Operation *> copies;
    getOperation()->walk([&](Operation *op) {
      bool wanted = !whereNeeded || !isa<vector::TransferWriteOp>(op);
      if (wanted && isUpstreamCopy(op))
        copies.push_back(op);
    });
    for (Operation *op : copies)
      if (failed(convertOrReport(op, scope, whereNeeded)))
        return signalPassFailure();
  }
};

} // namespace

std::optional<Stays> tile::makeCopy(Operation *op, Scope scope, CopyOp &built) {
  Made made;
  OpBuilder builder(op, &made);
  UpstreamCopy copy;
  std::optional<Stays> stays = readCopy(op, builder, copy);
  if (!stays)
    stays = buildCopy(op->getLoc(), builder, copy, scope, built);
  return refused(made, stays, built);
}

bool tile::convertTransfers(Operation *root) {
  SmallVector<Operation *> transfers;
  root->walk([&](vector::TransferWriteOp write) {
    if (readOf(write))
      transfers.push_back(write);
  });
  return llvm::all_of(transfers, [](Operation *op) {
    return succeeded(convertOrReport(op, "cta", false));
  });
}

/// Whether a part of a memref ends where that does, or has so many elements.
static bool isWholeOrLimited(const Part &part, int64_t dimension,
                             OpFoldResult count, int64_t size) {
  auto extent = dyn_cast_if_present<IntegerAttr>(dyn_cast<Attribute>(count));
  auto begin = dyn_cast_if_present<IntegerAttr>(
      dyn_cast_if_present<Attribute>(part.begins[dimension]));
  if (extent && begin)
    return begin.getInt() + extent.getInt() ==
           part.type().getDimSize(dimension);
  auto least = isa<Value>(count)
                   ? cast<Value>(count).getDefiningOp<affine::AffineMinOp>()
                   : affine::AffineMinOp();
  if (!least || least.getMap().getNumResults() != 2)
    return false;
  AffineMap map = least.getMap();
  for (auto [left, most] : {std::pair(0, 1), std::pair(1, 0)}) {
    auto number = dyn_cast<AffineConstantExpr>(map.getResult(most));
    if (!number || number.getValue() < size)
      continue;
    AffineExpr end = map.getResult(left);
    SmallVector<Value> operands(least.getOperands());
    OpFoldResult begin = part.begins[dimension];
    MLIRContext *context = least.getContext();
    unsigned symbols = map.getNumSymbols();
    if (auto value = dyn_cast<Value>(begin)) {
      end = end + getAffineSymbolExpr(symbols++, context);
      operands.push_back(value);
    } else {
      end = end + *getConstantIntValue(begin);
    }
    using Variable = ValueBoundsConstraintSet::Variable;
    FailureOr<bool> isEnd = ValueBoundsConstraintSet::areEqual(
        Variable(AffineMap::get(map.getNumDims(), symbols, end), operands),
        Variable(part.memref, dimension));
    if (succeeded(isEnd) && *isEnd)
      return true;
  }
  return false;
}

// Builds the copy of a part to a tile, or back, of an op's scope; null, with
// the reason, where there is none.
static MlirOperation copyPart(Operation *before, OpBuilder &builder, Made &made,
                              Part &part, ArrayRef<int64_t> shape,
                              ArrayRef<OpFoldResult> counts, Value tile,
                              bool isLoad, MlirValue filler, TileStays *why,
                              MlirStringCallback say, void *userData) {
  CopyOp built;
  std::optional<Stays> stays = unknownMemory(part);
  Scope scope = scopeOf(before, "cta").value_or(Scope::Cta);
  if (!stays)
    stays = buildRegionCopy(before->getLoc(), builder, part, shape, counts,
                            tile, isLoad, scope, built);
  if (!stays && built.getMasked() && isLoad && filler.ptr)
    built.getFillerMutable().assign(unwrap(filler));
  stays = refused(made, stays, built);
  if (!stays)
    return wrap(built.getOperation());
  *why = stays->why;
  say(wrap(StringRef(stays->reason)), userData);
  return MlirOperation{nullptr};
}

// A copy of a region of a memref to a tile before an op, or back; null, with
// the reason, where there is none. The region has `rank` dimensions of these
// `sizes`, as has the tile apart from those of extent 1; `order` names that of
// the memref for each, and `isOpen` says whether its extent is less than the
// size. There the tile is filled, if there is a filler.
extern "C" MlirOperation
tileCopyRegion(MlirOperation before, MlirValue memref, MlirValue tile,
               const int64_t *order, const int64_t *sizes, const bool *isOpen,
               intptr_t rank, bool isLoad, MlirValue filler, TileStays *why,
               MlirStringCallback say, void *userData) {
  Made made;
  OpBuilder builder(unwrap(before), &made);
  Location loc = unwrap(before)->getLoc();
  Part part = whole(unwrap(memref), builder);
  part.order.assign(order, order + rank);
  SmallVector<OpFoldResult> counts(rank);
  for (int64_t i = 0; i < rank; ++i)
    if (isOpen[i])
      counts[i] = memref::getMixedSize(builder, loc, unwrap(memref), order[i]);
  trace(part, builder, loc);
  ArrayRef<int64_t> shape(sizes, rank);
  for (int64_t i = 0; i < rank; ++i)
    if (counts[i] &&
        isWholeOrLimited(part, part.order[i], counts[i], shape[i])) {
      counts[i] = OpFoldResult();
      part.leaves.set(part.order[i]);
    }
  return copyPart(unwrap(before), builder, made, part, shape, counts,
                  unwrap(tile), isLoad, filler, why, say, userData);
}

// A copy of a memref to the part of a tile that a memref.subview of the tile's
// memref views, before an op; null, with the reason, where there is none. What
// is beside the part keeps its value, or is filled, if there is a filler.
extern "C" MlirOperation tileCopyToPart(MlirOperation before, MlirValue memref,
                                        MlirValue tile, MlirOperation view,
                                        MlirValue filler, TileStays *why,
                                        MlirStringCallback say,
                                        void *userData) {
  Made made;
  OpBuilder builder(unwrap(before), &made);
  Location loc = unwrap(before)->getLoc();
  Part part = whole(unwrap(memref), builder);
  ArrayRef<int64_t> shape = cast<BufferType>(unwrap(tile).getType()).getShape();
  OpFoldResult zero = builder.getIndexAttr(0);
  auto to = cast<memref::SubViewOp>(unwrap(view));
  for (auto [i, begin] : llvm::enumerate(to.getMixedOffsets())) {
    part.begins[i] = difference(builder, loc, zero, begin);
    if (!isConstantIntValue(begin, 0) || part.type().getDimSize(i) != shape[i])
      part.leaves.set(i);
  }
  SmallVector<OpFoldResult> counts(shape.size());
  return copyPart(unwrap(before), builder, made, part, shape, counts,
                  unwrap(tile), /*isLoad=*/true, filler, why, say, userData);
}

// The tile.copy for an upstream copy, which stays; null, with the reason, where
// there is none.
extern "C" MlirOperation tileMakeCopy(MlirOperation op, TileStays *why,
                                      MlirStringCallback say, void *userData) {
  CopyOp built;
  std::optional<Scope> scope = scopeOf(unwrap(op), "cta");
  std::optional<Stays> stays = Stays{TileStaysRefused, "an unknown scope"};
  if (scope)
    stays = makeCopy(unwrap(op), *scope, built);
  if (!stays)
    return wrap(built.getOperation());
  *why = stays->why;
  say(wrap(StringRef(stays->reason)), userData);
  return MlirOperation{nullptr};
}
