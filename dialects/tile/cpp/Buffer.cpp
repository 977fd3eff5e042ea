//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Text form and verification of !tile.buffer.

#include "Layout.h"

#include "mlir/CAPI/Utils.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace tile;

LayoutAttr tile::rowMajorLayout(MLIRContext *context, ArrayRef<int64_t> shape,
                                std::string &reason) {
  SmallVector<int64_t> shard(shape.size() * 3);
  if (!tileRowMajor(shape.data(), shape.size(), shard.data(), appendTo,
                    &reason))
    return {};
  return LayoutAttr::get(context, shard, {}, {}, {});
}

Type BufferType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type element;
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseDimensionList(shape) ||
      parser.parseType(element) || parser.parseComma())
    return {};
  SMLoc spaceLoc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return {};
  std::optional<Space> space = symbolizeSpace(keyword);
  if (!space) {
    parser.emitError(spaceLoc, "got space '")
        << keyword << "', expected global, shared, local or tmem";
    return {};
  }
  LayoutAttr layout;
  if (succeeded(parser.parseOptionalComma())) {
    if (parser.parseAttribute(layout))
      return {};
  } else {
    std::string reason;
    layout = rowMajorLayout(parser.getContext(), shape, reason);
    if (!layout) {
      parser.emitError(loc) << reason;
      return {};
    }
  }
  if (parser.parseGreater())
    return {};
  return BufferType::getChecked([&] { return parser.emitError(loc); },
                                parser.getContext(), ArrayRef<int64_t>(shape),
                                element, *space, layout);
}

void BufferType::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printDimensionList(getShape());
  if (!getShape().empty())
    printer << 'x';
  printer << getElementType() << ", " << stringifySpace(getSpace());
  std::string reason;
  if (getLayout() != rowMajorLayout(getContext(), getShape(), reason))
    printer << ", " << getLayout();
  printer << '>';
}

LogicalResult BufferType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<int64_t> shape, Type element,
                                 Space space, LayoutAttr layout) {
  if (!element.isIntOrIndexOrFloat() || element.isIndex())
    return emitError() << "got element type " << element
                       << ", expected an integer or a float";
  std::string reason;
  if (tileBufferVerify(shape.data(), shape.size(), int32_t(space),
                       layoutRef(layout), appendTo, &reason))
    return success();
  return emitError() << reason;
}
