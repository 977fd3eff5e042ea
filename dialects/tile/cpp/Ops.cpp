//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Verifiers (which call Rust), the symbol that a tile.scan names, and the
// syntax of run-time numbers.

#include "CopySyntax.h"
#include "Interfaces.h"
#include "Layout.h"
#include "MapSyntax.h"
#include "OpClauses.h"
#include "Version.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace tile;

// The run-time numbers of a type: extents of its shape and strides of its
// layout.
static std::pair<size_t, size_t> runTimeNumbers(Type type) {
  auto buffer = dyn_cast<BufferType>(type);
  if (!buffer)
    return {0, 0};
  size_t extents = llvm::count_if(buffer.getShape(), ShapedType::isDynamic);
  return {extents, tileStrideCount(layoutRef(buffer.getLayout()))};
}

// ('to' type)?  Without it the operand determines the type.
static ParseResult parseResultType(
    OpAsmParser &parser, Type &result,
    function_ref<MlirType(MlirLocation, MlirStringCallback, void *)> infer) {
  if (succeeded(parser.parseOptionalKeyword("to")))
    return parser.parseType(result);
  std::string reason;
  SMLoc loc = parser.getNameLoc();
  MlirLocation location = wrap(Location(parser.getEncodedSourceLoc(loc)));
  result = unwrap(infer(location, appendTo, &reason));
  return result ? success() : parser.emitError(loc) << reason;
}

static ParseResult parsePartOf(OpAsmParser &parser, Type &result, Type source,
                               DenseI64ArrayAttr begins,
                               DenseI64ArrayAttr sizes) {
  auto infer = [&](MlirLocation loc, MlirStringCallback say, void *data) {
    intptr_t rank = std::min(begins.size(), sizes.size());
    return tilePartType(loc, wrap(source), begins.asArrayRef().data(),
                        sizes.asArrayRef().data(), rank, say, data);
  };
  return parseResultType(parser, result, infer);
}

static void printPartOf(OpAsmPrinter &printer, Operation *, Type result, Type,
                        DenseI64ArrayAttr, DenseI64ArrayAttr) {
  printer << "to " << result;
}

static ParseResult parsePermutationOf(OpAsmParser &parser, Type &result,
                                      Type source, DenseI64ArrayAttr order) {
  auto infer = [&](MlirLocation loc, MlirStringCallback say, void *data) {
    return tilePermutedType(loc, wrap(source), order.asArrayRef().data(),
                            order.size(), say, data);
  };
  return parseResultType(parser, result, infer);
}

static void printPermutationOf(OpAsmPrinter &printer, Operation *, Type result,
                               Type, DenseI64ArrayAttr) {
  printer << "to " << result;
}

static ParseResult parseRegistersOf(OpAsmParser &parser, Type &result,
                                    Type source) {
  auto infer = [&](MlirLocation, MlirStringCallback say, void *data) {
    return tileRegistersType(wrap(source), say, data);
  };
  return parseResultType(parser, result, infer);
}

static void printRegistersOf(OpAsmPrinter &printer, Operation *, Type result,
                             Type) {
  printer << "to " << result;
}

// The extents of a tile, one for each dimension of its type.
static ParseResult parseExtentsOf(OpAsmParser &parser,
                                  SmallVectorImpl<Type> &extents, Type source) {
  if (auto buffer = dyn_cast<BufferType>(source))
    extents.assign(buffer.getShape().size(),
                   parser.getBuilder().getIndexType());
  return success();
}

static void printExtentsOf(OpAsmPrinter &, Operation *, TypeRange, Type) {}

