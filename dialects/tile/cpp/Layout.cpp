//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Text form and verification of #tile.layout.

#include "Layout.h"
#include "Bridge.h"

#include "mlir/CAPI/Support.h"
#include "mlir/CAPI/Utils.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace tile;

namespace {

// Reads a token that the text of a layout may have, other than '<' and '>'.
bool skipToken(AsmParser &parser) {
  StringRef word;
  StringAttr axis;
  APInt number;
  if (succeeded(parser.parseOptionalLParen()) ||
      succeeded(parser.parseOptionalRParen()) ||
      succeeded(parser.parseOptionalComma()) ||
      succeeded(parser.parseOptionalColon()) ||
      succeeded(parser.parseOptionalPlus()) ||
      succeeded(parser.parseOptionalMinus()) ||
      succeeded(parser.parseOptionalQuestion()) ||
      succeeded(parser.parseOptionalKeyword(&word)) ||
      succeeded(parser.parseOptionalSymbolName(axis)))
    return true;
  OptionalParseResult integer = parser.parseOptionalInteger(number);
  return integer.has_value() && succeeded(*integer);
}

// The text between a '<' and its '>'. The grammar is in Rust (tile_layout::
// text); here tokens are read only to find the end. If there is a token that no
// layout has, the text extends to the end of the line, and is not closed.
struct Body {
  StringRef text;
  bool closed;
};

Body readBody(AsmParser &parser) {
  auto here = [&] { return parser.getCurrentLocation().getPointer(); };
  const char *start = here(), *end = start;
  auto text = [&] { return StringRef(start, end - start); };
  for (size_t open = 0;; end = here()) {
    if (succeeded(parser.parseOptionalGreater())) {
      if (open == 0)
        return {text(), true};
      --open;
    } else if (succeeded(parser.parseOptionalLess())) {
      ++open;
    } else if (!skipToken(parser)) {
      break;
    }
  }
  // MLIR's lexer, too, relies on the 0 after the text.
  while (*end != 0 && *end != '\n')
    ++end;
  return {text(), false};
}

// A layout that is being read.
struct Reading {
  AsmParser &parser;
  SMLoc loc;
  Body body;
  LayoutAttr layout;
};

void accept(TileLayoutRef layout, void *userData) {
  auto &reading = *static_cast<Reading *>(userData);
  if (!reading.body.closed) {
    (void)reading.parser.parseGreater(); // Reports what it expects.
    return;
  }
  reading.layout = makeLayout(reading.parser.getContext(), layout, [&] {
    return reading.parser.emitError(reading.loc);
  });
}

void refuse(intptr_t at, MlirStringRef message, void *userData) {
  auto &reading = *static_cast<Reading *>(userData);
  const char *place = reading.body.text.data() + at;
  reading.parser.emitError(SMLoc::getFromPointer(place)) << unwrap(message);
}

void put(MlirStringRef text, void *stream) {
  *static_cast<raw_ostream *>(stream) << unwrap(text);
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
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess())
    return {};
  Reading reading{parser, loc, readBody(parser), {}};
  tileLayoutParse(wrap(reading.body.text), accept, refuse, &reading);
  return reading.layout;
}

void LayoutAttr::print(AsmPrinter &printer) const {
  raw_ostream &os = printer.getStream();
  os << '<';
  tileLayoutPrint(layoutRef(*this), put, &os);
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
