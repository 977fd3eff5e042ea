//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Reads a vector.transfer_read, and the vector.transfer_write of its result, as
// a copy.

#include "Copies.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace tile;

namespace {

/// A number of elements as a count in a dimension of this size: none if it is
/// negative, as where a transfer begins beyond the end.
OpFoldResult clamped(OpBuilder &builder, Location loc, OpFoldResult number,
                     int64_t size) {
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value value = getValueOrCreateConstantIndexOp(builder, loc, number);
  OpFoldResult least =
      getAsOpFoldResult(builder.createOrFold<arith::MaxSIOp>(loc, value, zero));
  return tile::least(builder, loc, least, builder.getIndexAttr(size));
}

/// The number of elements that a mask lets through in each dimension of the
/// memref that a transfer runs along, in the memref's order.
std::optional<SmallVector<OpFoldResult>> maskCounts(Value mask,
                                                    OpBuilder &builder) {
  SmallVector<OpFoldResult> counts;
  Location loc = mask.getLoc();
  if (auto create = mask.getDefiningOp<vector::CreateMaskOp>()) {
    for (auto [operand, size] : llvm::zip_equal(
             create.getOperands(), create.getVectorType().getShape()))
      counts.push_back(clamped(builder, loc, operand, size));
    return counts;
  }
  if (auto constant = mask.getDefiningOp<vector::ConstantMaskOp>()) {
    for (int64_t size : constant.getMaskDimSizes())
      counts.push_back(builder.getIndexAttr(size));
    return counts;
  }
  return std::nullopt;
}

/// One side of a transfer: its start, and its numbers of elements, where these
/// are limited by something other than the end of the buffer.
std::optional<Stays> readTransfer(VectorTransferOpInterface transfer,
                                  OpBuilder &builder, Part &part,
                                  SmallVectorImpl<OpFoldResult> &counts) {
  if (!isa<MemRefType>(transfer.getBase().getType()))
    return Stays{TileStaysTensors, "tensors, expected memrefs: bufferize "
                                   "first"};
  part = whole(transfer.getBase(), builder);
  AffineMap map = transfer.getPermutationMap();
  VectorType vector = transfer.getVectorType();
  if (!map.isProjectedPermutation())
    return Stays{TileStaysBroadcast, "a transfer that broadcasts, expected a "
                                     "permutation of dimensions"};
  if (vector.isScalable())
    return Stays{TileStaysScalable, "a vector whose length is known only at "
                                    "run time, expected numbers"};
  for (auto [begin, index] :
       llvm::zip_equal(part.begins, transfer.getIndices()))
    begin = getAsOpFoldResult(index);
  part.order.clear();
  for (AffineExpr result : map.getResults())
    part.order.push_back(cast<AffineDimExpr>(result).getPosition());
  SmallVector<OpFoldResult> masked;
  if (cast<vector::MaskableOpInterface>(transfer.getOperation()).isMasked())
    return Stays{TileStaysMask, "a transfer in a vector.mask, expected the "
                                "mask as an operand"};
  if (Value mask = transfer.getMask()) {
    auto found = maskCounts(mask, builder);
    if (!found || vector.getRank() == 0)
      return Stays{TileStaysMask, "a mask that is computed, or of one element, "
                                  "expected one of vector.create_mask or "
                                  "constant_mask with the vector's dimensions"};
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
      bool inside = known && *known >= vector.getDimSize(i);
      // The buffer itself ends there.
      part.leaves[of] = !viewed && !inside;
      count = viewed && !inside
                  ? clamped(builder, loc, count, vector.getDimSize(i))
                  : OpFoldResult();
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
  std::optional<Space> memory = memoryOf(read.getBase());
  for (Operation *op = read->getNextNode(); op != write; op = op->getNextNode())
    if (mayWrite(op, memory))
      return false;
  return true;
}

} // namespace

vector::TransferReadOp tile::readOf(vector::TransferWriteOp write) {
  Value vector = write.getValueToStore();
  // A vector.mask around the read has its result.
  if (auto mask = vector.getDefiningOp<vector::MaskOp>())
    return dyn_cast_or_null<vector::TransferReadOp>(mask.getMaskableOp());
  return vector.getDefiningOp<vector::TransferReadOp>();
}

std::optional<Stays> tile::readVectors(vector::TransferWriteOp write,
                                       OpBuilder &builder, UpstreamCopy &copy) {
  vector::TransferReadOp read = readOf(write);
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
  bool limited = copy.src.leaves.any() ||
                 llvm::any_of(copy.reads, [](OpFoldResult it) { return it; });
  bool poison = read.getPadding().getDefiningOp<ub::PoisonOp>();
  if (limited && !poison)
    copy.fill = read.getPadding();
  return std::nullopt;
}
