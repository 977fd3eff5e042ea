//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The pipeline --tile-to-nvvm, built from upstream conversions, and
// registration.

#include "tile/InitAll.h"
#include "tile/Passes.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/GPUCommon/GPUCommonPass.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Transforms/Passes.h"

#include <mutex>

using namespace mlir;

namespace {
template <typename Options>
struct KernelOptions : PassPipelineOptions<Options> {
  using PassPipelineOptions<Options>::PassPipelineOptions;
  template <typename T> using Option = mlir::detail::PassOptions::Option<T>;
  Option<unsigned> argumentAlignment{
      *this, "argument-alignment",
      llvm::cl::desc("Alignment in bytes of the memref arguments of a kernel"),
      llvm::cl::init(256)};
  Option<bool> noalias{
      *this, "noalias",
      llvm::cl::desc("Memref arguments of a kernel do not overlap where one of "
                     "them is written"),
      llvm::cl::init(true)};
  Option<bool> lineInfo{
      *this, "line-info",
      llvm::cl::desc("Make PTX name the lines of the MLIR it comes from"),
      llvm::cl::init(false)};
};

struct ToNVVMOptions : KernelOptions<ToNVVMOptions> {};

// The steps that come before the lowering, each of which can be left out, and
// the options of the passes in them.
template <typename Options> struct StepOptions : KernelOptions<Options> {
  using KernelOptions<Options>::KernelOptions;
  template <typename T> using Option = mlir::detail::PassOptions::Option<T>;
  Option<std::string> chip{
      *this, "chip",
      llvm::cl::desc("Chip to compile for, such as sm_90a; by default the one "
                     "that the gpu.module names, else sm_80")};
  Option<unsigned> maxVectorBits{
      *this, "max-vector-bits",
      llvm::cl::desc("Widest load or store, in bits: a power of two from 8 to "
                     "256"),
      llvm::cl::init(128)};
  mlir::detail::PassOptions::ListOption<std::string> variants{
      *this, "variants",
      llvm::cl::desc("Variants that may be chosen; by default all")};
  mlir::detail::PassOptions::ListOption<std::string> deny{
      *this, "deny",
      llvm::cl::desc("Costs that are errors: fallback, masks, conflicts, "
                     "checks, spills, serialised")};
  Option<bool> inlineCalls{
      *this, "inline", llvm::cl::desc("Inline the functions that kernels call"),
      llvm::cl::init(true)};
  Option<bool> versions{
      *this, "versions",
      llvm::cl::desc("Compile regions of tile.version twice; otherwise once, "
                     "without their promises"),
      llvm::cl::init(true)};
  Option<bool> convert{
      *this, "convert",
      llvm::cl::desc("Convert memref.copy and ops of linalg to tile ops"),
      llvm::cl::init(true)};
  Option<bool> pipeline{
      *this, "pipeline",
      llvm::cl::desc("Make loops with tile.stages rings of stages"),
      llvm::cl::init(true)};
  Option<bool> maps{
      *this, "maps",
      llvm::cl::desc(
          "Make the tensor maps of copies that name the variant tma"),
      llvm::cl::init(true)};
  Option<bool> memory{
      *this, "memory",
      llvm::cl::desc("Plan shared memory that is too much to be static"),
      llvm::cl::init(true)};
  Option<bool> order{
      *this, "order",
      llvm::cl::desc("Order the accesses of kernels that do not synchronize"),
      llvm::cl::init(true)};
  Option<bool> allowUnordered{
      *this, "allow-unordered",
      llvm::cl::desc("Leave kernels whose order is not found as they are "
                     "written, with a warning instead of an error"),
      llvm::cl::init(false)};
};

struct BuildOptions : StepOptions<BuildOptions> {
  Option<bool> lower{
      *this, "lower",
      llvm::cl::desc("Lower the result to the LLVM and NVVM dialects"),
      llvm::cl::init(true)};
};

struct ToHostOptions : StepOptions<ToHostOptions> {};

struct ToPortableOptions : PassPipelineOptions<ToPortableOptions> {
  Option<std::string> chip{
      *this, "chip",
      llvm::cl::desc("The portable target: vulkan1.2, webgpu, metal, ...")};
};
} // namespace

