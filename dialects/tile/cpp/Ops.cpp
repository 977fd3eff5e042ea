//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Verifiers (Rust does them) and the region syntax of tile.copy.

#include "Bridge.h"
#include "Tile.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace tile;

using Operands = SmallVectorImpl<OpAsmParser::UnresolvedOperand>;

// ('[' offsets ']' '[' sizes ']')?
static ParseResult parseRegion(OpAsmParser &parser, Operands &offsets,
                               DenseI64ArrayAttr &staticOffsets,
                               DenseI64ArrayAttr &sizes) {
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
  auto size = [&]() { return parser.parseInteger(extents.emplace_back()); };
  if (succeeded(parser.parseOptionalLSquare())) {
    if (failed(parser.parseOptionalRSquare()) &&
        (parser.parseCommaSeparatedList(offset) || parser.parseRSquare()))
      return failure();
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, size))
      return failure();
  }
  staticOffsets = parser.getBuilder().getDenseI64ArrayAttr(constants);
  sizes = parser.getBuilder().getDenseI64ArrayAttr(extents);
  return success();
}

static void printRegion(OpAsmPrinter &printer, Operation *,
                        OperandRange offsets, DenseI64ArrayAttr staticOffsets,
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

// ('[' value ('floordiv' integer)? '*' integer (',' …)* ']')?
static ParseResult parseTerms(OpAsmParser &parser, Operands &values,
                              DenseI64ArrayAttr &terms) {
  SmallVector<int64_t> numbers;
  auto term = [&]() -> ParseResult {
    int64_t divisor = 1, stride;
    if (parser.parseOperand(values.emplace_back()))
      return failure();
    if (succeeded(parser.parseOptionalKeyword("floordiv")) &&
        parser.parseInteger(divisor))
      return failure();
    if (parser.parseStar() || parser.parseInteger(stride))
      return failure();
    numbers.append({divisor, stride});
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::OptionalSquare,
                                     term))
    return failure();
  terms = parser.getBuilder().getDenseI64ArrayAttr(numbers);
  return success();
}

static void printTerms(OpAsmPrinter &printer, Operation *, OperandRange values,
                       DenseI64ArrayAttr terms) {
  if (values.empty())
    return;
  printer << '[';
  for (auto [i, value] : llvm::enumerate(values)) {
    // A malformed op must print, too.
    bool known = size_t(terms.size()) > 2 * i + 1;
    printer << (i ? ", " : "") << value;
    if (known && terms[2 * i] != 1)
      printer << " floordiv " << terms[2 * i];
    printer << " * " << (known ? terms[2 * i + 1] : 0);
  }
  printer << ']';
}

LogicalResult ViewOp::verify() {
  return success(tileViewVerify(wrap(getOperation())));
}

LogicalResult AllocOp::verify() {
  return success(tileAllocVerify(wrap(getOperation())));
}

LogicalResult LocalViewOp::verify() {
  return success(tileLocalViewVerify(wrap(getOperation())));
}

LogicalResult AssumeOp::verify() {
  return success(tileAssumeVerify(wrap(getOperation())));
}

LogicalResult TmemOp::verify() {
  return success(tileTmemVerify(wrap(getOperation())));
}

LogicalResult CopyAsyncOp::verify() {
  return success(tileCopyVerify(wrap(getOperation())));
}

LogicalResult CopyOp::verify() {
  return success(tileCopyVerify(wrap(getOperation())));
}

LogicalResult AlignedCopyOp::verify() {
  return success(tileStageVerify(wrap(getOperation())));
}

LogicalResult VectorCopyOp::verify() {
  return success(tileStageVerify(wrap(getOperation())));
}

LogicalResult MatrixCopyOp::verify() {
  return success(tileStageVerify(wrap(getOperation())));
}

LogicalResult TensorCopyOp::verify() {
  return success(tileStageVerify(wrap(getOperation())));
}

LogicalResult TensorAccessOp::verify() {
  return success(tileStageVerify(wrap(getOperation())));
}

LogicalResult BulkCopyOp::verify() {
  return success(tileStageVerify(wrap(getOperation())));
}

LogicalResult ScalarCopyOp::verify() {
  return success(tileStageVerify(wrap(getOperation())));
}

#define GET_OP_CLASSES
#include "TileOps.cpp.inc"
