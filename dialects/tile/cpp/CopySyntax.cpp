//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The syntax of copies and fills: regions, whose sizes may follow from the
// other side, and fillers.

#include "CopySyntax.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tile;

ParseResult tile::parseSides(OpAsmParser &parser, Operands &offsets,
                             DenseI64ArrayAttr &staticOffsets,
                             DenseI64ArrayAttr &sizes, bool follow) {
  SmallVector<int64_t> constants, extents;
  auto offset = [&]() -> ParseResult {
    OpAsmParser::UnresolvedOperand operand;
    OptionalParseResult isValue = parser.parseOptionalOperand(operand);
    if (isValue.has_value() && succeeded(*isValue)) {
      offsets.push_back(operand);
      constants.push_back(ShapedType::kDynamic);
      return success();
    }
    return parser.parseInteger(constants.emplace_back());
  };
  auto size = [&]() -> ParseResult {
    OpAsmParser::UnresolvedOperand operand;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseOptionalOperand(operand).has_value())
      return parser.emitError(loc)
             << "got a run-time size " << operand.name
             << ", expected an integer: sizes are constants, and 'masked' "
                "leaves out what is beyond an extent";
    return parser.parseInteger(extents.emplace_back());
  };
  if (succeeded(parser.parseOptionalLSquare())) {
    if (failed(parser.parseOptionalRSquare()) &&
        (parser.parseCommaSeparatedList(offset) || parser.parseRSquare()))
      return failure();
    auto delimiter = follow ? AsmParser::Delimiter::OptionalSquare
                            : AsmParser::Delimiter::Square;
    if (parser.parseCommaSeparatedList(delimiter, size))
      return failure();
  }
  staticOffsets = parser.getBuilder().getDenseI64ArrayAttr(constants);
  sizes = parser.getBuilder().getDenseI64ArrayAttr(extents);
  return success();
}

/// The sizes of a side: as written, or those of all of its tile; none for a
/// region without sizes, or of what is no tile.
static ArrayRef<int64_t> sizesOf(Type type, DenseI64ArrayAttr offsets,
                                 DenseI64ArrayAttr sizes) {
  auto buffer = dyn_cast<BufferType>(type);
  if (!sizes.empty() || !offsets.empty() || !buffer)
    return sizes;
  return buffer.getShape();
}

ParseResult tile::followSizes(OpAsmParser &parser, SMLoc loc, Type srcType,
                              DenseI64ArrayAttr srcStatic,
                              DenseI64ArrayAttr &srcSizes, Type dstType,
                              DenseI64ArrayAttr dstStatic,
                              DenseI64ArrayAttr &dstSizes) {
  ArrayRef<int64_t> src = sizesOf(srcType, srcStatic, srcSizes);
  ArrayRef<int64_t> dst = sizesOf(dstType, dstStatic, dstSizes);
  auto follow = [&](StringRef side, DenseI64ArrayAttr offsets,
                    DenseI64ArrayAttr &sizes, StringRef otherSide,
                    ArrayRef<int64_t> other) -> ParseResult {
    if (!sizes.empty() || offsets.empty())
      return success();
    auto error = [&] {
      return parser.emitError(loc)
             << "got no sizes of the " << side << " region, expected them: the "
             << otherSide << " has ";
    };
    if (other.empty())
      return error() << "none";
    if (other.size() != static_cast<size_t>(offsets.size()))
      return error() << other.size() << ", and the region " << offsets.size()
                     << " dimensions";
    if (llvm::is_contained(other, ShapedType::kDynamic))
      return error() << "extents that are known only at run time";
    sizes = parser.getBuilder().getDenseI64ArrayAttr(other);
    return success();
  };
  return failure(follow("source", srcStatic, srcSizes, "destination", dst) ||
                 follow("destination", dstStatic, dstSizes, "source", src));
}

ParseResult tile::parseRegion(OpAsmParser &parser, Operands &offsets,
                              DenseI64ArrayAttr &staticOffsets,
                              DenseI64ArrayAttr &sizes) {
  return parseSides(parser, offsets, staticOffsets, sizes, /*follow=*/false);
}

void tile::printRegion(OpAsmPrinter &printer, Operation *, OperandRange offsets,
                       DenseI64ArrayAttr staticOffsets,
                       DenseI64ArrayAttr sizes) {
  if (staticOffsets.empty() && sizes.empty())
    return;
  printer << '[';
  auto next = offsets.begin();
  llvm::interleaveComma(
      staticOffsets.asArrayRef(), printer, [&](int64_t offset) {
        if (ShapedType::isDynamic(offset) && next != offsets.end())
          printer << *next++;
        else
          printer << offset;
      });
  printer << "] [";
  llvm::interleaveComma(sizes.asArrayRef(), printer);
  printer << ']';
}

ParseResult tile::parseFiller(OpAsmParser &parser,
                              std::optional<Operand> &filler,
                              TypedAttr &constant) {
  Operand value;
  OptionalParseResult isValue = parser.parseOptionalOperand(value);
  if (!isValue.has_value())
    return parseConstant(parser, constant);
  filler = value;
  return *isValue;
}

void tile::printFiller(OpAsmPrinter &printer, Operation *, Value filler,
                       TypedAttr constant) {
  if (filler)
    printer << filler;
  else if (constant)
    printConstant(printer, constant);
}

ParseResult tile::parseFillTypes(OpAsmParser &parser, Type &filler, Type &dst,
                                 std::optional<Operand> value) {
  if (value && (parser.parseType(filler) || parser.parseKeyword("to")))
    return failure();
  return parser.parseType(dst);
}

void tile::printFillTypes(OpAsmPrinter &printer, Operation *, Type filler,
                          Type dst, Value value) {
  if (value)
    printer << filler << " to ";
  printer << dst;
}
