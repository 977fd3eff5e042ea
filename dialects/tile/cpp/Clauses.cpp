//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Clauses of ops: read in any order, written in one.

#include "Clauses.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tile;

/// The float that a word is; none for another word.
static std::optional<APFloat> floatOf(StringRef word, bool negative) {
  const llvm::fltSemantics &semantics = APFloat::IEEEdouble();
  if (word == "inf")
    return APFloat::getInf(semantics, negative);
  if (word == "nan" && !negative)
    return APFloat::getQNaN(semantics);
  return std::nullopt;
}

ParseResult tile::parseConstant(OpAsmParser &parser, TypedAttr &constant) {
  SMLoc loc = parser.getCurrentLocation();
  bool negative = succeeded(parser.parseOptionalMinus());
  StringRef word;
  if (succeeded(parser.parseOptionalKeyword(&word))) {
    std::optional<APFloat> value = floatOf(word, negative);
    if (!value)
      return parser.emitError(loc)
             << "got '" << (negative ? "-" : "") << word
             << "', expected a value, a number, inf, -inf or nan";
    constant = parser.getBuilder().getF64FloatAttr(value->convertToDouble());
    return success();
  }
  if (parser.parseAttribute(constant))
    return failure();
  auto integer = dyn_cast<IntegerAttr>(constant);
  auto number = dyn_cast<FloatAttr>(constant);
  if (!integer && !number)
    return parser.emitError(loc)
           << "got " << constant << ", expected a value or a number";
  if (negative && integer)
    constant = IntegerAttr::get(integer.getType(), -integer.getValue());
  if (negative && number)
    constant = FloatAttr::get(number.getType(), -number.getValue());
  return success();
}

void tile::printConstant(OpAsmPrinter &printer, TypedAttr constant) {
  auto number = dyn_cast<FloatAttr>(constant);
  Type type = constant.getType();
  if (number && type.isF64() && !number.getValue().isFinite())
    printer << (number.getValue().isNaN()        ? "nan"
                : number.getValue().isNegative() ? "-inf"
                                                 : "inf");
  else if (type.isF64() || type.isSignlessInteger(64))
    printer.printAttributeWithoutType(constant);
  else
    printer << constant;
}

ClauseReader &ClauseReader::declare(StringRef keyword, Parse parse) {
  clauses.push_back({keyword, std::move(parse)});
  return *this;
}

ClauseReader &ClauseReader::inParens(StringRef keyword, Parse parse) {
  return declare(keyword, [this, parse = std::move(parse)] {
    return failure(parser.parseLParen() || parse() || parser.parseRParen());
  });
}

ClauseReader &ClauseReader::required() {
  clauses.back().isRequired = true;
  return *this;
}

ClauseReader &ClauseReader::flag(StringRef keyword, UnitAttr &attr) {
  return declare(keyword, [&]() -> ParseResult {
    attr = parser.getBuilder().getUnitAttr();
    return success();
  });
}

ClauseReader &ClauseReader::word(StringRef keyword, StringAttr &attr) {
  return inParens(keyword, [&]() -> ParseResult {
    StringRef text;
    if (parser.parseKeyword(&text))
      return failure();
    attr = parser.getBuilder().getStringAttr(text);
    return success();
  });
}

ClauseReader &ClauseReader::scope(StringRef keyword, ScopeAttr &attr) {
  return inParens(keyword, [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef text;
    if (parser.parseKeyword(&text))
      return failure();
    std::optional<Scope> scope = symbolizeScope(text);
    if (!scope)
      return parser.emitError(loc)
             << "got scope '" << text
             << "', expected thread, warp, warpgroup or cta";
    attr = ScopeAttr::get(parser.getContext(), *scope);
    return success();
  });
}

static ParseResult parseNumber(OpAsmParser &parser, IntegerAttr &attr) {
  int64_t number = 0;
  if (parser.parseInteger(number))
    return failure();
  attr = parser.getBuilder().getI64IntegerAttr(number);
  return success();
}

ClauseReader &ClauseReader::number(StringRef keyword, IntegerAttr &attr) {
  return declare(keyword, [&] { return parseNumber(parser, attr); });
}

ClauseReader &ClauseReader::index(StringRef keyword, IntegerAttr &attr) {
  return inParens(keyword, [&] { return parseNumber(parser, attr); });
}

ClauseReader &ClauseReader::attribute(StringRef keyword, TypedAttr &attr) {
  return inParens(keyword,
                  [&]() -> ParseResult { return parser.parseAttribute(attr); });
}

static ParseResult parseIntegers(OpAsmParser &parser, DenseI64ArrayAttr &attr) {
  attr =
      dyn_cast_or_null<DenseI64ArrayAttr>(DenseI64ArrayAttr::parse(parser, {}));
  return success(bool(attr));
}

ClauseReader &ClauseReader::integers(StringRef keyword,
                                     DenseI64ArrayAttr &attr) {
  return declare(keyword, [&] { return parseIntegers(parser, attr); });
}

ClauseReader &ClauseReader::range(StringRef keyword, DenseI64ArrayAttr &lower,
                                  DenseI64ArrayAttr &upper) {
  return declare(keyword, [&]() -> ParseResult {
    return failure(parseIntegers(parser, lower) || parser.parseKeyword("to") ||
                   parseIntegers(parser, upper));
  });
}

ClauseReader &ClauseReader::operand(StringRef keyword, Operand &operand) {
  return inParens(
      keyword, [&]() -> ParseResult { return parser.parseOperand(operand); });
}

