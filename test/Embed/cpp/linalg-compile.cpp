// A compiler from linalg on tensors to PTX:
//
//   linalg-compile softmax.mlir rows.mlir sm_90a > softmax.ptx
//
// The first file has a function on tensors, as PyTorch's models are exported;
// the second a transform script that makes a gpu.launch of it.

#include "tile/InitAll.h"
#include "tile/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace {

// Upstream's part: maps are fused, a block has a tile of the result, and the
// blocks are a kernel.
constexpr StringLiteral toKernel =
    "linalg-generalize-named-ops,linalg-fuse-elementwise-ops,"
    "linalg-fold-unit-extent-dims,"
    "transform-preload-library{{transform-library-paths={0}},"
    "transform-interpreter,canonicalize,cse,canonicalize,"
    "gpu-launch-sink-index-computations,gpu-kernel-outlining,canonicalize";

// The tile compiler's: tiles, layouts, pipelines, barriers, instructions, PTX.
constexpr StringLiteral toPtx = ",tile-build{{chip={1}},tile-embed-ptx";

void registerEverything(DialectRegistry &registry) {
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAllPasses();
  tile::registerAllDialects(registry);
  tile::registerTransformOps(registry);
  tile::registerAllTranslations(registry);
  tile::registerAllPasses();
}

LogicalResult compile(ModuleOp module, StringRef script, StringRef chip) {
  PassManager passes(module.getContext());
  std::string format = (toKernel + toPtx).str();
  std::string pipeline = llvm::formatv(format.c_str(), script, chip).str();
  if (failed(parsePassPipeline(pipeline, passes)))
    return failure();
  return passes.run(module);
}

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  if (argc != 4) {
    llvm::errs() << "usage: " << argv[0] << " PROGRAM SCRIPT CHIP\n";
    return 2;
  }
  DialectRegistry registry;
  registerEverything(registry);
  MLIRContext context(registry);
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> file = openInputFile(argv[1], &message);
  if (!file) {
    llvm::errs() << message << "\n";
    return 1;
  }
  // Errors are printed with their lines.
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(file), SMLoc());
  SourceMgrDiagnosticHandler handler(sources, &context);
  auto module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module || failed(compile(*module, argv[2], argv[3])))
    return 1;
  module->walk([](gpu::BinaryOp binary) {
    for (Attribute object : binary.getObjects())
      llvm::outs() << cast<gpu::ObjectAttr>(object).getObject().getValue();
  });
  return 0;
}
