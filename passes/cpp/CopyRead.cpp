//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Reads upstream's ops as copies.

#include "Copies.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace tile;

template <typename Op>
static OpFoldResult folded(OpBuilder &builder, Location loc, OpFoldResult lhs,
                           OpFoldResult rhs) {
  auto value = [&](OpFoldResult it) {
    return getValueOrCreateConstantIndexOp(builder, loc, it);
  };
  return getAsOpFoldResult(
      builder.createOrFold<Op>(loc, value(lhs), value(rhs)));
}

OpFoldResult tile::sum(OpBuilder &builder, Location loc, OpFoldResult lhs,
                       OpFoldResult rhs) {
  if (isZeroInteger(lhs))
    return rhs;
  if (isZeroInteger(rhs))
    return lhs;
  return folded<arith::AddIOp>(builder, loc, lhs, rhs);
}

OpFoldResult tile::difference(OpBuilder &builder, Location loc,
                              OpFoldResult lhs, OpFoldResult rhs) {
  return isZeroInteger(rhs) ? lhs
                            : folded<arith::SubIOp>(builder, loc, lhs, rhs);
}

OpFoldResult tile::least(OpBuilder &builder, Location loc, OpFoldResult lhs,
                         OpFoldResult rhs) {
  if (!lhs || !rhs || lhs == rhs)
    return lhs ? lhs : rhs;
  return folded<arith::MinSIOp>(builder, loc, lhs, rhs);
}

void tile::trace(Part &part, OpBuilder &builder, Location loc) {
  while (Operation *op = part.memref.getDefiningOp()) {
    if (auto cast = dyn_cast<memref::CastOp>(op)) {
      if (!isa<MemRefType>(cast.getSource().getType()))
        return;
      part.memref = cast.getSource();
      continue;
    }
    auto subview = dyn_cast<memref::SubViewOp>(op);
    if (!subview || !subview.hasUnitStride())
      return;
    llvm::SmallBitVector dropped = subview.getDroppedDims();
    SmallVector<OpFoldResult> begins = subview.getMixedOffsets();
    SmallVector<int64_t> kept;
    for (auto [dimension, begin] : llvm::enumerate(begins)) {
      if (dropped[dimension])
        continue;
      begin = sum(builder, loc, begin, part.begins[kept.size()]);
      kept.push_back(dimension);
    }
    for (int64_t &dimension : part.order)
      dimension = kept[dimension];
    llvm::SmallBitVector leaves(begins.size());
    for (unsigned dimension : part.leaves.set_bits())
      leaves.set(kept[dimension]);
    part.leaves = leaves;
    part.begins = begins;
    part.memref = subview.getSource();
  }
}

Part tile::whole(Value memref, OpBuilder &builder) {
  Part part;
  part.memref = memref;
  part.leaves.resize(part.type().getRank());
  for (int64_t i = 0, rank = part.type().getRank(); i < rank; ++i) {
    part.begins.push_back(builder.getIndexAttr(0));
    part.order.push_back(i);
  }
  return part;
}

