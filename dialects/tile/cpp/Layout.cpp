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

// Leaves of a tuple in our order (slowest first), and its shape for comparison.
struct Tuple {
  SmallVector<std::pair<int64_t, int64_t>> leaves; // (value, axis or '?')
  std::string profile;
};

// In the place of an axis: the leaf is a '?'.
constexpr int64_t openLeaf = -1;

int64_t memoryAxis() {
  std::string reason;
  return tileAxisCode(wrap(StringRef("m")), appendTo, &reason);
}

// The axis of the run-time stride of that number; -1 when there are fewer.
int64_t strideAxis(int64_t number) {
  std::string reason, name = "s" + std::to_string(number);
  return tileAxisCode(wrap(StringRef(name)), appendTo, &reason);
}

// '?' | integer ('@' axis)?
ParseResult parseLeaf(AsmParser &parser, bool withAxis, Tuple &tuple) {
  int64_t value, axis = memoryAxis();
  if (succeeded(parser.parseOptionalQuestion())) {
    tuple.leaves.push_back({ShapedType::kDynamic, openLeaf});
    tuple.profile += "x";
    return success();
  }
  SMLoc start = parser.getCurrentLocation();
  if (parser.parseInteger(value))
    return failure();
  if (!withAxis && ShapedType::isDynamic(value))
    return parser.emitError(start, "got extent ")
           << value << ", expected at least 1";
  StringAttr name;
  SMLoc loc = parser.getCurrentLocation();
  if (withAxis && succeeded(parser.parseOptionalSymbolName(name))) {
    std::string reason;
    axis = tileAxisCode(wrap(name.getValue()), appendTo, &reason);
    if (axis < 0)
      return parser.emitError(loc) << reason;
  }
  tuple.leaves.push_back({value, axis});
  tuple.profile += "x";
  return success();
}

// Tuples nested deeper have no use, and would exhaust the stack.
constexpr unsigned mostNested = 32;

// leaf | '(' (tuple (',' tuple)*)? ')'. Inside a nested tuple, as CuTe writes
// it, the leftmost leaf is the fastest, so nested leaves are reversed. The
// empty tuple is that of a tile with one element and no dimension.
ParseResult parseTuple(AsmParser &parser, bool withAxis, unsigned depth,
                       Tuple &tuple) {
  SMLoc loc = parser.getCurrentLocation();
  if (failed(parser.parseOptionalLParen()))
    return parseLeaf(parser, withAxis, tuple);
  if (depth == mostNested)
    return parser.emitError(loc, "got tuples nested deeper than ")
           << mostNested << ", expected at most that";
  tuple.profile += "(";
  SmallVector<Tuple> entries;
  auto entry = [&]() {
    return parseTuple(parser, withAxis, depth + 1, entries.emplace_back());
  };
  if (failed(parser.parseOptionalRParen()) &&
      (parser.parseCommaSeparatedList(entry) || parser.parseRParen()))
    return failure();
  for (auto [i, part] : llvm::enumerate(entries))
    tuple.profile += (i ? ", " : "") + part.profile;
  auto append = [&](Tuple &part) {
    llvm::append_range(tuple.leaves, part.leaves);
  };
  if (depth > 0)
    llvm::for_each(llvm::reverse(entries), append);
  else
    llvm::for_each(entries, append);
  tuple.profile += ")";
  return success();
}

// extents ':' strides
ParseResult parseIters(AsmParser &parser, SmallVectorImpl<int64_t> &iters) {
  Tuple extents, strides;
  if (parseTuple(parser, false, 0, extents) || parser.parseColon())
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (parseTuple(parser, true, 0, strides))
    return failure();
  if (extents.leaves.size() != strides.leaves.size())
    return parser.emitError(loc, "got ")
           << strides.leaves.size() << " strides, expected "
           << extents.leaves.size() << ", one for each extent";
  if (extents.profile != strides.profile)
    return parser.emitError(loc, "got strides nested as ")
           << strides.profile << ", expected " << extents.profile
           << ", as the extents are";
  int64_t runTime = 0;
  for (auto [extent, stride] : llvm::zip(extents.leaves, strides.leaves)) {
    if (stride.second == openLeaf) {
      stride = {1, strideAxis(runTime++)};
      if (stride.second < 0)
        return parser.emitError(loc, "got ")
               << runTime << " strides '?', expected at most " << runTime - 1;
    }
    iters.append({extent.first, stride.first, stride.second});
  }
  return success();
}

