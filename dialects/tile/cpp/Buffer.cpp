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

/// Reads a layout, or the fragment that names it; null after an error.
static LayoutAttr parseLayout(AsmParser &parser, ArrayRef<int64_t> shape,
                              Type element, Space space, FragmentAttr &fragment,
                              bool &isAuto) {
  SMLoc loc = parser.getCurrentLocation();
  auto error = [&] { return parser.emitError(loc); };
  isAuto = succeeded(parser.parseOptionalKeyword("auto"));
  if (isAuto) {
    std::string reason;
    LayoutAttr layout = rowMajorLayout(parser.getContext(), shape, reason);
    if (!layout)
      error() << reason;
    return layout;
  }
  Attribute attribute;
  if (parser.parseAttribute(attribute))
    return {};
  if (auto layout = dyn_cast<LayoutAttr>(attribute))
    return layout;
  fragment = dyn_cast<FragmentAttr>(attribute);
  if (fragment)
    return fragment.layoutOf(error, shape, element, space);
  error() << "got " << attribute
          << ", expected a #tile.layout, a #tile.fragment or auto";
  return {};
}

/// A tile in rows, whose layout may still be to be chosen.
static BufferType inRows(BufferType::EmitError emitError,
                         ArrayRef<int64_t> shape, Type element, Space space,
                         bool isAuto) {
  std::string reason;
  LayoutAttr layout = rowMajorLayout(element.getContext(), shape, reason);
  if (layout)
    return BufferType::getChecked(emitError, element.getContext(), shape,
                                  element, space, layout, FragmentAttr(),
                                  isAuto);
  emitError() << reason;
  return {};
}

BufferType BufferType::getRowMajor(EmitError emitError, ArrayRef<int64_t> shape,
                                   Type element, Space space) {
  return inRows(emitError, shape, element, space, /*isAuto=*/false);
}

BufferType BufferType::getAuto(EmitError emitError, ArrayRef<int64_t> shape,
                               Type element, Space space) {
  return inRows(emitError, shape, element, space, /*isAuto=*/true);
}

BufferType BufferType::getNamed(EmitError emitError, ArrayRef<int64_t> shape,
                                Type element, Space space,
                                FragmentAttr fragment) {
  LayoutAttr layout = fragment.layoutOf(emitError, shape, element, space);
  if (!layout)
    return {};
  return getChecked(emitError, element.getContext(), shape, element, space,
                    layout, fragment, /*isAuto=*/false);
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
  FragmentAttr fragment;
  bool isAuto = false;
  if (succeeded(parser.parseOptionalComma())) {
    layout = parseLayout(parser, shape, element, *space, fragment, isAuto);
  } else {
    std::string reason;
    layout = rowMajorLayout(parser.getContext(), shape, reason);
    if (!layout)
      parser.emitError(loc) << reason;
  }
  if (!layout)
    return {};
  if (parser.parseGreater())
    return {};
  return BufferType::getChecked([&] { return parser.emitError(loc); },
                                parser.getContext(), ArrayRef<int64_t>(shape),
                                element, *space, layout, fragment, isAuto);
}

void BufferType::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printDimensionList(getShape());
  if (!getShape().empty())
    printer << 'x';
  printer << getElementType() << ", " << stringifySpace(getSpace());
  std::string reason;
  if (getIsAuto())
    printer << ", auto";
  else if (getFragment())
    printer << ", " << getFragment();
  else if (getLayout() != rowMajorLayout(getContext(), getShape(), reason))
    printer << ", " << getLayout();
  printer << '>';
}

LogicalResult BufferType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<int64_t> shape, Type element,
                                 Space space, LayoutAttr layout,
                                 FragmentAttr fragment, bool isAuto) {
  if (isAuto && space != Space::Shared && space != Space::Local)
    return emitError() << "got layout auto in a " << stringifySpace(space)
                       << " tile, expected it in a shared or local one only";
  if (!layout)
    return emitError() << "got no layout, expected a #tile.layout";
  if (!element || !element.isIntOrIndexOrFloat() || element.isIndex())
    return emitError() << "got element type " << element
                       << ", expected an integer or a float";
  if (fragment) {
    LayoutAttr named = fragment.layoutOf(emitError, shape, element, space);
    if (!named)
      return failure();
    if (named != layout)
      return emitError() << "got " << layout << " as " << fragment
                         << ", expected " << named;
  }
  std::string reason;
  if (tileBufferVerify(shape.data(), shape.size(), int32_t(space),
                       layoutRef(layout), appendTo, &reason))
    return success();
  return emitError() << reason;
}
