//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Passes whose bodies are in Rust.

#include "tile/Passes.h"
#include "Bridge.h"
#include "tile/Dialect.h"
#include "tile/InitAll.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace tile {
#define GEN_PASS_DEF_TILECHECKSYNC
#define GEN_PASS_DEF_TILEINSERTSYNC
#define GEN_PASS_DEF_TILEPIPELINE
#define GEN_PASS_DEF_TILEMAKEMAPS
#define GEN_PASS_DEF_TILEPLANMEMORY
#define GEN_PASS_DEF_TILEPRINTDEPENDENCES
#define GEN_PASS_DEF_TILEREPORTMEMORY
#define GEN_PASS_DEF_TILEDENY
#define GEN_PASS_DEF_TILECHOOSELAYOUTS
#define GEN_PASS_DEF_TILECONVERTBUFFERS
#define GEN_PASS_DEF_TILEINLINE
#define GEN_PASS_DEF_TILEEXPANDVERSIONS
#define GEN_PASS_DEF_TILEALIGNLAYOUTS
#define GEN_PASS_DEF_TILEVECTORIZECOPY
#define GEN_PASS_DEF_TILEEXPANDCOPY
#define GEN_PASS_DEF_LOWERTILECOPY
#define GEN_PASS_DEF_LOWERTILESCAN
#define GEN_PASS_DEF_TILEPREPAREKERNELS
#define GEN_PASS_DEF_TILEEMBEDPTX
#define GEN_PASS_DEF_TILEFINISHHOST
#define GEN_PASS_DEF_TILEFINISHKERNELS
#define GEN_PASS_DEF_TILEFINISHLAUNCHES
#define GEN_PASS_DEF_TILELOWERMATH
#include "tile/TilePasses.h.inc"
} // namespace tile

using namespace mlir;

