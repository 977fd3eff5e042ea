//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// --convert-linalg-to-tile and its steps, and what they ask of upstream's
// interfaces.

#include "Copies.h"
#include "LinalgRequests.h"
#include "tile/Passes.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tile {
#define GEN_PASS_DEF_CONVERTLINALGTOTILE
#define GEN_PASS_DEF_TILECONVERTVECTORS
#define GEN_PASS_DEF_TILEMAPFORALLS
#define GEN_PASS_DEF_TILESPLITLINALG
#define GEN_PASS_DEF_TILECONVERTMEMORY
#define GEN_PASS_DEF_TILECONVERTLINALGOPS
#define GEN_PASS_DEF_TILELISTPRODUCTS
#define GEN_PASS_DEF_TILESCHEDULEPRODUCTS
#define GEN_PASS_DEF_TILESTAGELOOPS
#include "tile/TilePasses.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

// What the interface of structured ops says of an op: `shim::RawStructured`.
struct TileStructured {
  size_t inputs;
  size_t loops;
  // A bit for each loop that reduces.
  uint64_t reductions;
  // The maps of the operands.
  MlirAttribute maps;
  bool isBufferized;
};

// The most loops whose bits a TileStructured has.
static constexpr size_t mostLoops = 64;

// Reads a structured op; false for another one.
extern "C" bool tileStructured(MlirOperation op, TileStructured *structured) {
  auto linalg = dyn_cast<linalg::LinalgOp>(unwrap(op));
  if (!linalg || linalg.getNumLoops() > mostLoops)
    return false;
  *structured = {static_cast<size_t>(linalg.getNumDpsInputs()),
                 linalg.getNumLoops(), 0, wrap(linalg.getIndexingMaps()),
                 linalg.hasPureBufferSemantics()};
  for (auto [number, kind] : llvm::enumerate(linalg.getIteratorTypesArray()))
    if (kind == utils::IteratorType::reduction)
      structured->reductions |= uint64_t(1) << number;
  return true;
}

// Whether an op of linalg may read a scalar where it reads a memref without
// dimensions.
extern "C" bool tileTakesScalars(MlirOperation op) {
  return isa<linalg::GenericOp>(unwrap(op));
}

// The largest value of an extent of a memref, -1 where it is not known.
extern "C" int64_t tileMostExtent(MlirValue memref, int64_t dimension) {
  return most(unwrap(memref), dimension).value_or(-1);
}

// Whether an op is a copy of elements between memrefs, each to one place.
extern "C" bool tileIsElementCopy(MlirOperation op) {
  return isUpstreamCopy(unwrap(op)) && unwrap(op)->getNumOperands() == 2 &&
         !isa<linalg::FillOp, linalg::BroadcastOp>(unwrap(op));
}

// Makes workgroup memory that is allocated in kernels, or for them, theirs.
extern "C" void tileAttributeWorkgroupMemory(MlirOperation root) {
  attributeWorkgroupMemory(unwrap(root));
}

namespace {

// Runs what is requested; transfers of vectors that are copies may follow.
bool convertLinalg(Operation *root, StringRef chip,
                   const TileLinalgRequest &request, bool transfers) {
  if (request.split || request.memory)
    showMemory(root);
  eraseCopiesToThemselves(root);
  return tileConvertLinalg(wrap(root), onChip(chip), request) &&
         (!transfers || convertTransfers(root));
}

struct ConvertLinalg : tile::impl::ConvertLinalgToTileBase<ConvertLinalg> {
  using ConvertLinalgToTileBase::ConvertLinalgToTileBase;
  void runOnOperation() override {
    TileLinalgRequest request = allSteps();
    request.vectors = !whereNeeded;
    request.stages = stages;
    request.strict = strict;
    request.whereNeeded = whereNeeded;
    request.block = block;
    request.instruction = wrap(StringRef(instruction));
    request.epilogue = wrap(StringRef(epilogue));
    if (!convertLinalg(getOperation(), chip, request, !whereNeeded))
      signalPassFailure();
  }
};

struct MapForalls : tile::impl::TileMapForallsBase<MapForalls> {
  using TileMapForallsBase::TileMapForallsBase;
  void runOnOperation() override {
    TileLinalgRequest request = noSteps();
    request.foralls = true;
    request.strict = strict;
    if (!convertLinalg(getOperation(), "", request, false))
      signalPassFailure();
  }
};

struct ConvertVectors : tile::impl::TileConvertVectorsBase<ConvertVectors> {
  using TileConvertVectorsBase::TileConvertVectorsBase;
  void runOnOperation() override {
    TileLinalgRequest request = noSteps();
    request.vectors = true;
    request.block = block;
    if (!convertLinalg(getOperation(), chip, request, false))
      signalPassFailure();
  }
};

struct SplitLinalg : tile::impl::TileSplitLinalgBase<SplitLinalg> {
  using TileSplitLinalgBase::TileSplitLinalgBase;
  void runOnOperation() override {
    TileLinalgRequest request = noSteps();
    request.split = true;
    request.block = block;
    if (!convertLinalg(getOperation(), chip, request, false))
      signalPassFailure();
  }
};

struct ConvertMemory : tile::impl::TileConvertMemoryBase<ConvertMemory> {
  using TileConvertMemoryBase::TileConvertMemoryBase;
  void runOnOperation() override {
    TileLinalgRequest request = noSteps();
    request.memory = true;
    request.block = block;
    if (!convertLinalg(getOperation(), chip, request, false))
      signalPassFailure();
  }
};

struct ConvertLinalgOps
    : tile::impl::TileConvertLinalgOpsBase<ConvertLinalgOps> {
  using TileConvertLinalgOpsBase::TileConvertLinalgOpsBase;
  void runOnOperation() override {
    TileLinalgRequest request = noSteps();
    request.ops = true;
    request.strict = strict;
    request.block = block;
    request.instruction = wrap(StringRef(instruction));
    request.epilogue = wrap(StringRef(epilogue));
    if (!convertLinalg(getOperation(), chip, request, true))
      signalPassFailure();
  }
};

struct ScheduleProducts
    : tile::impl::TileScheduleProductsBase<ScheduleProducts> {
  using TileScheduleProductsBase::TileScheduleProductsBase;
  void runOnOperation() override {
    if (!tileScheduleProducts(wrap(getOperation()), onChip(chip),
                              wrap(StringRef(record))))
      signalPassFailure();
  }
};

struct ListProducts : tile::impl::TileListProductsBase<ListProducts> {
  using TileListProductsBase::TileListProductsBase;
  void runOnOperation() override {
    markAllAnalysesPreserved();
    if (!tileListProducts(wrap(getOperation()), onChip(chip), candidates))
      signalPassFailure();
  }
};

struct StageLoops : tile::impl::TileStageLoopsBase<StageLoops> {
  using TileStageLoopsBase::TileStageLoopsBase;
  void runOnOperation() override {
    TileLinalgRequest request = noSteps();
    request.stages = stages;
    if (!convertLinalg(getOperation(), chip, request, false))
      signalPassFailure();
  }
};

} // namespace
