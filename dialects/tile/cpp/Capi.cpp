//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Constructors and accessors of the dialect's attribute and type.

#include "Capi.h"
#include "Layout.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"

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

bool tileTypeIsABuffer(MlirType type) { return isa<BufferType>(unwrap(type)); }

TileBufferRef tileBufferTypeGetParts(MlirType type) {
  auto buffer = cast<BufferType>(unwrap(type));
  return {buffer.getShape().data(), intptr_t(buffer.getShape().size()),
          wrap(buffer.getElementType()), int32_t(buffer.getSpace()),
          wrap(buffer.getLayout())};
}

MlirType tileBufferTypeGet(MlirLocation location, TileBufferRef buffer) {
  Location loc = unwrap(location);
  return wrap(BufferType::getChecked(
      [&] { return emitError(loc); }, loc.getContext(),
      list(buffer.shape, buffer.rank), unwrap(buffer.element),
      Space(buffer.space), cast<LayoutAttr>(unwrap(buffer.layout))));
}
