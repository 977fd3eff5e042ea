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

using namespace mlir;
using namespace tile;

std::optional<Space> tile::memoryOf(MemRefType type) {
  Attribute space = type.getMemorySpace();
  if (!space)
    return Space::Global;
  if (auto number = dyn_cast<IntegerAttr>(space))
    return number.getInt() == 1 || number.getInt() == 0
               ? std::optional(Space::Global)
           : number.getInt() == 3 ? std::optional(Space::Shared)
                                  : std::nullopt;
  auto named = dyn_cast<gpu::AddressSpaceAttr>(space);
  if (!named || named.getValue() == gpu::AddressSpace::Private)
    return std::nullopt;
  return named.getValue() == gpu::AddressSpace::Global ? Space::Global
                                                       : Space::Shared;
}

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

namespace {

/// Follows views that state only where a part begins to the memref that they
/// view.
void trace(Part &part, OpBuilder &builder, Location loc) {
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
    part.begins = begins;
    part.memref = subview.getSource();
  }
}

/// The largest value of a run-time extent; none where that is not known.
std::optional<int64_t> most(Value memref, int64_t dimension) {
  FailureOr<int64_t> bound = ValueBoundsConstraintSet::computeConstantBound(
      presburger::BoundType::UB,
      ValueBoundsConstraintSet::Variable(memref, dimension),
      /*stopCondition=*/nullptr,
      /*closedUB=*/true);
  return succeeded(bound) ? std::optional(*bound) : std::nullopt;
}

/// The largest size of a region that lies inside of its memref.
std::optional<int64_t> room(const Part &part, int64_t dimension) {
  int64_t extent = part.type().getDimSize(part.order[dimension]);
  if (ShapedType::isDynamic(extent))
    return std::nullopt;
  std::optional<int64_t> begin =
      getConstantIntValue(part.begins[part.order[dimension]]);
  return extent - begin.value_or(0);
}

Part whole(Value memref, OpBuilder &builder) {
  Part part;
  part.memref = memref;
  for (int64_t i = 0, rank = part.type().getRank(); i < rank; ++i) {
    part.begins.push_back(builder.getIndexAttr(0));
    part.order.push_back(i);
  }
  return part;
}

std::optional<Stays> unknownMemory(const Part &part) {
  if (memoryOf(part.type()))
    return std::nullopt;
  std::string text;
  llvm::raw_string_ostream(text)
      << "memory " << part.type().getMemorySpace()
      << ", expected global memory or that of a workgroup";
  return Stays{TileStaysMemory, text};
}

