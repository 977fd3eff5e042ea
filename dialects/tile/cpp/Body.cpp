//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Finds the end of an attribute's text, and reports mistakes in it.

#include "Body.h"

#include "mlir/CAPI/Support.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;

// Reads a token that the text of an attribute may have, other than '<' and '>'.
static bool skipToken(AsmParser &parser) {
  StringRef word;
  std::string text;
  StringAttr axis;
  APInt number;
  if (succeeded(parser.parseOptionalLParen()) ||
      succeeded(parser.parseOptionalRParen()) ||
      succeeded(parser.parseOptionalLBrace()) ||
      succeeded(parser.parseOptionalRBrace()) ||
      succeeded(parser.parseOptionalLSquare()) ||
      succeeded(parser.parseOptionalRSquare()) ||
      succeeded(parser.parseOptionalComma()) ||
      succeeded(parser.parseOptionalColon()) ||
      succeeded(parser.parseOptionalEqual()) ||
      succeeded(parser.parseOptionalPlus()) ||
      succeeded(parser.parseOptionalMinus()) ||
      succeeded(parser.parseOptionalQuestion()) ||
      succeeded(parser.parseOptionalString(&text)) ||
      succeeded(parser.parseOptionalKeyword(&word)) ||
      succeeded(parser.parseOptionalSymbolName(axis)))
    return true;
  OptionalParseResult integer = parser.parseOptionalInteger(number);
  return integer.has_value() && succeeded(*integer);
}

bool tile::Reading::open() {
  if (parser.parseLess())
    return false;
  auto here = [&] { return parser.getCurrentLocation().getPointer(); };
  const char *start = here(), *end = start;
  for (size_t open = 0;; end = here()) {
    if (succeeded(parser.parseOptionalGreater())) {
      closed = open == 0;
      if (closed)
        break;
      --open;
    } else if (succeeded(parser.parseOptionalLess())) {
      ++open;
    } else if (!skipToken(parser)) {
      // MLIR's lexer, too, relies on the 0 after the text.
      while (*end != 0 && *end != '\n')
        ++end;
      break;
    }
  }
  text = StringRef(start, end - start);
  return true;
}

bool tile::Reading::isClosed() {
  if (!closed)
    (void)parser.parseGreater(); // Reports what it expects.
  return closed;
}

void tile::Reading::refuse(intptr_t at, MlirStringRef message, void *reading) {
  auto &own = *static_cast<Reading *>(reading);
  const char *place = own.text.data() + at;
  own.parser.emitError(SMLoc::getFromPointer(place)) << unwrap(message);
}

void tile::putText(MlirStringRef text, void *stream) {
  *static_cast<raw_ostream *>(stream) << unwrap(text);
}
