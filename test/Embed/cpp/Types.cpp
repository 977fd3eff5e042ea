// --panel-types: types of tiles, as a compiler makes them.

#include "Panel.h"

#include "mlir/IR/Builders.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace {

struct PrintTypes : PassWrapper<PrintTypes, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PrintTypes)

  StringRef getArgument() const final { return "panel-types"; }
  StringRef getDescription() const final { return "Print types of tiles"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<tile::TileDialect>();
  }

  void runOnOperation() override {
    Location loc = getOperation()->getLoc();
    auto error = [&] { return emitError(loc); };
    Type half = Builder(&getContext()).getF16Type();
    auto fragment = tile::FragmentAttr::get(&getContext(), "mma.m16n8k16.a");
    emitRemark(loc) << tile::BufferType::getRowMajor(error, {16, 64}, half,
                                                     tile::Space::Global);
    emitRemark(loc) << tile::BufferType::getAuto(error, {16, 64}, half,
                                                 tile::Space::Shared);
    emitRemark(loc) << tile::BufferType::getNamed(error, {16, 16}, half,
                                                  tile::Space::Local, fragment);
    tile::BufferType::getAuto(error, {16, 64}, half, tile::Space::Global);
    tile::BufferType::getNamed(error, {15, 16}, half, tile::Space::Local,
                               fragment);
  }
};

} // namespace

void panel::registerTypePasses() { PassRegistration<PrintTypes>(); }