namespace {

/// The largest size of a region that lies inside of its memref.
std::optional<int64_t> room(const Part &part, int64_t dimension) {
  int64_t extent = part.type().getDimSize(part.order[dimension]);
  if (ShapedType::isDynamic(extent))
    return std::nullopt;
  std::optional<int64_t> begin =
      getConstantIntValue(part.begins[part.order[dimension]]);
  return extent - begin.value_or(0);
}

/// Why elements of these types are not copied as linalg.copy does: arith.truncf
/// to a float of 8 bits gives a NaN or an infinity where tile.copy gives the
/// largest number.
std::optional<Stays> otherElements(Type from, Type to, bool filled) {
  if (from == to && !filled && storedAs(from))
    return std::nullopt;
  StringRef expected;
  auto source = dyn_cast<FloatType>(from), target = dyn_cast<FloatType>(to);
  if (!source && !isa<IntegerType>(from))
    expected = "integers or floats";
  else if (from != to && !(source && target))
    expected = "one type, or two float types";
  else if (from != to && target.getWidth() <= 8)
    expected = "a type of more than 8 bits: large numbers become others";
  else
    return std::nullopt;
  std::string text;
  llvm::raw_string_ostream(text) << "elements of " << from << " become " << to
                                 << ", expected " << expected;
  return Stays{TileStaysElements, text};
}

Stays repeats() {
  return {TileStaysBroadcast,
          "an element of the source for several of the destination, or the "
          "reverse, expected one for each"};
}

/// A copy of all of a memref; dimension i of the destination is the dimension
/// of the source that the order names.
std::optional<Stays> readWhole(Operation *op, Value from, Value to,
                               ArrayRef<int64_t> order, OpBuilder &builder,
                               UpstreamCopy &copy) {
  if (!isa<MemRefType>(from.getType()) || !isa<MemRefType>(to.getType()))
    return Stays{TileStaysTensors,
                 "tensors, or memrefs of no rank, expected ranked memrefs: "
                 "bufferize first"};
  copy.src = whole(from, builder);
  copy.dst = whole(to, builder);
  copy.src.order = llvm::to_vector(order);
  MemRefType source = copy.src.type(), target = copy.dst.type();
  trace(copy.src, builder, op->getLoc());
  trace(copy.dst, builder, op->getLoc());
  for (auto [i, of] : llvm::enumerate(order)) {
    int64_t size = source.getDimSize(of);
    size = ShapedType::isDynamic(size) ? target.getDimSize(i) : size;
    OpFoldResult count;
    if (ShapedType::isDynamic(size)) {
      count = memref::getMixedSize(builder, op->getLoc(), from, of);
      for (std::optional<int64_t> bound :
           {most(from, of), most(to, i), room(copy.src, i), room(copy.dst, i)})
        size = !bound                        ? size
               : ShapedType::isDynamic(size) ? *bound
                                             : std::min(size, *bound);
    }
    if (ShapedType::isDynamic(size))
      return Stays{TileStaysUnbounded,
                   "dimension " + std::to_string(i) +
                       " has a run-time extent without a bound, expected one "
                       "such as affine.min gives"};
    copy.sizes.push_back(size);
    copy.reads.push_back(count);
    copy.writes.push_back(OpFoldResult());
  }
  return std::nullopt;
}

/// Whether a linalg.generic stores the elements of its input, which it may
/// convert from one float type to another, and computes nothing else.
bool isElementCopy(linalg::GenericOp generic) {
  if (generic.getNumDpsInputs() != 1 || generic.getNumDpsInits() != 1 ||
      generic.getNumParallelLoops() != generic.getNumLoops())
    return false;
  Block &body = *generic.getBody();
  Value stored = body.getTerminator()->getOperand(0);
  if (body.getOperations().size() == 2) {
    Operation *conversion = stored.getDefiningOp();
    if (!isa_and_nonnull<arith::ExtFOp, arith::TruncFOp>(conversion) ||
        conversion->getBlock() != &body || conversion->hasAttr("roundingmode"))
      return false;
    stored = conversion->getOperand(0);
  } else if (body.getOperations().size() != 1) {
    return false;
  }
  return stored == body.getArgument(0);
}

/// Reads a linalg.generic that is a copy.
std::optional<Stays> readGeneric(linalg::GenericOp generic, OpBuilder &builder,
                                 UpstreamCopy &copy) {
  AffineMap source =
      generic.getMatchingIndexingMap(generic.getDpsInputOperand(0));
  AffineMap target =
      generic.getMatchingIndexingMap(generic.getDpsInitOperand(0));
  if (!source.isPermutation() || !target.isPermutation())
    return repeats();
  SmallVector<int64_t> order;
  for (AffineExpr loop : target.getResults())
    order.push_back(*source.getResultPosition(loop));
  return readWhole(generic, generic.getDpsInputs()[0], generic.getDpsInits()[0],
                   order, builder, copy);
}

} // namespace

