// The driver: its own dialect and pass in addition to those of the tile
// compiler.

#include "Panel.h"
#include "tile/InitAll.h"
#include "tile/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<panel::PanelDialect>();
  tile::registerAllDialects(registry);
  tile::registerAllPasses();
  panel::registerAccesses(registry);
  panel::registerCopies(registry);
  panel::registerTilePasses();
  panel::registerMemoryPasses();
  panel::registerTypePasses();
  panel::registerPasses();
  // Passes can also be created with options.
  mlir::PassPipelineRegistration<> finish(
      "finish-panel", "From chosen copies to the LLVM and NVVM dialects",
      [](mlir::OpPassManager &pm) {
        tile::TileVectorizeCopyOptions vectorize;
        vectorize.maxVectorBits = 64;
        pm.addPass(tile::createTileVectorizeCopy(vectorize));
        pm.addPass(tile::createTileExpandCopy());
        pm.addPass(mlir::createCanonicalizerPass());
        tile::buildTileToNVVM(pm);
      });
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "panels, by the tile compiler\n", registry));
}
