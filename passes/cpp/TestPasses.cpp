//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Passes for tests of the library's errors. They exist only where the
// environment asks for them before the first context is made.

#include "Bridge.h"
#include "tile/Dialect.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"

#include <cstdlib>

using namespace mlir;

namespace {

struct TestPanic : PassWrapper<TestPanic, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestPanic)
  StringRef getArgument() const override { return "tile-test-panic"; }
  StringRef getDescription() const override { return "Panic"; }
  void runOnOperation() override {
    if (!tileTestPanic(wrap(getOperation())))
      signalPassFailure();
  }
};

// A schedule as a compiler with attributes of its own may state it: a
// dictionary with the kind of instruction and the subgroups.
struct DictionarySchedule
    : tile::TileScheduleAttrInterface::ExternalModel<DictionarySchedule,
                                                     DictionaryAttr> {
  tile::ScheduleInstruction getInstruction(Attribute attribute) const {
    auto kind = cast<DictionaryAttr>(attribute).getAs<StringAttr>("mma_kind");
    std::optional<tile::ScheduleInstruction> known =
        kind ? tile::symbolizeScheduleInstruction(kind.getValue())
             : std::nullopt;
    return known.value_or(tile::ScheduleInstruction::Auto);
  }
  ArrayRef<int64_t> getOver(Attribute attribute) const {
    auto subgroups =
        cast<DictionaryAttr>(attribute).getAs<DenseI64ArrayAttr>("subgroup");
    return subgroups ? subgroups.asArrayRef() : ArrayRef<int64_t>();
  }
  int64_t getStages(Attribute) const { return 0; }
  tile::ScheduleEpilogue getEpilogue(Attribute) const {
    return tile::ScheduleEpilogue::Auto;
  }
};

struct TestSchedules : PassWrapper<TestSchedules, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestSchedules)
  StringRef getArgument() const override { return "tile-test-schedules"; }
  StringRef getDescription() const override {
    return "Let dictionaries be schedules";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<tile::TileDialect>();
    registry.addExtension(+[](MLIRContext *context, tile::TileDialect *) {
      DictionaryAttr::attachInterface<DictionarySchedule>(*context);
    });
  }
  void runOnOperation() override {}
};

} // namespace

extern "C" void tileRegisterTestPasses() {
  if (!std::getenv("TILE_TEST_PASSES"))
    return;
  PassRegistration<TestPanic>();
  PassRegistration<TestSchedules>();
}
