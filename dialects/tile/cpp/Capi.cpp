//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Constructors and accessors of the dialect's attribute and type; making ops,
// and reading the sizes of the dialect's groups of operands.
//
// MLIR's C API makes an op through two dictionaries of its attributes, each
// sorted, uniqued and kept by the context, and then takes one of them apart
// again. Here an op's own attributes are stored in its properties directly.

#include "Capi.h"
#include "Layout.h"
#include "tile/Dialect.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tile;

static ArrayRef<int64_t> list(const int64_t *data, intptr_t size) {
  return {data, size_t(size)};
}

bool tileAttributeIsALayout(MlirAttribute attribute) {
  return isa<LayoutAttr>(unwrap(attribute));
}

TileLayoutRef tileLayoutAttrGetParts(MlirAttribute layout) {
  return layoutRef(cast<LayoutAttr>(unwrap(layout)));
}

MlirAttribute tileLayoutAttrGet(MlirLocation location, TileLayoutRef layout) {
  Location loc = unwrap(location);
  return wrap(
      makeLayout(loc.getContext(), layout, [&] { return emitError(loc); }));
}

MlirAttribute tileFragmentAttrGet(MlirLocation location, MlirStringRef name) {
  Location loc = unwrap(location);
  return wrap(FragmentAttr::getChecked([&] { return emitError(loc); },
                                       loc.getContext(), unwrap(name)));
}

MlirStringRef tileFragmentAttrGetName(MlirAttribute attribute) {
  auto fragment = dyn_cast<FragmentAttr>(unwrap(attribute));
  return fragment ? wrap(fragment.getName()) : MlirStringRef{nullptr, 0};
}

const void *tilePlanAttrGetPlan(MlirAttribute attribute) {
  auto plan = dyn_cast<PlanAttr>(unwrap(attribute));
  return plan ? plan.getPlan().get() : nullptr;
}

MlirAttribute tilePlanAttrGet(MlirContext context, const void *plan) {
  return wrap(PlanAttr::get(unwrap(context), Plan(plan)));
}

bool tileTypeIsABuffer(MlirType type) { return isa<BufferType>(unwrap(type)); }

TileBufferRef tileBufferTypeGetParts(MlirType type) {
  auto buffer = cast<BufferType>(unwrap(type));
  return {buffer.getShape().data(),
          intptr_t(buffer.getShape().size()),
          wrap(buffer.getElementType()),
          int32_t(buffer.getSpace()),
          wrap(buffer.getLayout()),
          wrap(buffer.getFragment()),
          buffer.getIsAuto()};
}

MlirType tileBufferTypeGet(MlirLocation location, TileBufferRef buffer) {
  Location loc = unwrap(location);
  return wrap(BufferType::getChecked(
      [&] { return emitError(loc); }, loc.getContext(),
      list(buffer.shape, buffer.rank), unwrap(buffer.element),
      Space(buffer.space), cast<LayoutAttr>(unwrap(buffer.layout)),
      dyn_cast_or_null<FragmentAttr>(unwrap(buffer.fragment)), buffer.isAuto));
}

/// The interned name of an attribute if it is one of the op's own; otherwise
/// null.
static StringAttr ownName(OperationName op, StringRef name) {
  if (!op.isRegistered() || op.getOpPropertyByteSize() == 0)
    return {};
  for (StringAttr own : op.getAttributeNames())
    if (own.getValue() == name)
      return own;
  return {};
}

MlirOperation tileCreateOp(TileOpParts parts) {
  Location loc = unwrap(parts.location);
  MLIRContext *context = loc.getContext();
  OperationName name(unwrap(parts.name), context);
  SmallVector<Value, 8> operands;
  (void)unwrapList(parts.operandCount, const_cast<MlirValue *>(parts.operands),
                   operands);
  SmallVector<Type, 2> results;
  (void)unwrapList(parts.resultCount, const_cast<MlirType *>(parts.results),
                   results);
  NamedAttrList others;
  SmallVector<NamedAttribute, 16> own;
  for (intptr_t i = 0; i < parts.attributeCount; ++i) {
    StringRef text = unwrap(parts.names[i]);
    Attribute value = unwrap(parts.attributes[i]);
    if (StringAttr known = ownName(name, text))
      own.emplace_back(known, value);
    else
      others.append(text, value);
  }
  Operation *op = Operation::create(
      loc, name, results, operands, std::move(others),
      OpaqueProperties(nullptr), BlockRange(), parts.regionCount);
  for (NamedAttribute attribute : own)
    op->setInherentAttr(attribute.getName(), attribute.getValue());
  for (intptr_t i = 0; i < parts.regionCount; ++i) {
    std::unique_ptr<Region> region(unwrap(parts.regions[i]));
    op->getRegion(i).takeBody(*region);
  }
  return wrap(op);
}

namespace {
/// The sizes of an op's groups of operands, if it is one of these ops.
template <typename... Ops> struct Segments;

template <> struct Segments<> {
  static ArrayRef<int32_t> of(Operation *) { return {}; }
};

template <typename First, typename... Rest> struct Segments<First, Rest...> {
  static ArrayRef<int32_t> of(Operation *op) {
    if constexpr (First::template hasTrait<OpTrait::AttrSizedOperandSegments>())
      if (auto own = dyn_cast<First>(op))
        return own.getProperties().operandSegmentSizes;
    return Segments<Rest...>::of(op);
  }
};
} // namespace

bool tileIsMemoryEffectFree(MlirOperation op) {
  return isMemoryEffectFree(unwrap(op));
}

TileSegments tileOperandSegments(MlirOperation op) {
  using All = Segments<
#define GET_OP_LIST
#include "tile/TileOps.cpp.inc"
      >;
  ArrayRef<int32_t> sizes = All::of(unwrap(op));
  return {sizes.data(), intptr_t(sizes.size())};
}
