//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The version of the dialect in bytecode.

#include "Bytecode.h"
#include "Interfaces.h"

using namespace mlir;

namespace {

struct Version : DialectVersion {
  explicit Version(uint64_t number) : number(number) {}
  uint64_t number;
};

// The version that is written. Files from before versions existed have none,
// and are read as version 1. A change of an op's attributes is a new version;
// the op's visitProperties says which attribute came with which version, and
// readers of older files follow it. A new name of an op is a new version, too
// (7): OldNames.cpp reads the old one.
constexpr uint64_t newest = 7;

struct Bytecode : BytecodeDialectInterface {
  explicit Bytecode(Dialect *dialect) : BytecodeDialectInterface(dialect) {}
  void writeVersion(DialectBytecodeWriter &writer) const final {
    writer.writeVarInt(newest);
  }
  std::unique_ptr<DialectVersion>
  readVersion(DialectBytecodeReader &reader) const final {
    uint64_t number;
    if (failed(reader.readVarInt(number)))
      return nullptr;
    if (number <= newest)
      return std::make_unique<Version>(number);
    reader.emitError() << "got version " << number
                       << " of the tile dialect, expected at most " << newest
                       << ": a newer release wrote the file";
    return nullptr;
  }
};

} // namespace

const uint64_t tile::bytecode::currentVersion = newest;

uint64_t tile::bytecode::versionOf(DialectBytecodeReader &reader) {
  auto version = reader.getDialectVersion<TileDialect>();
  return succeeded(version) ? static_cast<const Version *>(*version)->number
                            : 1;
}

void tile::addBytecode(TileDialect &dialect) {
  dialect.addInterfaces<Bytecode>();
}
