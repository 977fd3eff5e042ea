//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// What the dialect says to MLIR's inliner, and the version of its bytecode.

#include "Interfaces.h"
#include "Tile.h"

#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;

namespace {

// Every op may stand in another function: who executes it, its caller's
// threads, stays the same.
struct Inliner : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
};

struct Version : DialectVersion {
  explicit Version(uint64_t number) : number(number) {}
  uint64_t number;
};

// What is written now. Files from before there were versions have none, and
// read as version 1 does; a change of an op's attributes is a new version, and
// readers of the old ones stay here.
constexpr uint64_t currentVersion = 1;

struct Bytecode : BytecodeDialectInterface {
  explicit Bytecode(Dialect *dialect) : BytecodeDialectInterface(dialect) {}
  void writeVersion(DialectBytecodeWriter &writer) const final {
    writer.writeVarInt(currentVersion);
  }
  std::unique_ptr<DialectVersion>
  readVersion(DialectBytecodeReader &reader) const final {
    uint64_t number;
    if (failed(reader.readVarInt(number)))
      return nullptr;
    if (number <= currentVersion)
      return std::make_unique<Version>(number);
    reader.emitError() << "got version " << number
                       << " of the tile dialect, expected at most "
                       << currentVersion << ": a newer release wrote the file";
    return nullptr;
  }
};

} // namespace

void tile::addInterfaces(TileDialect &dialect) {
  dialect.addInterfaces<Inliner, Bytecode>();
}