void tile::buildTileToNVVM(OpPassManager &pm,
                           const TilePrepareKernelsOptions &options,
                           bool lineInfo) {
  pm.addPass(createTilePrepareKernels(options));
  OpPassManager &kernels = pm.nest<gpu::GPUModuleOp>();
  kernels.addPass(createTileUnrollRegisters());
  kernels.addPass(createTileLowerReductions());
  kernels.addPass(createTileLowerSubgroups());
  kernels.addPass(createTileLowerVectors());
  kernels.addPass(createTileLowerAtomics());
  kernels.addPass(createTileLowerArithmetic());
  kernels.addPass(createTileLowerMath());
  // Counts of bits, for which LLVM has intrinsics.
  kernels.addPass(createConvertMathToLLVMPass());
  kernels.addPass(memref::createExpandStridedMetadataPass());
  kernels.addPass(createLowerAffinePass());
  kernels.addPass(arith::createArithExpandOpsPass());
  kernels.addPass(createSCFToControlFlowPass());
  kernels.addPass(createTileSeparateRegisters());
  ConvertGpuOpsToNVVMOpsOptions conversion;
  conversion.useBarePtrCallConv = true;
  conversion.indexBitwidth = 64;
  conversion.hasRedux = true;
  kernels.addPass(createConvertGpuOpsToNVVMOps(conversion));
  kernels.addPass(createReconcileUnrealizedCastsPass());
  // Operations that LLVM has no intrinsic for, such as wgmma, become assembly.
  kernels.addPass(createConvertNVVMToLLVMPass());
  kernels.addPass(createTileFinishKernels());
  pm.addPass(createTileFinishLaunches());
  if (lineInfo)
    pm.addPass(createTileLineInfo());
}

// Options of a pass that chooses variants.
template <typename PassOptions, typename Options>
static PassOptions choice(const StepOptions<Options> &options) {
  PassOptions pass;
  pass.chip = options.chip;
  pass.maxVectorBits = options.maxVectorBits;
  llvm::append_range(pass.variants, options.variants);
  pass.argumentAlignment = options.argumentAlignment;
  pass.noalias = options.noalias;
  return pass;
}

// The steps before the lowering, as far as kernels need them.
template <typename Options>
static void buildSteps(OpPassManager &pm, const StepOptions<Options> &options) {
  if (!options.deny.empty()) {
    tile::TileDenyOptions contract;
    llvm::append_range(contract.costs, options.deny);
    pm.addPass(tile::createTileDeny(contract));
  }
  // The passes after it convert tiles that are arguments to pointers.
  if (options.inlineCalls)
    pm.addPass(tile::createTileInline(
        {options.argumentAlignment, /*keepCalls=*/true}));
  if (options.convert) {
    tile::ConvertLinalgToTileOptions convert;
    convert.chip = options.chip;
    convert.whereNeeded = true;
    pm.addPass(tile::createConvertLinalgToTile(convert));
  }
  tile::TileExpandVersionsOptions versions;
  versions.chip = options.chip;
  versions.argumentAlignment = options.argumentAlignment;
  versions.once = !options.versions;
  pm.addPass(tile::createTileExpandVersions(versions));
  pm.addPass(tile::createTileChooseLayouts(
      choice<tile::TileChooseLayoutsOptions>(options)));
  tile::LowerTileScanOptions scans;
  scans.chip = options.chip;
  scans.argumentAlignment = options.argumentAlignment;
  pm.addPass(tile::createLowerTileScan(scans));
  if (options.pipeline) {
    auto pipeline = choice<tile::TilePipelineOptions>(options);
    pipeline.whereNeeded = true;
    pipeline.tensorMaps = options.maps;
    pipeline.allowUnordered = options.allowUnordered;
    pm.addPass(tile::createTilePipeline(pipeline));
  }
  if (options.maps)
    pm.addPass(
        tile::createTileMakeMaps(choice<tile::TileMakeMapsOptions>(options)));
  if (options.memory) {
    auto memory = choice<tile::TilePlanMemoryOptions>(options);
    memory.whereNeeded = true;
    pm.addPass(tile::createTilePlanMemory(memory));
  }
  if (options.order) {
    auto order = choice<tile::TileInsertSyncOptions>(options);
    order.whereNeeded = true;
    order.allowUnordered = options.allowUnordered;
    pm.addPass(tile::createTileInsertSync(order));
  }
}

// From tile copies to the LLVM and NVVM dialects.
template <typename Options>
static void buildLowering(OpPassManager &pm,
                          const StepOptions<Options> &options) {
  pm.addPass(
      tile::createLowerTileCopy(choice<tile::LowerTileCopyOptions>(options)));
  tile::buildTileToNVVM(pm, {options.argumentAlignment, options.noalias},
                        options.lineInfo);
}

// All that a file needs, in order.
static void buildBuild(OpPassManager &pm, const BuildOptions &options) {
  buildSteps(pm, options);
  if (options.lower)
    buildLowering(pm, options);
}