// The clauses of a view, then ':' type ('to' type)?
static ParseResult parseViewed(OpAsmParser &parser, Operands &runTime,
                               IntegerAttr &divisor, IntegerAttr &alignment,
                               Type &source, Type &result) {
  SmallVector<Operand> extents, strides;
  SMLoc loc = parser.getCurrentLocation();
  ClauseReader clauses(parser);
  clauses.operands("extents", extents)
      .operands("strides", strides)
      .number("divisible_by", divisor)
      .number("aligned", alignment);
  auto infer = [&](MlirLocation loc, MlirStringCallback say, void *data) {
    return tileViewType(loc, wrap(source), say, data);
  };
  if (clauses.read() || parser.parseColonType(source) ||
      parseResultType(parser, result, infer))
    return failure();
  runTime.append(extents);
  runTime.append(strides);
  auto [open, moving] = runTimeNumbers(result);
  if ((extents.size() == open && strides.size() == moving) ||
      (extents.empty() && (strides.size() == moving || strides.empty())))
    return success();
  std::string unwritten;
  tileUnwrittenLayout(wrap(result), appendTo, &unwritten);
  return parser.emitError(loc)
         << "got " << extents.size() << " extents and " << strides.size()
         << " strides, expected " << open << " and " << moving
         << ", one for each '?' of " << result << unwritten;
}

static void printViewed(OpAsmPrinter &printer, Operation *,
                        OperandRange runTime, IntegerAttr divisor,
                        IntegerAttr alignment, Type source, Type result) {
  size_t strides = runTimeNumbers(result).second;
  // A malformed op must print, too.
  size_t first = runTime.size() > strides ? runTime.size() - strides : 0;
  ClauseWriter(printer)
      .operands("extents", runTime.take_front(first))
      .operands("strides", runTime.drop_front(first))
      .number("divisible_by", divisor)
      .number("aligned", alignment);
  printer << " : " << source << " to " << result;
}

// '(' rows ',' columns ')', or matrix '[' sizes ']'
static ParseResult parseGrid(OpAsmParser &parser, std::optional<Operand> &rows,
                             std::optional<Operand> &columns,
                             std::optional<Operand> &matrix,
                             DenseI64ArrayAttr &sizes) {
  if (succeeded(parser.parseOptionalLParen()))
    return failure(parser.parseOperand(rows.emplace()) || parser.parseComma() ||
                   parser.parseOperand(columns.emplace()) ||
                   parser.parseRParen());
  if (parser.parseOperand(matrix.emplace()))
    return failure();
  sizes =
      dyn_cast_or_null<DenseI64ArrayAttr>(DenseI64ArrayAttr::parse(parser, {}));
  return success(bool(sizes));
}

static void printGrid(OpAsmPrinter &printer, Operation *, Value rows,
                      Value columns, Value matrix, DenseI64ArrayAttr sizes) {
  if (!matrix) {
    printer << '(' << rows << ", " << columns << ')';
    return;
  }
  printer << matrix << ' ';
  // A malformed op must print, too.
  if (sizes)
    sizes.print(printer);
}

// '<' plan '>', as in the attribute.
static ParseResult parsePlan(OpAsmParser &parser, PlanAttr &plan) {
  plan = dyn_cast_or_null<PlanAttr>(PlanAttr::parse(parser, Type()));
  return success(bool(plan));
}

static void printPlan(OpAsmPrinter &printer, Operation *, PlanAttr plan) {
  plan.print(printer);
}

// The buffers of a plan, each with its run-time values: '%a[%i, %j] to %b'.
static ParseResult
parseBuffers(OpAsmParser &parser,
             SmallVectorImpl<OpAsmParser::UnresolvedOperand> &buffers,
             SmallVectorImpl<OpAsmParser::UnresolvedOperand> &values,
             DenseI64ArrayAttr &counts) {
  SmallVector<int64_t> found;
  do {
    size_t before = values.size();
    if (parser.parseOperand(buffers.emplace_back()) ||
        parser.parseOperandList(values, OpAsmParser::Delimiter::OptionalSquare))
      return failure();
    found.push_back(static_cast<int64_t>(values.size() - before));
  } while (succeeded(parser.parseOptionalKeyword("to")));
  counts = parser.getBuilder().getDenseI64ArrayAttr(found);
  return success();
}