ClauseReader &ClauseReader::operand(StringRef keyword,
                                    std::optional<Operand> &operand) {
  return inParens(keyword, [&]() -> ParseResult {
    return parser.parseOperand(operand.emplace());
  });
}

ClauseReader &ClauseReader::operand(StringRef keyword, Operand &operand,
                                    Type &type) {
  return inParens(keyword, [&]() -> ParseResult {
    return failure(parser.parseOperand(operand) || parser.parseColonType(type));
  });
}

ClauseReader &ClauseReader::operand(StringRef keyword,
                                    std::optional<Operand> &operand,
                                    Type &type) {
  return inParens(keyword, [&]() -> ParseResult {
    return failure(parser.parseOperand(operand.emplace()) ||
                   parser.parseColonType(type));
  });
}

ClauseReader &ClauseReader::operand(StringRef keyword,
                                    std::optional<Operand> &operand, Type &type,
                                    TypedAttr &constant) {
  return inParens(keyword, [&]() -> ParseResult {
    Operand value;
    OptionalParseResult isValue = parser.parseOptionalOperand(value);
    if (!isValue.has_value())
      return parseConstant(parser, constant);
    operand = value;
    return failure(*isValue || parser.parseColonType(type));
  });
}

ClauseReader &ClauseReader::operands(StringRef keyword, Operands &operands) {
  return inParens(keyword, [&]() -> ParseResult {
    return parser.parseOperandList(operands);
  });
}

ClauseReader &ClauseReader::operands(StringRef keyword, Operands &operands,
                                     SmallVectorImpl<Type> &types) {
  return inParens(keyword, [&]() -> ParseResult {
    return failure(parser.parseOperandList(operands) ||
                   parser.parseColonTypeList(types));
  });
}

std::string ClauseReader::keywords() const {
  auto all = llvm::map_range(clauses, [](auto &it) { return it.keyword; });
  return llvm::join(all, ", ");
}

ParseResult ClauseReader::read() {
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  while (succeeded(parser.parseOptionalKeyword(&word))) {
    auto clause = llvm::find_if(
        clauses, [&](const Clause &it) { return it.keyword == word; });
    if (clause == clauses.end())
      return parser.emitError(loc)
             << "got '" << word << "', expected one of the clauses "
             << keywords() << ", options in '{}', or ':'";
    if (clause->isRead)
      return parser.emitError(loc)
             << "got the clause '" << word << "' twice, expected each of "
             << keywords() << " at most once";
    clause->isRead = true;
    if (clause->parse())
      return failure();
    loc = parser.getCurrentLocation();
  }
  for (const Clause &clause : clauses) {
    if (clause.isRequired && !clause.isRead)
      return parser.emitError(loc) << "expected the clause '" << clause.keyword
                                   << "'; the clauses are " << keywords();
  }
  return success();
}

ClauseWriter &ClauseWriter::flag(StringRef keyword, UnitAttr attr) {
  if (attr)
    printer << ' ' << keyword;
  return *this;
}

ClauseWriter &ClauseWriter::word(StringRef keyword, StringAttr attr) {
  if (attr)
    printer << ' ' << keyword << '(' << attr.getValue() << ')';
  return *this;
}

ClauseWriter &ClauseWriter::scope(StringRef keyword, ScopeAttr attr) {
  if (attr)
    printer << ' ' << keyword << '(' << stringifyScope(attr.getValue()) << ')';
  return *this;
}

ClauseWriter &ClauseWriter::number(StringRef keyword, IntegerAttr attr) {
  if (attr)
    printer << ' ' << keyword << ' ' << attr.getInt();
  return *this;
}

ClauseWriter &ClauseWriter::index(StringRef keyword, IntegerAttr attr) {
  if (attr)
    printer << ' ' << keyword << '(' << attr.getInt() << ')';
  return *this;
}

ClauseWriter &ClauseWriter::attribute(StringRef keyword, TypedAttr attr) {
  if (attr)
    printer << ' ' << keyword << '(' << attr << ')';
  return *this;
}

ClauseWriter &ClauseWriter::integers(StringRef keyword,
                                     DenseI64ArrayAttr attr) {
  if (!attr)
    return *this;
  printer << ' ' << keyword << ' ';
  attr.print(printer);
  return *this;
}

ClauseWriter &ClauseWriter::range(StringRef keyword, DenseI64ArrayAttr lower,
                                  DenseI64ArrayAttr upper) {
  return integers(keyword, lower).integers("to", upper);
}

ClauseWriter &ClauseWriter::operand(StringRef keyword, Value operand,
                                    Type type) {
  if (!operand)
    return *this;
  printer << ' ' << keyword << '(' << operand;
  if (type)
    printer << " : " << type;
  printer << ')';
  return *this;
}

ClauseWriter &ClauseWriter::operand(StringRef keyword, Value operand, Type type,
                                    TypedAttr constant) {
  if (!constant)
    return this->operand(keyword, operand, type);
  printer << ' ' << keyword << '(';
  printConstant(printer, constant);
  printer << ')';
  return *this;
}

ClauseWriter &ClauseWriter::operands(StringRef keyword, OperandRange operands,
                                     TypeRange types) {
  if (operands.empty())
    return *this;
  printer << ' ' << keyword << '(' << operands;
  if (!types.empty())
    printer << " : " << types;
  printer << ')';
  return *this;
}