std::optional<Stays> tile::unknownMemory(const Part &part) {
  if (memoryOf(part.memref))
    return std::nullopt;
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (memoryOf(part.type()))
    stream << part.type() << " does not state what memory it is in";
  else
    stream << "memory " << part.type().getMemorySpace();
  stream << ", expected global memory or that of a workgroup";
  return Stays{TileStaysMemory, text};
}

std::optional<int64_t> tile::most(Value memref, int64_t dimension) {
  FailureOr<int64_t> bound = ValueBoundsConstraintSet::computeConstantBound(
      presburger::BoundType::UB,
      ValueBoundsConstraintSet::Variable(memref, dimension),
      /*stopCondition=*/nullptr,
      /*closedUB=*/true);
  std::optional<int64_t> most;
  if (succeeded(bound))
    most = *bound;
  auto view = memref.getDefiningOp<memref::SubViewOp>();
  if (!view || view.getType().getRank() != view.getSourceType().getRank())
    return most;
  int64_t room = view.getSourceType().getDimSize(dimension);
  return ShapedType::isDynamic(room) ? most
                                     : std::min(most.value_or(room), room);
}

bool tile::isUpstreamCopy(Operation *op) {
  if (auto write = dyn_cast<vector::TransferWriteOp>(op))
    return readOf(write) != nullptr;
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    return isElementCopy(generic);
  return isa<memref::CopyOp, linalg::CopyOp, linalg::TransposeOp,
             linalg::BroadcastOp, linalg::FillOp>(op);
}

/// Whether two memrefs are one, by equal views of it.
static bool areOneMemref(Value one, Value other) {
  if (one == other)
    return true;
  Operation *view = one.getDefiningOp(), *otherView = other.getDefiningOp();
  if (!isa_and_present<ViewLikeOpInterface>(view) || !otherView ||
      view->getNumResults() != 1)
    return false;
  auto equal = [](Value lhs, Value rhs) {
    return success(areOneMemref(lhs, rhs));
  };
  return OperationEquivalence::isEquivalentTo(
      view, otherView, equal, /*markEquivalent=*/nullptr,
      OperationEquivalence::IgnoreLocations);
}

void tile::eraseCopiesToThemselves(Operation *root) {
  root->walk([](Operation *op) {
    if (isa<memref::CopyOp, linalg::CopyOp>(op) && op->getNumResults() == 0 &&
        areOneMemref(op->getOperand(0), op->getOperand(1)))
      op->erase();
  });
}

std::optional<Stays> tile::readCopy(Operation *op, OpBuilder &builder,
                                    UpstreamCopy &copy) {
  std::optional<Stays> stays;
  if (auto write = dyn_cast<vector::TransferWriteOp>(op)) {
    stays = readVectors(write, builder, copy);
  } else if (auto transpose = dyn_cast<linalg::TransposeOp>(op)) {
    stays = readWhole(op, transpose.getInput(), transpose.getInit(),
                      transpose.getPermutation(), builder, copy);
  } else if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
    stays = readGeneric(generic, builder, copy);
  } else if (isa<linalg::BroadcastOp>(op)) {
    stays = repeats();
  } else if (isa<linalg::FillOp>(op)) {
    stays = Stays{TileStaysFill, "a number in all elements, expected a copy; "
                                 "tile.fill does that"};
  } else {
    auto type = dyn_cast<ShapedType>(op->getOperand(0).getType());
    bool ranked = type && type.hasRank();
    stays = readWhole(
        op, op->getOperand(0), op->getOperand(1),
        llvm::to_vector(llvm::seq<int64_t>(ranked ? type.getRank() : 0)),
        builder, copy);
  }
  if (stays)
    return stays;
  if (auto other =
          otherElements(copy.src.type().getElementType(),
                        copy.dst.type().getElementType(), bool(copy.fill)))
    return other;
  if (auto unknown = unknownMemory(copy.src))
    return unknown;
  return unknownMemory(copy.dst);
}
