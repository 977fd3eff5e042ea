//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Text form and verification of #tile.layout.

#include "Layout.h"
#include "Body.h"
#include "Bridge.h"

#include "mlir/CAPI/Support.h"
#include "mlir/CAPI/Utils.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace tile;

namespace {

// A layout that is being read.
struct LayoutReading : Reading {
  using Reading::Reading;
  LayoutAttr layout;
};

void acceptLayout(TileLayoutRef layout, void *userData) {
  auto &reading =
      static_cast<LayoutReading &>(*static_cast<Reading *>(userData));
  if (!reading.isClosed())
    return;
  reading.layout = makeLayout(reading.parser.getContext(), layout, [&] {
    return reading.parser.emitError(reading.loc);
  });
}

} // namespace

TileLayoutRef tile::layoutRef(ArrayRef<int64_t> shard,
                              ArrayRef<int64_t> replica,
                              ArrayRef<int64_t> offset,
                              ArrayRef<int64_t> swizzle) {
  auto size = [](ArrayRef<int64_t> list) { return intptr_t(list.size()); };
  return {shard.data(),  size(shard),  replica.data(), size(replica),
          offset.data(), size(offset), swizzle.data(), size(swizzle)};
}

TileLayoutRef tile::layoutRef(LayoutAttr layout) {
  return layoutRef(layout.getShard(), layout.getReplica(), layout.getOffset(),
                   layout.getSwizzle());
}

LayoutAttr tile::makeLayout(MLIRContext *context, TileLayoutRef layout,
                            function_ref<InFlightDiagnostic()> emitError) {
  auto list = [](const int64_t *data, intptr_t size) {
    return ArrayRef<int64_t>(data, size_t(size));
  };
  return LayoutAttr::getChecked(emitError, context,
                                list(layout.shard, layout.shardSize),
                                list(layout.replica, layout.replicaSize),
                                list(layout.offset, layout.offsetSize),
                                list(layout.swizzle, layout.swizzleSize));
}

Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  LayoutReading reading(parser);
  if (reading.open())
    tileLayoutParse(wrap(reading.text), acceptLayout, Reading::refuse,
                    static_cast<Reading *>(&reading));
  return reading.layout;
}

void LayoutAttr::print(AsmPrinter &printer) const {
  raw_ostream &os = printer.getStream();
  os << '<';
  tileLayoutPrint(layoutRef(*this), putText, &os);
  os << '>';
}

LogicalResult LayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<int64_t> shard,
                                 ArrayRef<int64_t> replica,
                                 ArrayRef<int64_t> offset,
                                 ArrayRef<int64_t> swizzle) {
  std::string reason;
  if (tileLayoutVerify(layoutRef(shard, replica, offset, swizzle), appendTo,
                       &reason))
    return success();
  return emitError() << reason;
}

void tile::appendTo(MlirStringRef text, void *string) {
  static_cast<std::string *>(string)->append(text.data, text.length);
}
