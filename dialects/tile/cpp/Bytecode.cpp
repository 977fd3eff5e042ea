//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The dialect's version in bytecode, and how its ops' attributes are read from
// and written to bytecode: by name, so that a later version can add some and
// rename others. Attributes and types are stored as their text, behind the
// version, which MLIR reads for entries of a dialect's own encoding only.

#include "Interfaces.h"
#include "tile/Dialect.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Bytecode/BytecodeImplementation.h"

using namespace mlir;
using namespace tile;

namespace {

/// The version that is written. A higher one is needed when an older reader
/// would misread what is written.
constexpr uint64_t bytecodeVersion = 1;

struct BytecodeVersion : DialectVersion {};

LogicalResult expectVersion(DialectBytecodeReader &reader) {
  if (succeeded(reader.getDialectVersion<TileDialect>()))
    return success();
  return reader.emitError()
         << "got bytecode without a version of the dialect 'tile', expected "
            "version "
         << bytecodeVersion;
}

template <typename Value>
LogicalResult writeText(Value value, DialectBytecodeWriter &writer) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  writer.writeAttribute(StringAttr::get(value.getContext(), text));
  return success();
}

StringAttr readText(DialectBytecodeReader &reader) {
  StringAttr text;
  if (failed(expectVersion(reader)) || failed(reader.readAttribute(text)))
    return {};
  return text;
}

struct Bytecode : BytecodeDialectInterface {
  explicit Bytecode(Dialect *dialect) : BytecodeDialectInterface(dialect) {}

  LogicalResult writeType(Type type,
                          DialectBytecodeWriter &writer) const final {
    return writeText(type, writer);
  }

  LogicalResult writeAttribute(Attribute attribute,
                               DialectBytecodeWriter &writer) const final {
    return writeText(attribute, writer);
  }

  Type readType(DialectBytecodeReader &reader) const final {
    StringAttr text = readText(reader);
    return text ? parseType(text, reader.getContext()) : Type();
  }

  Attribute readAttribute(DialectBytecodeReader &reader) const final {
    StringAttr text = readText(reader);
    return text ? parseAttribute(text, reader.getContext()) : Attribute();
  }

  void writeVersion(DialectBytecodeWriter &writer) const final {
    writer.writeVarInt(bytecodeVersion);
  }

  std::unique_ptr<DialectVersion>
  readVersion(DialectBytecodeReader &reader) const final {
    uint64_t number;
    if (failed(reader.readVarInt(number)))
      return nullptr;
    if (number <= bytecodeVersion)
      return std::make_unique<BytecodeVersion>();
    reader.emitError() << "got bytecode of version " << number
                       << " of the dialect 'tile', expected at most version "
                       << bytecodeVersion << ": a newer compiler wrote it";
    return nullptr;
  }
};

} // namespace

std::unique_ptr<DialectInterface> tile::bytecodeInterface(Dialect *dialect) {
  return std::make_unique<Bytecode>(dialect);
}

// A version that renames an attribute changes its older name here, before the
// op reads it. A name that the op does not have is refused: without its
// attribute an op may mean something else.
DictionaryAttr tile::readAttributes(DialectBytecodeReader &reader,
                                    const OperationState &state,
                                    ArrayRef<StringRef> names) {
  Attribute value;
  if (failed(expectVersion(reader)) ||
      failed(reader.readOptionalAttribute(value)))
    return {};
  if (!value)
    return DictionaryAttr::get(reader.getContext());
  auto attributes = dyn_cast<DictionaryAttr>(value);
  if (!attributes) {
    reader.emitError() << "got " << value
                       << " as the attributes of an op of the dialect 'tile', "
                          "expected a dictionary";
    return {};
  }
  for (NamedAttribute attribute : attributes) {
    if (llvm::is_contained(names, attribute.getName()))
      continue;
    InFlightDiagnostic error = reader.emitError();
    error << "got attribute " << attribute.getName() << " of '" << state.name
          << "', expected ";
    llvm::interleaveComma(names, error);
    return {};
  }
  return attributes;
}
