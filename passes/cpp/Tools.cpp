//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Mains of tile-opt, tile-lsp-server and tile-translate, and the translations
// of the last: --tile-to-ptx, and for portable targets --tile-to-spirv,
// --tile-to-wgsl, --tile-to-msl and --tile-to-hlsl.
//
// MLIR's parser recurses for each level that a text nests: one that nests too
// deeply is refused before it is parsed.

#include "Bridge.h"
#include "tile/Dialect.h"
#include "tile/InitAll.h"
#include "tile/Passes.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/Affine/TransformOps/AffineTransformOps.h"
#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/TransformOps/BufferizationTransformOps.h"
#include "mlir/Dialect/Func/TransformOps/FuncTransformOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/TransformOps/GPUTransformOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/TransformOps/DialectExtension.h"
#include "mlir/Dialect/MemRef/TransformOps/MemRefTransformOps.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/NVGPU/TransformOps/NVGPUTransformOps.h"
#include "mlir/Dialect/SCF/TransformOps/SCFTransformOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/TransformOps/TensorTransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Vector/TransformOps/VectorTransformOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Support/LogicalResult.h"
#include "mlir/Tools/ParseUtilities.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/MemoryBufferRef.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>

using namespace mlir;

// --mlir-print-op-on-diagnostic; null if this MLIR has no such option.
static llvm::cl::opt<bool> *printOpOnDiagnostic() {
  registerMLIRContextCLOptions();
  auto &options = llvm::cl::getRegisteredOptions();
  auto found = options.find("mlir-print-op-on-diagnostic");
  return found == options.end()
             ? nullptr
             : static_cast<llvm::cl::opt<bool> *>(found->second);
}

// A diagnostic of ours names what it is about. MLIR would add the whole
// operation in its generic form, which the option asks for.
static void omitOpsFromDiagnostics() {
  if (llvm::cl::opt<bool> *option = printOpOnDiagnostic())
    option->setInitialValue(false);
}

static bool printsOpsOnDiagnostics() {
  llvm::cl::opt<bool> *option = printOpOnDiagnostic();
  return option && *option;
}

// Rust's runtime ignores the signal of a closed pipe. A tool that writes into
// one ends, as others do.
static void endOnClosedPipe() {
#ifdef SIGPIPE
  std::signal(SIGPIPE, SIG_DFL);
#endif
}

// The name and the version of the project, which LLVM does not know.
static void printVersion(raw_ostream &os) {
  os << "tile " << unwrap(tileVersion()) << " (LLVM and MLIR "
     << LLVM_VERSION_STRING << ")\n";
}

// Hides what LLVM's libraries have registered before main: --help-hidden still
// lists the options of its back ends.
static void hideOptionsOfLLVM() {
  for (auto &[name, option] : llvm::cl::getRegisteredOptions())
    if (!StringRef(name).starts_with("help") && name != "h" &&
        name != "version")
      option->setHiddenFlag(llvm::cl::Hidden);
}

// What each tool does first.
static void beginTool() {
  hideOptionsOfLLVM();
  llvm::cl::SetVersionPrinter(printVersion);
  endOnClosedPipe();
  omitOpsFromDiagnostics();
}

// Whether the help page is asked for.
static bool asksForHelp(int argc, char **argv) {
  return llvm::any_of(llvm::ArrayRef(argv, argc).drop_front(),
                      [](StringRef arg) {
                        arg.consume_front("-");
                        return arg == "-help" || arg == "h" || arg == "help";
                      });
}

// Fails after an error that says where the text nests too deeply.
static LogicalResult checkNesting(llvm::MemoryBufferRef text) {
  uint64_t line = 0, column = 0;
  if (tileCheckNesting(wrap(text.getBuffer()), &line, &column))
    return llvm::success();
  llvm::errs() << text.getBufferIdentifier() << ":" << line << ":" << column
               << ": error: nests deeper than 256 levels\n";
  return llvm::failure();
}

// Prints the passes that are registered so far. Those of upstream, and the
// options of MLIR and LLVM, come after these on the help page.
static void printOwnPasses() {
  llvm::outs() << "tile-opt: the passes of the tile compiler\n\n"
               << "Pass Pipelines:\n";
  for (StringRef name :
       {"tile-build", "tile-to-host", "tile-to-nvvm", "tile-to-portable"})
    if (const PassPipelineInfo *pipeline = PassPipelineInfo::lookup(name))
      pipeline->printHelpStr(/*indent=*/2, /*descIndent=*/36);
  printRegisteredPasses();
  llvm::outs() << "\n";
}

