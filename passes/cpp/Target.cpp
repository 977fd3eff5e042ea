//===----------------------------------------------------------------------===//
// Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// What MLIR's C API lacks for GPU ops.

#include "Bridge.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;

static bool isNVVM(Attribute target) {
  return isa<NVVM::NVVMTargetAttr>(target);
}

// The targets of a gpu.module; none for another op.
static ArrayRef<Attribute> targets(MlirOperation op) {
  auto module = dyn_cast<gpu::GPUModuleOp>(unwrap(op));
  ArrayAttr list = module ? module.getTargetsAttr() : ArrayAttr();
  return list ? list.getValue() : ArrayRef<Attribute>();
}

// The number of NVIDIA targets that a gpu.module names; 0 for another op.
extern "C" intptr_t tileModuleTargetCount(MlirOperation op) {
  return llvm::count_if(targets(op), isNVVM);
}

// One of them. The strings live as long as the context.
extern "C" TileModuleTarget tileModuleTarget(MlirOperation op, intptr_t index) {
  auto found = llvm::make_filter_range(targets(op), isNVVM);
  auto target = cast<NVVM::NVVMTargetAttr>(*std::next(found.begin(), index));
  return {wrap(target.getChip()), wrap(target.getFeatures()), target.getO()};
}

// Makes a gpu.module name one NVIDIA target, for the chip with these features;
// everything else about the first that it named is kept.
extern "C" void tileRetargetModule(MlirOperation op, MlirStringRef chip,
                                   MlirStringRef features) {
  auto module = cast<gpu::GPUModuleOp>(unwrap(op));
  NVVM::NVVMTargetAttr old;
  SmallVector<Attribute> list;
  for (Attribute target : targets(op))
    if (!isNVVM(target))
      list.push_back(target);
    else if (!old)
      old = cast<NVVM::NVVMTargetAttr>(target);
  if (!old)
    old = NVVM::NVVMTargetAttr::get(module.getContext());
  list.push_back(NVVM::NVVMTargetAttr::get(
      module.getContext(), old.getO(), old.getTriple(), unwrap(chip),
      unwrap(features), old.getFlags(), old.getLink(), old.getVerifyTarget()));
  module.setTargetsAttr(ArrayAttr::get(module.getContext(), list));
}

// Inserts a gpu.binary with the PTX, for the first NVIDIA target that a
// gpu.module names, before that module, which stays.
extern "C" void tileInsertBinary(MlirOperation op, MlirStringRef ptx) {
  auto module = cast<gpu::GPUModuleOp>(unwrap(op));
  ArrayRef<Attribute> all = targets(op);
  const Attribute *target = llvm::find_if(all, isNVVM);
  if (target == all.end())
    return;
  OpBuilder builder(module);
  Attribute object = gpu::ObjectAttr::get(
      module.getContext(), *target, gpu::CompilationTarget::Assembly,
      builder.getStringAttr(unwrap(ptx)), /*properties=*/nullptr,
      /*kernels=*/nullptr);
  gpu::BinaryOp::create(builder, module.getLoc(), module.getName(),
                        module.getOffloadingHandlerAttr(),
                        builder.getArrayAttr(object));
}

// Keeps MLIR from checking the ops of a gpu.module against upstream's table of
// chips.
extern "C" void tileSkipTargetCheck(MlirOperation op) {
  auto module = cast<gpu::GPUModuleOp>(unwrap(op));
  SmallVector<Attribute> list;
  for (Attribute target : targets(op)) {
    auto nvvm = dyn_cast<NVVM::NVVMTargetAttr>(target);
    list.push_back(!nvvm ? target
                         : NVVM::NVVMTargetAttr::get(
                               module.getContext(), nvvm.getO(),
                               nvvm.getTriple(), nvvm.getChip(),
                               nvvm.getFeatures(), nvvm.getFlags(),
                               nvvm.getLink(), /*verifyTarget=*/false));
  }
  module.setTargetsAttr(ArrayAttr::get(module.getContext(), list));
}

// Writes the number of workgroup attributions as upstream's methods, which add
// one, expect it. The count is not a property: text may lack it, and damaged
// bytecode may give it any type.
static void countInI64(Operation *op, StringRef name, unsigned count) {
  auto given = op->getAttrOfType<IntegerAttr>(name);
  if (!given || !given.getType().isInteger(64))
    op->setAttr(name, Builder(op->getContext()).getI64IntegerAttr(count));
}

// Adds a workgroup attribution to a gpu.func, aligned to the given bytes.
extern "C" MlirValue tileAddWorkgroupAttribution(MlirOperation op,
                                                 MlirType type,
                                                 MlirLocation location,
                                                 int64_t alignment) {
  auto function = cast<gpu::GPUFuncOp>(unwrap(op));
  countInI64(function, function.getNumWorkgroupAttributionsAttrName(),
             function.getNumWorkgroupAttributions());
  BlockArgument added =
      function.addWorkgroupAttribution(unwrap(type), unwrap(location));
  Builder builder(function.getContext());
  function.setWorkgroupAttributionAttr(function.getNumWorkgroupAttributions() -
                                           1,
                                       LLVM::LLVMDialect::getAlignAttrName(),
                                       builder.getI64IntegerAttr(alignment));
  return wrap(Value(added));
}

// Adds a workgroup attribution to a gpu.launch.
extern "C" MlirValue tileAddLaunchAttribution(MlirOperation op, MlirType type,
                                              MlirLocation location) {
  auto launch = cast<gpu::LaunchOp>(unwrap(op));
  countInI64(launch, launch.getNumWorkgroupAttributionsAttrName(),
             launch.getNumWorkgroupAttributions());
  return wrap(
      Value(launch.addWorkgroupAttribution(unwrap(type), unwrap(location))));
}

// Aligns the workgroup attribution that an argument of a gpu.func's body is to
// at least the given bytes.
extern "C" void tileAlignWorkgroupAttribution(MlirOperation op,
                                              intptr_t argument,
                                              int64_t alignment) {
  auto function = cast<gpu::GPUFuncOp>(unwrap(op));
  intptr_t index = argument - function.getNumArguments();
  if (index < 0 || index >= function.getNumWorkgroupAttributions())
    return;
  StringRef name = LLVM::LLVMDialect::getAlignAttrName();
  auto given = dyn_cast_or_null<IntegerAttr>(
      function.getWorkgroupAttributionAttr(index, name));
  if (given && given.getInt() >= alignment)
    return;
  Builder builder(function.getContext());
  function.setWorkgroupAttributionAttr(index, name,
                                       builder.getI64IntegerAttr(alignment));
}

// The size and the alignment of an llvm.mlir.global.
extern "C" TileGlobalSize tileGlobalSize(MlirOperation op) {
  auto global = cast<LLVM::GlobalOp>(unwrap(op));
  DataLayout layout = DataLayout::closest(global);
  uint64_t stated = global.getAlignment().value_or(0);
  return {layout.getTypeSize(global.getGlobalType()).getKnownMinValue(),
          stated ? stated : layout.getTypeABIAlignment(global.getGlobalType())};
}