static void printBuffers(OpAsmPrinter &printer, Operation *,
                         OperandRange buffers, OperandRange values,
                         DenseI64ArrayAttr counts) {
  llvm::interleave(
      llvm::enumerate(buffers),
      [&](auto it) {
        printer << it.value();
        ArrayRef<int64_t> all = counts.asArrayRef();
        size_t count = it.index() < all.size() && all[it.index()] > 0
                           ? static_cast<size_t>(all[it.index()])
                           : 0;
        count = std::min(count, values.size());
        if (count > 0)
          printer << '[' << values.take_front(count) << ']';
        values = values.drop_front(count);
      },
      [&] { printer << " to "; });
}

static ParseResult parseBufferTypes(OpAsmParser &parser,
                                    SmallVectorImpl<Type> &types) {
  do {
    if (parser.parseType(types.emplace_back()))
      return failure();
  } while (succeeded(parser.parseOptionalKeyword("to")));
  return success();
}

static void printBufferTypes(OpAsmPrinter &printer, Operation *,
                             TypeRange types) {
  llvm::interleave(types, printer, " to ");
}

void ViewOp::build(OpBuilder &builder, OperationState &state, Type result,
                   Value source, ValueRange runTime) {
  build(builder, state, result, source, runTime, /*divisor=*/{},
        /*alignment=*/{});
}

LogicalResult ViewOp::verify() {
  return success(tileViewVerify(wrap(getOperation())));
}

LogicalResult AllocOp::verify() {
  return success(tileAllocVerify(wrap(getOperation())));
}

LogicalResult AllocsOp::verify() {
  return success(tileAllocVerify(wrap(getOperation())));
}

LogicalResult ExtentsOp::verify() {
  return success(tileExtentsVerify(wrap(getOperation())));
}

LogicalResult LocalViewOp::verify() {
  return success(tileLocalViewVerify(wrap(getOperation())));
}

LogicalResult AssumeOp::verify() {
  return success(tileAssumeVerify(wrap(getOperation())));
}

void BlockOrderOp::build(OpBuilder &builder, OperationState &state,
                         Value number, Value rows, Value columns,
                         BlockOrder order, IntegerAttr group) {
  build(builder, state, number, rows, columns, /*matrix=*/{}, order, group,
        /*sizes=*/{});
}

LogicalResult BlockOrderOp::verify() {
  return success(tileBlockOrderVerify(wrap(getOperation())));
}

LogicalResult ReturnIfOp::verify() {
  return success(tileReturnIfVerify(wrap(getOperation())));
}

LogicalResult TmemOp::verify() {
  return success(tileTmemVerify(wrap(getOperation())));
}

LogicalResult PlannedCopyOp::verify() {
  return success(tilePlannedCopyVerify(wrap(getOperation())));
}

LogicalResult ScanOp::verify() {
  return success(tileScanVerify(wrap(getOperation())));
}

LogicalResult ChainedOp::verify() {
  return success(tileChainedVerify(wrap(getOperation())));
}

LogicalResult SortOp::verify() {
  return success(tileSortVerify(wrap(getOperation())));
}

// The kernel's module may be missing: then the lowering creates it.
static LogicalResult verifyKernelModule(Operation *op, StringAttr name,
                                        SymbolTableCollection &symbolTable) {
  Operation *found = symbolTable.lookupNearestSymbolFrom(op, name);
  if (!found || found->getName().getStringRef() == "gpu.module")
    return success();
  return op->emitOpError() << "names @" << name.getValue() << ", a '"
                           << found->getName() << "', expected a gpu.module";
}

LogicalResult ScanOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  return verifyKernelModule(getOperation(), getKernel().getRootReference(),
                            symbolTable);
}

LogicalResult ChainedOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  return verifyKernelModule(getOperation(), getKernel().getRootReference(),
                            symbolTable);
}

LogicalResult SortOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  return verifyKernelModule(getOperation(), getKernel().getRootReference(),
                            symbolTable);
}

#define GET_OP_CLASSES
#include "tile/TileOps.cpp.inc"
