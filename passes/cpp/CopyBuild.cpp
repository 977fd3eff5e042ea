//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// From an upstream copy, as it was read, to views and a tile.copy.

#include "Copies.h"
#include "Layout.h"

#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace tile;

namespace {

// The maximum number of elements of a copy: twice what shared memory holds.
constexpr int64_t mostElements = 1 << 19;

int64_t axis(StringRef name) {
  std::string reason;
  return tileAxisCode(wrap(name), appendTo, &reason);
}

// A memref as a tile: its view, and a region of that.
struct Side {
  Value buffer;
  SmallVector<OpFoldResult> begins;
  SmallVector<int64_t> sizes;
  bool masked = false;
};

class Viewer {
public:
  Viewer(Location loc, OpBuilder &builder, const Part &part,
         ArrayRef<int64_t> sizes, ArrayRef<OpFoldResult> counts)
      : loc(loc), builder(builder), part(part), type(part.type()),
        stored(storedAs(type.getElementType())) {
    side.begins = part.begins;
    side.sizes.assign(type.getRank(), 1);
    side.masked = part.leaves.any();
    ends.resize(type.getRank());
    for (auto [i, of] : llvm::enumerate(part.order)) {
      side.sizes[of] = sizes[i];
      if (!counts[i])
        continue;
      ends[of] = sum(builder, loc, part.begins[of], counts[i]);
      if (part.leaves[of])
        ends[of] = least(builder, loc, ends[of],
                         memref::getMixedSize(builder, loc, part.memref, of));
      side.masked = true;
    }
  }

  std::optional<Stays> view();
  Side side;

private:
  std::optional<Stays> layout();
  std::optional<Stays> narrowShared();
  SmallVector<Value> runTimeNumbers(bool limited);
  void permute();
  BufferType buffer() { return cast<BufferType>(side.buffer.getType()); }
  BufferType typeOf(ArrayRef<int64_t> shape, ArrayRef<int64_t> shard) {
    return BufferType::get(
        builder.getContext(), shape, stored ? stored : type.getElementType(),
        space, LayoutAttr::get(builder.getContext(), shard, {}, {}, {}));
  }