// Reads a file, checks it, and writes the result of the passes.
static LogicalResult runPasses(StringRef input, StringRef output,
                               DialectRegistry &registry,
                               const MlirOptMainConfig &config) {
  std::string reason;
  std::unique_ptr<llvm::MemoryBuffer> text = openInputFile(input, &reason);
  if (!text || failed(checkNesting(*text))) {
    llvm::errs() << reason << (text ? "" : "\n");
    return failure();
  }
  std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(output, &reason);
  if (!file) {
    llvm::errs() << reason << "\n";
    return failure();
  }
  if (failed(MlirOptMain(file->os(), std::move(text), registry, config)))
    return failure();
  file->keep();
  return success();
}

// The dialects of the tile compiler, and those that a kernel comes with from
// compilers that tile, bufferize and map it, with their transform scripts.
static void registerKernelDialects(DialectRegistry &registry) {
  tile::registerAllDialects(registry);
  registry.insert<async::AsyncDialect, bufferization::BufferizationDialect,
                  nvgpu::NVGPUDialect, tensor::TensorDialect,
                  transform::TransformDialect>();
  affine::registerTransformDialectExtension(registry);
  bufferization::registerTransformDialectExtension(registry);
  func::registerTransformDialectExtension(registry);
  gpu::registerTransformDialectExtension(registry);
  linalg::registerTransformDialectExtension(registry);
  memref::registerTransformDialectExtension(registry);
  nvgpu::registerTransformDialectExtension(registry);
  scf::registerTransformDialectExtension(registry);
  tensor::registerTransformDialectExtension(registry);
  vector::registerTransformDialectExtension(registry);
}

extern "C" int tileOptMain(int argc, char **argv) {
  beginTool();
  DialectRegistry registry;
  registerKernelDialects(registry);
  tile::registerAllPasses();
  if (asksForHelp(argc, argv))
    printOwnPasses();
  tile::registerConversions();
  registerTransformsPasses();
  auto [input, output] = registerAndParseCLIOptions(
      argc, argv, "tile copies to GPU instructions\n", registry);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return asMainReturnCode(MlirOptMain(argc, argv, input, output, registry));
  llvm::InitLLVM init(argc, argv);
  return asMainReturnCode(runPasses(input, output, registry, config));
}

extern "C" int tileLspServerMain(int argc, char **argv) {
  beginTool();
  DialectRegistry registry;
  registerKernelDialects(registry);
  return asMainReturnCode(MlirLspServerMain(argc, argv, registry));
}

extern "C" void tilePrintStackOnCrash() {
  llvm::sys::PrintStackTraceOnErrorSignal(/*Argv0=*/"");
}

static void print(MlirStringRef text, void *stream) {
  *static_cast<raw_ostream *>(stream) << unwrap(text);
}

/// The module of a text that nests no deeper than the parser can bear.
static OwningOpRef<Operation *>
parse(const std::shared_ptr<llvm::SourceMgr> &source, MLIRContext *context) {
  const llvm::MemoryBuffer *text =
      source->getMemoryBuffer(source->getMainFileID());
  if (failed(checkNesting(*text)))
    return {};
  // mlir-translate asks for it, whatever the option says.
  context->printOpOnDiagnostic(printsOpsOnDiagnostics());
  DialectRegistry registry;
  tile::registerAllDialects(registry);
  tile::registerAllTranslations(registry);
  context->appendDialectRegistry(registry);
  return parseSourceFileForTool(source, context, /*insertImplicitModule=*/true);
}

/// Whether an op is a kernel, before its conversion to LLVM's dialect or after.
static bool isKernel(Operation *op) {
  if (auto function = dyn_cast<gpu::GPUFuncOp>(op))
    return function.isKernel();
  return isa<LLVM::LLVMFuncOp>(op) &&
         op->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName());
}