// From kernels and the host's launches to LLVM's dialect with embedded PTX.
static void buildToHost(OpPassManager &pm, const ToHostOptions &options) {
  pm.addPass(tile::createTileOutlineKernels());
  buildSteps(pm, options);
  buildLowering(pm, options);
  pm.addPass(tile::createTileEmbedPtx());
  pm.addNestedPass<func::FuncOp>(createGpuAsyncRegionPass());
  pm.addNestedPass<func::FuncOp>(tile::createTileLowerMemset());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(arith::createArithExpandOpsPass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createGpuToLLVMConversionPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(tile::createTileFinishHost());
}

// From kernels with tile copies to ops that portable targets support.
static void buildToPortable(OpPassManager &pm,
                            const ToPortableOptions &options) {
  tile::LowerTileCopyOptions copies;
  copies.chip = options.chip;
  tile::TileInlineOptions calls;
  calls.keepCalls = true;
  pm.addPass(tile::createTileInline(calls));
  tile::TileChooseLayoutsOptions layouts;
  layouts.chip = options.chip;
  pm.addPass(tile::createTileChooseLayouts(layouts));
  tile::TileInsertSyncOptions order;
  order.chip = options.chip;
  order.whereNeeded = true;
  pm.addPass(tile::createTileInsertSync(order));
  // Before atomic updates exist, whose bodies may not call intrinsics.
  OpPassManager &first = pm.nest<gpu::GPUModuleOp>();
  tile::TileLowerReductionsOptions reductions;
  reductions.redux = false;
  first.addPass(tile::createTileLowerReductions(reductions));
  first.addPass(tile::createTileLowerShuffles());
  first.addPass(tile::createTileLowerMath());
  pm.addPass(tile::createLowerTileCopy(copies));
  OpPassManager &kernels = pm.nest<gpu::GPUModuleOp>();
  kernels.addPass(tile::createTileUnrollRegisters());
  kernels.addPass(memref::createExpandStridedMetadataPass());
  kernels.addPass(createLowerAffinePass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

void tile::registerConversions() {
  registerPass([] { return memref::createExpandStridedMetadataPass(); });
  registerPass([] { return createConvertMathToLLVMPass(); });
  registerPass([] { return createLowerAffinePass(); });
  registerPass([] { return createSCFToControlFlowPass(); });
  registerPass([] { return createConvertGpuOpsToNVVMOps(); });
  registerPass([] { return createConvertNVVMToLLVMPass(); });
  registerPass([] { return createReconcileUnrealizedCastsPass(); });
  registerPass([] { return arith::createArithExpandOpsPass(); });
  registerPass([] { return LLVM::createDIScopeForLLVMFuncOpPass(); });
  registerPass([] { return createGpuAsyncRegionPass(); });
  registerPass([] { return createGpuToLLVMConversionPass(); });
  registerGpuKernelOutliningPass();
  registerGpuLaunchSinkIndexComputationsPass();
  registerGpuEliminateBarriersPass();
  registerGpuNVVMAttachTarget();
}

// Registers a pipeline of passes on a module. MLIR aborts where such a pass is
// added to the pipeline of another op, so that is an error before.
template <typename Options>
static void registerModulePipeline(StringRef name, StringRef description,
                                   void (*build)(OpPassManager &,
                                                 const Options &)) {
  registerPassPipeline(
      name, description,
      [=](OpPassManager &pm, StringRef text,
          function_ref<LogicalResult(const Twine &)> emitError)
          -> LogicalResult {
        StringRef expected = ModuleOp::getOperationName();
        if (std::optional<StringRef> got = pm.getOpName();
            got && *got != expected)
          return emitError("'" + name + "' got the anchor '" + *got +
                           "', expected the module around kernels and host: '" +
                           expected + "'");
        Options options;
        if (failed(options.parseFromString(text)))
          return failure();
        build(pm, options);
        return success();
      },
      [](function_ref<void(const mlir::detail::PassOptions &)> print) {
        print(Options());
      });
}

static void buildToNVVM(OpPassManager &pm, const ToNVVMOptions &options) {
  tile::buildTileToNVVM(pm, {options.argumentAlignment, options.noalias},
                        options.lineInfo);
}

extern "C" void tileRegisterTestPasses();

static void registerOnce() {
  tile::registerTilePasses();
  tileRegisterTestPasses();
  registerModulePipeline<ToNVVMOptions>(
      "tile-to-nvvm",
      "Convert lowered kernels to the LLVM and NVVM dialects: "
      "tile-prepare-kernels, then upstream conversions",
      buildToNVVM);
  registerModulePipeline<BuildOptions>(
      "tile-build",
      "Compile kernels: inline, convert, pipeline, plan memory, order accesses "
      "where that is needed, then lower-tile-copy and tile-to-nvvm",
      buildBuild);
  registerModulePipeline<ToHostOptions>(
      "tile-to-host",
      "Convert kernels, launches and host code to the LLVM dialect with "
      "embedded PTX, for mlir-translate and mlir-runner",
      buildToHost);
  registerModulePipeline<ToPortableOptions>(
      "tile-to-portable",
      "Lower kernels with tile copies for a portable target, to arith, gpu, "
      "memref, scf and vector",
      buildToPortable);
}

void tile::detail::registerAllPasses() {
  static std::once_flag once;
  std::call_once(once, registerOnce);
}

extern "C" void tileRegisterPasses() { tile::detail::registerAllPasses(); }
