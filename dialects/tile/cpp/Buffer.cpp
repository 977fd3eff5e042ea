//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Text form and verification of !tile.buffer.

#include "Layout.h"

#include "mlir/CAPI/Utils.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tile;

LayoutAttr tile::rowMajorLayout(MLIRContext *context, ArrayRef<int64_t> shape) {
  // A malformed shape is the type verifier's to refuse; here it must only not
  // overflow.
  SmallVector<int64_t> shard(shape.size() * 3);
  int64_t stride = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    shard[3 * i] = std::max<int64_t>(shape[i], 1);
    shard[3 * i + 1] = stride;
    shard[3 * i + 2] = tileAxisCode({"m", 1});
    stride = llvm::SaturatingMultiply<uint64_t>(stride, shard[3 * i]) >> 62
                 ? 1
                 : stride * shard[3 * i];
  }
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
    layout = rowMajorLayout(parser.getContext(), shape);
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
  if (getLayout() != rowMajorLayout(getContext(), getShape()))
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