/// Erases the other kernels of a module, and the host's functions whose ops on
/// arrays make more of them, unless something refers to them or they launch
/// kernels. Such an op makes its kernels later, so that only modules without
/// one can lack a kernel.
static LogicalResult keepKernel(Operation *module, StringRef name) {
  SmallVector<Operation *> others;
  SetVector<Operation *> makers;
  bool isKnown = false;
  module->walk([&](Operation *op) {
    if (isa<tile::ScanOp, tile::ChainedOp, tile::SortOp>(op))
      makers.insert(op->getParentOfType<FunctionOpInterface>());
    if (!isKernel(op))
      return;
    if (SymbolTable::getSymbolName(op) == name)
      isKnown = true;
    else
      others.push_back(op);
  });
  if (!isKnown && (!makers.empty() || others.empty()))
    return success();
  if (!isKnown) {
    InFlightDiagnostic error = module->emitError("has no kernel '")
                               << name << "', expected one of ";
    llvm::interleaveComma(others, error, [&](Operation *kernel) {
      error << SymbolTable::getSymbolName(kernel).getValue();
    });
    return error << " (--kernel)";
  }
  for (Operation *maker : makers)
    if (maker &&
        !maker->walk([](gpu::LaunchFuncOp) { return WalkResult::interrupt(); })
             .wasInterrupted())
      others.push_back(maker);
  for (Operation *function : others)
    if (SymbolTable::symbolKnownUseEmpty(function, module))
      function->erase();
  return success();
}

extern "C" int tileTranslateMain(int argc, char **argv) {
  beginTool();
  llvm::cl::opt<std::string> chip(
      "chip", llvm::cl::desc("Chip to print PTX for; by default that of the "
                             "gpu.module. For other translations the portable "
                             "target: vulkan1.2, webgpu, metal, d3d12, ..."));
  llvm::cl::opt<std::string> gpuModule(
      "gpu-module", llvm::cl::desc("Name of the gpu.module to print, where "
                                   "there are several"));
  llvm::cl::opt<std::string> kernel(
      "kernel",
      llvm::cl::desc("Kernel to compile where there are several; for a "
                     "portable target a kernel of the tile.scan, too"));
  llvm::cl::opt<std::string> passes(
      "passes",
      llvm::cl::desc("Passes to run before PTX is printed, such as "
                     "'lower-tile-copy,tile-to-nvvm' or "
                     "'tile-build{order=false}'; by default tile-build"));
  llvm::cl::opt<bool> lineInfo(
      "line-info", llvm::cl::desc("Make PTX name the lines of the MLIR it "
                                  "comes from (.file and .loc)"));
  llvm::cl::opt<bool> declarations(
      "declarations",
      llvm::cl::desc("End the PTX with comments that state the kernels' "
                     "declared arguments and their locations"));
  TranslateRegistration toPtx(
      "tile-to-ptx", "Run the passes that a file needs and print PTX",
      [&](const std::shared_ptr<llvm::SourceMgr> &source, raw_ostream &os,
          MLIRContext *context) {
        OwningOpRef<Operation *> op = parse(source, context);
        if (!op || (!kernel.empty() && failed(keepKernel(op.get(), kernel))))
          return failure();
        return success(tileToPtx(
            wrap(op.get()), wrap(StringRef(chip)), wrap(StringRef(gpuModule)),
            wrap(StringRef(passes)), lineInfo, declarations, print, &os));
      });
  auto portable = [&](StringRef language) {
    return [&, language](const std::shared_ptr<llvm::SourceMgr> &source,
                         raw_ostream &os, MLIRContext *context) {
      OwningOpRef<Operation *> op = parse(source, context);
      return success(op && tileToPortable(wrap(op.get()), wrap(StringRef(chip)),
                                          wrap(StringRef(kernel)),
                                          wrap(language), print, &os));
    };
  };
  TranslateRegistration toSpirv("tile-to-spirv",
                                "Write a scan or kernel of a module as SPIR-V",
                                portable("spirv"));
  TranslateRegistration toWgsl("tile-to-wgsl",
                               "Print a scan or kernel of a module as WGSL",
                               portable("wgsl"));
  TranslateRegistration toMsl("tile-to-msl",
                              "Print a scan or kernel of a module as MSL",
                              portable("msl"));
  TranslateRegistration toHlsl("tile-to-hlsl",
                               "Print a scan or kernel of a module as HLSL",
                               portable("hlsl"));
  tile::registerAllPasses();
  return failed(mlirTranslateMain(argc, argv, "tile copies to PTX\n"));
}
