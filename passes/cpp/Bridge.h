//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Functions that Rust defines and C++ calls. None of them unwinds.

#ifndef TILE_PASSES_BRIDGE_H
#define TILE_PASSES_BRIDGE_H

#include "mlir-c/IR.h"
#include "mlir-c/Rewrite.h"
#include "mlir-c/Support.h"

extern "C" {

// Options of the passes, as given.
struct TilePassOptions {
  MlirStringRef chip;
  uint32_t maxVectorBits;
  uint32_t argumentAlignment;
  intptr_t variantCount;
  const MlirStringRef *variants;
  bool noalias;
};

// The NVIDIA target that a gpu.module names: the chip, its features, and the
// level of optimization.
struct TileModuleTarget {
  MlirStringRef chip;
  MlirStringRef features;
  int32_t level;
};

// The size and the alignment of a global variable, in bytes.
struct TileGlobalSize {
  uint64_t bytes;
  uint64_t alignment;
};

// What an op may do to memory, by its own account; an op that gives none may do
// everything.
struct TileMemoryEffects {
  bool reads;
  bool writes;
};

// An access that an op of another dialect states: `shim::effects::RawAccess`.
struct TileAccessRef {
  // -1 for memory that no operand names.
  intptr_t operand;
  bool reads;
  bool writes;
  // 0 threads, 1 cp.async, 2 bulk copies.
  int32_t engine;
  // The region; without dimensions all of the operand.
  intptr_t offsetCount;
  const int64_t *offsets;
  intptr_t sizeCount;
  const int64_t *sizes;
  // The offsets that are known at run time only.
  intptr_t valueCount;
  const MlirValue *values;
  // The number of the operand; -1 for an access that none completes.
  intptr_t mbarrier;
};

// Takes an access; its lists are valid during the call.
typedef void (*TileAccessCallback)(TileAccessRef access, void *userData);

// Why an upstream copy stays as it is: `border::Stays`.
enum TileStays {
  TileStaysMemory,
  TileStaysElements,
  TileStaysTensors,
  TileStaysUnbounded,
  TileStaysBroadcast,
  TileStaysScalable,
  TileStaysMask,
  TileStaysUsed,
  TileStaysBetween,
  TileStaysOverlap,
  TileStaysLayout,
  TileStaysExtent,
  TileStaysLarge,
  TileStaysEmpty,
  TileStaysFill,
  TileStaysOutside,
  TileStaysRefused,
};

// What --convert-linalg-to-tile, or one of its steps, does:
// `linalg::LinalgRequest`.
struct TileLinalgRequest {
  bool foralls;
  bool vectors;
  bool split;
  bool memory;
  bool ops;
  uint32_t stages;
  bool strict;
  bool whereNeeded;
  uint32_t block;
  // What multiplies, and how sums are stored, where no schedule of an op says
  // it; empty where it is chosen.
  MlirStringRef instruction;
  MlirStringRef epilogue;
};

// The tiles of a product that a block has, and its threads.
struct TileProductSizes {
  int64_t rows;
  int64_t columns;
  int64_t depths;
  int64_t threads;
};

// Whether a variant takes the tile.copy; says why none does.
bool tileCanCopy(MlirOperation op, MlirStringCallback say, void *userData);

// Emits a remark that an upstream copy stays.
void tileReportStays(MlirOperation op, TileStays why, MlirStringRef reason);

// Each runs one pass on everything below the op; false, after an error, when it
// cannot be done.
bool tileConvertBuffers(MlirOperation op);
bool tileConvertLinalg(MlirOperation op, TilePassOptions options,
                       TileLinalgRequest request);
bool tileScheduleProducts(MlirOperation op, TilePassOptions options,
                          MlirStringRef record);
bool tileListProducts(MlirOperation op, TilePassOptions options, uint32_t most);
// The tiles that the chip multiplies best of an op; false, with the reason, for
// one that is no product, or that no instruction multiplies.
bool tileProductSizes(MlirOperation op, MlirStringRef chip,
                      TileProductSizes *sizes, MlirStringCallback say,
                      void *userData);
bool tileInline(MlirOperation op, TilePassOptions options, bool keepCalls);
bool tileExpandVersions(MlirOperation op, TilePassOptions options, bool once);
bool tileAlignLayouts(MlirOperation op, TilePassOptions options);
bool tileVectorizeCopy(MlirOperation op, TilePassOptions options);
bool tileExpandCopy(MlirOperation op, TilePassOptions options);
bool tileLowerCopy(MlirOperation op, TilePassOptions options);
bool tileLowerScan(MlirOperation op, TilePassOptions options);
// Before the solver runs, the forms are written out that it does not know.
void tileWriteOutBounds(MlirOperation op);
// The solver, a DataFlowSolver that knows ranges of integers, may be null.
bool tileInsertBoundsTraps(MlirOperation op, const void *solver);
bool tileCheckBounds(MlirOperation op, const void *solver, bool strict);
bool tileCheckSync(MlirOperation op, TilePassOptions options);
bool tilePrintDependences(MlirOperation op, TilePassOptions options);
bool tileChooseLayouts(MlirOperation op, TilePassOptions options);
bool tileDeny(MlirOperation op, intptr_t count, const MlirStringRef *costs);
bool tileReportMemory(MlirOperation op, TilePassOptions options,
                      uint32_t worst);
bool tileInsertSync(MlirOperation op, TilePassOptions options, bool remove,
                    bool whereNeeded, bool allowUnordered);
bool tilePipeline(MlirOperation op, TilePassOptions options, bool whereNeeded,
                  bool tensorMaps, bool allowUnordered);
bool tilePlanMemory(MlirOperation op, TilePassOptions options,
                    bool whereNeeded);
bool tileMakeMaps(MlirOperation op, TilePassOptions options);
bool tilePrepareKernels(MlirOperation op, TilePassOptions options);
bool tileFinishKernels(MlirOperation op);

bool tileFinishLaunches(MlirOperation op);
bool tileEmbedPtx(MlirOperation op);
bool tileFinishHost(MlirOperation op);
bool tileLowerMath(MlirOperation op);
// Panics.
bool tileTestPanic(MlirOperation op);

// Whether the chip that kernels at or around the op are compiled for has an
// instruction that reduces over a warp.
bool tileHasRedux(MlirOperation op);

// The same for an instruction that adds to a bf16 in memory.
bool tileHasBf16Atomics(MlirOperation op);

// Adds the variants as patterns; returns false, and passes the reason to say,
// where an option is not valid.
bool tilePopulateCopyPatterns(MlirRewritePatternSet set, MlirContext context,
                              TilePassOptions options, MlirStringCallback say,
                              void *userData);

// The same for all ops that are lowered by patterns; those whose name wanted
// accepts, given that and filter.
bool tilePopulatePatterns(MlirRewritePatternSet set, MlirContext context,
                          TilePassOptions options,
                          bool (*wanted)(MlirStringRef name, void *filter),
                          void *filter, MlirStringCallback say, void *userData);

// The version of the project.
MlirStringRef tileVersion(void);

// Whether a text nests no deeper than parsers can bear; else where, 1-based.
bool tileCheckNesting(MlirStringRef text, uint64_t *line, uint64_t *column);

// Prints PTX for the (single or named) gpu.module below the op, after running
// passes on it, by default --tile-build. Declarations are comments on the
// kernels.
bool tileToPtx(MlirOperation module, MlirStringRef chip,
               MlirStringRef gpuModule, MlirStringRef passes, bool lineInfo,
               bool declarations, MlirStringCallback print, void *userData);

// Prints the kernels of the (single or named) tile.scan below the op in a
// portable language: spirv (as bytes), wgsl, msl, hlsl.
bool tileToPortable(MlirOperation module, MlirStringRef chip,
                    MlirStringRef scan, MlirStringRef language,
                    MlirStringCallback print, void *userData);
}

#endif // TILE_PASSES_BRIDGE_H