  Location loc;
  OpBuilder &builder;
  const Part &part;
  MemRefType type;
  Type stored;
  Space space = Space::Global;
  // The end of each dimension of the memref for this copy, if that is before
  // its own end.
  SmallVector<OpFoldResult> ends;
  SmallVector<int64_t> shape, strides, shard;
};

/// Shape, strides and iters of the view.
std::optional<Stays> Viewer::layout() {
  int64_t offset;
  std::string text;
  llvm::raw_string_ostream(text) << type << ", expected strides";
  if (failed(type.getStridesAndOffset(strides, offset)))
    return Stays{TileStaysLayout, text};
  space = *memoryOf(type);
  shape = llvm::to_vector(type.getShape());
  if (llvm::is_contained(shape, 0))
    return Stays{TileStaysEmpty, "a memref without elements, expected some"};
  for (auto [extent, end] : llvm::zip_equal(shape, ends))
    extent = end ? ShapedType::kDynamic : extent;
  int64_t open = 0;
  for (auto [extent, stride] : llvm::zip_equal(shape, strides)) {
    // Addresses of a layout start at 0: the memref says a negative stride.
    if (stride < 0)
      stride = ShapedType::kDynamic;
    bool dynamic = ShapedType::isDynamic(stride);
    shard.append({extent, dynamic ? 1 : stride,
                  dynamic ? axis("s" + std::to_string(open++)) : axis("m")});
  }
  std::string reason;
  if (!tileLayoutVerify(layoutRef(shard, {}, {}, {}), appendTo, &reason))
    return Stays{TileStaysLarge, reason};
  return std::nullopt;
}

/// The numbers that the type leaves to run time. All are given where the copy
/// ends before the memref.
SmallVector<Value> Viewer::runTimeNumbers(bool limited) {
  SmallVector<Value> numbers;
  if (!limited)
    return numbers;
  for (auto [i, extent] : llvm::enumerate(shape))
    if (ShapedType::isDynamic(extent))
      numbers.push_back(getValueOrCreateConstantIndexOp(
          builder, loc,
          ends[i] ? ends[i]
                  : memref::getMixedSize(builder, loc, part.memref, i)));
  if (!llvm::is_contained(strides, ShapedType::kDynamic))
    return numbers;
  // Of a dense memref a stride is known as the product of extents.
  if (part.type().getLayout().isIdentity()) {
    for (auto [i, stride] : llvm::enumerate(strides)) {
      if (!ShapedType::isDynamic(stride))
        continue;
      Value product;
      for (int64_t j = i + 1, rank = shape.size(); j < rank; ++j) {
        Value extent = getValueOrCreateConstantIndexOp(
            builder, loc, memref::getMixedSize(builder, loc, part.memref, j));
        product = product ? arith::MulIOp::create(builder, loc, product, extent)
                          : extent;
      }
      numbers.push_back(product);
    }
    return numbers;
  }
  auto metadata =
      memref::ExtractStridedMetadataOp::create(builder, loc, part.memref);
  for (auto [i, stride] : llvm::enumerate(strides))
    if (ShapedType::isDynamic(stride))
      numbers.push_back(metadata.getStrides()[i]);
  return numbers;
}

/// A part of shared memory that ends before the memref is a separate view.
std::optional<Stays> Viewer::narrowShared() {
  if (llvm::none_of(ends, [](OpFoldResult end) { return end; }))
    return std::nullopt;
  SmallVector<Value> offsets;
  SmallVector<int64_t> numbers, sizes;
  for (auto [i, own] : llvm::enumerate(ends)) {
    OpFoldResult end = own;
    if (!end && part.leaves[i])
      end = builder.getIndexAttr(shape[i]);
    std::optional<int64_t> size = getConstantIntValue(
        end ? difference(builder, loc, end, side.begins[i])
            : OpFoldResult(builder.getIndexAttr(side.sizes[i])));
    if (!size || *size < 1)
      return Stays{TileStaysExtent,
                   "a run-time extent in shared memory alone, expected one of "
                   "global memory"};
    sizes.push_back(*size);
  }
  dispatchIndexOpFoldResults(side.begins, offsets, numbers);
  shape = sizes;
  for (int64_t i = 0, rank = sizes.size(); i < rank; ++i)
    shard[3 * i] = sizes[i];
  side.buffer = SubviewOp::create(builder, loc, typeOf(shape, shard),
                                  side.buffer, offsets, numbers, sizes);
  side.begins.assign(sizes.size(), builder.getIndexAttr(0));
  return std::nullopt;
}

/// Puts the dimensions into the order in which the copy counts.
void Viewer::permute() {
  if (llvm::is_sorted(part.order))
    return;
  SmallVector<int64_t> order;
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (!llvm::is_contained(part.order, i))
      order.push_back(i);
  llvm::append_range(order, part.order);
  Side turned;
  SmallVector<int64_t> turnedShape, turnedShard;
  for (int64_t from : order) {
    turned.begins.push_back(side.begins[from]);
    turned.sizes.push_back(side.sizes[from]);
    turnedShape.push_back(shape[from]);
    turnedShard.append(shard.begin() + 3 * from, shard.begin() + 3 * from + 3);
  }
  turned.masked = side.masked;
  turned.buffer =
      PermuteOp::create(builder, loc, typeOf(turnedShape, turnedShard),
                        side.buffer, builder.getDenseI64ArrayAttr(order));
  side = turned;
}

std::optional<Stays> Viewer::view() {
  SmallVector<OpFoldResult> limits = ends;
  bool shared = memoryOf(type) == Space::Shared;
  if (shared)
    ends.assign(ends.size(), OpFoldResult());
  if (auto stays = layout())
    return stays;
  auto isDynamic = [](int64_t it) { return ShapedType::isDynamic(it); };
  if (shared &&
      (llvm::any_of(shape, isDynamic) || llvm::any_of(strides, isDynamic)))
    return Stays{TileStaysExtent,
                 "run-time extents or strides in shared memory, expected "
                 "numbers, or a memref.subview of memory that has them"};
  bool limited = llvm::any_of(ends, [](OpFoldResult end) { return end; });
  SmallVector<Value> numbers = runTimeNumbers(limited);
  Value memref = part.memref;
  if (stored)
    memref = UnrealizedConversionCastOp::create(
                 builder, loc,
                 MemRefType(MemRefType::Builder(type).setElementType(stored)),
                 memref)
                 .getResult(0);
  side.buffer =
      ViewOp::create(builder, loc, typeOf(shape, shard), memref, numbers);
  ends = limits;
  if (shared)
    if (auto stays = narrowShared())
      return stays;
  permute();
  return std::nullopt;
}

/// Without a value to fill with, what is not read is not written either: only
/// the side in global memory states the limit. Known numbers make the region
/// smaller.
void joinCounts(Location loc, OpBuilder &builder, UpstreamCopy &copy) {
  bool fromGlobal = memoryOf(copy.src.type()) == Space::Global;
  for (auto [size, read, write] :
       llvm::zip_equal(copy.sizes, copy.reads, copy.writes)) {
    OpFoldResult &one = fromGlobal ? read : write;
    OpFoldResult &other = fromGlobal ? write : read;
    if (!copy.fill) {
      one = least(builder, loc, one, other);
      other = OpFoldResult();
    }
    OpFoldResult &last = copy.fill ? write : one;
    if (std::optional<int64_t> number =
            last ? getConstantIntValue(last) : std::nullopt) {
      size = std::min(size, *number);
      last = OpFoldResult();
    }
  }
}

} // namespace