// '+' ( 'R' '(' iters ')' | integer ('@' axis)? )
ParseResult parseTerm(AsmParser &parser, SmallVectorImpl<int64_t> &replica,
                      SmallVectorImpl<int64_t> &offset) {
  SMLoc loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalKeyword("R"))) {
    if (!replica.empty())
      return parser.emitError(
          loc, "got a second replica, expected one; several digits go into "
               "one, as in R((2, 2) : (4, 16))");
    return failure(parser.parseLParen() || parseIters(parser, replica) ||
                   parser.parseRParen());
  }
  Tuple value;
  if (parseLeaf(parser, true, value))
    return failure();
  if (value.leaves.front().second == openLeaf)
    return parser.emitError(loc, "got an offset '?', expected a number; where "
                                 "a copy begins says what only the run knows");
  auto [amount, axis] = value.leaves.front();
  for (size_t i = 0; i < offset.size(); i += 2)
    if (offset[i] == axis)
      return parser.emitError(loc, "got a second offset, ")
             << amount << ", on axis '" << unwrap(tileAxisName(axis))
             << "', expected one for each axis";
  if (amount != 0)
    offset.append({axis, amount});
  return success();
}

// 'swizzle' '<' integer ',' integer ',' integer (',' 'outer')? '>'
ParseResult parseSwizzle(AsmParser &parser, SmallVectorImpl<int64_t> &swizzle) {
  int64_t chunk, length, distance;
  if (parser.parseKeyword("swizzle") || parser.parseLess() ||
      parser.parseInteger(chunk) || parser.parseComma() ||
      parser.parseInteger(length) || parser.parseComma() ||
      parser.parseInteger(distance))
    return failure();
  bool outer = succeeded(parser.parseOptionalComma());
  if ((outer && parser.parseKeyword("outer")) || parser.parseGreater())
    return failure();
  swizzle.append({chunk, length, distance, !outer});
  return success();
}

// Are the run-time strides what '?' stands for, one after the other?
bool countsUp(ArrayRef<int64_t> iters) {
  int64_t first = strideAxis(0), next = first;
  for (size_t i = 0; i < iters.size(); i += 3)
    if (iters[i + 2] >= first && (iters[i + 2] != next++ || iters[i + 1] != 1))
      return false;
  return true;
}

void printList(raw_ostream &os, ArrayRef<int64_t> iters, bool strides) {
  bool marks = strides && countsUp(iters);
  for (size_t i = 0; i < iters.size(); i += 3) {
    os << (i ? ", " : "");
    if ((!strides && ShapedType::isDynamic(iters[i])) ||
        (marks && iters[i + 2] >= strideAxis(0))) {
      os << '?';
      continue;
    }
    os << iters[i + strides];
    if (strides && iters[i + 2] != memoryAxis())
      os << '@' << unwrap(tileAxisName(iters[i + 2]));
  }
}

void printIters(raw_ostream &os, ArrayRef<int64_t> iters) {
  os << '(';
  printList(os, iters, false);
  os << ") : (";
  printList(os, iters, true);
  os << ')';
}

// A single iter needs no parentheses of its own: R(2 : 4@warpid).
void printReplica(raw_ostream &os, ArrayRef<int64_t> iters) {
  os << " + R(";
  if (iters.size() == 3) {
    printList(os, iters, false);
    os << " : ";
    printList(os, iters, true);
  } else {
    printIters(os, iters);
  }
  os << ')';
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

Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> shard, replica, offset, swizzle;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parseIters(parser, shard))
    return {};
  while (succeeded(parser.parseOptionalPlus()))
    if (parseTerm(parser, replica, offset))
      return {};
  if (succeeded(parser.parseOptionalComma()) && parseSwizzle(parser, swizzle))
    return {};
  if (parser.parseGreater())
    return {};
  sortOffsets(offset);
  return LayoutAttr::getChecked(
      [&] { return parser.emitError(loc); }, parser.getContext(),
      ArrayRef<int64_t>(shard), ArrayRef<int64_t>(replica),
      ArrayRef<int64_t>(offset), ArrayRef<int64_t>(swizzle));
}

void LayoutAttr::print(AsmPrinter &printer) const {
  raw_ostream &os = printer.getStream();
  os << '<';
  printIters(os, getShard());
  if (!getReplica().empty())
    printReplica(os, getReplica());
  ArrayRef<int64_t> offset = getOffset();
  for (size_t i = 0; i < offset.size(); i += 2) {
    os << " + " << offset[i + 1];
    if (offset[i] != memoryAxis())
      os << '@' << unwrap(tileAxisName(offset[i]));
  }
  if (ArrayRef<int64_t> swizzle = getSwizzle(); !swizzle.empty())
    os << ", swizzle<" << swizzle[0] << ", " << swizzle[1] << ", " << swizzle[2]
       << (swizzle[3] ? ">" : ", outer>");
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

void tile::sortOffsets(SmallVectorImpl<int64_t> &offset) {
  SmallVector<std::pair<int64_t, int64_t>> pairs;
  for (size_t i = 0; i < offset.size(); i += 2)
    pairs.push_back({offset[i], offset[i + 1]});
  llvm::sort(pairs);
  offset.clear();
  for (auto [axis, value] : pairs)
    offset.append({axis, value});
}

void tile::appendTo(MlirStringRef text, void *string) {
  static_cast<std::string *>(string)->append(text.data, text.length);
}