namespace {

TilePassOptions defaults(const std::string &chip) {
  return {wrap(StringRef(chip)), 128, 256, 0, nullptr, true};
}

// Options of the passes that choose a variant; names keeps them alive.
template <typename Names>
TilePassOptions choice(const std::string &chip, const Names &variants,
                       unsigned maxVectorBits, unsigned argumentAlignment,
                       bool noalias, SmallVectorImpl<MlirStringRef> &names) {
  TilePassOptions options = defaults(chip);
  for (const std::string &name : variants)
    names.push_back(wrap(StringRef(name)));
  options.maxVectorBits = maxVectorBits;
  options.argumentAlignment = argumentAlignment;
  options.variantCount = names.size();
  options.variants = names.data();
  options.noalias = noalias;
  return options;
}

struct ConvertBuffers : tile::impl::TileConvertBuffersBase<ConvertBuffers> {
  using TileConvertBuffersBase::TileConvertBuffersBase;
  void runOnOperation() override {
    if (!tileConvertBuffers(wrap(getOperation())))
      signalPassFailure();
  }
};

struct Inline : tile::impl::TileInlineBase<Inline> {
  using TileInlineBase::TileInlineBase;
  void runOnOperation() override {
    std::string none;
    TilePassOptions options = defaults(none);
    options.argumentAlignment = argumentAlignment;
    if (!tileInline(wrap(getOperation()), options, keepCalls))
      signalPassFailure();
  }
};

struct ExpandVersions : tile::impl::TileExpandVersionsBase<ExpandVersions> {
  using TileExpandVersionsBase::TileExpandVersionsBase;
  void runOnOperation() override {
    TilePassOptions options = defaults(chip);
    options.argumentAlignment = argumentAlignment;
    if (!tileExpandVersions(wrap(getOperation()), options, once))
      signalPassFailure();
  }
};

struct AlignLayouts : tile::impl::TileAlignLayoutsBase<AlignLayouts> {
  using TileAlignLayoutsBase::TileAlignLayoutsBase;
  void runOnOperation() override {
    SmallVector<MlirStringRef> names;
    if (!tileAlignLayouts(wrap(getOperation()),
                          choice(chip, variants, maxVectorBits,
                                 argumentAlignment, noalias, names)))
      signalPassFailure();
  }
};

struct VectorizeCopy : tile::impl::TileVectorizeCopyBase<VectorizeCopy> {
  using TileVectorizeCopyBase::TileVectorizeCopyBase;
  void runOnOperation() override {
    TilePassOptions options = defaults(chip);
    options.maxVectorBits = maxVectorBits;
    options.argumentAlignment = argumentAlignment;
    if (!tileVectorizeCopy(wrap(getOperation()), options))
      signalPassFailure();
  }
};

struct ExpandCopy : tile::impl::TileExpandCopyBase<ExpandCopy> {
  using TileExpandCopyBase::TileExpandCopyBase;
  void runOnOperation() override {
    if (!tileExpandCopy(wrap(getOperation()), defaults(chip)))
      signalPassFailure();
  }
};

struct LowerCopy : tile::impl::LowerTileCopyBase<LowerCopy> {
  using LowerTileCopyBase::LowerTileCopyBase;
  void runOnOperation() override {
    SmallVector<MlirStringRef> names;
    if (!tileLowerCopy(wrap(getOperation()),
                       choice(chip, variants, maxVectorBits, argumentAlignment,
                              noalias, names)))
      signalPassFailure();
  }
};

struct CheckSync : tile::impl::TileCheckSyncBase<CheckSync> {
  using TileCheckSyncBase::TileCheckSyncBase;
  void runOnOperation() override {
    SmallVector<MlirStringRef> names;
    if (!tileCheckSync(wrap(getOperation()),
                       choice(chip, variants, maxVectorBits, argumentAlignment,
                              noalias, names)))
      signalPassFailure();
  }
};

struct PrintDependences
    : tile::impl::TilePrintDependencesBase<PrintDependences> {
  using TilePrintDependencesBase::TilePrintDependencesBase;
  void runOnOperation() override {
    SmallVector<MlirStringRef> names;
    if (!tilePrintDependences(wrap(getOperation()),
                              choice(chip, variants, maxVectorBits,
                                     argumentAlignment, noalias, names)))
      signalPassFailure();
  }
};

struct ChooseLayouts : tile::impl::TileChooseLayoutsBase<ChooseLayouts> {
  using TileChooseLayoutsBase::TileChooseLayoutsBase;
  void runOnOperation() override {
    SmallVector<MlirStringRef> names;
    if (!tileChooseLayouts(wrap(getOperation()),
                           choice(chip, variants, maxVectorBits,
                                  argumentAlignment, noalias, names)))
      signalPassFailure();
  }
};

struct Deny : tile::impl::TileDenyBase<Deny> {
  using TileDenyBase::TileDenyBase;
  void runOnOperation() override {
    SmallVector<MlirStringRef> words;
    for (const std::string &word : costs)
      words.push_back(wrap(StringRef(word)));
    if (!tileDeny(wrap(getOperation()), words.size(), words.data()))
      signalPassFailure();
  }
};

struct ReportMemory : tile::impl::TileReportMemoryBase<ReportMemory> {
  using TileReportMemoryBase::TileReportMemoryBase;
  void runOnOperation() override {
    SmallVector<MlirStringRef> names;
    if (!tileReportMemory(wrap(getOperation()),
                          choice(chip, variants, maxVectorBits,
                                 argumentAlignment, noalias, names),
                          worst))
      signalPassFailure();
  }
};

struct InsertSync : tile::impl::TileInsertSyncBase<InsertSync> {
  using TileInsertSyncBase::TileInsertSyncBase;
  void runOnOperation() override {
    SmallVector<MlirStringRef> names;
    if (!tileInsertSync(wrap(getOperation()),
                        choice(chip, variants, maxVectorBits, argumentAlignment,
                               noalias, names),
                        removeRedundant, whereNeeded, allowUnordered))
      signalPassFailure();
  }
};

struct Pipeline : tile::impl::TilePipelineBase<Pipeline> {
  using TilePipelineBase::TilePipelineBase;
  void runOnOperation() override {
    SmallVector<MlirStringRef> names;
    if (!tilePipeline(wrap(getOperation()),
                      choice(chip, variants, maxVectorBits, argumentAlignment,
                             noalias, names),
                      whereNeeded, tensorMaps, allowUnordered))
      signalPassFailure();
  }
};

struct PlanMemory : tile::impl::TilePlanMemoryBase<PlanMemory> {
  using TilePlanMemoryBase::TilePlanMemoryBase;
  void runOnOperation() override {
    SmallVector<MlirStringRef> names;
    if (!tilePlanMemory(wrap(getOperation()),
                        choice(chip, variants, maxVectorBits, argumentAlignment,
                               noalias, names),
                        whereNeeded))
      signalPassFailure();
  }
};

struct MakeMaps : tile::impl::TileMakeMapsBase<MakeMaps> {
  using TileMakeMapsBase::TileMakeMapsBase;
  void runOnOperation() override {
    SmallVector<MlirStringRef> names;
    if (!tileMakeMaps(wrap(getOperation()),
                      choice(chip, variants, maxVectorBits, argumentAlignment,
                             noalias, names)))
      signalPassFailure();
  }
};

struct LowerScan : tile::impl::LowerTileScanBase<LowerScan> {
  using LowerTileScanBase::LowerTileScanBase;
  void runOnOperation() override {
    TilePassOptions options = defaults(chip);
    options.argumentAlignment = argumentAlignment;
    if (!tileLowerScan(wrap(getOperation()), options))
      signalPassFailure();
  }
};

struct PrepareKernels : tile::impl::TilePrepareKernelsBase<PrepareKernels> {
  using TilePrepareKernelsBase::TilePrepareKernelsBase;
  void runOnOperation() override {
    std::string none;
    TilePassOptions options = defaults(none);
    options.argumentAlignment = argumentAlignment;
    options.noalias = noalias;
    if (!tilePrepareKernels(wrap(getOperation()), options))
      signalPassFailure();
  }
};

struct LowerMath : tile::impl::TileLowerMathBase<LowerMath> {
  using TileLowerMathBase::TileLowerMathBase;
  void runOnOperation() override {
    if (!tileLowerMath(wrap(getOperation())))
      signalPassFailure();
  }
};

struct FinishLaunches : tile::impl::TileFinishLaunchesBase<FinishLaunches> {
  using TileFinishLaunchesBase::TileFinishLaunchesBase;
  void runOnOperation() override {
    if (!tileFinishLaunches(wrap(getOperation())))
      signalPassFailure();
  }
};

struct EmbedPtx : tile::impl::TileEmbedPtxBase<EmbedPtx> {
  using TileEmbedPtxBase::TileEmbedPtxBase;
  // Only the translation to LLVM IR needs these extensions.
  void getDependentDialects(DialectRegistry &registry) const override {
    TileEmbedPtxBase::getDependentDialects(registry);
    tile::registerAllTranslations(registry);
  }
  void runOnOperation() override {
    if (!tileEmbedPtx(wrap(getOperation())))
      signalPassFailure();
  }
};

struct FinishHost : tile::impl::TileFinishHostBase<FinishHost> {
  using TileFinishHostBase::TileFinishHostBase;
  void runOnOperation() override {
    if (!tileFinishHost(wrap(getOperation())))
      signalPassFailure();
  }
};

struct FinishKernels : tile::impl::TileFinishKernelsBase<FinishKernels> {
  using TileFinishKernelsBase::TileFinishKernelsBase;
  void runOnOperation() override {
    if (!tileFinishKernels(wrap(getOperation())))
      signalPassFailure();
  }
};

} // namespace