// Elements of fewer bits have a byte each, and others the next power of two, as
// the conversion of memrefs to LLVM has it.
Type tile::storedAs(Type element) {
  auto isWhole = [](Type type) {
    return type.isIntOrFloat() && type.getIntOrFloatBitWidth() >= 8 &&
           llvm::isPowerOf2_64(type.getIntOrFloatBitWidth());
  };
  auto pair = dyn_cast<ComplexType>(element);
  auto vector = dyn_cast<VectorType>(element);
  uint64_t bits = 0;
  if (element.isIndex())
    bits = 64;
  else if (element.isIntOrFloat() && !isWhole(element) && !element.isTF32())
    bits = std::max<uint64_t>(
        8, llvm::PowerOf2Ceil(element.getIntOrFloatBitWidth()));
  else if (pair && isWhole(pair.getElementType()))
    bits = 2 * pair.getElementType().getIntOrFloatBitWidth();
  else if (vector && !vector.isScalable() && isWhole(vector.getElementType()))
    bits = vector.getNumElements() * vector.getElementTypeBitWidth();
  if (!llvm::isPowerOf2_64(bits) || bits > 64)
    return {};
  return IntegerType::get(element.getContext(), bits);
}

std::optional<Stays>
tile::buildRegionCopy(Location loc, OpBuilder &builder, const Part &part,
                      ArrayRef<int64_t> sizes, ArrayRef<OpFoldResult> counts,
                      Value tile, bool isLoad, Scope scope, CopyOp &built) {
  SmallVector<OpFoldResult> none;
  Viewer region(loc, builder, part, sizes, counts);
  if (auto stays = region.view())
    return stays;
  Side &side = region.side;
  built = isLoad ? CopyOp::create(builder, loc, side.buffer, side.begins,
                                  side.sizes, tile, none, {}, scope)
                 : CopyOp::create(builder, loc, tile, none, {}, side.buffer,
                                  side.begins, side.sizes, scope);
  built.setMasked(side.masked);
  return std::nullopt;
}

std::optional<Stays> tile::buildCopy(Location loc, OpBuilder &builder,
                                     const UpstreamCopy &given, Scope scope,
                                     CopyOp &built) {
  UpstreamCopy copy = given;
  joinCounts(loc, builder, copy);
  int64_t elements = 1;
  for (int64_t size : copy.sizes) {
    if (size < 1)
      return Stays{TileStaysEmpty, "no elements, expected at least one"};
    if (size > mostElements || (elements *= size) > mostElements)
      return Stays{TileStaysLarge,
                   "more than 524288 elements, expected tiles: each thread "
                   "copies its elements without a loop"};
  }
  Viewer src(loc, builder, copy.src, copy.sizes, copy.reads);
  Viewer dst(loc, builder, copy.dst, copy.sizes, copy.writes);
  if (!areDisjoint(copy.src, src.side.sizes, copy.dst, dst.side.sizes))
    return Stays{TileStaysOverlap,
                 "regions of one memref that may overlap, expected disjoint "
                 "ones"};
  if (auto stays = src.view())
    return stays;
  if (auto stays = dst.view())
    return stays;
  built = CopyOp::create(builder, loc, src.side.buffer, src.side.begins,
                         src.side.sizes, dst.side.buffer, dst.side.begins,
                         dst.side.sizes, scope);
  built.setMasked(src.side.masked || dst.side.masked);
  if (copy.fill)
    built.getFillerMutable().assign(copy.fill);
  return std::nullopt;
}