std::optional<Stays> unlikeElements(Type from, Type to) {
  bool converted = isa<FloatType>(from) && isa<FloatType>(to);
  if (from == to || converted)
    return std::nullopt;
  std::string text;
  llvm::raw_string_ostream(text) << "elements of " << from << " become " << to
                                 << ", expected one type, or two float types";
  return Stays{TileStaysElements, text};
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
  if (auto unlike =
          unlikeElements(source.getElementType(), target.getElementType()))
    return unlike;
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

/// The number of elements that a mask lets through in each dimension of the
/// memref that a transfer runs along, in the memref's order.
std::optional<SmallVector<OpFoldResult>> maskCounts(Value mask,
                                                    OpBuilder &builder) {
  SmallVector<OpFoldResult> counts;
  if (auto create = mask.getDefiningOp<vector::CreateMaskOp>()) {
    for (Value operand : create.getOperands()) {
      // A negative number masks all, as 0 does.
      Value zero = arith::ConstantIndexOp::create(builder, mask.getLoc(), 0);
      counts.push_back(getAsOpFoldResult(
          builder.createOrFold<arith::MaxSIOp>(mask.getLoc(), operand, zero)));
    }
    return counts;
  }
  if (auto constant = mask.getDefiningOp<vector::ConstantMaskOp>()) {
    for (int64_t size : constant.getMaskDimSizes())
      counts.push_back(builder.getIndexAttr(size));
    return counts;
  }
  return std::nullopt;
}

/// One side of a transfer: its start, and its numbers of elements.
std::optional<Stays> readTransfer(VectorTransferOpInterface transfer,
                                  OpBuilder &builder, Part &part,
                                  SmallVectorImpl<OpFoldResult> &counts) {
  if (!isa<MemRefType>(transfer.getBase().getType()))
    return Stays{TileStaysTensors, "tensors, expected memrefs: bufferize "
                                   "first"};
  part = whole(transfer.getBase(), builder);
  AffineMap map = transfer.getPermutationMap();
  VectorType vector = transfer.getVectorType();
  if (!map.isProjectedPermutation() || vector.isScalable() ||
      vector.getElementType() != part.type().getElementType())
    return Stays{TileStaysBroadcast,
                 "a transfer that broadcasts, or of vectors of another "
                 "element type or of run-time length, expected a permutation "
                 "of dimensions"};
  for (auto [begin, index] :
       llvm::zip_equal(part.begins, transfer.getIndices()))
    begin = getAsOpFoldResult(index);
  part.order.clear();
  for (AffineExpr result : map.getResults())
    part.order.push_back(cast<AffineDimExpr>(result).getPosition());
  SmallVector<OpFoldResult> masked;
  if (Value mask = transfer.getMask()) {
    auto found = maskCounts(mask, builder);
    if (!found)
      return Stays{TileStaysMask, "a mask that is computed, expected one of "
                                  "vector.create_mask or constant_mask"};
    masked = *found;
  }
  SmallVector<int64_t> sorted = llvm::to_vector(part.order);
  llvm::sort(sorted);
  Location loc = transfer.getLoc();
  Value base = transfer.getBase();
  bool viewed =
      isa_and_present<memref::SubViewOp, memref::CastOp>(base.getDefiningOp());
  for (auto [i, of] : llvm::enumerate(part.order)) {
    OpFoldResult count;
    if (!transfer.isDimInBounds(i)) {
      count =
          difference(builder, loc, memref::getMixedSize(builder, loc, base, of),
                     part.begins[of]);
      std::optional<int64_t> known = getConstantIntValue(count);
      // The buffer itself ends there.
      part.clipped |= !viewed && !(known && *known >= vector.getDimSize(i));
      count = viewed ? count : OpFoldResult();
    }
    if (!masked.empty())
      count = least(builder, loc, count,
                    masked[llvm::find(sorted, of) - sorted.begin()]);
    std::optional<int64_t> number =
        count ? getConstantIntValue(count) : std::nullopt;
    bool all = number && *number >= vector.getDimSize(i);
    counts.push_back(all ? OpFoldResult() : count);
  }
  trace(part, builder, loc);
  return std::nullopt;
}

/// Whether nothing between the two writes what is read.
bool isReadUntil(vector::TransferReadOp read, vector::TransferWriteOp write) {
  if (read->getBlock() != write->getBlock())
    return false;
  std::optional<Space> memory =
      memoryOf(cast<MemRefType>(read.getBase().getType()));
  for (Operation *op = read->getNextNode(); op != write;
       op = op->getNextNode()) {
    auto between = dyn_cast<vector::TransferWriteOp>(op);
    auto other =
        between ? dyn_cast<MemRefType>(between.getBase().getType()) : nullptr;
    if (other && memoryOf(other) != memory)
      continue;
    if (!isMemoryEffectFree(op) && !hasSingleEffect<MemoryEffects::Read>(op))
      return false;
  }
  return true;
}

std::optional<Stays> readVectors(vector::TransferWriteOp write,
                                 OpBuilder &builder, UpstreamCopy &copy) {
  auto read = write.getValueToStore().getDefiningOp<vector::TransferReadOp>();
  if (!read->hasOneUse())
    return Stays{TileStaysUsed,
                 "a vector with other uses, expected it to be only written"};
  if (auto stays = readTransfer(read, builder, copy.src, copy.reads))
    return stays;
  if (auto stays = readTransfer(write, builder, copy.dst, copy.writes))
    return stays;
  if (!isReadUntil(read, write))
    return Stays{TileStaysBetween,
                 "something between the read and the write may write, expected "
                 "the two beside each other"};
  copy.sizes = llvm::to_vector(read.getVectorType().getShape());
  bool limited = copy.src.clipped ||
                 llvm::any_of(copy.reads, [](OpFoldResult it) { return it; });
  bool poison = read.getPadding().getDefiningOp<ub::PoisonOp>();
  if (limited && !poison)
    copy.fill = read.getPadding();
  return std::nullopt;
}

} // namespace

bool tile::isUpstreamCopy(Operation *op) {
  if (auto write = dyn_cast<vector::TransferWriteOp>(op))
    return write.getValueToStore().getDefiningOp<vector::TransferReadOp>();
  return isa<memref::CopyOp, linalg::CopyOp, linalg::TransposeOp>(op);
}

std::optional<Stays> tile::readCopy(Operation *op, OpBuilder &builder,
                                    UpstreamCopy &copy) {
  std::optional<Stays> stays;
  if (auto write = dyn_cast<vector::TransferWriteOp>(op)) {
    stays = readVectors(write, builder, copy);
  } else if (auto transpose = dyn_cast<linalg::TransposeOp>(op)) {
    stays = readWhole(op, transpose.getInput(), transpose.getInit(),
                      transpose.getPermutation(), builder, copy);
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
  if (auto unknown = unknownMemory(copy.src))
    return unknown;
  return unknownMemory(copy.dst);
}
