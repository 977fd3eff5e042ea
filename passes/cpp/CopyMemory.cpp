//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The memories of upstream's copies: what they are, who writes them, and
// whether two regions are apart.

#include "Copies.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

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

/// The memref that others view, in the end.
static Value viewed(Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>()) {
    Value source = view.getViewSource();
    if (!isa<MemRefType>(source.getType()))
      break;
    memref = source;
  }
  return memref;
}

/// The memory of an attribution of a kernel; none for private ones, which each
/// thread has for itself. For other values: what their types say.
static std::optional<Space> attributed(Value memref) {
  auto type = memoryOf(cast<MemRefType>(memref.getType()));
  auto argument = dyn_cast<BlockArgument>(memref);
  Operation *kernel = argument ? argument.getOwner()->getParentOp() : nullptr;
  auto isOne = [&](auto op) {
    return llvm::is_contained(op.getWorkgroupAttributions(), argument)
               ? std::optional(Space::Shared)
           : llvm::is_contained(op.getPrivateAttributions(), argument)
               ? std::nullopt
               : type;
  };
  if (auto function = dyn_cast_or_null<gpu::GPUFuncOp>(kernel))
    return isOne(function);
  if (auto launch = dyn_cast_or_null<gpu::LaunchOp>(kernel))
    return isOne(launch);
  Operation *made = memref.getDefiningOp();
  // What a thread of a kernel allocates is its own.
  bool isOwn = isa_and_present<memref::AllocaOp>(made) ||
               (isa_and_present<memref::AllocOp>(made) &&
                (made->getParentOfType<gpu::GPUFuncOp>() ||
                 made->getParentOfType<gpu::LaunchOp>()));
  return isOwn && type != Space::Shared ? std::nullopt : type;
}

/// Whether MLIR's conversion to LLVM copies a memref by memcpy; it calls a
/// function of its host runtime for all others. Casts are folded before.
static bool isCopiedByMemcpy(Value value) {
  while (auto cast = value.getDefiningOp<memref::CastOp>())
    value = cast.getSource();
  auto memref = dyn_cast<MemRefType>(value.getType());
  return memref && (memref.getLayout().isIdentity() ||
                    (memref.hasStaticShape() && memref.getNumElements() > 0 &&
                     memref::isStaticShapeAndContiguousRowMajor(memref)));
}

extern "C" bool tileIsCopiedByMemcpy(MlirOperation op) {
  return llvm::all_of(unwrap(op)->getOperands(), isCopiedByMemcpy);
}

std::optional<Space> tile::memoryOf(Value memref) {
  std::optional<Space> stated = memoryOf(cast<MemRefType>(memref.getType()));
  return attributed(viewed(memref)) == stated ? stated : std::nullopt;
}

bool tile::mayWrite(Operation *op, std::optional<Space> memory) {
  auto effects = getEffectsRecursively(op);
  if (!effects)
    return true;
  return llvm::any_of(*effects, [&](MemoryEffects::EffectInstance &effect) {
    if (isa<MemoryEffects::Read>(effect.getEffect()))
      return false;
    Value value = effect.getValue();
    if (!value)
      return true;
    if (auto buffer = dyn_cast<BufferType>(value.getType()))
      return buffer.getSpace() == memory;
    if (!isa<MemRefType>(value.getType()))
      return true;
    std::optional<Space> written = memoryOf(value);
    return !written || written == memory;
  });
}

bool tile::areDisjoint(const Part &one, ArrayRef<int64_t> sizes,
                       const Part &other, ArrayRef<int64_t> otherSizes) {
  if (viewed(one.memref) != viewed(other.memref))
    return true;
  if (one.memref != other.memref)
    return false;
  MLIRContext *context = one.memref.getContext();
  Builder builder(context);
  auto slice = [&](const Part &part, ArrayRef<int64_t> extents) {
    SmallVector<OpFoldResult> numbers;
    for (int64_t extent : extents)
      numbers.push_back(builder.getIndexAttr(extent));
    SmallVector<OpFoldResult> steps(extents.size(), builder.getIndexAttr(1));
    return HyperrectangularSlice(part.begins, numbers, steps);
  };
  FailureOr<bool> overlap = ValueBoundsConstraintSet::areOverlappingSlices(
      context, slice(one, sizes), slice(other, otherSizes));
  return succeeded(overlap) && !*overlap;
}
