//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The memory that vectors become, and the copies that transfers become.

#include "LinalgVectors.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"

using namespace mlir;
using namespace tile;

namespace {

/// The dimension of the viewed part for each dimension of a vector; none for
/// one along which its elements are the same.
SmallVector<std::optional<unsigned>> orderOf(AffineMap map) {
  SmallVector<unsigned> present;
  for (AffineExpr result : map.getResults())
    if (auto dimension = dyn_cast<AffineDimExpr>(result))
      present.push_back(dimension.getPosition());
  llvm::sort(present);
  SmallVector<std::optional<unsigned>> order;
  for (AffineExpr result : map.getResults()) {
    auto dimension = dyn_cast<AffineDimExpr>(result);
    order.push_back(dimension
                        ? std::optional<unsigned>(
                              llvm::find(present, dimension.getPosition()) -
                              present.begin())
                        : std::nullopt);
  }
  return order;
}

/// The map from the dimensions of a vector to those of the viewed part.
AffineMap partMap(ArrayRef<std::optional<unsigned>> order,
                  MLIRContext *context) {
  SmallVector<AffineExpr> dimensions(llvm::count_if(
      order, [](auto dimension) { return dimension.has_value(); }));
  for (auto [i, dimension] : llvm::enumerate(order))
    if (dimension)
      dimensions[*dimension] = getAffineDimExpr(i, context);
  return AffineMap::get(order.size(), 0, dimensions, context);
}

} // namespace

Value VectorMemory::allocate(VectorType type, Location loc) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&entry);
  auto memref = MemRefType::get(type.getShape(), type.getElementType());
  return memref::AllocOp::create(builder, loc, memref);
}

Value VectorMemory::allocate(Value vector) {
  return memrefs[vector] = allocate(vectorOf(vector), vector.getLoc());
}

Value VectorMemory::source(Value vector) {
  Attribute splat = splatOf(vector);
  if (!splat)
    return memrefs.lookup(vector);
  Location loc = vector.getLoc();
  Value filled = allocate(vectorOf(vector), loc);
  Value element =
      arith::ConstantOp::create(builder, loc, cast<TypedAttr>(splat));
  linalg::FillOp::create(builder, loc, element, filled);
  return filled;
}

Value VectorMemory::overwritten(Value vector) {
  if (splatOf(vector) || vector.hasOneUse())
    return source(vector);
  Value buffer = allocate(vectorOf(vector), vector.getLoc());
  memref::CopyOp::create(builder, vector.getLoc(), source(vector), buffer);
  return buffer;
}

/// The part of a memref that a transfer moves, its dimensions in the memref's
/// order; `isWhole` is false where it may be less than the vector.
Value VectorMemory::viewed(VectorTransferOpInterface transfer, bool &isWhole) {
  Location loc = transfer.getLoc();
  Value base = transfer.getBase();
  auto type = cast<MemRefType>(base.getType());
  SmallVector<OpFoldResult> begins = getAsOpFoldResult(transfer.getIndices());
  SmallVector<OpFoldResult> sizes(type.getRank(), builder.getIndexAttr(1));
  SmallVector<OpFoldResult> steps(type.getRank(), builder.getIndexAttr(1));
  SmallVector<int64_t> shape(type.getRank(), 0);
  AffineMap map = transfer.getPermutationMap();
  for (auto [i, result] : llvm::enumerate(map.getResults())) {
    auto dimension = dyn_cast<AffineDimExpr>(result);
    if (!dimension)
      continue;
    unsigned position = dimension.getPosition();
    int64_t extent = transfer.getVectorType().getDimSize(i);
    shape[position] = extent;
    sizes[position] = builder.getIndexAttr(extent);
    if (transfer.isDimInBounds(i))
      continue;
    OpFoldResult end = memref::getMixedSize(builder, loc, base, position);
    MLIRContext *context = builder.getContext();
    AffineExpr left =
        getAffineSymbolExpr(0, context) - getAffineSymbolExpr(1, context);
    AffineMap least = AffineMap::get(
        0, 2, {left, getAffineConstantExpr(extent, context)}, context);
    sizes[position] = affine::makeComposedFoldedAffineMin(
        builder, loc, least, {end, begins[position]});
    if (!getConstantIntValue(sizes[position]))
      shape[position] = ShapedType::kDynamic;
    else
      shape[position] = *getConstantIntValue(sizes[position]);
    isWhole &= shape[position] == extent;
  }
  llvm::erase(shape, 0);
  MemRefType part = memref::SubViewOp::inferRankReducedResultType(
      shape, type, begins, sizes, steps);
  return memref::SubViewOp::create(builder, loc, part, base, begins, sizes,
                                   steps);
}

/// The part of a vector's memory that is the part of a memref, all of whose
/// dimensions have an order.
Value VectorMemory::partOf(Value buffer, Value viewed,
                           ArrayRef<std::optional<unsigned>> order) {
  SmallVector<OpFoldResult> sizes;
  for (auto dimension : order)
    sizes.push_back(
        memref::getMixedSize(builder, buffer.getLoc(), viewed, *dimension));
  SmallVector<OpFoldResult> zeros(order.size(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> ones(order.size(), builder.getIndexAttr(1));
  return memref::SubViewOp::create(builder, buffer.getLoc(), buffer, zeros,
                                   sizes, ones);
}

void VectorMemory::copy(Value from, AffineMap fromMap, Value to,
                        AffineMap toMap) {
  if (fromMap.isIdentity() && toMap.isIdentity()) {
    memref::CopyOp::create(builder, from.getLoc(), from, to);
    return;
  }
  SmallVector<utils::IteratorType> loops(fromMap.getNumDims(),
                                         utils::IteratorType::parallel);
  linalg::GenericOp::create(
      builder, from.getLoc(), ValueRange{from}, ValueRange{to},
      ArrayRef{fromMap, toMap}, loops,
      [](OpBuilder &body, Location loc, ValueRange elements) {
        linalg::YieldOp::create(body, loc, elements[0]);
      });
}

void VectorMemory::read(vector::TransferReadOp read) {
  bool isWhole = true;
  Value part = viewed(cast<VectorTransferOpInterface>(*read), isWhole);
  auto order = orderOf(read.getPermutationMap());
  Value buffer = allocate(read.getResult());
  AffineMap identity =
      builder.getMultiDimIdentityMap(read.getVectorType().getRank());
  bool isBroadcast = llvm::is_contained(order, std::nullopt);
  if (!isWhole && !isBroadcast) {
    buffer = partOf(buffer, part, order);
  }
  copy(part, partMap(order, builder.getContext()), buffer, identity);
}

void VectorMemory::write(vector::TransferWriteOp write) {
  bool isWhole = true;
  Value from = source(write.getValueToStore());
  Value part = viewed(cast<VectorTransferOpInterface>(*write), isWhole);
  auto order = orderOf(write.getPermutationMap());
  if (!isWhole) {
    from = partOf(from, part, order);
  }
  AffineMap identity = builder.getMultiDimIdentityMap(order.size());
  copy(from, identity, part, partMap(order, builder.getContext()));
}
